"""The Will that both sides pay for their pools, and what the other side's Descriptors bring them (descriptors.txt, rolling)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import ROLL, ROLL_TAKEN_BACK, Reason
from characters.services import change
from characters.services.lookup import found
from characters.services.steps import step_back
from rolls.models import Roll
from rolls.rules.errors import RuleError
from rulesets.descriptors.rules.will import Contribution, Owner, WillAfter, pay_for_roll, pay_pools
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_WILL, will_of
from rulesets.descriptors.table.ask import Sides, descriptors_of
from rulesets.descriptors.table.card import opponent_of
from rulesets.descriptors.table.pools import Pool

NO_WILL: Final = Reason("no_will", "no Will left")


def bill(sides: Sides, settings: Settings) -> tuple[WillAfter, WillAfter]:
    """What either side pays and gains. Whoever has no sheet that the roller may write in has no fund: it pays by word alone.

    Raises Invalid for a Descriptor that is used twice, and at the pool of the side that has not Will enough.
    """
    a, b = _used(sides.a, Owner.A, Owner.B), _used(sides.b, Owner.B, Owner.A)
    with _refused_at("pool"):
        # Dice without a name count in a pool too, so that how many there are was checked when it was read.
        pay_pools(a, b, will_a=None, will_b=None, settings=replace(settings, fewest_dice=0))
    return (
        _paid("pool", sides.mine, sides.a, sides.b, settings),
        _paid("against", sides.opponent if sides.opens else None, sides.b, sides.a, settings),
    )


def terms_of(paid: WillAfter) -> dict[str, Any]:
    """A payment as the Roll keeps it. `pays`: a sheet pays it; `out`: it takes its last point, and its owner leaves the scene."""
    return {
        "spent": paid.spent,
        "gained": paid.gained,
        "pays": paid.before is not None and bool(paid.spent or paid.gained),
        "out": paid.out_after_roll and bool(paid.spent),
    }


def pay(work: UnitOfWork, roll: Roll) -> None:
    """Take the Will from the sheets that pay; whoever has none left is out of the scene once the dice have fallen."""
    for paid, payer in _payers(roll):
        _move(work, payer, paid["gained"] - paid["spent"], why=ROLL)
        if paid["out"]:
            paid["left"] = not change(work, payer, "out_of_scene", True, why=NO_WILL)


def repay(work: UnitOfWork, roll: Roll) -> None:
    """Put back what it took, and let those come back whom it sent out of the scene. What had followed from its card, in games
    from before contests settled that, is undone.

    Raises Conflict where a sheet has been changed since in what followed.
    """
    for followed in reversed(roll.outcome.get("follows", {}).values()):
        for who, done in reversed(followed["done"]):
            step_back(work, found(work, Character(pk=UUID(who))), done, why=ROLL_TAKEN_BACK)
    for paid, payer in _payers(roll):
        _move(work, payer, paid["spent"] - paid["gained"], why=ROLL_TAKEN_BACK)
        if paid.get("left"):
            change(work, payer, "out_of_scene", False, why=ROLL_TAKEN_BACK)


def _payers(roll: Roll) -> list[tuple[dict[str, Any], Character]]:
    sides = ((roll.ask["a"], roll.character), (roll.ask["b"], opponent_of(roll)))
    return [(paid, payer) for paid, payer in sides if payer is not None and paid["pays"]]


def _move(work: UnitOfWork, payer: Character, points: int, *, why: Reason) -> None:
    change(work, payer, "will", max(0, min(MOST_WILL, payer.number("will") + points)), why=why)


def _used(pool: Pool, own: Owner, other: Owner) -> tuple[Contribution, ...]:
    return tuple(Contribution(entry.name, entry.dice, other if entry.theirs else own) for entry in pool.entries)


def _paid(field: str, payer: Character | None, pool: Pool, opposing: Pool, settings: Settings) -> WillAfter:
    values = descriptors_of(payer)
    will = None if values is None else will_of(values, settings)
    used_against = sum(entry.theirs for entry in opposing.entries)
    with _refused_at(field, payer):
        return pay_for_roll(will, invoked=len(pool.entries), used_against=used_against, settings=settings)


@contextmanager
def _refused_at(field: str, whose: Character | None = None) -> Iterator[None]:
    try:
        yield
    except RuleError as error:
        message = f"{whose.name}: {error.message}" if whose else error.message
        raise Invalid(message, field=field) from error
