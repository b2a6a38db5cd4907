"""Every number of the rules runs from its lowest to its highest, as the docstrings say, and no further."""

from itertools import repeat

import pytest

from rules import dice
from rules.errors import OutOfRange
from rulesets.arc import odds as arc_odds
from rulesets.arc import settings as arc_settings
from rulesets.arc.rules import body as arc_body
from rulesets.arc.rules import check as arc
from rulesets.arc.rules import check as arc_turn
from rulesets.descriptors.rules import contest as descriptors
from rulesets.descriptors.rules import keys as descriptors_keys
from rulesets.forged import figures as forged_xp
from rulesets.forged import odds as forged_odds
from rulesets.forged import rules as forged_roll
from rulesets.forged.rules import action as forged_effect
from rulesets.forged.rules import downtime as forged_downtime
from rulesets.storyteller import odds as storyteller_odds
from rulesets.storyteller.rules import roll as storyteller
from scale import odds as scale_odds
from scale.rules import oracles, scale
from tests.answers import refusal
from tests.rules.refusals import NO_NUMBERS, refused

ONE_HARM = {1: 1}
HEAT, BAD = forged_downtime.Activity.HEAT, forged_roll.Result.BAD
GAINS_PAY = descriptors.Settings(gains_pay=True)


def weighed(weight):
    mixture = [scale_odds.Share.of(weight, storyteller_odds.deltas(5, 6))]
    return scale_odds.next_major(scale.State(), mixture, scale_odds.Policy.BANK)


def mixed(shares):
    mixture = [scale_odds.Share.of(1, storyteller_odds.deltas(1, 6))] * shares
    return scale_odds.next_major(scale.State(), mixture, scale_odds.Policy.TAKE)


RANGES = [
    # storyteller.txt: a difficulty is always a number between 2 and 10.
    (lambda n: storyteller.Ask(pool=storyteller.typed_pool(5), difficulty=n), "difficulty", 2, 10),
    (storyteller.typed_pool, "pool", 1, 100),
    (lambda n: storyteller.Pool(dots=100, modifier=n), "modifier", -100, None),
    (lambda n: storyteller.Pool(dots=100, extra_dice=n), "extra_dice", -100, None),
    (lambda n: storyteller.Pool(dots=1, ability=n), "ability", 0, 100),
    (lambda n: storyteller_odds.joint(n, 6), "pool", 1, None),
    (lambda n: storyteller_odds.joint(1, n), "difficulty", 2, 10),
    (lambda n: storyteller_odds.joint(1, 6, ability=n), "ability", 0, 100),
    # scale.txt, Burns: at 8 there is a Major Burn, and the Scale is back at 0.
    (scale.State, "scale", -7, 7),
    (lambda n: scale.State(die_modifier=n), "die_modifier", -100, 100),
    (lambda n: scale.State(free_activations=n), "free_activations", 0, 100),
    (lambda n: scale.step(scale.State(), n), "delta", -100, 100),
    # A Story Oracle has nine storylines; the tenth entry is always something new.
    (weighed, "weight", 1, 1_000_000),
    (lambda n: storyteller_odds.deltas(n, 6), "pool", 1, None),
    (lambda n: storyteller_odds.deltas(5, n), "difficulty", 2, 10),
    (dice.Die, "sides", 2, 100),
    (dice.D10.face, "dice", 1, 10),
    # descriptors.txt: a Power track is numbered from 1; to raise costs the rating it starts from, and a 1D is not lowered.
    (lambda n: descriptors.Settings(start_will=n), "start_will", 1, 1_000_000),
    (lambda n: descriptors.Settings(sides=n), "sides", 2, 100),
    (lambda n: descriptors.Settings(boxes=n), "boxes", 1, 100),
    (lambda n: descriptors.Settings(fewest_dice=n), "fewest_dice", 0, 1),
    (lambda n: descriptors.resolve(n, 1, repeat(1)), "a", 0, 100),
    (lambda n: descriptors.resolve(1, n, repeat(1)), "b", 0, 100),
    (lambda n: descriptors_keys.cost(descriptors_keys.Change.RAISE, n), "rating", 1, 99),
    (lambda n: descriptors_keys.cost(descriptors_keys.Change.LOWER, n), "rating", 2, 100),
    (descriptors_keys.cost_from_scratch, "rating", 1, 100),
    (lambda n: descriptors.spend(1_000_000, n), "points", 0, 100),
    (lambda n: descriptors.pay_for_roll(1_000_000, invoked=n), "invoked", 0, 100),
    (lambda n: descriptors.pay_for_roll(1, invoked=1, used_against=n), "used_against", 0, 100),
    # arc.txt: every score runs from 1 to 10.
    (lambda n: arc.Ask(ks=n, us=1, es=5), "ks", 1, 10),
    (lambda n: arc.Ask(ks=10, us=n, es=5), "us", 1, 10),
    (lambda n: arc.Ask(ks=5, us=5, es=n), "es", 1, 10),
    (lambda n: arc.Ask(ks=5, us=5, es=5, other=n), "other", -100, 100),
    (arc.core_row, "es", 1, 10),
    (lambda n: arc_body.movement(5, base=n), "base", 0, 1000),
    (arc_body.movement, "control", 1, 10),
    (lambda n: arc_body.load(n, 0), "build", 1, 10),
    (arc_body.heaviest, "build", 1, 10),
    (lambda n: arc_settings.Settings(size_factor=n), "size_factor", 1, 10),
    (lambda n: arc_settings.Settings(overload=n), "overload", 0, 10),
    # "Never" for heavy loads is one above the highest Build; no limit is above the next one.
    (lambda n: arc_settings.Settings(light_from=1, medium_from=1, heavy_from=n), "heavy_from", 1, 11),
    (lambda n: arc_settings.Settings(light_from=1, medium_from=n, heavy_from=7), "medium_from", 1, 7),
    (lambda n: arc_settings.Settings(light_from=n, medium_from=5, heavy_from=7), "light_from", 1, 5),
    (lambda n: arc_turn.Reaction(n, 1), "som", 1, 10),
    (lambda n: arc_turn.actions_in_turn([n]), "es", 1, 10),
    (arc_odds.adjustments, "es", 1, 10),
    (lambda n: arc_odds.threshold(5, n), "needed", -220, 220),
    (lambda n: arc_odds.opposed(5, 5, n), "lead", -220, 220),
    # forged.txt and its public rules: nine boxes of stress and of heat, four traumas, wanted levels and dots, Tiers up to 6.
    (forged_roll.Pool, "pool", -100, 100),
    (forged_roll.read, "dice", 1, 6),
    (lambda n: forged_roll.action_pool(rating=n), "rating", 0, 4),
    (lambda n: forged_roll.action_pool(rating=1, assists=n), "assists", 0, 1),
    (lambda n: forged_roll.fortune_pool(trait=n), "trait", 0, 100),
    (lambda n: forged_roll.fortune_pool(trait=0, advantages=n), "advantages", 0, 100),
    (lambda n: forged_roll.fortune_pool(trait=0, disadvantages=n), "disadvantages", 0, 100),
    (lambda n: forged_effect.Influences(ability=n), "ability", 0, 10),
    (forged_effect.resist_pool, "rating", 0, 4),
    (lambda n: forged_downtime.amount_of(HEAT, BAD, coin=n), "coin", 0, 100),
    (lambda n: forged_downtime.amount_of(HEAT, BAD, tier=n), "tier", 0, 6),
    (lambda n: forged_effect.harm_row({}, n), "level", 1, 4),
    (lambda n: forged_effect.harm_row({1: n}, 1), "harm", 0, 2),
    (lambda n: forged_effect.harm_row({3: n}, 1), "harm", 0, 1),
    (lambda n: forged_effect.heal(ONE_HARM, n, 1), "healing", 0, 3),
    (lambda n: forged_effect.heal(ONE_HARM, 0, n), "ticks", 1, 12),
    (lambda n: forged_downtime.entanglement(n, BAD), "heat", 0, 8),
    (lambda n: forged_downtime.payoff(n, 0, forged_downtime.Take.MINOR), "tier", 0, 6),
    (lambda n: forged_downtime.payoff(0, n, forged_downtime.Take.MINOR), "target_tier", 0, 6),
    (lambda n: forged_downtime.payoff(0, 0, forged_downtime.Take.MAJOR, n), "extra", 0, 100),
    (lambda n: forged_roll.Settings(ticks_beyond_extreme=n), "ticks_beyond_extreme", 0, 4),
    (lambda n: forged_roll.Settings(boxes=n), "boxes", 1, 9),
    (lambda n: forged_roll.Settings(last_trauma=n), "last_trauma", 1, 4),
    (lambda n: forged_xp.mark(6, n, 0), "marks", 0, 5),
    (lambda n: forged_xp.mark(8, n, 0), "marks", 0, 7),
    (lambda n: forged_xp.mark(6, 0, n), "xp", 0, 100),
]

