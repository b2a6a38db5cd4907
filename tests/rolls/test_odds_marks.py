"""Every kind of event says that odds may be others after it, or is known to leave them as they are (docs/odds.md)."""

from __future__ import annotations

import re

from django.template.loader import get_template

from campaigns.kinds import kinds

INCLUDED = re.compile(r'include "([^"]+)"')

WORDS = "said said_amended moment_pinned moment_unpinned recap_drafted recap_published remembered event_refiled words_erased"
PLAY = """session_started session_ended session_titled scene_opened scene_closed scene_titled storyline_changed storyline_noted
    clock_archived clock_changed clock_template_changed clock_ticked clocks_ordered"""
# Events about plans, pictures and pauses, outside of play.
BESIDE = "closing_told boundaries_changed sample_changed picture_shown picture_seen handout_changed"
DATES = "dates_proposed date_answered session_planned"
# Those whose role changes reload the page.
PEOPLE = "member_joined member_left member_removed role_changed watching_changed invitation_made invitation_revoked"
CAMPAIGN = "campaign_made cover_changed campaign_archived campaign_reopened campaign_moved log_restored"
# Changes of sheets with them have events of their own.
SHEETS = """character_made claim_made claim_decided creation_changed portrait_changed sheet_marked template_changed xp_awarded
    xp_refunded xp_spent"""
# A form that answers a request asks again when that changes.
ROLLS = """roll_revealed roll_asked roll_announced request_changed request_closed witness_asked witness_given
    epoch_committed epoch_revealed blind_revealed"""
STAY = {
    *(f"campaigns.{name}" for part in (WORDS, PLAY, BESIDE, DATES, PEOPLE, CAMPAIGN) for name in part.split()),
    *(f"characters.{name}" for name in SHEETS.split()),
    *(f"rolls.{name}" for name in ROLLS.split()),
    "arc.order_rolled",
    "descriptors.roll_followed",
    "rolls.table_changed",
    "rolls.table_rolled",
    "scale.oracle_changed",
    "webhooks.webhook_changed",
    "webhooks.webhook_stopped",
    "world.page_noted",
    "world.page_written",
}


def marked(template: str) -> bool:
    source = get_template(template).template.source
    return "data-odds" in source or any(marked(name) for name in INCLUDED.findall(source))


def test_a_kind_of_event_has_odds_asked_for_anew_or_is_known_to_change_none():
    ours = [kind for name, kind in kinds().items() if not name.startswith("lanterns")]
    assert {kind for kind in ours if not marked(kind.template)} == STAY
