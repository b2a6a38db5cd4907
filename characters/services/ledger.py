"""XP and what is bought of them: awarded by the GM, spent by players at the rules' prices, given back by the GM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from campaigns.services.undo import caused, tell_undoable, undo
from characters.advancement import Balance, ClaimKind, Purchase, Scheme
from characters.events import CLAIM_DECIDED, CLAIM_MADE, XP_AWARDED, XP_REFUNDED, XP_SPENT
from characters.models import Character, Claim, LedgerEntry
from characters.queries.ledger import balances_of, of_this_scene, standing_of
from characters.reasons import BOUGHT, GIVEN_BACK, ClaimReason
from characters.rulesets import scheme_of
from characters.services.fields import check_unlocked
from characters.services.sheet_writes import get_character, get_writable, in_play, take_steps
from characters.sheets.fields import SheetError, Visibility

MOST_AT_ONCE = 100
"""XP of one award; more is a slip of the keyboard."""

LONGEST_REASON = 200


@service(Role.GM)
def award_xp(
    work: UnitOfWork, characters: Sequence[Character], amount: int, *, reason: str, currency: str = "", key: UUID
) -> None:
    """Give each of some characters 1 to 100 XP for a reason.

    The points are of the named currency if a character earns it, else of its first one. Raises Invalid for no
    characters, for ones that left play, and for impossible amounts.
    """
    if not characters:
        raise Invalid(_("Choose at least one character."), field="characters")
    if not 1 <= amount <= MOST_AT_ONCE:
        raise Invalid(_("Enter a number from 1 to {most}.").format(most=MOST_AT_ONCE), field="amount")
    for character in sorted(characters, key=lambda one: str(one.pk)):
        current = get_writable(work, character)
        in_play(current, "characters")
        award(work, current, amount, currency, one_line(reason))


def award(work: UnitOfWork, character: Character, amount: int, currency: str, given: str | Claim) -> LedgerEntry:
    """Return the same inside an operation, for a character as it is under the lock, and for a claim of that character's too."""
    standing, scheme = standing_of(character), scheme_of(character)
    earning = [known.name for known in scheme.currencies.values() if known.earns]
    of = currency if currency in earning else earning[0]
    earned = scheme.earn(standing, of, amount)
    reason, claim = (given, None) if isinstance(given, str) else ("", given)
    why = reason_of(character, claim) if claim else reason
    take_steps(work, character, earned.steps, why=why, quiet=True)
    entry = LedgerEntry(
        kind=LedgerEntry.Kind.AWARD,
        currency=of,
        amount=amount,
        reason=reason,
        claim=claim,
        advances=earned.advances,
    )
    return _enter(work, character, entry, XP_AWARDED)


@service(Role.PLAYER)
def buy_advance(
    work: UnitOfWork, character: Character, offer: str, given: Mapping[str, str], *, key: UUID
) -> LedgerEntry:
    """Buy one of the `offers_of` a character, by its name; `given` are the typed values that it asks for.

    The sheet is written in the same operation. Raises Conflict for an offer that is gone, Invalid if there is not enough.
    """
    current = get_writable(work, character)
    in_play(current)
    check_unlocked(work, current, Visibility.SHEET)
    scheme, standing = scheme_of(current), standing_of(current)
    wanted = next((listed for listed in scheme.offers(standing) if listed.name == offer), None)
    if wanted is None:
        raise Conflict(_("The sheet has changed, so this is no longer available. Reload and choose again."))
    purchase = scheme.buy(standing, wanted, answers(wanted.asks, given))
    _check_payable(purchase, scheme, scheme.balances(standing))
    with caused(work, work.key):
        take_steps(work, current, purchase.steps, why=BOUGHT)
    entry = LedgerEntry(
        kind=LedgerEntry.Kind.SPEND,
        currency=purchase.currency,
        amount=purchase.cost,
        bought={"kind": purchase.kind, "told": purchase.told},
        advances=-purchase.advances,
    )
    _enter(work, current, entry, XP_SPENT)
    tell_undoable(work, work.key, f"sheet:{current.pk}", entry.event)
    return entry


def _check_payable(purchase: Purchase, scheme: Scheme, balances: Sequence[Balance]) -> None:
    """Raise Invalid if there is not enough to pay."""
    currency = scheme.currencies[purchase.currency]
    have = next(balance.have for balance in balances if balance.currency == currency.name)
    if purchase.cost > have:
        message = _("This costs {cost} {unit}. You have {have}.")
        raise Invalid(message.format(cost=purchase.cost, unit=currency.counted(purchase.cost), have=have))


@service(Role.GM)
def refund_advance(work: UnitOfWork, character: Character, entry_id: UUID, *, key: UUID) -> LedgerEntry:
    """Refund a purchase: its price is returned, and the sheet is as before.

    Raises Conflict if it was refunded already or the sheet has changed since, Invalid for other entries.
    """
    return refund(work, get_character(work, character), entry_id)


def refund(work: UnitOfWork, current: Character, entry_id: UUID) -> LedgerEntry:
    """Refund a purchase inside an operation."""
    entry = LedgerEntry.objects.filter(character=current, pk=entry_id).first()
    if entry is None or current.deleted_at:
        raise NotFound
    if entry.kind != LedgerEntry.Kind.SPEND:
        raise Invalid(_("Only purchases can be refunded."))
    if LedgerEntry.objects.filter(undoes=entry).exists():
        raise Conflict(_("This has already been refunded."))
    undo(work, entry.pk, GIVEN_BACK)
    refund = LedgerEntry(
        kind=LedgerEntry.Kind.REFUND,
        currency=entry.currency,
        amount=entry.amount,
        bought=entry.bought,
        advances=-entry.advances,
        undoes=entry,
    )
    return _enter(work, current, refund, XP_REFUNDED)


def answers(asks: Sequence[Any], given: Mapping[str, str]) -> dict[str, Any]:
    """Return a cleaned value for each field that is asked for. Raises Invalid."""
    try:
        return {field.name: field.clean(given.get(field.name, field.start)) for field in asks}
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None


def one_line(reason: str) -> str:
    """Return an award's reason on one line. Raises Invalid if it is empty or too long."""
    reason = " ".join(reason.split())
    if not reason:
        raise Invalid(_("Enter a reason."), field="reason")
    if len(reason) > LONGEST_REASON:
        message = ngettext("At most {count} character.", "At most {count} characters.", LONGEST_REASON)
        raise Invalid(message.format(count=LONGEST_REASON), field="reason")
    return reason


def reason_of(character: Character, claim: Claim) -> ClaimReason:
    """Return the reason for sheets that change by this character's claim."""
    return ClaimReason(character.rules.name, claim.claimed)


def _enter(work: UnitOfWork, character: Character, entry: LedgerEntry, kind: EventKind) -> LedgerEntry:
    entry.id = work.key if kind != XP_AWARDED else work.id(f"award {character.pk}")
    entry.character, entry.by, entry.at = character, work.by, work.now
    entry.save(force_insert=True)
    payload = {
        "character": character.ref,
        "sheet": character.rules.name,
        "entry": entry.payload(),
        "undoes": str(entry.undoes_id or ""),
        "balances": [balance.payload() for balance in balances_of(character)],
    }
    for stream in character.streams(Visibility.SHEET):
        event = work.record(kind, payload, stream=stream, subjects=[character.subject], discriminator=str(character.pk))
        entry.event = event.uid
    entry.save(update_fields=["event"])
    return entry


# Players' claims of what happened to their characters, and the GM's answers.


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
