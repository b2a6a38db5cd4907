"""Everything that waits for a person at a table, and the GM's checklist before the first session.

What waits is one list, in the order in which it began (campaigns/waiting.py). Procedures and requests that the page lists come
with their own; the others are read here. A source tells a viewer only what their streams have, so that live equals reload.
Rulesets and the Scale have sources of their own (rolls/ruleset.py, `waiting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.models import GameSession, Invitation, Membership, Viewer
from campaigns.waiting import Pending
from characters.models import Character
from characters.queries.ledger import open_claims
from rolls.registry import rules_of


def waiting(viewer: Viewer, *listed: Iterable[Mapping[str, Any]]) -> list[Pending]:
    """Return everything at this table that waits for someone. `listed` is what the page already shows: procedures and
    requests, each with its `waiting`.
    """
    claims = open_claims(viewer) if viewer.is_gm else []
    described = [one["waiting"] for those in (*listed, claims) for one in those]
    by_rules = [one for rules in rules_of(viewer.campaign) for one in rules.waiting(viewer)]
    return sorted((one for one in (*described, *by_rules) if one.waits), key=lambda one: (one.order, one.id))


def checklist(viewer: Viewer) -> dict[str, bool] | None:
    """Return {"people", "characters", "session"}: which first steps are done.

    None once all are, from the second session on, and for everyone but GMs who can act. A step stays done: nobody is
    asked again to invite people because one has left.
    """
    campaign = viewer.campaign
    if not viewer.is_gm or viewer.is_read_only or campaign.archived_at:
        return None
    sessions = GameSession.objects.filter(campaign=campaign)[:2].count()
    if sessions > 1:
        return None
    invited = Invitation.objects.filter(campaign=campaign).exists()
    done = {
        "people": invited or Membership.objects.filter(campaign=campaign).exclude(pk=viewer.by.pk).exists(),
        "characters": Character.objects.filter(campaign=campaign).exists(),
        "session": sessions > 0,
    }
    return None if all(done.values()) else done
