"""Opposed rolls and the Scale, where a campaign has them move it: whose dice count, and what Burns put into pools."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.db import transaction

from campaigns.errors import Blocked
from campaigns.models import Campaign
from rolls.forms.settings import RulesForm
from rolls.models import Audience, Roll
from rolls.queries.statistics import statistics
from rolls.registry import RULESETS, rules_of, rules_with
from rolls.services.rolls import make_roll, void_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rules.errors import RuleError
from rules.tally import USUAL, FallenDie, mean, read, shifts_of
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table import DescriptorsCountable, DescriptorsTable
from rulesets.descriptors.terms import DescriptorsInput
from scale.counting import moves_scales
from scale.models import Burn, Momentum, Scale
from scale.queries.history import outlook
from scale.queries.projection import check
from scale.queries.scale import scale_states
from scale.services.burns import choose_effect, take_burn
from tests import dice as loaded
from tests.answers import refusal

preview = DescriptorsTable().preview

ON = RollSettings((Settings(moves_scale=True),))


@pytest.fixture
def alone(table):
    """Return a table that plays by Descriptors and nothing else."""
    Campaign.objects.filter(pk=table.campaign.pk).update(systems=["descriptors"])
    table.campaign.refresh_from_db()
    for member in (table.gm, table.player, table.other, table.watcher):
        member.refresh_from_db()
    return table


@pytest.fixture
def moved(alone):
    """Return the same table with opposed rolls that move the Scale."""
    change_settings(alone.gm, ON, key=uuid4())
    return alone


def oppose(table, a, b=(5,), *, by=None, who=None, key=None, audience=Audience.TABLE) -> Roll:
    """Roll Abigail's faces, or those of `who`, and those against her."""
    loaded.unload()
    loaded.load(*a, *b)
    who = who or table.abigail
    asked = DescriptorsInput(character=who.pk, pool=str(len(a)) if len(a) else "0", against=str(len(b)))
    return make_roll(by or table.player, asked, audience=audience, key=key or uuid4())


def value(table) -> int:
    scale = Scale.objects.filter(campaign=table.campaign).first()
    return scale.value if scale else 0


def burn(table, state) -> Burn:
    return Burn.objects.get(scale__campaign=table.campaign, state=state)


def with_die(table, member=None) -> None:
    """Abigail has a die from a Grace Burn waiting."""
    oppose(table, (8, 9, 10))
    take_burn(table.player, burn(table, Burn.State.OFFERED).pk, key=uuid4())
    choose_effect(table.player, burn(table, Burn.State.FIRED).pk, "die", key=uuid4())


def carried(table) -> int:
    return Momentum.objects.get(character=table.abigail).die_modifier


def drawn(table, who=None) -> list[dict]:
    return scale_states(table.viewer(who or table.watcher))


# Which dice count


def test_the_dice_of_whoever_rolls_move_the_scale(moved):
    roll = oppose(moved, (9, 8, 7, 2), (1, 1, 1, 10))
    assert value(moved) == 1
    assert [die.get("given") for die in roll.outcome["dice"]] == [1, 1, 0, -1, None, None, None, None]
    told = roll.event.described
    assert (told["scale"]["delta"], told["asides"]) == (1, [])
    assert [pair["a"].get("given_to") for pair in told["pairs"]] == ["Scale", "Scale", None, "Scale"]
    assert check(moved.campaign) == []


def test_dice_that_are_passed_over_as_equal_count_like_any_other(moved):
    oppose(moved, (9, 9), (9, 4))
    assert value(moved) == 2


@pytest.mark.parametrize("dice", [0, 1, 2, 5, 40])
def test_how_likely_each_sum_is_adds_up_and_leans_nowhere(dice):
    shifts = DescriptorsCountable().shifts({"a": {"dice": dice}}, USUAL)
    assert sum(shifts.values()) == 10**dice
    assert mean(shifts) == 0
    assert shifts[dice] == 3**dice


def test_sums_are_those_of_every_roll_of_two_dice():
    faces = range(1, 11)
    every = [read([FallenDie(one), FallenDie(other)]).delta for one in faces for other in faces]
    assert dict(shifts_of(2, 10, USUAL)) == {delta: every.count(delta) for delta in set(every)}


def test_dice_that_do_not_count_give_nothing_whatever_they_do():
    seen = read([FallenDie(9), FallenDie(9, counts=False), FallenDie(1, cancels=True, counts=False)])
    assert (seen.delta, seen.counted, seen.skipped_ones) == (1, 1, 0)


def test_neither_npcs_nor_secret_rolls_nor_a_side_without_dice_move_it(moved):
    by_npc = oppose(moved, (9, 9), by=moved.gm, who=moved.warden)
    secret = oppose(moved, (9, 9), audience=Audience.GM)
    nothing = oppose(moved, (), (9,))
    assert (value(moved), Scale.objects.get().steps.exists()) == (0, False)
    said = [roll.event.described["asides"] for roll in (by_npc, secret, nothing)]
    assert said == [
        ["The Scale stays: an NPC’s roll"],
        ["The Scale stays: rolled for the GM only"],
        ["The Scale stays: no dice"],
    ]


