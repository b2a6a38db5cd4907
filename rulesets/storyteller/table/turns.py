"""One point of Willpower in a turn, where a conflict runs the turns (storyteller.txt, Automatic Successes)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from campaigns.models import Viewer
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_to
from rolls.rules.checked import restored
from rulesets.storyteller.rules.conflict import Conflict


def turn_of(character: Character) -> str:
    """Return the round of the conflict in which a character takes part, as its rolls keep it; "" outside turns."""
    open_now = Procedure.objects.filter(campaign=character.campaign_id, closed_at=None)
    return _turn_among(open_now.filter(system=character.system, kind="conflict"), character)


def _turn_among(conflicts: Iterable[Procedure], character: Character) -> str:
    for conflict in conflicts:
        state = restored(Conflict, conflict.state)
        if any(participant.character == str(character.pk) for participant in state.participants):
            return f"{conflict.pk} {state.round}"
    return ""


def has_paid(character: Character, turn: str) -> bool:
    """Return whether a roll of the character that stands has spent a point in this turn."""
    return Roll.objects.filter(character=character, voided_at=None, ask__turn=turn).exists()


def spent(viewer: Viewer, character: Character) -> str:
    """Return in a few words why a character can spend no point now, as far as turns are concerned; "" if they can."""
    open_now = (one for one in open_to(viewer) if (one.system, one.kind) == (character.system, "conflict"))
    turn = _turn_among(open_now, character)
    return _("spent this round") if turn and has_paid(character, turn) else ""


def paid_words(character: Character) -> str:
    """Return the message for a second point in a turn."""
    words = _("{name} has already spent Willpower this turn. The next point can be spent in the next round.")
    return words.format(name=character.name)
