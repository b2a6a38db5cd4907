"""The composer's odds of a check: a player's come from the die alone, a GM's from all scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.arc.table import ArcTable
from rulesets.arc.terms import ArcInput
from tests.sheets import dress

LOCK = ArcInput(stat="control", skill="tamper")


def preview(context, ask):
    return ArcTable().kind(ask.kind).preview(context, ask)


@pytest.fixture
def player(checks):
    return OddsContext(campaign=checks.campaign, character=checks.silas, settings=RollSettings())


def chances(odds):
    return {part["words"]: part["percent"] for part in odds["parts"]}


def test_a_player_is_told_what_the_die_may_bring(player):
    odds = preview(player, LOCK)
    assert chances(odds) == {"malus": "38 %", "bonus": "62 %"}
    assert odds["lines"] == ["d8: −3 to +5, +1.12 on average"]


def test_a_players_odds_are_the_same_whatever_else_there_is(player, checks):
    told = preview(player, LOCK)
    for us in (1, 7):
        dress(checks.silas, secret={"us_control": us})
        for ask in (replace(LOCK, threshold=16), replace(LOCK, other=50), replace(LOCK, kind="opposed")):
            assert preview(player, ask) == told


def test_a_gm_is_told_the_chance_of_success(player):
    gm = replace(player, is_gm=True)
    # 7 + 4 and a d8 against an ES of 5: 1 to 5 exceed 11, 2 to 5 exceed 12.
    assert chances(preview(gm, replace(LOCK, threshold=11))) == {"failure": "38 %", "success": "62 %"}
    assert chances(preview(gm, replace(LOCK, threshold=12))) == {"failure": "50 %", "success": "50 %"}
    assert "malus 38 %" in preview(gm, LOCK)["lines"][0]


def test_a_gm_is_told_the_chance_to_counter(player, checks):
    first = checks.roll(5, kind="opposed")  # 16
    gm = replace(player, is_gm=True, character=checks.vesper)
    watch = ArcInput(kind="opposed", stat="intellect", skill="watch", against=first.pk)
    # 6 + 5 and a d8 against an ES of 6: 5 and 6 reach 16, and a tie is enough for who counters.
    assert chances(preview(gm, watch)) == {"failure": "75 %", "success": "25 %"}
    assert chances(preview(replace(gm, is_gm=False), watch)) == {"malus": "25 %", "bonus": "75 %"}
    assert chances(preview(gm, replace(watch, against=None))) == {"malus": "25 %", "bonus": "75 %"}


def test_a_reaction_has_the_odds_of_its_som(player):
    assert chances(preview(player, ArcInput(kind="reaction"))) == {"failure": "40 %", "success": "60 %"}
    assert chances(preview(player, ArcInput(kind="reaction", som=10)))["success"] == "100 %"


@pytest.mark.parametrize(
    "ask",
    [ArcInput(), ArcInput(skill="swimming"), ArcInput(es=0), ArcInput(es=10**9)],
)
def test_what_cannot_be_rolled_has_no_odds(player, ask):
    assert preview(player, ask) is None
    assert preview(replace(player, is_gm=True), ask) is None
