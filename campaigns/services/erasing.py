"""Erase a person's words from a campaign's log for good. The chain stays valid: it binds the words by a salted hash
alone, and the salt is deleted with them, so that nobody can guess the words.

Erased are the texts that a member wrote for others to read: what they said, narrated and whispered; notes and reasons
of rolls, requests, clocks, experience and changes of sheets; their notes on storylines, their recaps, and the texts in
Markdown on sheets; and what rulesets name (EventKind.typed). Their copies are erased too: repeated by others'
operations, kept in rows, quoted in a recap.

Names in the story stay: names, titles, the short lines of sheets, the campaign's pitch, portraits. So does what others
wrote, even if it says the same in other words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, existing
from campaigns.events import WORDS_ERASED
from campaigns.kinds import TextCategory, kinds, words_erased
from campaigns.live.render import forget_texts
from campaigns.models import (
    ApiToken,
    Boundaries,
    EventIndex,
    EventPayload,
    EventSubject,
    IdempotencyKey,
    Membership,
    Picture,
    Recap,
    Role,
    Storyline,
)
from campaigns.models.log import forget_words, person
from campaigns.services.log import UnitOfWork, service
from campaigns.services.pictures import uncover
from campaigns.text import ERASED, QUOTE

BATCH = 500  # rows read at once


@dataclass
class Texts:
    """All texts that a person typed, by category."""

    held: dict[TextCategory, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, sort: TextCategory, text: object) -> None:
        if isinstance(text, str) and text not in ("", ERASED):
            self.held[sort].add(text)
            self.held[TextCategory.TALK].add(_one_line(text))

    def without(self, text: str, sort: TextCategory = TextCategory.NOTE) -> str:
        """Return the text without the erased ones: "" of its own, or all but the lines that quote one of them."""
        if sort is not TextCategory.TALK and text in self.held[sort]:
            return ERASED
        return "\n".join(f"{QUOTE}{ERASED}" if self._quotes(line) else line for line in text.split("\n"))

    def _quotes(self, line: str) -> bool:
        return line.startswith(QUOTE) and _one_line(line.removeprefix(QUOTE)) in self.held[TextCategory.TALK]

    def outside(self, value: Any, sort: TextCategory) -> Any:
        """Return a JSON value without the texts, wherever they are in it."""
        if isinstance(value, dict):
            return {key: self.outside(item, sort) for key, item in value.items()}
        if isinstance(value, list):
            return [self.outside(item, sort) for item in value]
        return self.without(value, sort) if isinstance(value, str) else value


def put(thing: models.Model, **values: Any) -> None:
    """Set fields of a row, and save it where that changes anything."""
    other = {name: value for name, value in values.items() if getattr(thing, name) != value}
    for name, value in other.items():
        setattr(thing, name, value)
    if other:
        thing.save(update_fields=list(other))


@service(Role.SPECTATOR, archived=True)
def erase_words(work: UnitOfWork, member: Membership, *, key: UUID) -> Membership:
    """Erase what a member has written at this table, and tell everyone that it was done. Members erase their own, GMs
    anyone's.

    Raises Forbidden for another member's words, NotFound for a person who was never here.
    """
    current = existing(Membership.objects.select_related("user").filter(campaign=work.campaign, pk=member.pk).first())
    if current.pk != work.by.pk and not work.by.is_gm:
        raise Forbidden(_("Only a GM can erase what others wrote."))
    texts = _erase_typed(current)
    _erase_copied(current, texts)
    _erase_rows(current, texts)
    ApiToken.objects.filter(membership=current).update(name=ERASED)
    words_erased.send(sender=Membership, member=current, texts=texts)
    # The request is stored as a hash, by which its words could be guessed.
    IdempotencyKey.objects.filter(campaign=work.campaign, by=current).update(fingerprint="")
    forget_words()
    forget_texts()
    work.record(WORDS_ERASED, {"who": person(current)})
    return current


def _erase_typed(member: Membership) -> Texts:
    """Erase the member's texts where they typed them. Return these texts."""
    texts = Texts()
    typing = {name: kind.typed for name, kind in kinds().items() if kind.typed}
    mine = EventPayload.objects.filter(event__campaign=member.campaign_id, event__kind__in=typing)
    for stored in in_batches(mine.filter(event__subjects__key=f"member:{member.number}")):
        payload = before = stored.event.payload
        for place, whose in typing[stored.event.kind](before):
            if isinstance(whose, dict) and whose.get("member") == member.number:
                for text in texts_at(before, place.path):
                    texts.add(place.sort, text)
                payload = changed_at(payload, place.path, lambda text: ERASED)
        if payload != before:
            erase(stored, payload)
    return texts