COUNTS = [
    # How many of something, one number of several, or where None means something.
    (lambda n: forged_effect.harm_row({n: 1}, 1), "row", 1, 3),
    (descriptors.fund, "will", 0, 1_000_000),
    (lambda n: descriptors.pay_for_roll(n, invoked=0, used_against=1, settings=GAINS_PAY), "will", 0, 1_000_000),
    (lambda n: oracles.major_burn(scale.BurnKind.GRACE, ["a debt"] * n, iter([1] * 4)), "storylines", None, 9),
    (mixed, "mixture", 1, 100),
    (lambda n: dice.shown([5] * n), "pool", 1, 100),
    (lambda n: descriptors.oppose([5] * n, [5]), "a", None, 100),
    (lambda n: arc_settings.Settings(dice=(n, *[12] * 9)), "dice", 2, 100),
    (lambda n: arc_settings.Settings(dice=(*[12] * 9, n)), "dice", 10, 100),
    (lambda n: arc_settings.Settings(thresholds=(n, 96, 97, 98, 99, 100)), "thresholds", 0, None),
    (lambda n: arc_settings.Settings(thresholds=(0, 1, 2, 3, 4, n)), "thresholds", 5, 100),
    (lambda n: arc_settings.Settings(actions_from=(n,)), "actions_from", 1, 10),
    (lambda n: arc_turn.actions_in_turn([5] * n), "actions", 1, 100),
    (lambda n: forged_odds.group([1] * n), "rolls", 1, 100),
]


@pytest.mark.parametrize(("call", "field", "lowest", "highest"), [*RANGES, *COUNTS])
def test_a_number_goes_from_its_lowest_to_its_highest_and_no_further(call, field, lowest, highest):
    """An end that something else decides is None."""
    for end, step in ((lowest, -1), (highest, 1)):
        if end is not None:
            call(end)
            beyond = refusal(OutOfRange, call, end + step)
            assert (beyond.field, beyond.value) == (field, end + step)


@pytest.mark.parametrize(("call", "field"), [(call, field) for call, field, *_ in RANGES])
def test_nothing_but_a_whole_number_is_taken_for_one(call, field):
    for wrong in NO_NUMBERS:
        refused(call, field, wrong)
