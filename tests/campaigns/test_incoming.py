"""Every line of a log that comes from another server is checked, and what is wrong is told by line; nothing is changed then."""

from __future__ import annotations

import json
from contextlib import suppress
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Campaign, Event
from campaigns.services import exported, incoming
from campaigns.services.exported import WRONG_FACTS, found_by
from campaigns.services.importing import Faulty
from campaigns.views import log
from rolls.services.checking import faults
from tests.campaigns.elsewhere import bring, forged, take, written
from tests.damage import DAMAGES
from tests.flows.test_live_equals_reload import KINDS


def _faults(user, text):
    before = Campaign.objects.count(), Event.objects.count()
    with pytest.raises(Faulty) as refused:
        bring(user, text)
    assert (Campaign.objects.count(), Event.objects.count()) == before
    return refused.value.faults


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_refused_whole_with_the_number_of_the_line(moved, damage):
    saved, newcomer = moved
    lines = [json.loads(line) for line in saved.splitlines()]
    damage(lines)
    told = _faults(newcomer.user, written(lines))
    assert 1 <= len(told) <= 4 and told[0].startswith("Line ")


WRONG = {
    "it is not JSON": lambda line: "{",
    "it is no entry": lambda line: "[1]",
    "as a log is written in": lambda line: json.dumps(line | {"facts": {"n": 1.5}}),
    "it is a bare link": lambda line: json.dumps({name: line[name] for name in line if name != "facts"}),
    "it does not hold what": lambda line: json.dumps(line | {"more": 1}),
    "“seq” is of the wrong type": lambda line: json.dumps(line | {"seq": True}),
    "“actor” is of the wrong type": lambda line: json.dumps(line | {"actor": "1"}),
    "“stream” is not written": lambda line: json.dumps(line | {"stream": "member:0"}),
    "characters or numbers": lambda line: json.dumps(line | {"facts": {"words": "\0"}}),
    "too deep a nesting": lambda line: json.dumps(line | {"facts": {"n": json.loads("[" * 40 + "]" * 40)}}),
    "“uid” is no id": lambda line: json.dumps(line | {"uid": "x"}),
    "“at” is no time": lambda line: json.dumps(line | {"at": "2026-13-01T00:00:00.000000Z"}),
    "does not know its kind": lambda line: json.dumps(line | {"kind": "campaigns.flown"}),
    "no number of a person": lambda line: json.dumps(line | {"actor": 0}),
    "“session” cannot be": lambda line: json.dumps(line | {"session": -1}),
    "scene without a session": lambda line: json.dumps(line | {"session": None, "scene": 1}),
    "it is longer than": lambda line: "x" * (exported.LONGEST_LINE + 5),
}


@pytest.mark.parametrize("words", WRONG)
def test_a_line_that_is_none_is_named(lines, cast, words):
    text = written(lines[:-1]) + WRONG[words](lines[-1]) + "\n"
    (fault,) = _faults(cast.outsider.user, text)
    assert fault.startswith(f"Line {len(lines)}: ") and words in fault


UNFIT = {
    "is not what an entry of its kind": {"facts": {}},
    "by somebody else": {"actor": 999_999},
    "amends what is not there": {"amends": {"stream": "gm", "seq": 999}},
    "hidden from some": {"amends": {"stream": "table", "seq": 1}},
    "“amends” is not written": {"amends": {"seq": 1}},
    "lines are missing": {"seq": 999},
}


@pytest.mark.parametrize("words", UNFIT)
def test_what_fits_together_and_cannot_be_is_named(lines, cast, words):
    last = lines[-1] | UNFIT[words]
    if "facts" in UNFIT[words]:
        last |= {"kind": "campaigns.session_titled", "facts": {"by": lines[-1]["facts"]["by"]}}
    assert last["stream"] != "table"
    (fault,) = _faults(cast.outsider.user, written(forged([*lines[:-1], last])))
    assert fault.startswith(f"Line {len(lines)}: ") and words in fault


def test_lines_of_two_campaigns_are_refused(lines, cast):
    own = take(cast.gm.client, "ashes").splitlines()[0]
    told = _faults(cast.outsider.user, written(lines[:1]) + own)
    assert "another campaign" in told[0]


def test_the_first_faults_are_told_at_once(cast):
    assert len(_faults(cast.outsider.user, "{\n" * 50)) == incoming.MOST_FAULTS
    assert _faults(cast.outsider.user, "") == ["There is nothing in this file."]


CLOCK = {"name": "x", "segments": 10**12, "after": 1, "kind": [], "filled": {}, "full": 1, "owner": 5, "sight": []}
HOSTILE = (
    {"clock": CLOCK, "ticks": 1, "title": "x", "rows": [{"title": "x"}], "dice": 5, "roll": [], "card": "x"},
    {
        "clock": {"name": "y"},
        "ticks": 2,
        "title": "x",
        "rows": 5,
        "burns": [5],
        "scale": "x",
        "character": [{}],
        "who": 5,
    },
    {
        "character": {"name": [1]},
        "clock": {"name": {}},
        "entry": 5,
        "dots": 10**12,
        "dice": [{"face": "x"}, 5],
        "roll": {"x": 1},
    },
)


def _saying_anything(line):
    """A line of every kind for all hostile facts that pass for those of that kind."""
    for kind in sorted(KINDS):
        for facts in HOSTILE:
            odd = line | {
                "kind": kind,
                "facts": facts | {"by": line["facts"]["by"]},
                "uid": str(uuid4()),
                "session": None,
            }
            with suppress(*WRONG_FACTS):
                found_by(odd)
                yield odd | {"scene": None}


def test_entries_that_say_anything_whatever_break_no_page(lines, cast, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10_000)
    odd = list(_saying_anything(lines[0]))
    assert len({line["kind"] for line in odd}) > 30
    for seq, line in enumerate(odd, 2):
        line["seq"] = seq
    campaign = bring(cast.outsider.user, written(forged([lines[0], *odd])))
    for page in ("log", "table"):
        answer = cast.outsider.client.get(reverse(page, args=[campaign.slug]))
        assert answer.status_code == 200 and b"This entry cannot be drawn" in answer.content
    for form in ("csv", "markdown", "page"):
        assert "cannot be drawn" in take(cast.outsider.client, campaign.slug, **{"as": form})
    assert any("cannot be computed again" in fault for fault in faults(campaign))


def test_check_log_names_dice_that_no_dice_can_be(lines, cast):
    said = next(line for line in lines if line["kind"] == "campaigns.said")
    said |= {"kind": "rolls.epoch_revealed", "facts": {"by": said["facts"]["by"]}}
    campaign = bring(cast.outsider.user, written(forged(lines)))
    assert "cannot be computed again" in "".join(faults(campaign))
