"""Everything that waits for a person at a table: one list, in the order in which it began (campaigns/waiting.py).

Procedures and requests that the page lists come with their own; the others are read here. A source tells a viewer only what
their streams have, so that live equals reload. Rulesets and add-ons have sources of their own (rolls/ruleset.py, `waiting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.models import Viewer
from campaigns.waiting import Pending
from characters.queries.ledger import open_claims
from rolls.registry import rules_of


def waiting(viewer: Viewer, *listed: Iterable[Mapping[str, Any]]) -> list[Pending]:
    """Return everything at this table that waits for someone. `listed` is what the page already shows: procedures and
    requests, each with its `waiting`.
    """
    claims = open_claims(viewer) if viewer.is_gm else []
    found = (*_of(*listed, claims), *_told_by_rules(viewer))
    return sorted((one for one in found if one.waits), key=lambda one: (one.order, one.id))


def _of(*listed: Iterable[Mapping[str, Any]]) -> Iterator[Pending]:
    return (one["waiting"] for those in listed for one in those)


def _told_by_rules(viewer: Viewer) -> Iterator[Pending]:
    return (one for rules in rules_of(viewer.campaign) for one in rules.waiting(viewer))
