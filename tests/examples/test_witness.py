"""The example of a witness: a log that is rewritten behind the back of those who read it, in ways that `check_log` alone does not
notice. Each test says so, too."""

from __future__ import annotations

import ast
import json
import logging
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection

from campaigns.models import Event, Role, Stream
from campaigns.models.members import TABLE
from campaigns.services.erasing import forget
from campaigns.services.members import change_role
from campaigns.services.play import say, whisper
from rolls.queries.checking import faults
from rolls.services.fairness import mark_restored
from tests.databases import TRIGGERS
from tests.examples.installing import EXAMPLES
from tests.examples.rewriting import cut, rewrite
from tests.examples.witnesses import witness
from tests.rolls.conftest import play
from tests.rolls.evening import evening

__all__ = ["evening", "play"]

PACKAGE = EXAMPLES / "afterburn-witness"
MOST_LINES = 300


@pytest.fixture
def guard_away(cast):
    """Remove the log's triggers, as the database's owner could; they return with the end of the transaction."""
    with connection.cursor() as cursor:
        for statement in TRIGGERS.UNDO[connection.vendor]:
            cursor.execute(statement)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "seen.json"


def said(person, words):
    say(person.member, words, key=uuid4())


# a log as it was written


@pytest.mark.run_on("sqlite", "postgresql")
def test_an_untouched_log_has_no_faults_for_anybody(cast, evening, file):
    for person in (cast.gm, cast.player, cast.spectator):
        own = file.with_name(person.user.username)
        watching = witness(person, own)
        assert watching.faults == [] and watching.dice.checked > 3 and not watching.dice.waiting
        kept = json.loads(own.read_text())["streams"]
        heads = Stream.objects.filter(campaign=cast.campaign, seq__gt=0).values_list("name", "seq", "head")
        assert kept == {name: [seq, head] for name, seq, head in heads if name in kept} and "table" in kept
        assert ("gm" in kept) is (person is cast.gm)


def test_it_goes_on_from_where_it_was(cast, file):
    said(cast.player, "The lamp")
    watching = witness(cast.player, file)
    before = watching.heads["table"][0]
    said(cast.player, "is out.")
    watching.read()
    assert watching.heads["table"][0] == before + 1
    assert witness(cast.player, file).faults == watching.faults == []


def test_words_that_were_erased_are_no_fault(cast, evening, file):
    watching = witness(cast.gm, file)
    forget(cast.player.member, "somebody")
    watching.read()
    assert watching.faults == [] and witness(cast.gm, file).faults == []


# what check_log does not notice


def test_a_tail_cut_off_and_the_head_rewound_is_noticed(cast, guard_away, file):
    said(cast.player, "I never said this.")
    watching = witness(cast.player, file)
    last = watching.heads["table"][0]
    cut(cast.campaign)
    assert list(faults(cast.campaign)) == []
    watching.read()
    assert watching.faults == [
        f"LOG: stream table WAS CUT: entry {last} has been told of, and the log ends with {last - 1}."
    ]
    assert "WAS CUT" in witness(cast.player, file).faults[0]


def test_it_is_noticed_too_where_it_was_not_running_meanwhile(cast, guard_away, file):
    said(cast.player, "I never said this.")
    witness(cast.player, file)
    cut(cast.campaign)
    (fault,) = witness(cast.player, file).faults
    assert "WAS CUT" in fault


def looked_again(cast, watching, file, is_running):
    """Return the faults that the same witness finds, or another one with its file."""
    if not is_running:
        return witness(cast.player, file).faults
    watching.read()
    return watching.faults


@pytest.mark.parametrize("is_running", [True, False])
def test_a_tail_cut_off_and_written_anew_is_noticed(cast, guard_away, file, is_running):
    said(cast.player, "Yes.")
    watching = witness(cast.player, file)
    cut(cast.campaign)
    for words in ("No.", "Never.", "Why?"):
        said(cast.player, words)
    assert list(faults(cast.campaign)) == []
    (fault,) = looked_again(cast, watching, file, is_running)
    assert "table WAS REWRITTEN or FORKED" in fault


@pytest.mark.parametrize("is_running", [True, False])
def test_a_members_own_stream_written_wholly_anew_is_noticed(cast, guard_away, file, is_running):
    whisper(cast.gm.member, "Meet me at the well.", to=[cast.player.member], key=uuid4())
    watching = witness(cast.player, file)
    rewrite(cast.campaign, cast.player.member.stream, "well", "mill")
    assert list(faults(cast.campaign)) == []
    (fault,) = looked_again(cast, watching, file, is_running)
    assert fault.startswith(f"LOG: stream {cast.player.member.stream} WAS REWRITTEN or FORKED")


def test_a_whole_log_written_anew_is_noticed_by_its_first_entry_too(cast, guard_away, file):
    said(cast.player, "the well")
    watching = witness(cast.player, file)
    rewrite(cast.campaign, TABLE, "well", "mill")
    said(cast.player, "And on.")
    assert list(faults(cast.campaign)) == []
    watching.read()
    assert len(watching.faults) == 1


