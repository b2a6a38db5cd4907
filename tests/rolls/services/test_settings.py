"""What a campaign decides about its rolls."""

from __future__ import annotations

from fractions import Fraction
from uuid import uuid4

import pytest

from rolls.registry import all_rules
from rolls.services.settings import change_settings
from rolls.settings import RollSettings, roll_settings
from rules.errors import RuleError
from rulesets.arc import settings as arc_settings
from rulesets.storyteller.settings import Settings
from scale.rules import scale
from tests.stored import reread


def change(by, *decided):
    return change_settings(by, RollSettings(decided), key=uuid4())


def test_a_campaign_starts_with_the_decisions_of_the_rules(play):
    assert roll_settings(play.campaign) == RollSettings()


def test_what_was_decided_is_read_again(play):
    decided = (
        scale.Settings(npcs_feed=True),
        Settings(tens_count_twice=True, botch_names=("a", "b", "c", "d", "e"), automatic_success=True),
        arc_settings.Settings(burden_speed=(Fraction(1), Fraction(1), Fraction(1), Fraction(2, 3), Fraction(0))),
    )
    campaign = change(play.gm, *decided)
    assert roll_settings(reread(campaign)) == RollSettings(decided)
    assert {one["name"] for one in play.events()[-1].payload["changes"]} == {
        "scale.npcs_feed",
        "storyteller.tens_count_twice",
        "storyteller.botch_names",
        "arc.burden_speed",
        "storyteller.automatic_success",
    }


def test_it_holds_from_the_next_roll_on(play):
    before = play.roll(10, 10)
    change(play.gm, Settings(tens_count_twice=True))
    assert play.roll(10, 10).outcome["total"] == 4
    assert reread(before).outcome["total"] == 2


def test_a_setting_that_is_gone_does_no_harm(play):
    play.campaign.settings = {"scale": {"shared": False, "of_old": 1}, "forged": {"helpers": 3, "trades_per_roll": 2}}
    assert roll_settings(play.campaign) == RollSettings((scale.Settings(shared=False),))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Settings(automatic_success="yes"),
        lambda: scale.Settings(shared=1),
        lambda: Settings(botch_names=("only one",)),
        lambda: Settings(botch_names=("", "b", "c", "d", "e")),
    ],
)
def test_what_cannot_be_decided_is_refused_by_the_rules(wrong):
    with pytest.raises(RuleError):
        wrong()


def test_every_decision_is_said_in_words():
    for rules in all_rules():
        if rules.settings:
            assert rules.settings.words.keys() == rules.settings.kind.model_fields.keys()
            assert set(rules.settings.help) <= set(rules.settings.words)
