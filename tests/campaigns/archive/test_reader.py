"""Every line of a log that comes from another server is checked, and what is wrong is told by line; nothing is changed then."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from campaigns.archive import reader
from campaigns.archive.services import Faulty
from campaigns.models import Campaign, Event
from rolls.queries.checking import faults
from tests.campaigns.archive.elsewhere import bring, forged, moved_away, take, written
from tests.damage import DAMAGES
from tests.rolls.conftest import play  # noqa: F401
from tests.rolls.evening import evening as rolled  # noqa: F401


def _faults(user, text):
    before = Campaign.objects.count(), Event.objects.count()
    with pytest.raises(Faulty) as refused:
        bring(user, text)
    assert (Campaign.objects.count(), Event.objects.count()) == before
    return refused.value.faults


@pytest.mark.usefixtures("rolled")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_refused_whole_with_the_number_of_the_line(cast, damage):
    saved, newcomer = moved_away(cast)
    lines = [json.loads(line) for line in saved.splitlines()]
    damage(lines)
    told = _faults(newcomer.user, written(lines))
    assert 1 <= len(told) <= 4 and told[0].startswith("Line ")


WRONG = {
    "it isn’t the JSON": lambda line: "{",
    "it isn’t an entry": lambda line: "[1]",
    "the JSON of a log": lambda line: json.dumps(line | {"payload": {"n": 1.5}}),
    "it is only a link": lambda line: json.dumps({name: line[name] for name in line if name != "payload"}),
    "it has other fields": lambda line: json.dumps(line | {"more": 1}),
    "“seq” is of the wrong type": lambda line: json.dumps(line | {"seq": True}),
    "“actor” is of the wrong type": lambda line: json.dumps(line | {"actor": "1"}),
    "“stream” is malformed": lambda line: json.dumps(line | {"stream": "member:0"}),
    "characters or numbers": lambda line: json.dumps(line | {"payload": {"words": "\0"}}),
    "nested too deeply": lambda line: json.dumps(line | {"payload": {"n": json.loads("[" * 40 + "]" * 40)}}),
    "“uid” isn’t an id": lambda line: json.dumps(line | {"uid": "x"}),
    "“at” isn’t a time": lambda line: json.dumps(line | {"at": "2026-13-01T00:00:00.000000Z"}),
    "doesn’t know its kind": lambda line: json.dumps(line | {"kind": "campaigns.flown"}),
    "isn’t the number of a person": lambda line: json.dumps(line | {"actor": 0}),
    "“session” is out of range": lambda line: json.dumps(line | {"session": -1}),
    "scene without a session": lambda line: json.dumps(line | {"session": None, "scene": 1}),
    "it is longer than": lambda line: "x" * (reader.LONGEST_LINE + 5),
}


@pytest.mark.parametrize("words", WRONG)
def test_a_line_that_is_none_is_named(lines, cast, words):
    text = written(lines[:-1]) + WRONG[words](lines[-1]) + "\n"
    (fault,) = _faults(cast.outsider.user, text)
    assert fault.startswith(f"Line {len(lines)}: ") and words in fault


UNFIT = {
    "isn’t what entries of its kind": {"payload": {}},
    "author is missing": {"actor": 999_999},
    "amends an entry that comes later": {"amends": {"stream": "gm", "seq": 999}},
    "hidden from some": {"amends": {"stream": "table", "seq": 1}},
    "“amends” is malformed": {"amends": {"seq": 1}},
    "lines are missing": {"seq": 999},
}


@pytest.mark.parametrize("words", UNFIT)
def test_what_fits_together_and_cannot_be_is_named(lines, cast, words):
    last = lines[-1] | UNFIT[words]
    if "payload" in UNFIT[words]:
        last |= {"kind": "campaigns.session_titled", "payload": {"by": lines[-1]["payload"]["by"]}}
    assert last["stream"] != "table"
    (fault,) = _faults(cast.outsider.user, written(forged([*lines[:-1], last])))
    assert fault.startswith(f"Line {len(lines)}: ") and words in fault


def test_of_a_payload_that_does_not_fit_the_first_fields_are_named_whatever_they_are_called(lines):
    said = next(line for line in lines if line["kind"] == "campaigns.said")
    persons = [{"member": "1", "name": ""}, {"member": 1, "name": 0}, {"member": 1.5, "name": ""}, {}]
    with pytest.raises(reader.Wrong, match=r"see “manner”, “to.0.member”, “to.1.name”\.$"):
        reader.indexed(_more(said, manner=None, to=persons))


def test_lines_of_two_campaigns_are_refused(lines, cast):
    own = take(cast.gm.client, "ashes").splitlines()[0]
    told = _faults(cast.outsider.user, written(lines[:1]) + own)
    assert "a different campaign" in told[0]


def test_the_first_faults_are_told_at_once(cast):
    assert len(_faults(cast.outsider.user, "{\n" * 50)) == reader.MOST_FAULTS
    assert _faults(cast.outsider.user, "") == ["This file is empty."]


def _more(line, **payload):
    return line | {"payload": line["payload"] | payload}


def test_more_than_a_page_can_show_is_refused(lines, cast, monkeypatch):
    people = [{"member": number, "name": "x"} for number in range(900, 903)]
    for words, payload in (
        ("more than an entry can", {"x": [[]] * reader.MOST_PARTS}),
        ("more than an entry can", {"x": "x" * 10_001}),
        ("characters or numbers", {"x": "\u202e"}),
        ("more than 7 people", {"x": people}),
    ):
        monkeypatch.setattr(reader, "MOST_PEOPLE", 7)
        (fault,) = _faults(cast.outsider.user, written(forged([*lines[:-1], _more(lines[-1], **payload)])))
        assert fault.startswith(f"Line {len(lines)}: ") and words in fault
    monkeypatch.setattr(reader, "MOST_SCENES", 0)
    assert "more than 1000 sessions or 0 scenes" in _faults(cast.outsider.user, written(lines))[0]


def test_more_amendments_of_one_entry_than_a_line_can_show_are_refused(lines, cast, monkeypatch):
    monkeypatch.setattr(reader, "MOST_AMENDING", 2)
    last = max((line for line in lines if line["stream"] == "table"), key=lambda line: line["seq"])
    amending = [last | {"seq": last["seq"] + more, "amends": {"stream": "table", "seq": 1}} for more in (1, 2, 3)]
    (fault,) = _faults(cast.outsider.user, written(forged([*lines, *amending])))
    assert fault.startswith(f"Line {len(lines) + 3}: ") and "amend the same entry" in fault


def test_check_log_names_dice_that_no_dice_can_be(lines, cast):
    committed, *_, said = (
        line for line in lines if line["stream"] == "table" and line["kind"] != "campaigns.campaign_made"
    )
    seed = {"epoch": "1", "commitment": "x", "blind": "x"}
    committed |= {"kind": "rolls.epoch_committed", "payload": {"by": committed["payload"]["by"]} | seed}
    proof = dict.fromkeys(("client", "witness"), "") | {
        "epoch": "1",
        "actor": 1,
        "roll": str(uuid4()),
        "spec": "1d10",
    }
    proof |= {"faces": [1], "blind": False, "cause": "no-uuid"}
    payload = {"by": said["payload"]["by"], "who": said["payload"]["by"], "audience": "table", "hand_rolled": False}
    payload |= {"declare": [], "equal": [], "dice": [], "proof": proof, "witness": None}
    said |= {"kind": "arc.order_rolled", "payload": payload}
    campaign = bring(cast.outsider.user, written(forged(lines)))
    assert "cannot be computed again" in "".join(faults(campaign))