def test_other_dice_than_ten_sided_ones_are_refused_at_its_field(moved):
    assert refusal(RuleError, Settings, moves_scale=True, sides=6).field == "moves_scale"
    given = {"descriptors.moves_scale": "on"} | {
        f"descriptors.{name}": value
        for name, value in (("start_will", 9), ("sides", 8), ("boxes", 6), ("fewest_dice", 0))
    }
    form = RulesForm(given, now=RollSettings(), systems=["descriptors"])
    assert not form.is_valid()
    assert "ten-sided" in str(form.errors["descriptors.moves_scale"])


# What follows


# Burn dice


@pytest.mark.parametrize(("sign", "falls"), [(1, 4), (-1, 2)])
def test_a_die_from_a_burn_joins_the_pool_or_leaves_it_once(moved, sign, falls):
    with_die(moved)
    Momentum.objects.update(die_modifier=sign)
    loaded.unload()
    loaded.load(*[5] * (falls + 1))
    asked = DescriptorsInput(character=moved.abigail.pk, pool="3", against="1")
    roll = make_roll(moved.player, asked, audience=Audience.TABLE, key=uuid4())
    assert (roll.ask["a"]["dice"], len(roll.faces), carried(moved)) == (falls, falls + 1, 0)
    assert roll.event.described["a"]["burn"] == f"{'+' if sign > 0 else '−'}1 from a Burn"


def test_one_die_is_left_and_a_side_without_dice_keeps_its_burn_die(moved):
    with_die(moved)
    nothing = oppose(moved, (), (9,))
    assert (nothing.ask["a"]["dice"], carried(moved)) == (0, 1)
    Momentum.objects.update(die_modifier=-1)
    assert oppose(moved, (5,)).ask["a"]["dice"] == 1


def test_the_odds_say_what_the_scale_is_given_and_count_the_burn_die(moved):
    context = OddsContext(campaign=moved.campaign, character=moved.abigail, settings=ON)
    before = preview(context, DescriptorsInput(pool="3", against="3"))
    assert "expected Scale +0.00" in " ".join(before["lines"])
    with_die(moved)
    fresh = OddsContext(campaign=moved.campaign, character=moved.abigail, settings=ON)
    after = preview(fresh, DescriptorsInput(pool="3", against="3"))
    assert "+1 from a Burn" in after["lines"]
    assert after["dice"] == 7


# Where it shows


def test_the_panel_shows_where_descriptors_alone_are_played(alone):
    assert not moves_scales(alone.campaign)
    assert drawn(alone) == []
    assert [one.name for one in rules_of(alone.campaign)] == ["descriptors"]
    change_settings(alone.gm, ON, key=uuid4())
    alone.campaign.refresh_from_db()
    assert [scale["value"] for scale in drawn(alone)] == [0]
    assert [one.name for one in rules_of(alone.campaign)] == ["descriptors", "scale"]
    assert [one.name for one in rules_with(["descriptors"], RollSettings())] == ["descriptors"]


def test_the_page_of_the_scale_assumes_a_usual_roll_before_the_first(moved):
    moved.campaign.refresh_from_db()
    scale = Scale(campaign=moved.campaign, pk=uuid4())
    assert outlook(scale).rolls == 0
    oppose(moved, (9, 9))
    found = outlook(Scale.objects.get(campaign=moved.campaign))
    assert (found.rolls, found.drift) == (1, 0)


def test_statistics_count_what_was_given(moved):
    oppose(moved, (9, 9, 4))
    found = str(statistics(moved.viewer(moved.gm), {}))
    assert "Given to the Scale" in found
    assert "+2" in found


def test_it_is_not_left_out_while_a_burn_is_unsettled_and_old_rolls_are_taken_back_after(moved):
    roll = oppose(moved, (8, 9, 10))
    with pytest.raises(Blocked, match="isn’t settled yet"):
        change_settings(moved.gm, RollSettings(), key=uuid4())
    take_burn(moved.player, burn(moved, Burn.State.OFFERED).pk, key=uuid4())
    choose_effect(moved.player, burn(moved, Burn.State.FIRED).pk, "die", key=uuid4())
    change_settings(moved.gm, RollSettings(), key=uuid4())
    assert oppose(moved, (9, 9)).event.described["asides"] == []
    assert (value(moved), carried(moved)) == (0, 1)
    void_roll(moved.gm, roll.pk, reason="", key=uuid4())
    assert (value(moved), carried(moved)) == (0, 0)
    assert check(moved.campaign) == []


def test_left_out_nothing_is_other_than_without_any_counting(alone, monkeypatch):
    """The same roll with the same key is made by rules that cannot be counted at all."""

    def told() -> str:
        with transaction.atomic():
            roll = oppose(alone, (9, 9, 2), (4, 1), key=key)
            kept = [event.stored.payload for event in alone.events()], roll.ask, roll.outcome
            asked = DescriptorsInput(pool="3", against="2")
            shown = preview(OddsContext(campaign=alone.campaign, character=None, settings=RollSettings()), asked)
            rules = [one.name for one in rules_of(alone.campaign)]
            transaction.set_rollback(True)
        return re.sub(r"\b\d{13}\b", "now", repr((kept, shown, rules)))

    key = uuid4()
    with_counting = told()
    monkeypatch.setattr(RULESETS["descriptors"].table, "counted", None)
    assert told() == with_counting