def test_two_witnesses_who_were_told_different_logs_notice_it(cast, guard_away, tmp_path):
    """In a fork each of the two logs fits, and each reader has only ever seen one of them."""
    said(cast.player, "Yes.")
    mo = tmp_path / "mo.json"
    assert witness(cast.player, mo).faults == []
    cut(cast.campaign)
    said(cast.player, "No.")
    assert list(faults(cast.campaign)) == []
    assert witness(cast.other_player, tmp_path / "tess.json").faults == []
    (fault,) = witness(cast.other_player, tmp_path / "tess.json", mo).faults
    assert "table WAS FORKED" in fault or "WAS REWRITTEN or FORKED" in fault


def test_the_file_of_another_reader_whose_streams_one_may_not_read_is_no_fault(cast, tmp_path):
    whisper(cast.gm.member, "Meet me at the well.", to=[cast.player.member], key=uuid4())
    witness(cast.player, tmp_path / "mo.json")
    assert witness(cast.other_player, tmp_path / "tess.json", tmp_path / "mo.json").faults == []


def test_what_was_told_as_it_happened_has_to_be_there_afterwards(cast, guard_away, file):
    watching = witness(cast.player, file)
    said(cast.player, "Gone before anybody read it.")
    last = Event.objects.filter(campaign=cast.campaign, stream__name=TABLE).latest("seq")
    watching.note({"stream": "table", "seq": last.seq, "hash": last.hash})
    cut(cast.campaign)
    watching.read()
    assert "WAS CUT" in watching.faults[0] and json.loads(file.read_text())["streams"]["table"] == [last.seq, last.hash]


def test_what_was_told_as_it_happened_and_is_another_now_is_noticed(cast, guard_away, file):
    watching = witness(cast.player, file)
    said(cast.player, "the well")
    last = Event.objects.filter(campaign=cast.campaign, stream__name=TABLE).latest("seq")
    watching.note({"stream": "table", "seq": last.seq, "hash": last.hash})
    rewrite(cast.campaign, TABLE, "well", "mill")
    watching.read()
    assert "WAS REWRITTEN or FORKED" in watching.faults[0]


def test_a_stream_that_is_not_told_any_more_is_noticed(cast, file):
    change_role(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    watching = witness(cast.player, file)
    assert "gm" in watching.heads
    change_role(cast.gm.member, cast.player.member, Role.PLAYER, expected=Role.GM, key=uuid4())
    watching.read()
    assert any("stream gm is not there any more" in fault for fault in watching.faults)


# its stable output


def test_a_fault_is_said_again_by_each_later_one_and_what_was_seen_is_kept(cast, guard_away, file, caplog):
    said(cast.player, "Yes.")
    seen = witness(cast.player, file).heads["table"]
    cut(cast.campaign)
    witness(cast.player, file)
    for words in ("No.", "Never."):
        said(cast.player, words)
    caplog.clear()
    later = witness(cast.player, file)
    assert "WAS CUT" in caplog.text and len(later.faults) == 2
    assert json.loads(file.read_text())["streams"]["table"] == list(seen)


@pytest.mark.parametrize("is_running", [True, False])
def test_it_says_where_the_log_tells_of_a_backup(cast, guard_away, file, is_running):
    for words in "abc":
        said(cast.player, words)
    watching = witness(cast.player, file)
    for _ in "bc":
        cut(cast.campaign)
    mark_restored(cast.campaign)
    (fault,) = looked_again(cast, watching, file, is_running)
    assert "stream table" in fault and "The log tells of a backup that was restored" in fault


# its file


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "something else"}'])
def test_a_file_that_is_none_of_its_own_is_left_alone(cast, file, content):
    file.write_text(content)
    with pytest.raises(ValueError):
        witness(cast.player, file)
    assert file.read_text() == content


def test_a_file_of_another_campaign_is_refused(cast, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"format": "afterburn-witness 1", "campaign": "another", "streams": {}, "faults": []}')
    witness(cast.player, tmp_path / "own.json")
    with pytest.raises(ValueError, match="another campaign"):
        witness(cast.player, tmp_path / "own.json", other)


def test_its_file_is_whole_at_every_moment(cast, file, monkeypatch):
    witness(cast.player, file)
    before = file.read_text()
    said(cast.player, "More")

    def full(*_args, **_kwargs):
        raise OSError("no space left")

    monkeypatch.setattr("afterburn_witness.log.os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        witness(cast.player, file)
    assert file.read_text() == before


# its parts


def code_of(source):
    """Return a module without its docstrings and comments."""
    module = ast.parse(source)
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(module)


def test_it_is_short_and_needs_python_alone():
    sources = [path.read_text() for path in (PACKAGE / "afterburn_witness").glob("*.py")]
    lines = [line for source in sources for line in code_of(source).splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported - {"afterburn_witness"} <= sys.stdlib_module_names
    assert logging.getLogger("afterburn_witness").propagate
