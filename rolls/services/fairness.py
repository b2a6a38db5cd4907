"""Seeds and their epochs: committed to before dice come from them, revealed when a session ends (docs/fairdice.md).

There are always two epochs that are not closed: the one in use, and the next, whose commitment everybody has had for as long.
What the table is told here must not depend on what only GMs know; so a roll that not everybody sees neither opens an epoch nor
ends one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.conf import settings
from django.db import models
from django.db.models import Max, QuerySet
from django.utils.module_loading import import_string

from campaigns.events import CAMPAIGN_MADE, SESSION_ENDED, SESSION_STARTED
from campaigns.kinds import on_event
from campaigns.live.presence import alive
from campaigns.models import Campaign, Event, Role
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.services import log
from campaigns.services.campaigns import mark, somebody
from campaigns.services.log import UnitOfWork, locked, service
from database.compiled import Parameter, compiled
from rolls.events import BLIND_REVEALED, EPOCH_COMMITTED, EPOCH_REVEALED
from rolls.models import Audience, SeedEpoch, Witness
from rules import fairness
from rules.dice import Faces
from rules.fairness import blind_seed, commit, commit_blind

# Where faces come from. `settings.DICE_SOURCE` names the source: dice that anyone can check, or dice that a test has loaded.


_random = secrets.SystemRandom()


@dataclass(frozen=True, kw_only=True)
class DiceRequest:
    """The terms of a throw: `id` is the roll or what it caused, `actor` the membership that throws, `spec` such as
    "5d10".

    A rule may ask for more dice than `spec` says; they continue the same stream of faces. Dice that can be checked come
    from the seed of `epoch` and from others' contributions: 32 hex digits each, or "".
    """

    campaign: UUID
    actor: int
    id: UUID
    spec: str
    epoch: SeedEpoch | None = None
    client_seed: str = ""
    witness_seed: str = ""


Source: TypeAlias = Callable[[DiceRequest], Iterator[int]]


@dataclass
class Thrown(Iterator[int]):
    """Dice as they are read, one face after the other. `terms` is their proof without the faces; None: no proof."""

    faces: Faces
    terms: dict[str, Any] | None = None
    read: list[int] = field(default_factory=list)

    def __next__(self) -> int:
        face = next(self.faces)
        self.read.append(face)
        return face

    @property
    def proof(self) -> dict[str, Any] | None:
        """Return all one needs to compute the faces again, with the faces read; None for dice that cannot be checked."""
        return self.terms | {"faces": self.read} if self.terms else None


def server_dice(throw: DiceRequest) -> Iterator[int]:
    """Faces without end from the operating system's random numbers."""
    for sides in fairness.without_end(throw.spec):
        yield _random.randint(1, sides)


def fair_dice(throw: DiceRequest) -> Iterator[int]:
    """Return faces that anyone can compute once the epoch's seed is revealed; the server's own if nothing was committed
    to yet.
    """
    if throw.epoch is None:
        return server_dice(throw)
    return fairness.faces(throw.epoch.seed, fairness.message_of(str(throw.campaign), terms_of(throw, throw.epoch)))


def terms_of(throw: DiceRequest, epoch: SeedEpoch) -> dict[str, Any]:
    """Return a throw's proof without its faces."""
    return {
        "epoch": epoch.name,
        "actor": throw.actor,
        "roll": str(throw.id),
        "client": throw.client_seed,
        "witness": throw.witness_seed,
        "spec": throw.spec,
    }


def can_be_checked() -> bool:
    """Return whether this site's dice source is the one that anyone can check."""
    return import_string(settings.DICE_SOURCE) is fair_dice


def faces_for(throw: DiceRequest) -> Faces:
    """Return the faces of a throw, from the source this site is set to."""
    source: Source = import_string(settings.DICE_SOURCE)
    return source(throw)


def throw_dice(work: UnitOfWork, throw: DiceRequest, audience: Audience) -> Thrown:
    """Throw dice for these eyes, with their proof if this site's dice have one and a seed is committed to."""
    epoch = epoch_for(work, audience)
    if epoch is None:
        return Thrown(faces_for(throw))
    blind = audience is Audience.GM and not work.by.is_gm
    seed = blind_seed(epoch.blind, roll=str(throw.id), client_seed=throw.client_seed) if blind else ""
    if work.by.is_gm and audience is Audience.TABLE and throw.id == work.key:
        seed = _witnessed(work, throw, epoch)
    throw = replace(throw, epoch=epoch, witness_seed=seed)
    return Thrown(faces_for(throw), terms_of(throw, epoch) | {"blind": blind})


def in_the_open(work: UnitOfWork, throw: UUID, spec: str, *, client_seed: str = "") -> Thrown:
    """Throw dice for all eyes; `throw` is their id, on which their faces depend."""
    asked = DiceRequest(campaign=work.campaign.pk, actor=work.by.number, id=throw, spec=spec, client_seed=client_seed)
    return throw_dice(work, asked, Audience.TABLE)


def open_epoch(campaign: Campaign) -> SeedEpoch | None:
    """Return the epoch in use; None before the first."""
    return _not_closed.first(campaign=campaign.pk)


@compiled(campaign=models.UUIDField())
def _not_closed(campaign: Parameter) -> QuerySet[SeedEpoch]:
    return SeedEpoch.objects.filter(campaign=campaign, closed_at=None).order_by("number")[:1]


