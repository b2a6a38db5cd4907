"""Tokens that vanish with the scene, as they are listed before a GM closes it (campaigns/closing.py)."""

from __future__ import annotations

from typing import Any

from campaigns.closing import Closes, Ending
from campaigns.models import Viewer
from rolls.models import Procedure
from rolls.queries.procedures import described_open, open_to
from rolls.registry import procedure_called
from rolls.rules.effects import led
from rolls.rules.procedures import Button
from rolls.rules.states import restored


def ending_tokens(viewer: Viewer, closes: Closes) -> list[Ending]:
    """Each with what every player may do about it: {procedure, buttons}."""
    there = [one for one in open_to(viewer) if _vanishes(one)]
    if not there:
        return []
    return [
        Ending("rolls/_ending.html", {"procedure": one, "buttons": _anybodys(one)})
        for one in described_open(viewer, there)
    ]


def _vanishes(procedure: Procedure) -> bool:
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None or not rules.token:
        return False
    state = restored(rules.state, procedure.state)
    return led(rules.at_scene_end(state)).state != state


def _anybodys(procedure: dict[str, Any]) -> list[Button]:
    return [button for button in procedure.get("buttons", ()) if button.anybodys and button.form]
