"""`manage.py demo` makes what the README and the sign-in page promise."""

from __future__ import annotations

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.models import Campaign, Event, GameSession, Membership, Picture, Role, SessionDate, Viewer
from campaigns.services.campaigns import sample, show_as_sample
from characters.models import Character
from config import checks
from config.demo import harrow, people, signal
from people.models import User
from rolls.models import Roll
from rolls.services.fairness import open_epoch
from scale.models import Burn, Scale
from scale.queries.projection import check
from tests.browser.servers import new_database
from tests.databases import another_database
from world.queries import Names, versions


@pytest.fixture
def demo(transactional_db: None) -> Iterator[None]:
    """Yield a database with the demo: a copy of the one for browser tests, or made here if there is none."""
    made = os.environ.get("TEST_DEMO")
    if not made:
        call_command("demo", verbosity=0)
        yield
        return
    with new_database(os.environ["DATABASE_URL"], template=made) as url, another_database(url.rpartition("/")[2]):
        yield


# There the browser tests begin with it, and it takes a while to play.
@pytest.mark.run_on("postgresql")
def test_the_demo_looks_played_and_is_made_once(demo, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    campaign = Campaign.objects.get(slug=harrow.SLUG)
    _looks_played(campaign)
    assert sample() == campaign
    mixed = Campaign.objects.get(slug=signal.SLUG)
    _mixes_systems(mixed)
    _keeps_pages(campaign)
    _has_a_shelf(campaign)
    _agrees_on_dates(campaign, mixed)
    for one in (campaign, mixed):
        _has_its_people(one)
        _proves_nothing_of_its_own_rolls(one)
    assert not Event.objects.filter(at__gt=timezone.now()).exists()
    events = Event.objects.count()
    call_command("demo", verbosity=0)
    assert Event.objects.count() == events


@pytest.mark.django_db
def test_the_next_rolls_can_be_checked_and_fall_by_the_dice_of_the_site(cast, settings, monkeypatch):
    class Short:
        """What the command asks of a demo; nothing happens in it."""

        def __init__(self, _):
            self.gm = cast.gm.member

        def make(self):
            dice.append(settings.DICE_SOURCE)

        def do(self, operation, by):
            operation(by, key=uuid4())

    dice = []
    for story in ("Harrow", "Signal"):
        monkeypatch.setattr(f"config.management.commands.demo.{story}", Short)
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    call_command("demo", verbosity=0)
    assert dice == ["config.demo.harrow.told_dice"] * 2
    assert settings.DICE_SOURCE == "rolls.services.fairness.fair_dice"
    assert open_epoch(cast.campaign).opened_at is not None


def _looks_played(campaign):
    sessions = GameSession.objects.filter(campaign=campaign)
    assert sessions.count() == len(harrow.SESSIONS)
    assert sessions.filter(ended_at=None).count() == 1
    assert Roll.objects.filter(campaign=campaign).count() > 300
    assert Scale.objects.get(campaign=campaign).value == -6
    assert [burn.kind for burn in Burn.objects.filter(state=Burn.State.OFFERED)] == ["trouble"]
    majors = Burn.objects.filter(major=True)
    assert sorted(major.kind for major in majors) == ["grace", "trouble"]
    assert {major.state for major in majors} == {Burn.State.NARRATED}
    assert check(campaign) == []


def _mixes_systems(campaign):
    kinds = set(Roll.objects.filter(campaign=campaign).values_list("system", "kind"))
    assert {system for system, _ in kinds} == set(signal.SYSTEMS)
    assert {("forged", "action"), ("forged", "resistance"), ("forged", "fortune"), ("arc", "reaction")} <= kinds
    assert check(campaign) == []


def _keeps_pages(campaign):
    """They link to each other, and two are the GM's alone."""
    members = {one.user.username: one for one in Membership.objects.filter(campaign=campaign).select_related("user")}
    viewers = {name: Viewer(campaign, members[name], Role(members[name].role)) for name in ("gm", "mo")}
    known = {name: Names(viewer) for name, viewer in viewers.items()}
    hidden = {page.name for page in known["gm"].pages} - {page.name for page in known["mo"].pages}
    assert hidden == {"The Surveyor", "The Regent’s box"}
    orsolya = known["mo"].find("the owner")
    assert [page.name for _, page, _ in known["mo"].linking(orsolya)] == ["The list of names"]
    assert len(versions(viewers["mo"], orsolya)) == 1 and len(versions(viewers["gm"], orsolya)) == 2
    assert not any(link.page is None for page in known["gm"].pages for link in known["gm"].linked(page.note))


def _has_a_shelf(campaign):
    members = {one.user.username: one for one in Membership.objects.filter(campaign=campaign).select_related("user")}
    seen = {
        name: [one.title for one in Picture.objects.handouts(Viewer(campaign, members[name], Role(members[name].role)))]
        for name in ("gm", "mo")
    }
    assert sorted(seen["gm"]) == ["The Lantern Room", "The list of names"] and seen["mo"] == ["The list of names"]
    assert "struck out" in Character.objects.get(campaign=campaign, name="Silas Grey").value("journal")


def _agrees_on_dates(campaign, mixed):
    (date,) = SessionDate.objects.filter(campaign=campaign)
    assert date.set_at and sorted(date.answers.values_list("answer", flat=True)) == ["maybe", "yes", "yes"]
    proposed = SessionDate.objects.filter(campaign=mixed, set_at=None)
    assert [date.answers.filter(answer="yes").count() for date in proposed.order_by("at")] == [2, 3, 1]


def _proves_nothing_of_its_own_rolls(campaign):
    """They follow from their ids."""
    assert not Roll.objects.filter(campaign=campaign).exclude(proof=None).exists()


def _has_its_people(campaign):
    roles = dict(Membership.objects.filter(campaign=campaign).values_list("user__username", "role"))
    players = dict.fromkeys(("mo", "iva", "tess"), Role.PLAYER)
    assert roles == {"gm": Role.GM, "watcher": Role.SPECTATOR} | players
    assert all(user.check_password(people.PASSWORD) for user in User.objects.all())


@pytest.mark.django_db
def test_the_people_of_a_closed_demo_cannot_sign_in_and_are_let_in_again_by_the_next(client):
    for name in ("gm", "mo"):
        User.objects.create_user(name, password=people.PASSWORD)
    own = User.objects.create_user("iva", password="lanterns-and-soot")
    assert client.login(username="gm", password=people.PASSWORD)

    call_command("demo", "--close")
    assert not Campaign.objects.exists()
    assert client.get("/c/new/").status_code == 302  # signed out
    assert not client.login(username="mo", password=people.PASSWORD)
    assert client.login(username="iva", password="lanterns-and-soot")

    people.let_in()
    assert client.login(username="mo", password=people.PASSWORD)
    own.refresh_from_db()
    assert own.check_password("lanterns-and-soot")


@pytest.mark.django_db
def test_on_a_site_with_https_no_account_with_a_known_password_is_made(settings):
    settings.HTTPS = True
    with pytest.raises(CommandError, match=r"everyone knows the demo’s password.*demo --sample"):
        call_command("demo")
    assert not User.objects.exists() and not Campaign.objects.exists()


@pytest.mark.django_db
def test_nor_is_one_that_was_closed_opened_again(settings):
    User.objects.create_user("gm", password=people.PASSWORD)
    call_command("demo", "--close")
    settings.HTTPS = True
    with pytest.raises(CommandError):
        call_command("demo")
    assert not people.with_known_password()


@pytest.mark.django_db
def test_a_host_has_the_sample_table_without_its_people(client, settings):
    settings.HTTPS, settings.SECURE_SSL_REDIRECT = True, False
    User.objects.create_user("mo", password=people.PASSWORD)
    call_command("demo", "--sample", verbosity=0)
    campaign = Campaign.objects.get()
    assert campaign.slug == harrow.SLUG and sample() == campaign
    assert client.get(f"/c/{campaign.slug}/").status_code == 200
    for name in people.PEOPLE:
        assert not client.login(username=name, password=people.PASSWORD)
    assert User.objects.count() == len(people.PEOPLE)


@pytest.mark.django_db
def test_the_sample_table_takes_nobodys_account(settings):
    User.objects.create_user("tess", password="lanterns-and-soot")
    with pytest.raises(CommandError, match="has the user name tess"):
        call_command("demo", "--sample")
    assert not Campaign.objects.exists()


@pytest.mark.django_db
def test_accounts_that_everyone_can_sign_in_to_are_warned_of():
    assert checks.doors_of_the_demo() == []
    User.objects.create_user("mo", password="lanterns-and-soot")
    User.objects.create_user("gm", password=people.PASSWORD)
    (warning,) = checks.doors_of_the_demo()
    assert warning.id == "afterburn.W004" and "sign in as gm:" in warning.msg and "demo --close" in warning.hint
    call_command("demo", "--close")
    assert checks.doors_of_the_demo() == []


@pytest.mark.django_db
def test_a_closed_demo_is_no_sample_and_what_the_host_chose_stays_one(cast):
    show_as_sample(cast.campaign)
    call_command("demo", "--close")
    assert sample() == cast.campaign
    Campaign.objects.update(slug=harrow.SLUG)
    call_command("demo", "--close")
    assert sample() is None