def players_here(campaign: Campaign) -> bool:
    """Return whether a player has the table open, who could witness a roll."""
    return alive(campaign.pk).filter(membership__role=Role.PLAYER, membership__left_at=None).exists()


def _witnessed(work: UnitOfWork, throw: DiceRequest, epoch: SeedEpoch) -> str:
    """Return the seed that a player gave for exactly these dice; "" without one. Records it if players were here and
    none was asked.
    """
    witness = Witness.objects.filter(pk=throw.id).first()
    settled = {"epoch": epoch, "asked_by": work.by, "client_seed": throw.client_seed, "spec": throw.spec}
    if witness is None:
        if players_here(work.campaign):
            Witness.objects.create(roll=throw.id, asked_at=work.now, **settled)
        return ""
    if any(getattr(witness, name) != value for name, value in settled.items()):
        witness.seed, witness.by = "", None
        witness.save(update_fields=["seed", "by"])
    return witness.seed


def epoch_for(work: UnitOfWork, audience: Audience) -> SeedEpoch | None:
    """Return the epoch that dice for these eyes come from, opened if need be. None where dice cannot be checked."""
    if not can_be_checked():
        return None
    epoch = open_epoch(work.campaign)
    if audience is not Audience.TABLE:
        return epoch
    if epoch is None:
        begin(work)
    elif work.session is None and epoch.opened_at and epoch.opened_at.date() < work.now.date():
        turn(work)
    else:
        return epoch
    return open_epoch(work.campaign)


def begin(work: UnitOfWork) -> None:
    """Commit to two epochs of a campaign in which none is open: its first, or those after the ones that it had elsewhere."""
    if can_be_checked() and open_epoch(work.campaign) is None:
        last = SeedEpoch.objects.filter(campaign=work.campaign).aggregate(last=Max("number"))["last"] or 0
        _open(_commit(work, last + 1), work)
        _commit(work, last + 2)


def turn(work: UnitOfWork) -> None:
    """Reveal the seed of the epoch in use, start the next epoch, and commit to the one after it."""
    if not can_be_checked():
        return
    epoch = open_epoch(work.campaign)
    if epoch is None:
        begin(work)
        return
    _close(epoch, work)
    _open(SeedEpoch.objects.get(campaign=work.campaign, number=epoch.number + 1), work)
    _commit(work, epoch.number + 2)


@on_event(SESSION_STARTED)
def turn_at_start(work: UnitOfWork, event: Event) -> None:
    """Turn to the next epoch when a session starts. The first session keeps the campaign's first seed, so that no seed
    is the first line in its log.
    """
    if event.payload["number"] > 1:
        turn(work)
    else:
        begin(work)


@on_event(CAMPAIGN_MADE)
def begin_with_campaign(work: UnitOfWork, event: Event) -> None:
    begin(work)


@on_event(SESSION_ENDED)
def turn_at_end(work: UnitOfWork, event: Event) -> None:
    turn(work)


@service(Role.GM)
def tell_seed(work: UnitOfWork, *, key: UUID) -> SeedEpoch | None:
    """Reveal the seed in use and start the next: between sessions, or when a seed may have become known."""
    epoch = open_epoch(work.campaign)
    turn(work)
    return epoch


def _commit(work: UnitOfWork, number: int) -> SeedEpoch:
    epoch = SeedEpoch.objects.create(
        campaign=work.campaign, number=number, seed=secrets.token_hex(32), blind=secrets.token_hex(32)
    )
    campaign = str(work.campaign.pk)
    payload = {
        "epoch": epoch.name,
        "commitment": commit(campaign, epoch.name, epoch.seed),
        "blind": commit_blind(campaign, epoch.name, epoch.blind),
    }
    work.record(EPOCH_COMMITTED, payload, subjects=[_subject_of(epoch)])
    return epoch


def _open(epoch: SeedEpoch, work: UnitOfWork) -> None:
    epoch.opened_at = work.now
    epoch.save(update_fields=["opened_at"])


def _close(epoch: SeedEpoch, work: UnitOfWork) -> None:
    epoch.closed_at = work.now
    epoch.save(update_fields=["closed_at"])
    work.record(EPOCH_REVEALED, {"epoch": epoch.name, "seed": epoch.seed}, subjects=[_subject_of(epoch)])
    work.record(BLIND_REVEALED, {"epoch": epoch.name, "secret": epoch.blind}, stream=GM, subjects=[_subject_of(epoch)])


def _subject_of(epoch: SeedEpoch) -> Subject:
    return Subject(f"epoch:{epoch.pk}", f"Dice {epoch.number}")


def mark_all_restored(last_id: int | None = None) -> int:
    """Mark every campaign as restored. Return how many there are. Unfinished imports have no log yet that could go on.
    `last_id` is that of the last event in the backup, if its migrations have written others since."""
    campaigns = list(Campaign.objects.filter(bringing="").order_by("created_at"))
    for campaign in campaigns:
        mark_restored(campaign, last_id)
    return len(campaigns)


def mark_restored(campaign: Campaign, last_id: int | None = None) -> None:
    """Record the restore in a campaign's log, and reveal both committed seeds: after the backup they may have been used
    and revealed.

    Imported logs have no dice of ours, and so no seeds.
    """
    with locked(campaign) as held:
        work = log.begin(held, somebody(held), uuid4())
        mark(work, last_id)
        if held.imported_at is None:
            turn(work)
            turn(work)
