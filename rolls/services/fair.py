"""Seeds and their epochs: committed to before dice come from them, told when a session ends (docs/fairdice.md).

There are always two epochs that are not closed: the one in use, and the next, whose commitment everybody has had for as long.
What the table is told here must not depend on what only GMs know; so a roll that not everybody sees neither opens an epoch nor
ends one.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from uuid import UUID

from campaigns.events import CAMPAIGN_MADE, SESSION_ENDED, SESSION_STARTED
from campaigns.live.presence import alive
from campaigns.models import Campaign, Role
from campaigns.models.streams import GM
from campaigns.services.log import About, Table, at_table
from rolls.events import BLIND_REVEALED, EPOCH_COMMITTED, EPOCH_REVEALED
from rolls.models import Audience, Epoch, Witness
from rolls.rules.fairness import blind_seed, commit, commit_blind
from rolls.services.dice import Throw, Thrown, can_be_checked, faces_for, terms_of


def throw_dice(table: Table, throw: Throw, audience: Audience) -> Thrown:
    """Throw dice for these eyes, with their proof if this site's dice have one and a seed is committed to."""
    epoch = epoch_for(table, audience)
    if epoch is None:
        return Thrown(faces_for(throw))
    blind = audience is Audience.GM and not table.by.is_gm
    seed = blind_seed(epoch.blind, roll=str(throw.id), client_seed=throw.client_seed) if blind else ""
    if table.by.is_gm and audience is Audience.TABLE and throw.id == table.key:
        seed = _witnessed(table, throw, epoch)
    throw = replace(throw, epoch=epoch, witness_seed=seed)
    return Thrown(faces_for(throw), terms_of(throw, epoch) | {"blind": blind})


def open_epoch(campaign: Campaign) -> Epoch | None:
    """The epoch in use; None before the first."""
    return Epoch.objects.filter(campaign=campaign, closed_at=None).first()


def players_here(campaign: Campaign) -> bool:
    """Whether a player has the table open, who could witness a roll."""
    return alive(campaign.pk).filter(membership__role=Role.PLAYER, membership__left_at=None).exists()


def _witnessed(table: Table, throw: Throw, epoch: Epoch) -> str:
    """The seed that a player gave for just these dice. Where none did though somebody could have, that is kept."""
    witness = Witness.objects.filter(pk=throw.id).first()
    settled = {"epoch": epoch, "asked_by": table.by, "client_seed": throw.client_seed, "spec": throw.spec}
    if witness is None:
        if players_here(table.campaign):
            Witness.objects.create(roll=throw.id, asked_at=table.now, **settled)
        return ""
    if any(getattr(witness, name) != value for name, value in settled.items()):
        witness.seed, witness.by = "", None
        witness.save(update_fields=["seed", "by"])
    return witness.seed


def epoch_for(table: Table, audience: Audience) -> Epoch | None:
    """The epoch that dice for these eyes come from, opened if need be. None where dice cannot be checked."""
    if not can_be_checked():
        return None
    epoch = open_epoch(table.campaign)
    if audience is not Audience.TABLE:
        return epoch
    if epoch is None:
        begin(table)
    elif table.session is None and epoch.opened_at and epoch.opened_at.date() < table.now.date():
        turn(table)
    else:
        return epoch
    return open_epoch(table.campaign)


def begin(table: Table) -> None:
    """Commit to the first two epochs of a campaign, if it has none yet."""
    if can_be_checked() and open_epoch(table.campaign) is None:
        _open(_commit(table, 1), table)
        _commit(table, 2)


def turn(table: Table) -> None:
    """Tell the seed of the epoch in use, go on with the next, and commit to the one after it."""
    if not can_be_checked():
        return
    epoch = open_epoch(table.campaign)
    if epoch is None:
        begin(table)
        return
    _close(epoch, table)
    _open(Epoch.objects.get(campaign=table.campaign, number=epoch.number + 1), table)
    _commit(table, epoch.number + 2)


SEQUELS = {CAMPAIGN_MADE: begin, SESSION_STARTED: turn, SESSION_ENDED: turn}


@at_table(Role.GM)
def tell_seed(table: Table, *, key: UUID) -> Epoch | None:
    """Tell the seed in use now, and roll on with the next: between sessions, or when a seed may have become known."""
    told = open_epoch(table.campaign)
    turn(table)
    return told


def _commit(table: Table, number: int) -> Epoch:
    epoch = Epoch.objects.create(
        campaign=table.campaign, number=number, seed=secrets.token_hex(32), blind=secrets.token_hex(32)
    )
    campaign = str(table.campaign.pk)
    facts = {
        "epoch": epoch.name,
        "commitment": commit(campaign, epoch.name, epoch.seed),
        "blind": commit_blind(campaign, epoch.name, epoch.blind),
    }
    table.record(EPOCH_COMMITTED, facts, about=[_about(epoch)])
    return epoch


def _open(epoch: Epoch, table: Table) -> None:
    epoch.opened_at = table.now
    epoch.save(update_fields=["opened_at"])


def _close(epoch: Epoch, table: Table) -> None:
    epoch.closed_at = table.now
    epoch.save(update_fields=["closed_at"])
    table.record(EPOCH_REVEALED, {"epoch": epoch.name, "seed": epoch.seed}, about=[_about(epoch)])
    table.record(BLIND_REVEALED, {"epoch": epoch.name, "secret": epoch.blind}, stream=GM, about=[_about(epoch)])


def _about(epoch: Epoch) -> About:
    return About(f"epoch:{epoch.pk}", f"Dice {epoch.number}")
