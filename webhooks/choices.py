"""The topics of a webhook: rolls, add-ons' topics, sessions and recaps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.events import RECAP_PUBLISHED, SESSION_ENDED, SESSION_STARTED
from rolls.events import ROLL_CORRECTED, ROLL_MADE, ROLL_REVEALED, ROLL_VOIDED

KINDS: Final = {
    "roll": (ROLL_MADE, ROLL_CORRECTED, ROLL_REVEALED, ROLL_VOIDED),
    "session": (SESSION_STARTED, SESSION_ENDED),
    "recap": (RECAP_PUBLISHED,),
}
"""The kinds of events of each topic, except those of add-ons."""


def offered() -> Mapping[str, str]:
    """Return all topics that can be chosen, by name, in the order offered."""
    add_ons = {name: words for rules in rulesets.every() for name, words in rules.topics.items()}
    return {"roll": _("Rolls"), **add_ons, "session": _("Sessions"), "recap": _("Recaps")}


def words_of(topics: Collection[str]) -> str:
    """Return words for these topics, without those of add-ons that are no longer installed."""
    return ", ".join(str(words) for name, words in offered().items() if name in topics)


def events_of(topics: Collection[str]) -> Q:
    """Return the condition for events of these topics."""
    kinds = [kind for name in topics for kind in KINDS.get(name, ())]
    add_ons = [name for name in topics if name not in KINDS]
    return Q(kind__in=kinds) | Q(index__topic__in=add_ons)
