"""What is rolled by the terms of a roll, on plain values of a sheet: whoever asks, by form, request or procedure."""

from __future__ import annotations

import pytest

from characters.sheets.fields import SheetError
from rules.errors import RuleError
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import DEFAULTS, Settings
from rulesets.storyteller.terms import StorytellerInput, check_spared, typed
from tests.answers import refusal

POWERS = [
    {"id": "p1", "name": "Fortitude", "rating": 2},
    {"id": "p2", "name": "Potence", "rating": 1},
    {"id": "p3", "name": "Conviction", "rating": 2},
]
SILAS = {"perception": 3, "alertness": 2, "stamina": 2, "willpower": 6, "inspiration": 7, "humanity": 7, "courage": 3}
SILAS |= {"conscience": 2, "self_control": 2, "armour": 1, "powers": POWERS}
HURT = {"bashing": 2, "lethal": 1}


def on(pool="", *, settings=DEFAULTS, values=SILAS, **terms):
    """Return the roll of a pool as it is typed; a Burn puts a die into actions where `burns` are wanted."""
    burns = terms.pop("burns", 0)
    ask = StorytellerInput(**typed(pool), **terms)
    return ask.on(values, settings, lambda kind: burns if kind is Kind.ACTION else 0)


@pytest.mark.parametrize(
    ("pool", "terms", "marked", "rolled"),
    [
        ("perception+alertness", {}, {}, ("action", 5, 0, 0)),
        ("perception+alertness", {"modifier": -2, "burns": 1}, {}, ("action", 4, 0, 0)),
        ("perception+alertness", {}, HURT, ("action", 4, 1, 0)),
        ("perception+alertness", {"unhurt": True}, HURT, ("action", 5, 0, 1)),
        ("perception+alertness", {"unhurt": True}, {}, ("action", 5, 0, 0)),
        ("perception+alertness", {}, {"lethal": 7}, ("action", 1, 5, 0)),
        ("5", {"burns": 1}, HURT, ("action", 6, 0, 0)),
        ("willpower", {"burns": 1}, HURT, ("willpower", 6, 0, 0)),
        ("Will", {}, {}, ("willpower", 6, 0, 0)),
        ("inspiration", {}, {}, ("inspiration", 7, 0, 0)),
        ("humanity", {}, {}, ("humanity", 7, 0, 0)),
        ("courage", {}, {}, ("virtue", 3, 0, 0)),
        ("self-control + Conscience", {}, {}, ("virtue", 4, 0, 0)),
        ("courage + perception", {}, {}, ("action", 6, 0, 0)),
        ("courage", {"kind": "other"}, {}, ("other", 3, 0, 0)),
        ("conviction", {}, {}, ("action", 2, 0, 0)),
        ("conviction", {"kind": "virtue"}, {}, ("virtue", 2, 0, 0)),
        ("stamina", {"kind": "soak", "burns": 1}, HURT, ("soak", 2, 0, 0)),
    ],
)
def test_traits_say_what_a_roll_is_and_only_actions_lose_dice_to_wounds(pool, terms, marked, rolled):
    asked = on(pool, values=SILAS | marked, **terms)
    assert (asked.kind, asked.pool.dice, asked.pool.wounds, asked.pool.wounds_left_out) == rolled


def test_a_table_may_do_without_wounds():
    without = Settings(wound_penalties=(0,) * 7)
    assert on("perception+alertness", values=SILAS | HURT, settings=without).pool.dice == 5


@pytest.mark.parametrize(
    ("pool", "terms", "field"),
    [
        ("", {}, "pool"),
        ("0", {}, "pool"),
        ("999999999999", {}, "pool"),
        ("alertness", {}, "pool"),
        ("juggling", {}, "juggling"),
        ("3", {"difficulty": 11}, "difficulty"),
        ("3", {"kind": "frenzy"}, "kind"),
        ("perception+alertness", {"kind": "willpower"}, "kind"),
        ("willpower", {"kind": "humanity"}, "kind"),
        ("wits", {"kind": "virtue"}, "kind"),
    ],
)
def test_what_cannot_be_rolled_is_refused(pool, terms, field):
    values = SILAS if pool != "alertness" else {}
    assert refusal((RuleError, SheetError), on, pool, values=values, **terms).field == field


@pytest.mark.parametrize(
    ("pool", "kind"),
    [
        ("perception+alertness", "action"),
        ("7", "action"),
        ("courage", "virtue"),
        ("stamina", "soak"),
        ("stamina+fortitude+armour", "soak"),
        ("strength+Potence", "damage"),
        ("dexterity+wits", "initiative"),
    ],
)
def test_a_player_rolls_what_the_traits_make(pool, kind):
    check_spared(on(pool, kind=kind))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.ACTION, Kind.INSPIRATION)])
@pytest.mark.parametrize("pool", ["conviction", "7"])
def test_a_player_spares_the_scale_by_no_others(pool, kind):
    asked = on(pool, kind=kind.value)
    assert refusal(RuleError, check_spared, asked).field == "kind"


@pytest.mark.parametrize(
    ("terms", "field", "words"),
    [
        (
            {"traits": ("perc", "ALERTNESS"), "difficulty": 7},
            "Perception + Alertness",
            "Perception + Alertness, difficulty 7",
        ),
        ({"traits": ("will",)}, "Willpower", "Willpower, difficulty 6"),
        ({"traits": ("stamina",), "kind": "soak"}, "Stamina", "Stamina, difficulty 6, soak"),
        ({"dice": 4, "automatic": True}, "4", "4 dice, difficulty 6, automatic success allowed"),
        ({"automatic": True, "difficulty": 0}, "", "A roll, asks for an automatic success"),
    ],
)
def test_a_request_keeps_codes_and_is_said_in_words(terms, field, words):
    asked = StorytellerInput(**terms).settled()
    assert StorytellerInput.of(asked.terms) == asked
    assert (asked.pool, str(asked.words)) == (field, words)
