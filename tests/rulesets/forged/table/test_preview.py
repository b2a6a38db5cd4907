"""The composer's odds are those of the forged roll that will be made."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.forged.rules import Settings
from rulesets.forged.terms import ActionTerms, FortuneTerms, ResistanceTerms
from tests.rulesets.forged.table.forged import preview, scoundrel


@pytest.fixture
def context(cast):
    """Return the context of a player who sets position and effect."""
    settings = RollSettings((Settings(only_gm_sets=False),))
    return OddsContext(campaign=cast.campaign, character=None, settings=settings)


def shown(odds):
    return {part["words"]: part["percent"] for part in odds["parts"]}


def test_two_dice_have_the_published_odds_and_ticks(context):
    odds = preview(context, ActionTerms(rating=2))
    assert shown(odds) == {"1–3": "25 %", "4/5": "44 %", "6": "28 %", "critical": "3 %"}
    assert odds["dice"] == 2
    unset = "position and effect as you said: the GM hasn’t set them"
    assert odds["lines"] == ["risky, standard effect", "expected ticks 1.5", unset]
    for set_by_gm in (
        preview(replace(context, is_gm=True), ActionTerms(rating=2)),
        preview(context, ActionTerms(rating=2, request=uuid4())),
    ):
        assert set_by_gm["lines"] == odds["lines"][:-1]


def test_of_what_is_announced_nothing_is_at_stake_before_the_gm_says_so(context):
    announced = replace(context, settings=RollSettings())
    assert preview(announced, ActionTerms(rating=2))["lines"] == []
    assert preview(announced, ActionTerms(rating=0))["lines"] == ["two dice, the lowest counts"]


def test_no_dice_are_two_of_which_the_lowest_counts(context):
    odds = preview(context, ActionTerms(rating=0))
    assert shown(odds) == {"1–3": "75 %", "4/5": "22 %", "6": "3 %", "critical": "0 %"}
    assert (odds["dice"], odds["lines"][-2]) == (2, "two dice, the lowest counts")


def test_a_push_a_helper_and_a_trade_change_what_is_at_stake(context, cast):
    odds = preview(
        context, ActionTerms(rating=2, push_die=True, push_effect=True, helper=cast.campaign.pk, trade="effect")
    )
    assert (odds["dice"], odds["lines"][0]) == (4, "desperate, extreme effect")
    assert "4 stress" in odds["lines"]


def test_resisting_says_what_it_is_likely_to_cost(context, play):
    cross = scoundrel(play)
    context = OddsContext(campaign=play.campaign, character=cross, settings=RollSettings())
    odds = preview(context, ResistanceTerms(attribute="prowess"))
    assert odds["dice"] == 3
    assert odds["lines"] == [
        "expected stress 1.0",
        "clears 1: 7 %, 0: 35 %, 1: 28 %, 2: 17 %, 3: 9 %, 4: 3 %, 5: under 1 %",
        "attribute and what it does as you said: the GM hasn’t set them",
    ]
    assert shown(odds) == {"no stress": "42 %", "1–2": "45 %", "3–5": "12 %"}
    assert sum(part["w"] for part in odds["parts"]) == 100


def test_fortune_counts_advantages(context):
    assert preview(context, FortuneTerms(trait=1, advantages=2, disadvantages=1))["dice"] == 2


@pytest.mark.parametrize(
    "ask",
    [
        ActionTerms(),
        ActionTerms(rating=10**9),
        ActionTerms(rating=-1),
        ActionTerms(action="skirmish"),
        ActionTerms(rating=2, push_die=True, bargain="a witness"),
        ActionTerms(rating=2, trade="effect", position="desperate"),
        ResistanceTerms(),
        FortuneTerms(trait=10**9),
    ],
)
def test_what_cannot_be_rolled_has_no_odds(context, ask):
    with pytest.raises(Invalid):
        preview(context, ask)
