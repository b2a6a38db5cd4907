"""Tables that a GM writes and rolls on: in the open, where one names another, and in secret."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from rolls.models import Audience, RollTable
from rolls.services.tables import delete_table, roll_table, table_version, write_table
from tests.canaries import canary


def tables_are_rolled_on(gm: Membership, dice: Callable[..., None]) -> RollTable:
    """Write tables, roll on them, and delete one. Return one that players know by a roll; its other lines are secret."""
    streets = f"Hook Lane\n{canary('gm', 'line')}"
    write_table(gm, None, name="Street names", dice="", lines=streets, key=uuid4())
    street = write_table(gm, None, name="Street", dice="d6", lines="1-6 A quiet street", key=uuid4())
    lines = "1-2 A quiet street\n3 [[Street names]]\n4-6 Nobody"
    street = write_table(gm, street, name="Street", dice="d6", lines=lines, expected=table_version(street), key=uuid4())
    secret = write_table(
        gm, None, name=canary("gm", "table"), dice="d66", lines=f"11-66 {canary('gm', 'result')}", key=uuid4()
    )
    dice(3, 1)
    roll_table(gm, street, key=uuid4())
    dice(2, 5)
    roll_table(gm, secret, audience=Audience.GM, key=uuid4())
    delete_table(gm, secret, key=uuid4())
    return street
