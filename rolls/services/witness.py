"""Witnesses of a GM's rolls: before the dice fall, a player's browser adds a seed of its own (docs/fairdice.md).

What the GM's side gives is in the log before anybody is asked, so that it cannot be chosen to fit what the witness gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, existing
from campaigns.models import Role
from campaigns.models.log import person
from campaigns.services.log import UnitOfWork, service
from rolls.events import WITNESS_ASKED, WITNESS_GIVEN
from rolls.models import Audience, Roll, Witness
from rolls.services.fairness import epoch_for, players_here
from rolls.services.roll_making import planned
from rolls.table_rules import RollInput

WAITS = timedelta(seconds=5)
"""A GM's page waits for three seconds (witness.js); answers already under way then still count."""


@service(Role.GM)
def ask_witness(
    work: UnitOfWork,
    ask: RollInput,
    *,
    audience: Audience,
    roll_id: UUID,
    key: UUID,
    faces: Sequence[int] | None = None,
    client_seed: str = "",
) -> Witness | None:
    """Ask the players' browsers for a seed for the roll that will have this id; the rest is as for `make_roll`.

    Return None, without telling anyone, if no player is connected or the roll needs no witness: one that not everyone
    sees, that has no server dice, or that has fallen. Raises what `make_roll` raises before its dice fall.
    """
    context, plan = planned(work, ask, audience)
    everybodys = (plan.audience or context.audience) is Audience.TABLE
    if not everybodys or not plan.count or faces is not None or not players_here(work.campaign):
        return None
    epoch, spec = epoch_for(work, Audience.TABLE), plan.dice.spec
    if epoch is None or Roll.objects.filter(pk=roll_id).exists() or Witness.objects.filter(pk=roll_id).exists():
        return None
    witness = Witness.objects.create(
        roll=roll_id, epoch=epoch, asked_by=work.by, client_seed=client_seed, spec=spec, asked_at=work.now
    )
    work.record(WITNESS_ASKED, {"roll": str(roll_id), "epoch": epoch.name, "client": client_seed, "spec": spec})
    return witness


@service(Role.PLAYER)
def give_witness(work: UnitOfWork, roll_id: UUID, *, seed: str, key: UUID) -> Witness:
    """Add this seed (32 hex digits) to the dice of a GM's roll.

    The first seed counts; later ones change nothing and raise nothing, because pages answer by themselves. Raises
    NotFound if no witness was asked for this roll, Forbidden for GMs.
    """
    witness = existing(Witness.objects.filter(pk=roll_id, epoch__campaign=work.campaign).first())
    if work.by.is_gm:
        raise Forbidden(_("Only a player can verify a GM’s roll."))
    late = work.now > witness.asked_at + WAITS
    if late or witness.seed or Roll.objects.filter(pk=roll_id).exists():
        return witness
    witness.seed, witness.by = seed, work.by
    witness.save(update_fields=["seed", "by"])
    work.record(WITNESS_GIVEN, {"roll": str(roll_id), "seed": seed, "who": person(work.by)})
    return witness
