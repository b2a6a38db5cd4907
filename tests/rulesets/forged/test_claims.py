"""Harm of a scoundrel, and old claims (public rules; forged.txt, line 102, for harm)."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid
from characters.ledger import claimed_words
from characters.services.cards import lock_sheet
from characters.services.fields import set_field
from characters.services.ledger import make_claim
from tests.answers import refusal
from tests.characters.operations import told
from tests.characters.xp import kept, make_thorn, now, read_claim


@pytest.fixture
def thorn(cast):
    return make_thorn(cast)


def claim(cast, character, kind, **given):
    claimed = make_claim(cast.player.member, character, kind, given, key=uuid4())
    return read_claim(claimed), now(character)


def put(cast, character, **values):
    for name, value in values.items():
        character = set_field(cast.gm.member, character, name, value, expected=now(character).value(name), key=uuid4())
    return character


def harm_of(character):
    return {level: [row["name"] for row in character.sheet.get(f"harm_{level}", [])] for level in (1, 2, 3)}


def test_harm_goes_into_its_row_or_up_and_empties_the_healing_clock(cast, thorn):
    thorn = put(cast, thorn, healing=3)
    for name in ("Cut to the Ribs", "Limping"):
        words, thorn = claim(cast, thorn, "harm", level="2", name=name)
    assert (words, thorn.value("healing")) == ("Level 2 harm: Limping", 0)
    words, thorn = claim(cast, thorn, "harm", level="2", name="Shot")
    assert words == "Level 2 harm: Shot, moved up to level 3 since lower rows are full"
    assert harm_of(thorn) == {1: [], 2: ["Cut to the Ribs", "Limping"], 3: ["Shot"]}
    refused = refusal(Invalid, claim, cast, thorn, "harm", level="3", name="Burnt")
    assert refused.field == "fatal" and harm_of(now(thorn))[3] == ["Shot"]
    words, thorn = claim(cast, thorn, "harm", level="3", name="Burnt", fatal="on")
    assert words == "Level 3 harm: Burnt, fatal"
    assert harm_of(thorn)[3] == ["Shot"]


@pytest.mark.parametrize(
    ("sheet", "kind", "told", "words"),
    [
        (
            "forged",
            "recovery",
            {"ticks": 3, "down": 1},
            "Recovery: 3 on the healing clock, all harm down 1 level",
        ),
        (
            "forged",
            "vice",
            {"indulged": True, "over": True, "before": 2, "after": 0},
            "Vice overindulged: stress 2 to 0",
        ),
        (
            "forged",
            "trauma",
            {"trauma": "cold", "retired": False},
            "Trauma: Cold. Stress cleared.",
        ),
        (
            "forged",
            "trauma",
            {"trauma": "soft", "retired": True},
            "Last trauma: Soft. They retire.",
        ),
        ("forged", "stress", {"why": "group", "stress": 2}, "2 stress for a group action"),
        ("crew", "heat", {"added": 6, "heat": 4, "wanted": 1}, "6 heat, now 4; wanted level 1"),
        ("crew", "payoff", {"rep": 4, "coin": 4}, "4 rep, 4 coin"),
    ],
)
def test_what_is_settled_at_the_table_is_claimed_no_more_and_old_claims_are_still_told(
    cast, thorn, crew, sheet, kind, told, words
):
    assert claimed_words(sheet, {"kind": kind, "told": told}) == words
    with pytest.raises(Invalid) as refused:
        make_claim(cast.player.member, crew if sheet == "crew" else thorn, kind, {}, key=uuid4())
    assert "Nothing on this sheet can be claimed" in refused.value.message


def test_nothing_is_written_at_once_on_a_locked_sheet(cast, thorn):
    lock_sheet(cast.gm.member, thorn, key=uuid4())
    with pytest.raises(Forbidden):
        claim(cast, now(thorn), "harm", level="1", name="Bruised")


def test_a_sheet_says_which_claim_was_written_on_it(cast, thorn):
    claim(cast, thorn, "harm", level="1", name="Limping")
    written = next(event for event in told() if event.payload.get("rows") == "harm_1")
    assert written.payload["why"] == ""
    assert written.described["why"] == "Level 1 harm: Limping"


def test_the_log_keeps_names_and_numbers_of_what_is_claimed(cast, thorn):
    for level in ("2", "2", "2", "3"):
        _, thorn = claim(cast, thorn, "harm", level=level, name="Limping", fatal="on")
    assert kept() == {"Mo", "Thorn", "Limping"}
