"""The bar of odds of pool against pool says what the dice will do."""

from __future__ import annotations

import pytest

from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table import DescriptorsTable
from rulesets.descriptors.terms import DescriptorsInput

preview = DescriptorsTable().preview


@pytest.fixture
def context(cast):
    return OddsContext(campaign=cast.campaign, character=None, settings=RollSettings())


def test_one_die_against_one_is_a_stalemate_one_time_in_ten(context):
    shown = preview(context, DescriptorsInput(pool="1", against="1"))
    assert shown["sentence"] == "lose 45 %, stalemate 10 %, win 45 %."
    assert shown["dice"] == 2
    assert shown["lines"] == ["1.0 successes if you win, 1.0 if you lose"]


def test_what_cannot_happen_has_no_part_of_the_bar(context):
    shown = preview(context, DescriptorsInput(pool="Luck 2", against="0"))
    assert [part["words"] for part in shown["parts"]] == ["win"]
    assert shown["lines"] == ["1.0 successes if you win", "costs 1 Will"]


def test_the_dice_of_the_campaign_count(cast):
    settings = RollSettings((Settings(sides=2),))
    context = OddsContext(campaign=cast.campaign, character=None, settings=settings)
    assert (
        preview(context, DescriptorsInput(pool="1", against="1"))["sentence"] == "lose 25 %, stalemate 50 %, win 25 %."
    )


def test_pools_too_large_to_count_while_somebody_types_have_no_odds(context, cast):
    assert preview(context, DescriptorsInput(pool="58", against="58"))
    assert preview(context, DescriptorsInput(pool="100", against="1")) is None
    hundreds = RollSettings((Settings(sides=100),))
    assert (
        preview(
            OddsContext(campaign=cast.campaign, character=None, settings=hundreds),
            DescriptorsInput(pool="58", against="1"),
        )
        is None
    )
