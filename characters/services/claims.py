"""Players' claims of what happened to their characters, and the GM's answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.advancement import ClaimKind
from characters.events import CLAIM_DECIDED, CLAIM_MADE
from characters.models import Character, Claim
from characters.queries.ledger import of_this_scene, standing_of
from characters.rulesets import scheme_of
from characters.services.fields import check_unlocked
from characters.services.ledger import answers, award, reason_of
from characters.services.lookup import get_character, get_writable, in_play
from characters.services.steps import take_steps
from characters.sheets.fields import Visibility

MOST_OPEN = 20
"""Claims of one character that wait."""


@service(Role.PLAYER)
def make_claim(work: UnitOfWork, character: Character, kind: str, given: Mapping[str, str], *, key: UUID) -> Claim:
    """Claim that something of a kind that the character's rules know has happened; `given` is what was typed.

    If the campaign's rules need no GM it counts at once. Raises Invalid for other kinds and what their rules refuse,
    Blocked for too many, Forbidden if it would be written at once on a sheet that a GM has locked.
    """
    return claim_in(work, get_writable(work, character), kind, given)


def claim_in(work: UnitOfWork, character: Character, kind: str, given: Mapping[str, str]) -> Claim:
    """Make a claim inside an operation that does more. The acting member may write in `character`."""
    in_play(character)
    rules, standing = _kind(character, kind), standing_of(character)
    if rules.at_once(work.campaign):
        check_unlocked(work, character, Visibility.SHEET)
    if character.claims.filter(state=Claim.State.OPEN).count() >= MOST_OPEN:
        raise Blocked(_("Too many claims are waiting. The GM has to answer some first."))
    asked = rules.asks(standing)
    if not asked:
        raise Invalid(_("Nothing on this sheet can be claimed that way."))
    earlier = of_this_scene(character.claims.filter(kind=kind), work.campaign).exclude(state=Claim.State.REFUSED)
    kept, wording = rules.claim(standing, answers(asked, given), [before.given for before in earlier])
    claim = Claim.objects.create(
        id=work.key, character=character, kind=kind, given=kept, told=wording, scene=work.scene, by=work.by, at=work.now
    )
    if rules.at_once(work.campaign):
        _grant(work, character, claim, rules)
    else:
        _tell(work, character, claim, CLAIM_MADE)
    return claim


@service(Role.GM)
def confirm_claim(work: UnitOfWork, claim_id: UUID, *, key: UUID) -> Claim:
    """Let it count: what follows from it by the rules is written on the sheet now. Raises Conflict for one that is answered."""
    character, claim = _open(work, claim_id)
    in_play(character)
    _grant(work, character, claim, _kind(character, claim.kind))
    return claim


@service(Role.GM)
def refuse_claim(work: UnitOfWork, claim_id: UUID, *, key: UUID) -> Claim:
    """Let it count for nothing. Raises Conflict for one that is answered."""
    character, claim = _open(work, claim_id)
    claim.state = Claim.State.REFUSED
    claim.save(update_fields=["state"])
    _tell(work, character, claim, CLAIM_DECIDED)
    return claim


def _grant(work: UnitOfWork, character: Character, claim: Claim, rules: ClaimKind) -> None:
    granted, why = rules.grant(standing_of(character), claim.given), reason_of(character, claim)
    take_steps(work, character, granted.steps, why=why)
    if granted.beside:
        other, steps = granted.beside
        take_steps(work, _other(work, other), steps, why=why)
    if granted.xp:
        award(work, character, granted.xp, granted.currency, claim)
    claim.state = Claim.State.CONFIRMED
    claim.save(update_fields=["state"])
    _tell(work, character, claim, CLAIM_DECIDED, quiet=granted.xp > 0)


def _other(work: UnitOfWork, wanted: UUID) -> Character:
    """Raises Conflict for one who has left."""
    other = Character.objects.active().filter(campaign=work.campaign, pk=wanted).first()
    if other is None:
        raise Conflict(_("The other character in this claim is no longer in play."))
    return get_character(work, other)


def _open(work: UnitOfWork, claim_id: UUID) -> tuple[Character, Claim]:
    claim = Claim.objects.filter(character__campaign=work.campaign, pk=claim_id).first()
    character = get_character(work, claim.character) if claim else None
    if claim is None or character is None or character.deleted_at:
        raise NotFound
    if claim.state != Claim.State.OPEN:
        already = {
            Claim.State.CONFIRMED: _("This claim is already confirmed."),
            Claim.State.REFUSED: _("This claim is already refused."),
        }
        raise Conflict(already[Claim.State(claim.state)])
    return character, claim


def _kind(character: Character, name: str) -> ClaimKind:
    kind = scheme_of(character).claims.get(name)
    if kind is None:
        raise Invalid(_("That can’t be claimed here."))
    return kind


def _tell(work: UnitOfWork, character: Character, claim: Claim, kind: EventKind, *, quiet: bool = False) -> None:
    payload: dict[str, Any] = {
        "character": character.ref,
        "sheet": character.rules.name,
        "claim": claim.payload(),
        "quiet": quiet,
    }
    for stream in character.streams(Visibility.SHEET):
        work.record(kind, payload, stream=stream, subjects=[character.subject], discriminator=str(character.pk))
