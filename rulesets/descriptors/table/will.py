"""The Will that both sides pay for their pools, and what the other side's Descriptors bring them (descriptors.txt, rolling)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from campaigns.errors import Invalid
from characters.models import Character
from characters.reasons import ROLL, Reason
from characters.sheets.steps import Put, Shift
from rolls.models import Roll
from rolls.rules.effects import Write
from rolls.rules.errors import RuleError
from rolls.table_rules import Written, as_written
from rulesets.descriptors.rules.will import Contribution, Owner, WillAfter, pay_for_roll, pay_pools
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import will_of
from rulesets.descriptors.table.ask import Sides, descriptors_of
from rulesets.descriptors.table.pools import Pool

NO_WILL: Final = Reason("no_will", "no Will left")


def bill(sides: Sides, settings: Settings) -> tuple[WillAfter, WillAfter]:
    """What either side pays and gains. Whoever has no sheet that the roller may write in has no fund: it pays by word alone.

    Raises Invalid for a Descriptor that is used twice, and at the pool of the side that has not Will enough.
    """
    a, b = _used(sides.a, Owner.A, Owner.B), _used(sides.b, Owner.B, Owner.A)
    with _refused_at("pool"):
        # Dice without a name count in a pool too, so that how many there are was checked when it was read.
        pay_pools(a, b, will_a=None, will_b=None, settings=settings.changed(fewest_dice=0))
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


def writes(roll: Roll) -> list[Write]:
    """The Will that the sheets that pay give and gain; whoever has none left is out of the scene once the dice have fallen."""
    return [write for paid, payer in _payers(roll) for write in (_moved(paid, payer), _out(paid, payer)) if write.steps]


def wrote(roll: Roll) -> list[Written]:
    """The same of a roll that kept nothing of it but whether it sent somebody out (`left`), and, in games from before contests
    settled that, what followed from its card."""
    written = []
    for paid, payer in _payers(roll):
        will = {"address": "will", "before": paid["spent"], "after": paid["gained"], "counts": True}
        out = {"address": "out_of_scene", "before": not paid.get("left"), "after": True, "counts": False}
        for write, done in ((_moved(paid, payer), will), (_out(paid, payer), out)):
            if write.steps:
                written.append(as_written(write, [done]))
    followed = [pair for row in roll.outcome.get("follows", {}).values() for pair in row["done"]]
    return written + [{"write": None, "done": {"character": who, "steps": done}} for who, done in followed]


def _moved(paid: dict[str, Any], payer: str) -> Write:
    return Write(character=payer, steps=(Shift("will", paid["gained"] - paid["spent"]),), why=ROLL)


def _out(paid: dict[str, Any], payer: str) -> Write:
    return Write(character=payer, steps=(Put("out_of_scene", to=True),) if paid["out"] else (), why=NO_WILL)


def _payers(roll: Roll) -> list[tuple[dict[str, Any], str]]:
    sides = ((roll.ask["a"], roll.character_id and str(roll.character_id)), (roll.ask["b"], roll.ask["opponent"]))
    return [(paid, payer) for paid, payer in sides if payer and paid["pays"]]


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
