"""The events that stand together on one card of the feed and the log, such as all steps of a procedure (UnitOfWork.card)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from campaigns.models import Event, Role
from campaigns.models.log import EventQuerySet, prefetch_amendments
from campaigns.models.members import GM, TABLE
from database.compiled import Parameter, compiled

Cards = Mapping[UUID, Sequence[Event]]
"""All events of some cards, oldest first, with what is needed to draw them."""

RICHEST = {GM: 0, TABLE: 2}
"""The order in which streams tell more: the GMs', a member's, the table's."""


@dataclass(frozen=True)
class Card:
    """What readers are told on one card, oldest first. What a player alone is told stands `inside` the card that the table sees,
    where there is one."""

    id: UUID
    events: Sequence[Event]
    inside: bool = False

    def until(self, event: Event) -> Card:
        """Return the card as it stood after this event."""
        return Card(self.id, [one for one in self.events if one.pk <= event.pk], self.inside)


@compiled(card=models.UUIDField())
def _on_card(card: Parameter) -> QuerySet[Event]:
    return _whole(Event.objects.filter(index__card=card))


def _whole(events: EventQuerySet) -> EventQuerySet:
    return events.with_stored().amended().select_related("campaign").order_by("pk")


def cards_of(events: Collection[Event], among: EventQuerySet | None = None) -> Cards:
    """Return the cards on which these events stand, with all of their events, or those that are `among` these. These events
    themselves are on them, not their likes: what was read from an event for its line is there for its card."""
    cards: dict[UUID | None, list[Event]] = {event.card: [] for event in events if event.part}
    if not cards:
        return {}
    if among is None:
        there = [event for card in cards if card for event in _on_card.rows(card=card)]
    else:
        there = list(_whole(among.filter(index__card__in=cards)))
    prefetch_amendments(there)
    here = {event.pk: event for event in events}
    # A campaign from elsewhere may have things of the same id; so many cards are found faster without naming the campaign.
    campaigns = {event.campaign_id for event in events}
    for event in there:
        if event.campaign_id in campaigns:
            cards[event.card].append(here.get(event.pk, event))
    return {card: there for card, there in cards.items() if card}


def card_with(event: Event, cards: Cards, role: Role) -> Card | None:
    """Return the card on which an event stands: for GMs with one telling of each event on it, for others with those of its
    stream; None for a line of its own."""
    if event.part is None or event.card is None:
        return None
    there = cards[event.card]
    if role != Role.GM:
        own = [one for one in there if one.stream_id == event.stream_id]
        return Card(event.card, own, event.stream.name != TABLE and any(one.stream.name == TABLE for one in there))
    told: dict[UUID, Event] = {}
    for one in there:
        before = told.get(one.uid)
        if before is None or RICHEST.get(one.stream.name, 1) < RICHEST.get(before.stream.name, 1):
            told[one.uid] = one
    return Card(event.card, sorted(told.values(), key=lambda one: one.pk))
