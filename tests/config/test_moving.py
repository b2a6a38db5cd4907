"""A site that outgrows SQLite: all of it is moved to PostgreSQL, or nothing, and every log is checked on both sides."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.config.elsewhere import Elsewhere
from tests.config.test_keeping import elsewhere, unmigrated  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

KEEP_ON = """
from campaigns.models import Campaign
from campaigns.services import play
from campaigns.services.campaigns import somebody
from uuid import uuid4
for campaign in Campaign.objects.all():
    print(play.say(somebody(campaign), "We go on", key=uuid4()).seq)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a site with the demo's two campaigns."""
    file = tmp_path_factory.mktemp("played") / "afterburn.sqlite3"
    there = Elsewhere(f"sqlite:///{file}")
    for command in ("migrate", "demo"):
        done = there.run("manage.py", command, "--verbosity=0")
        assert done.returncode == 0, done.stderr
    return file


def test_a_whole_site_moves_and_plays_on(played, unmigrated):  # noqa: F811
    before = Elsewhere(f"sqlite:///{played}").state()
    moved = unmigrated.run("manage.py", "move_to_postgres", str(played))
    assert moved.returncode == 0, moved.stderr
    assert f"Moved: 2 campaigns, {len(before['events'])} entries" in moved.stdout
    now = unmigrated.state()
    assert now == before
    checked = unmigrated.run("manage.py", "check_log")
    assert checked.returncode == 0, checked.stdout
    went_on = unmigrated.run("-c", KEEP_ON)
    assert went_on.returncode == 0, went_on.stderr
    assert Elsewhere(f"sqlite:///{played}").state() == before


def test_a_database_in_which_somebody_has_an_account_is_left_alone(played, elsewhere):  # noqa: F811
    assert elsewhere.run("manage.py", "move_to_postgres", str(played)).returncode == 0
    before = elsewhere.state()
    refused = elsewhere.run("manage.py", "move_to_postgres", str(played))
    assert refused.returncode == 1 and "This database is not empty" in refused.stderr
    assert elsewhere.state() == before


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            "UPDATE campaigns_eventpayload SET payload = '{}' WHERE event_id = 9",
            "Its logs have faults, so nothing was moved",
        ),
        ("DELETE FROM django_migrations WHERE app = 'world'", "is of an older version. Run `migrate` there first"),
        (
            "INSERT INTO django_migrations (app, name, applied) VALUES ('world', '9999_x', '2030-01-01')",
            "newer version",
        ),
        ("DELETE FROM people_user; DELETE FROM campaigns_campaign", "Nobody has an account"),
        ("UPDATE people_user SET username = username || char(0)", "people_user cannot be written here"),
    ],
)
def test_what_cannot_be_moved_whole_is_not_moved(played, elsewhere, tmp_path, changed, words):  # noqa: F811
    file = tmp_path / "changed.sqlite3"
    shutil.copyfile(played, file)
    with closing(sqlite3.connect(file)) as there:
        there.executescript(f"PRAGMA foreign_keys = OFF; {changed}")
    refused = elsewhere.run("manage.py", "move_to_postgres", str(file))
    assert refused.returncode == 1 and words in refused.stderr and "Traceback" not in refused.stderr
    assert not elsewhere.state()["counts"]["people.User"]


@pytest.mark.parametrize("content", [None, b"", b"no database at all" * 100])
def test_what_is_no_database_is_refused(elsewhere, tmp_path, content):  # noqa: F811
    file = tmp_path / "other.sqlite3"
    if content is not None:
        file.write_bytes(content)
    refused = elsewhere.run("manage.py", "move_to_postgres", str(file))
    assert refused.returncode == 1 and "Traceback" not in refused.stderr
    assert str(file) in refused.stderr or "Nobody has an account" in refused.stderr
    assert not elsewhere.state()["counts"]["people.User"]


def test_a_site_moves_to_postgresql_alone(played, tmp_path):
    there = Elsewhere(f"sqlite:///{tmp_path}/new.sqlite3")
    refused = there.run("manage.py", "move_to_postgres", str(played))
    assert refused.returncode == 1 and "DATABASE_URL has to name the PostgreSQL database" in refused.stderr
    assert not (tmp_path / "new.sqlite3").exists()
