"""The names of rulesets and of the add-ons that join them, as campaigns choose them and logs are searched by them."""

from __future__ import annotations

import pytest

from campaigns.forms.campaigns import CampaignForm
from campaigns.forms.log import choices_of
from campaigns.models import Campaign, Role, Viewer


def test_a_campaign_is_offered_rules_with_what_joins_them():
    offered = dict(CampaignForm().fields["systems"].choices)
    assert offered["storyteller"] == "Storyteller, with the Scale"
    assert {name for name, words in offered.items() if "with" in words} == {"storyteller"}


@pytest.mark.parametrize(
    ("systems", "found"),
    [
        (["storyteller", "arc"], ["storyteller", "arc", "scale"]),
        (["forged"], ["forged"]),
        (["storyteller", "gone"], ["storyteller", "gone", "scale"]),
    ],
)
def test_a_log_is_searched_by_what_a_campaign_plays_by(cast, systems, found):
    Campaign.objects.update(systems=systems)
    cast.campaign.refresh_from_db()
    viewer = Viewer(cast.campaign, cast.player.member, Role.PLAYER)
    assert [name for name, _ in choices_of(viewer, {})["system"]] == found
