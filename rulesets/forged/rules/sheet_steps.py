"""What the forged rules write on sheets: heat of a crew, stress and harm of a scoundrel, as steps (public rules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from characters.sheets.steps import Add, Put, Shift, Step, Take
from rolls.rules.errors import NotPossible
from rulesets.forged.rules.downtime_state import Harm, Sheet
from rulesets.forged.rules.harm import HARM_SLOTS, heal
from rulesets.forged.rules.heat import heat

NAMES: Final = {level: f"harm_{level}" for level in HARM_SLOTS}


def heat_steps(present: int, wanted: int, added: int) -> tuple[Step, ...]:
    """Mark heat: each full track is a wanted level, and the rest begins the next. A ninth box that was marked by hand was one
    already. `added` may be below 0: it never goes below 0, and the wanted level stays."""
    if added < 0:
        return (Shift("heat", max(-present, added)),)
    after = heat(0, wanted, present + added)
    raised = (Shift("wanted", after.raised),) if after.raised else ()
    return (Shift("heat", after.heat - present), *raised)


def healing_steps(sheet: Sheet, ticks: int) -> tuple[Step, ...]:
    """Tick the healing clock: full, it brings every harm down a level and begins again with what is over. NotPossible without
    harm. A clock that was filled by hand counts as full."""
    if not sheet.harms:
        raise NotPossible("harm", 0, allowed="at least one", message="There is no harm to heal.")
    rows = {level: sum(harm.level == level for harm in sheet.harms) for level in HARM_SLOTS}
    healed = heal(rows, 0, sheet.healing + ticks)
    return (*_brought_down(sheet.harms, healed.levels_down), Put("healing", healed.healing))


def _brought_down(harms: Sequence[Harm], levels: int) -> list[Step]:
    """From the lowest row up, so that there is room for what comes down."""
    steps: list[Step] = []
    for harm in sorted(harms, key=lambda harm: harm.level) if levels else ():
        steps.append(Take(NAMES[harm.level], harm.row))
        if harm.level > levels:
            steps.append(Add(NAMES[harm.level - levels], {"name": harm.name}))
    return steps
