"""A contest and the Scale, where a campaign has opposed rolls move it: whose dice count, and the dice that Burns put in."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Campaign
from rolls.models import Roll
from rolls.services.rolls import make_roll, void_roll
from rolls.services.scale import undo_newest
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table import DescriptorsTable
from rulesets.descriptors.terms import DescriptorsInput
from scale.models import Burn, Momentum, Scale
from scale.queries.projection import check
from scale.rules.scale import Settings as ScaleSettings
from scale.services.burns import choose_effect, take_burn
from tests.rulesets.descriptors.procedures.contests import begin, chip, drawn, put, ready, rolled, use

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def moved(fighters):
    """Return a table of Descriptors alone, whose opposed rolls move the Scale."""
    Campaign.objects.filter(pk=fighters.campaign.pk).update(systems=["descriptors"])
    for one in (fighters.campaign, fighters.gm, fighters.player, fighters.other):
        one.refresh_from_db()
    fighters.decide(moves_scale=True)
    return fighters


def value(table) -> int:
    return Scale.objects.get(campaign=table.campaign).value


def burn_of(table, dice, faces=(8, 9, 10), *, effect="die"):
    """Let Abigail's quick roll reach a Burn, which gives her a die, or (by the GM's choice) takes one."""
    dice(*faces, 5)
    asked = DescriptorsInput(character=table.abigail.pk, pool=str(len(faces)), against="1")
    make_roll(table.player, asked, audience="table", key=uuid4())
    burn = Burn.objects.get(state=Burn.State.OFFERED)
    take_burn(table.player, burn.pk, key=uuid4())
    chooser = table.player if burn.kind == "grace" else table.gm
    choose_effect(chooser, burn.pk, effect, key=uuid4())


def carried(table) -> int:
    return Momentum.objects.get(character=table.abigail).die_modifier


def contest_card(table):
    """Return the contest being filled; the quick roll's own is settled beside it."""
    return next(drawn(one) for one in table.there() if one["kind"] == "contest" and one["staged"]["step"] == 1)


def test_the_dice_of_two_player_characters_move_the_scale_that_they_share(moved, dice):
    rolled(moved, dice, (8, 9, 7), (8, 10))
    assert value(moved) == 4
    offered = Burn.objects.get(state=Burn.State.OFFERED)
    assert (offered.kind, offered.character) == ("grace", moved.abigail)
    given = [die.get("given") for die in Roll.objects.get().outcome["dice"]]
    assert given == [1, 1, 0, 1, 1]
    assert check(moved.campaign) == []
    void_roll(moved.gm, Roll.objects.get().pk, reason="", key=uuid4())
    assert value(moved) == 0 and check(moved.campaign) == []


def test_with_a_scale_each_the_dice_of_whose_contest_it_is_move_theirs(moved, dice):
    change_settings(moved.gm, RollSettings((Settings(moves_scale=True), ScaleSettings(shared=False))), key=uuid4())
    rolled(moved, dice, (8, 9, 7), (8, 10))
    values = {one.character: one.value for one in Scale.objects.exclude(character=None)}
    assert values[moved.abigail] == 2 and not values.get(moved.bob)
    assert [die.get("given") for die in Roll.objects.get().outcome["dice"]] == [1, 1, 0, None, None]
    assert check(moved.campaign) == []


def test_the_odds_of_a_roll_between_two_player_characters_count_the_dice_of_both(moved):
    on = RollSettings((Settings(moves_scale=True),))

    def burns(versus: str) -> str:
        asked = DescriptorsInput(pool="3", against="5", versus=versus)
        context = OddsContext(campaign=moved.campaign, character=moved.abigail, settings=on)
        return next(line for line in DescriptorsTable().preview(context, asked)["lines"] if "chance of a Burn" in line)

    assert burns("Bob") != burns("Warden") == burns("")


def test_a_die_from_a_burn_stands_in_the_pool_and_in_the_odds_and_falls_with_it(moved, dice):
    burn_of(moved, dice)
    contest = begin(moved)
    use(moved, moved.player, contest, "a", chip(moved.abigail, 2))
    use(moved, moved.other, contest, "b", chip(moved.bob))
    there = contest_card(moved)
    mine, theirs = there["staged"].sides
    assert (mine.pool, mine.entries[-1].words, theirs.pool) == (3, "+1 from a Burn", 2)
    assert there["staged"].odds["dice"] == 5
    dice(5, 5, 4, 6, 2)
    ready(moved, contest)
    roll = Roll.objects.latest("at")
    assert (roll.faces, roll.ask["a"]["dice"], carried(moved)) == ([5, 5, 4, 6, 2], 3, 0)
    assert moved.will(moved.abigail) == 8
    assert check(moved.campaign) == []


def test_a_burn_that_comes_while_pools_are_filled_takes_readiness_back(moved, dice):
    contest = begin(moved)
    use(moved, moved.player, contest, "a", chip(moved.abigail))
    moved.do(moved.player, contest, "ready", whom="a")
    burn_of(moved, dice, (1, 2, 3))
    mine, theirs = contest_card(moved)["staged"].sides
    assert (mine.pool, mine.entries[-1].words, theirs.pool) == (2, "−1 from a Burn", 0)
    assert not mine.marks and not theirs.marks
    assert moved.said_of("contest").startswith("The dice from a Burn changed for Abigail")
    undo_newest(moved.gm, Scale.objects.get().pk, key=uuid4())
    assert contest_card(moved)["staged"].sides[0].pool == 3


def test_a_quick_roll_that_uses_the_die_up_takes_it_out_of_the_contest(moved, dice):
    burn_of(moved, dice)
    contest = begin(moved)
    use(moved, moved.player, contest, "a", chip(moved.abigail))
    assert contest_card(moved)["staged"].sides[0].pool == 4
    dice(5, 5, 5)
    asked = DescriptorsInput(character=moved.abigail.pk, pool="1", against="1")
    make_roll(moved.player, asked, audience="table", key=uuid4())
    assert contest_card(moved)["staged"].sides[0].pool == 3


def test_whoever_stands_against_it_keeps_a_burn_die_of_their_own(moved, dice):
    burn_of(moved, dice)
    put(moved.bob)
    contest = begin(moved, by=moved.other, a=moved.bob, b=moved.abigail)
    use(moved, moved.other, contest, "a", chip(moved.bob))
    use(moved, moved.player, contest, "b", chip(moved.abigail, 2))
    assert [len(side.entries) for side in contest_card(moved)["staged"].sides] == [1, 1]
    dice(5, 5, 4, 6)
    moved.do(moved.other, contest, "ready", whom="a")
    moved.do(moved.player, contest, "ready", whom="b")
    assert carried(moved) == 1


def test_a_recovery_roll_leaves_the_scale_and_the_burn_die_alone(moved, dice):
    burn_of(moved, dice)
    injury = f"{moved.bob.pk}/i1"
    recovery = moved.begin(moved.other, "recovery", helpers=[str(moved.abigail.pk)], injury=injury, override=False)
    use(moved, moved.player, recovery, "a", chip(moved.abigail))
    dice(9, 9, 9, 2, 2)
    moved.do(moved.player, recovery, "ready", whom="a")
    roll = Roll.objects.latest("at")
    assert (roll.kind, roll.event.described["asides"]) == ("recovery", ["The Scale stays: a recovery roll"])
    assert (value(moved), carried(moved)) == (0, 1)
