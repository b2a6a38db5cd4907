"""The words for pools that are filled: what is in them, what they cost, and what the log says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rolls.rules.procedures import Button
from rulesets.descriptors.rules import filling
from rulesets.descriptors.rules.filling import Entry, Filling, Side
from rulesets.descriptors.rules.will import with_extra
from rulesets.descriptors.table.pools import burn_words


def entry_words(entry: Entry) -> str:
    return f"{'their ' if entry.theirs else ''}{entry.name} {entry.dice}D"


def pool_words(side: Side) -> str:
    """ "Swordplay 3D + their Pride 2D + 2 dice"."""
    unnamed = "1 die" if side.dice == 1 else f"{side.dice or 'no'} dice"
    named = [entry_words(entry) for entry in side.used]
    words = " + ".join([*named, unnamed] if side.dice or not named else named)
    return f"{words}, {burn_words(side.extra)}" if side.extra else words


def side_drawn(state: Filling, side: Side, buttons: Sequence[Button]) -> dict[str, Any]:
    """Return what there is to draw of a side (procedures/staged.py)."""
    other = state.other(side)
    gains = other.gives if other else 0
    will = [f"costs {side.costs} Will"] if side.costs else []
    will += [f"gains {gains}{'' if side.costs else ' Will'}"] if gains else []
    return {
        "key": side.key,
        "name": side.name,
        "entries": [
            {
                "key": entry.key,
                "words": entry_words(entry),
                "theirs": entry.theirs,
                "pending": entry.pending,
                "buttons": [button for button in buttons if button.whom == entry.key and button.members],
                # A GM strikes what an owner takes out, which is told.
                "gm_buttons": [
                    button
                    for button in buttons
                    if button.whom == entry.key and (button.name != filling.TAKE_OUT or side.character is None)
                ],
            }
            for entry in side.used
        ],
        "dice": side.dice,
        "pool": with_extra(side.pool, side.extra),
        "burn": burn_words(side.extra),
        "will": ", ".join(will),
        "ready": side.ready,
        "short": side.short,
        "last": side.last,
        "gone": side.gone,
        "buttons": [button for button in buttons if button.whom == side.key],
    }


BUTTONS: Final = {
    filling.USE: "Fill the pool",
    filling.READY: "Ready",
    filling.NOT_READY: "Not ready",
    filling.TAKE_OUT: "Take out",
    filling.STRIKE: "Strike",
    filling.ACCEPT: "Accept",
}


def filling_said(state: Filling, name: str, whom: str) -> str | None:
    """The sentence of the log for an act of filling; None for another act."""
    if name in (filling.USE, filling.TAKE_OUT, filling.NOT_READY):
        return ""
    if name == filling.READY:
        side = next((side for side in state.sides if side.name == whom), None)
        return f"is ready for {whom}{f': {pool_words(side)}' if side else ''}"
    if name == filling.STRIKE:
        return f"strikes {whom} from the pool"
    return f"accepts {whom} in the pool" if name == filling.ACCEPT else None


def news_said(state: Filling) -> str:
    """Return what was corrected, behind the name of whoever has changed it."""
    named = ", ".join(state.corrected)
    return {
        "pool": f"changes {named}, which stands in a pool: it counts as it is now, and nobody is ready for it",
        "will": f"changes what {named} can pay: {named} is not ready any more",
        "dice": f"changes what a Burn puts into the pool of {named}: nobody is ready for it",
        "left": f"takes {named} out of play, and out of readiness",
    }.get(state.news, "")
