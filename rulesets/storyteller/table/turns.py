"""One point of Willpower in a turn, where a conflict runs the turns (storyteller.txt, Automatic Successes)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.models import Character
from rolls.models import Procedure, Roll
from rules.checked import restored
from rulesets.storyteller.rules.conflict import Conflict


def turn_of(character: Character) -> str:
    """Return the round of the conflict in which a character takes part, as its rolls keep it; "" outside turns."""
    conflicts = Procedure.objects.filter(campaign=character.campaign_id, kind="conflict", closed_at=None)
    for conflict in conflicts.filter(system=character.system):
        state = restored(Conflict, conflict.state)
        if any(participant.character == str(character.pk) for participant in state.participants):
            return f"{conflict.pk} {state.round}"
    return ""


def has_paid(character: Character, turn: str) -> bool:
    """Return whether a roll of the character that stands has spent a point in this turn."""
    return Roll.objects.filter(character=character, voided_at=None, ask__turn=turn).exists()


def paid_words(character: Character) -> str:
    """Return the message for a second point in a turn."""
    words = _("{name} has already spent Willpower this turn. The next point can be spent in the next round.")
    return words.format(name=character.name)
