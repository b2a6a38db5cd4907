"""What the oracles of a Major Burn give, marked on the sheet of its character: once, and undone with the Burn."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.reasons import Reason
from characters.services.lookup import get_character, in_play
from characters.services.steps import take_steps
from rolls.countable import Gift
from rolls.models import Audience
from rolls.services.dice import DiceRequest
from rolls.services.fairness import throw_dice
from rolls.services.roll_making import next_id
from rolls.settings import roll_settings
from rulesets.scale import words
from rulesets.scale.events import ORACLE_MARKED
from rulesets.scale.models import Burn, UndoEntry
from rulesets.scale.queries.counting import countable
from rulesets.scale.queries.payloads import burn_payload
from rulesets.scale.rules.oracles import Choice
from rulesets.scale.rules.scale import Side
from rulesets.scale.services.operations import must_be, tell
from rulesets.scale.services.undo_journal import Changes

ORACLE = Reason("oracle", "a Major Burn")
STANDING = (Burn.State.OPEN, Burn.State.DEFERRED, Burn.State.NARRATED)


@service(Role.PLAYER, plays=True)
def mark_oracle(work: UnitOfWork, burn_id: UUID, oracle: str, choice: str, *, key: UUID, client_seed: str = "") -> Burn:
    """Mark what a die (`oracle`) of a Major Burn gives, one of its choices: its character's player does, or a GM.

    Raises Blocked where that was done, or the Burn was undone; Invalid where there is nothing to mark.
    """
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event__stream")
    burn = whole.filter(pk=burn_id, major=True, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    if burn.state not in STANDING:
        raise Blocked("This Major Burn was voided with its roll.")
    die, picked = _choice(burn, oracle, choice)
    must_be(work, burn.character, [Side.PLAYER, Side.GM])
    in_play(burn.character)
    if _is_marked(burn, oracle):
        raise Blocked("This is on the sheet already.")
    face, proof = _face(work, client_seed) if picked.dice else (0, None)
    character, counted = get_character(work, burn.character), countable(burn.character.system)
    gift = Gift(code=picked.code, name=picked.name or die["title"], words=die["figure"], face=face)
    steps = counted.gives(gift, character.sheet, roll_settings(work.campaign)) if counted else None
    if steps is None:
        raise Invalid(f"The sheet of {character.name} has no place for this. Tell it instead.")
    if not steps:
        raise Invalid(f"There is nothing on the sheet of {character.name} that this would change.")
    changes = Changes()
    changes.wrote(burn, take_steps(work, character, steps, why=ORACLE))
    mark: dict[str, Any] = {"oracle": oracle, "choice": choice, "face": face or None, "proof": proof}
    tell(work, ORACLE_MARKED, changes, burn.scale, burn=burn, who=burn.character, **mark)
    return burn


def _choice(burn: Burn, oracle: str, choice: str) -> tuple[dict[str, Any], Choice]:
    drawn = words.burn(burn_payload(burn))["oracles"]
    for die in drawn:
        for offered in die["choices"] if die["oracle"] == oracle else ():
            if offered["key"] == choice:
                return die, Choice(**offered)
    raise Invalid("This result gives nothing of the kind.")


def _is_marked(burn: Burn, oracle: str) -> bool:
    standing = UndoEntry.objects.filter(
        scale=burn.scale, undone_at=None, event__kind=ORACLE_MARKED, event__parent=burn.event
    )
    return any(step.event.payload["oracle"] == oracle for step in standing.select_related("event__stored"))


def _face(work: UnitOfWork, client_seed: str) -> tuple[int, dict[str, Any] | None]:
    """A d10, whose proof stands in the event."""
    thrown = throw_dice(
        work,
        DiceRequest(
            campaign=work.campaign.pk, actor=work.by.pk, id=next_id(work, "dice"), spec="1d10", client_seed=client_seed
        ),
        Audience.TABLE,
    )
    return next(iter(thrown)), thrown.proof
