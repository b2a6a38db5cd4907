"""Extended actions: what is announced, set and called off, and whatever rolls fall, are voided or corrected."""

from __future__ import annotations

import pytest

from rules.errors import RuleError
from rules.table import Table
from rulesets.storyteller.procedures.extended import Extended, OnBotch, Stage
from rulesets.storyteller.rows import Person, Side
from tests.answers import refusal
from tests.rulesets.storyteller.rules.playing import MEMBERS, SILAS, asked, offered, roll, take


def begun(**terms):
    action = Extended(id="action", **{"side": Side(name="Silas", character="silas"), "goal": 12} | terms)
    return action, Table(
        [action, Person(id="silas", name="Silas"), Person(id="rat", name="Rat", is_played=False, pool=4)]
    )


@pytest.mark.parametrize(
    ("on_botch", "most", "fell", "stage", "line"),
    [
        ("ends", None, (), Stage.UNDER_WAY, "0 of 12 successes, 0 rolls."),
        ("ends", None, (3, 4), Stage.UNDER_WAY, "7 of 12 successes, 2 rolls."),
        ("ends", None, (3, 4, 5), Stage.DONE, "12 of 12 successes, 3 rolls. The action succeeded."),
        ("ends", 3, (3, 4, 5), Stage.DONE, "12 of 12 successes, 3 rolls. The action succeeded."),
        ("ends", 2, (3, 4), Stage.RAN_OUT, "7 of 12 successes, 2 rolls. No rolls were left."),
        ("ends", None, (3, -1), Stage.FAILED, "3 of 12 successes, 2 rolls. A botch ended the action."),
        ("loses", None, (3, -1, 5), Stage.UNDER_WAY, "5 of 12 successes, 3 rolls."),
        ("loses", 2, (3, -1), Stage.RAN_OUT, "0 of 12 successes, 2 rolls. No rolls were left."),
        ("ends", None, (12, 4), Stage.DONE, "12 of 12 successes, 1 roll. The action succeeded."),
    ],
)
def test_successes_are_gathered(on_botch, most, fell, stage, line):
    action, table = begun(most=most, on_botch=OnBotch(on_botch))
    roll(action, table, *(("roll", one) for one in fell))
    assert (action.stage, str(action.told_rolls(table, again=False))) == (stage, f"Silas’s extended action: {line}")
    goes_on = stage is Stage.UNDER_WAY
    assert (asked(action, table), action.over) == (["roll"] if goes_on else [], not goes_on)
    roll(action, table)
    assert (action.made, action.over) == (0, False)


def test_a_player_announces_it_and_it_is_set_or_called_off():
    action, table = begun()
    who = table.get(Person, "silas")
    line = take(action, table, "open", by=SILAS, character=who, pool="wits+alertness", goal=5, most=2)
    assert line == "Silas announced an extended action: Wits + Alertness, difficulty 6; 5 successes in at most 2 rolls."
    assert (offered(action, table), asked(action, table)) == ({"set": (), "withdraw:silas": (1,)}, [])
    assert [(one.who, str(one.words)) for one in action.waits(table)] == [("", "to set the terms")]
    off, there = action.model_copy(deep=True), table.trial()
    take(off, there, "withdraw", "silas", by=MEMBERS[1])
    assert there.get(Extended, "action").over
    assert take(action, table, "set", pool="3", difficulty=7, goal=9) == (
        "Silas’s extended action was set: 3 dice, difficulty 7; 9 successes."
    )
    assert (offered(action, table), action.requests(table)[0].terms["dice"]) == ({}, 3)
    assert [one.who for one in action.waits(table)] == ["silas"]


@pytest.mark.parametrize(
    ("by", "given", "field"),
    [
        (SILAS, {"pool": "5"}, "character"),
        (None, {"pool": "wits"}, "pool"),
        (None, {"pool": "juggling"}, "pool"),
        (None, {"pool": "0"}, "pool"),
        (None, {"pool": "101"}, "pool"),
    ],
)
def test_what_cannot_be_is_refused(by, given, field):
    action, table = begun()
    refused = refusal(RuleError, take, action, table, "open", **{"goal": 5} | given | ({"by": by} if by else {}))
    assert refused.field == field


def test_a_gm_rolls_for_those_without_a_sheet_and_a_quick_npc_its_dice():
    action, table = begun()
    rat = table.get(Person, "rat")
    assert take(action, table, "open", name="The tide", pool="4", goal=1) == (
        "The tide started an extended action: 4 dice, difficulty 6; 1 success."
    )
    assert [(one.who, one.name) for one in action.waits(table)] == [("roll", "The tide")]
    assert "Rat started an extended action: 4 dice" in take(action, table, "open", character=rat, goal=1)
    table.get(Person, "rat").hidden = True
    assert [str(one.name) for one in action.waits(table.seen())] == ["Rat"]
