"""The Will that both sides pay for their pools, and what the other side's Descriptors bring them (descriptors.txt, rolling)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from campaigns.errors import Invalid
from characters.models import Character
from characters.sheets.descriptors import SHEET
from rolls.rules.descriptors import Settings
from rolls.rules.descriptors_will import Contribution, Owner, WillAfter, pay_for_roll, pay_pools
from rolls.rules.errors import RuleError
from rolls.services.systems.descriptors.ask import Sides, descriptors_of
from rolls.services.systems.descriptors.pools import Pool


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


def _used(pool: Pool, own: Owner, other: Owner) -> tuple[Contribution, ...]:
    return tuple(Contribution(entry.name, entry.dice, other if entry.theirs else own) for entry in pool.entries)


def _paid(field: str, payer: Character | None, pool: Pool, opposing: Pool, settings: Settings) -> WillAfter:
    values = descriptors_of(payer)
    will = None if values is None else SHEET.number(values, "will")
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
