"""What players say has happened to their characters, and what the GM answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid, Missing, Stale, Waiting
from campaigns.kinds import EventKind
from campaigns.models import Role
from campaigns.services.log import Table, at_table
from characters.advancement import ClaimKind, scheme_of
from characters.events import CLAIM_DECIDED, CLAIM_MADE
from characters.models import Character, Claim
from characters.queries.ledger import standing_of
from characters.services.fields import check_unlocked
from characters.services.finding import found, in_play, own
from characters.services.ledger import answers, award
from characters.services.steps import take_steps
from characters.sheets.fields import Sight

MOST_OPEN = 20
"""Claims of one character that wait."""


@at_table(Role.PLAYER)
def make_claim(table: Table, character: Character, kind: str, given: Mapping[str, str], *, key: UUID) -> Claim:
    """Say that something of a kind that the character's rules know has happened; `given` is what was typed.

    Where the campaign's rules ask no GM it counts at once. Raises Invalid for other kinds and what their rules refuse, Waiting
    for too many, Forbidden for what would be written at once on a sheet that a GM has locked.
    """
    there = own(table, character)
    in_play(there)
    rules, standing = _kind(there, kind), standing_of(there)
    if rules.at_once(table.campaign):
        check_unlocked(table, there, Sight.SHEET)
    if there.claims.filter(state=Claim.State.OPEN).count() >= MOST_OPEN:
        raise Waiting("The GM has to answer some of the claims first.")
    asked = rules.asks(standing)
    if not asked:
        raise Invalid("There is nothing of the kind on this sheet.")
    earlier = there.claims.filter(kind=kind, scene=table.scene).exclude(state=Claim.State.REFUSED)
    known = [one.given for one in earlier] if table.scene else []
    kept, words = rules.claim(standing, answers(asked, given), known)
    claim = Claim.objects.create(
        id=table.key, character=there, kind=kind, given=kept, words=words, scene=table.scene, by=table.by, at=table.now
    )
    if rules.at_once(table.campaign):
        _grant(table, there, claim, rules)
    else:
        _tell(table, there, claim, CLAIM_MADE)
    return claim


@at_table(Role.GM)
def confirm_claim(table: Table, claim_id: UUID, *, key: UUID) -> Claim:
    """Let it count: what follows from it by the rules is written on the sheet now. Raises Stale for one that is answered."""
    there, claim = _open(table, claim_id)
    in_play(there)
    _grant(table, there, claim, _kind(there, claim.kind))
    return claim


@at_table(Role.GM)
def refuse_claim(table: Table, claim_id: UUID, *, key: UUID) -> Claim:
    """Let it count for nothing. Raises Stale for one that is answered."""
    there, claim = _open(table, claim_id)
    claim.state = Claim.State.REFUSED
    claim.save(update_fields=["state"])
    _tell(table, there, claim, CLAIM_DECIDED)
    return claim


def _grant(table: Table, character: Character, claim: Claim, rules: ClaimKind) -> None:
    granted = rules.grant(standing_of(character), claim.given)
    take_steps(table, character, granted.steps, why=claim.words)
    if granted.beside:
        other, steps = granted.beside
        take_steps(table, _other(table, other), steps, why=claim.words)
    if granted.xp:
        award(table, character, granted.xp, granted.purse, claim.words)
    claim.state = Claim.State.CONFIRMED
    claim.save(update_fields=["state"])
    _tell(table, character, claim, CLAIM_DECIDED)


def _other(table: Table, wanted: UUID) -> Character:
    """Raises Stale for one who has left meanwhile."""
    other = Character.objects.active().filter(campaign=table.campaign, pk=wanted).first()
    if other is None:
        raise Stale("The other character of this claim is not in play any more.")
    return found(table, other)


def _open(table: Table, claim_id: UUID) -> tuple[Character, Claim]:
    claim = Claim.objects.filter(character__campaign=table.campaign, pk=claim_id).first()
    there = found(table, claim.character) if claim else None
    if claim is None or there is None or there.deleted_at:
        raise Missing
    if claim.state != Claim.State.OPEN:
        raise Stale(f"This claim is {claim.state} already.")
    return there, claim


def _kind(character: Character, name: str) -> ClaimKind:
    kind = scheme_of(character).claims.get(name)
    if kind is None:
        raise Invalid("Nothing of the kind can be claimed here.")
    return kind


def _tell(table: Table, character: Character, claim: Claim, kind: EventKind) -> None:
    facts: dict[str, Any] = {"character": character.ref, "claim": claim.facts()}
    for stream in character.streams(Sight.SHEET):
        table.record(kind, facts, stream=stream, about=[character.about], which=str(character.pk))
