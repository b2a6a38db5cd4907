"""The topics of a webhook (rolls, rules' topics, sessions and recaps), and the kinds of events of this app."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Final, Literal

from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.events import (
    DATE_ANSWERED,
    DATES_PROPOSED,
    RECAP_PUBLISHED,
    SESSION_ENDED,
    SESSION_PLANNED,
    SESSION_STARTED,
)
from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import Code, Name, PayloadSchema
from rolls.events import ROLL_CORRECTED, ROLL_MADE, ROLL_REVEALED, ROLL_VOIDED, TABLE_ROLLED

KINDS: Final = {
    "roll": (ROLL_MADE, ROLL_CORRECTED, ROLL_REVEALED, ROLL_VOIDED, TABLE_ROLLED),
    "session": (SESSION_STARTED, SESSION_ENDED),
    "recap": (RECAP_PUBLISHED,),
    "date": (DATES_PROPOSED, DATE_ANSWERED, SESSION_PLANNED),
}
"""The kinds of events of each topic, except those of rules."""


def offered() -> Mapping[str, str]:
    """Return all topics that can be chosen, by name, in the order offered."""
    theirs = {name: words for rules in rulesets.every() for name, words in rules.topics.items()}
    return {"roll": _("Rolls"), **theirs, "session": _("Sessions"), "recap": _("Recaps"), "date": _("Dates")}


def words_of(topics: Collection[str]) -> str:
    """Return words for these topics, without those of rules that are no longer installed."""
    return ", ".join(str(words) for name, words in offered().items() if name in topics)


def events_of(topics: Collection[str]) -> Q:
    """Return the condition for events of these topics."""
    kinds = [kind for name in topics for kind in KINDS.get(name, ())]
    theirs = [name for name in topics if name not in KINDS]
    return Q(kind__in=kinds) | Q(index__topic__in=theirs)


class WebhookChanged(PayloadSchema):
    """A webhook was added, changed or removed. Only its host name is told: the rest of the address may be a secret."""

    host: Name
    topics: list[Code]
    change: Literal["added", "on", "off", "removed"]


class WebhookStopped(PayloadSchema):
    host: Name


webhook = partial(EventKind, topic=Topic.TABLE, index=lambda payload: Indexed(words=payload["host"]))


def _described(payload: Payload) -> Payload:
    return {"topic_words": words_of(payload["topics"])}


# Everyone can see what leaves the site, and where it goes.
WEBHOOK_CHANGED = webhook("webhooks.webhook_changed", schema=WebhookChanged, describe=_described)
# No one did it, and only GMs can do something about it.
WEBHOOK_STOPPED = webhook("webhooks.webhook_stopped", schema=WebhookStopped, nameless=True)
