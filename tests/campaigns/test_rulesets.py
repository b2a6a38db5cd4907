"""The names of rulesets and of the Scale, as campaigns choose them and logs are searched by them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.html import escape

from campaigns import rulesets
from campaigns.forms.campaigns import CampaignForm
from campaigns.forms.log import choices_of
from campaigns.models import Campaign, Role, Viewer


def test_a_campaign_is_offered_rules_with_what_joins_them():
    offered = dict(CampaignForm().fields["systems"].choices)
    assert offered["storyteller"] == "Storyteller + The Scale"
    assert {name for name, words in offered.items() if " + " in words} == {"storyteller"}


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


def test_who_founds_a_campaign_reads_how_each_plays_with_its_guide_a_link_away(cast):
    page = cast.outsider.client.get(reverse("campaign_new")).content.decode()
    for one in rulesets.installed():
        assert escape(one.about) in page and f'href="{reverse("guide_system", args=[one.name])}"' in page


def test_rules_that_are_gone_are_offered_to_those_who_play_by_them_without_a_guide(cast):
    Campaign.objects.update(systems=["storyteller", "gone"])
    page = cast.gm.client.get(reverse("campaign_settings", args=["ashes"])).content.decode()
    assert "gone (not installed)" in page and "/rules/gone/" not in page