def _erase_copied(member: Membership, texts: Texts) -> None:
    copies = {name: kind.copied for name, kind in kinds().items() if kind.copied}
    payloads = EventPayload.objects.filter(event__campaign=member.campaign_id, event__kind__in=copies)
    for stored in in_batches(payloads):
        payload = before = stored.event.payload
        for place in copies[stored.event.kind]:
            payload = changed_at(payload, place.path, partial(texts.without, sort=place.sort))
        if payload != before:
            erase(stored, payload)


def in_batches(payloads: QuerySet[EventPayload]) -> Iterator[EventPayload]:
    """Yield the payloads in order, with their events; each may be written before more are read."""
    payloads, done = payloads.select_related("event").order_by("pk"), 0
    while batch := list(payloads.filter(pk__gt=done)[:BATCH]):
        yield from batch
        done = batch[-1].pk


def changed_at(value: Any, path: tuple[str, ...], change: Callable[[str], str]) -> Any:
    """Return the value with the texts at the end of a path changed. Missing and empty ones stay as they are.

    "**" is the way to every text below, but for sentences of this program (`say`, rules/messages.py).
    """
    if not path:
        return change(value) if isinstance(value, str) and value else value
    step, rest = path[0], path[1:]
    if step == "**":
        return _changed_everywhere(value, change)
    if isinstance(value, dict):
        return {key: changed_at(item, rest, change) if step in ("*", key) else item for key, item in value.items()}
    if isinstance(value, list):
        return [changed_at(item, rest, change) if step in ("*", str(at)) else item for at, item in enumerate(value)]
    return value


def _changed_everywhere(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {key: item if key == "say" else _changed_everywhere(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_changed_everywhere(item, change) for item in value]
    return changed_at(value, (), change)


def texts_at(value: Any, path: tuple[str, ...]) -> list[str]:
    """Return those at the end of a path."""
    texts: list[str] = []

    def keep(text: str) -> str:
        texts.append(text)
        return text

    changed_at(value, path, keep)
    return texts


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _erase_rows(member: Membership, texts: Texts) -> None:
    Boundaries.objects.filter(member=member).delete()
    _erase_pictures(Picture.objects.filter(by=member))
    for recap in Recap.objects.filter(session__campaign=member.campaign_id):
        put(recap, draft=texts.without(recap.draft), words=texts.without(recap.words))
    for storyline in Storyline.objects.filter(campaign=member.campaign_id):
        put(storyline, gm_notes=texts.without(storyline.gm_notes))


def _erase_pictures(pictures: QuerySet[Picture]) -> None:
    """Erase the pictures, what events say about them, and their addresses."""
    keys = [f"picture:{pk}" for pk in pictures.values_list("pk", flat=True)]
    payloads = EventPayload.objects.filter(event__subjects__key__in=keys, payload__has_key="picture")
    for stored in in_batches(payloads):
        picture = stored.payload["picture"]
        erase(stored, {**stored.payload, "picture": {**picture, "id": None, "alt": picture["alt"] and ERASED}})
    uncover(pictures.iterator())
    pictures.delete()


NO_SALT = "0" * 32
"""Replaces a salt once the data it was for is erased."""


def forget(member: Membership, name: str) -> None:
    """Put `name` for a person throughout the campaign's log. The chain stays valid: it binds payloads by commitments."""
    about = EventSubject.objects.filter(event__campaign=member.campaign_id, key=f"member:{member.number}")
    for stored in EventPayload.objects.filter(event__in=about.values("event")).select_related("event"):
        erase(stored, _renamed(stored.payload, member.number, name))
    about.update(name=name)


def erase(stored: EventPayload, payload: dict[str, Any]) -> None:
    """Replace an event's payload for good, and its index with it.

    It is stored in this version's form. Its salt is deleted: with salt and commitment anybody could guess the erased words.
    """
    stored.payload, stored.erased_at, stored.salt = payload, timezone.now(), NO_SALT
    stored.save(update_fields=["payload", "erased_at", "salt"])
    EventIndex.objects.filter(pk=stored.pk).update(words=EventIndex.of(stored.event).words)


def _renamed(value: Any, member: int, name: str) -> Any:
    if isinstance(value, dict):
        if value.get("member") == member and set(value) == {"member", "name"}:
            return {"member": member, "name": name}
        return {key: _renamed(item, member, name) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, member, name) for item in value]
    return value
