"""XP and what is bought of them: awarded by the GM, spent by players at the rules' prices, given back by the GM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from campaigns.errors import Conflict, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.advancement import Purchase, Purse, scheme_of
from characters.events import XP_AWARDED, XP_REFUNDED, XP_SPENT
from characters.models import Character, LedgerEntry
from characters.queries.ledger import purses_of, standing_of
from characters.reasons import BOUGHT, GIVEN_BACK
from characters.services.fields import check_unlocked
from characters.services.lookup import found, in_play, own
from characters.services.steps import step_back, take_steps
from characters.sheets.fields import SheetError, Visibility

MOST_AT_ONCE = 100
"""XP of one award; more is a slip of the keyboard."""

LONGEST_WORDS = 200


@service(Role.GM)
def award_xp(
    work: UnitOfWork, characters: Sequence[Character], amount: int, *, reason: str, purse: str = "", key: UUID
) -> None:
    """Give each of some characters 1 to 100 XP for a reason.

    They go into the purse of that name, where a character has one that earns, else into its first. Raises Invalid for nobody,
    for who has left play, and for amounts that cannot be.
    """
    if not characters:
        raise Invalid("Choose somebody who gets them.", field="characters")
    if not 1 <= amount <= MOST_AT_ONCE:
        raise Invalid(f"From 1 to {MOST_AT_ONCE} at once.", field="amount")
    for character in sorted(characters, key=lambda one: str(one.pk)):
        there = own(work, character)
        in_play(there, "characters")
        award(work, there, amount, purse, words_of(reason, "reason"))


def award(work: UnitOfWork, character: Character, amount: int, purse: str, words: str) -> LedgerEntry:
    """The same inside an operation, for a character as it is under the lock."""
    standing, scheme = standing_of(character), scheme_of(character)
    earning = [one for one in scheme.purses(standing) if one.earns]
    into = next((one for one in earning if one.name == purse), earning[0])
    earned = scheme.earn(standing, into.name, amount)
    done = take_steps(work, character, earned.steps, why=words)
    entry = LedgerEntry(
        kind=LedgerEntry.Kind.AWARD,
        purse=into.name,
        label=into.label,
        unit=into.earns,
        amount=amount,
        words=words,
        advances=earned.advances,
        done=done,
    )
    return _enter(work, character, entry, XP_AWARDED)


@service(Role.PLAYER)
def buy_advance(
    work: UnitOfWork, character: Character, offer: str, given: Mapping[str, str], *, key: UUID
) -> LedgerEntry:
    """Buy one of `offers_of` a character, by its name; what it asks for is in `given`, as it was typed.

    The sheet is written in the same operation. Raises Conflict for what is not offered any more, Invalid where there is not
    enough.
    """
    there = own(work, character)
    in_play(there)
    check_unlocked(work, there, Visibility.SHEET)
    scheme, standing = scheme_of(there), standing_of(there)
    wanted = next((one for one in scheme.offers(standing) if one.name == offer), None)
    if wanted is None:
        raise Conflict("That is not offered any more: the sheet has changed. Look at it again.")
    purchase = scheme.buy(standing, wanted, answers(wanted.asks, given))
    purse = _purse_for(purchase, scheme.purses(standing))
    entry = LedgerEntry(
        kind=LedgerEntry.Kind.SPEND,
        purse=purse.name,
        label=purse.label,
        unit=purse.counted(purchase.cost),
        amount=purchase.cost,
        words=words_of(purchase.words, None),
        advances=-purchase.advances,
        done=take_steps(work, there, purchase.steps, why=BOUGHT),
    )
    return _enter(work, there, entry, XP_SPENT)


def _purse_for(purchase: Purchase, purses: Sequence[Purse]) -> Purse:
    """The purse that pays. Raises Invalid where there is not enough in it."""
    purse = next(one for one in purses if one.name == purchase.purse)
    if purchase.cost > purse.have:
        raise Invalid(f"This costs {purchase.cost} {purse.counted(purchase.cost)}, and there are {purse.have}.")
    return purse


@service(Role.GM)
def refund_advance(work: UnitOfWork, character: Character, entry_id: UUID, *, key: UUID) -> LedgerEntry:
    """Take back something that was bought: what was paid for it is there again, and the sheet is as it was.

    Raises Conflict for what has been given back already and where the sheet has been changed since, Invalid for anything else.
    """
    there = found(work, character)
    entry = LedgerEntry.objects.filter(character=there, pk=entry_id).first()
    if entry is None or there.deleted_at:
        raise NotFound
    if entry.kind != LedgerEntry.Kind.SPEND:
        raise Invalid("Only what was bought can be given back.")
    if LedgerEntry.objects.filter(undoes=entry).exists():
        raise Conflict("This has been given back already.")
    step_back(work, there, entry.done, why=GIVEN_BACK)
    refund = LedgerEntry(
        kind=LedgerEntry.Kind.REFUND,
        purse=entry.purse,
        label=entry.label,
        unit=entry.unit,
        amount=entry.amount,
        words=entry.words,
        advances=-entry.advances,
        undoes=entry,
    )
    return _enter(work, there, refund, XP_REFUNDED)


def answers(asks: Sequence[Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A cleaned value for each field that is asked for. Raises Invalid."""
    try:
        return {field.name: field.clean(given.get(field.name, field.start)) for field in asks}
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None


def words_of(text: str, field: str | None) -> str:
    """What the ledger says. Raises Invalid for nothing and for too much."""
    text = " ".join(text.split())
    if not text:
        raise Invalid("Say what for.", field=field)
    if len(text) > LONGEST_WORDS:
        raise Invalid(f"At most {LONGEST_WORDS} characters.", field=field)
    return text


def _enter(work: UnitOfWork, character: Character, entry: LedgerEntry, kind: EventKind) -> LedgerEntry:
    entry.id = work.key if kind != XP_AWARDED else work.id(f"award {character.pk}")
    entry.character, entry.by, entry.at = character, work.by, work.now
    entry.save(force_insert=True)
    payload = {
        "character": character.ref,
        "entry": entry.payload(),
        "undoes": str(entry.undoes_id or ""),
        "purses": [asdict(purse) for purse in purses_of(character)],
    }
    for stream in character.streams(Visibility.SHEET):
        told = work.record(kind, payload, stream=stream, about=[character.about], which=str(character.pk))
        entry.event = told.uid
    entry.save(update_fields=["event"])
    return entry
