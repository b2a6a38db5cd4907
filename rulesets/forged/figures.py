"""Figures that follow from a forged sheet by the rules (attributes, trauma, what else can be carried), and what a change of it
means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from characters.states import State, States
from rulesets.forged import crew
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import (
    ACTIONS,
    ARMOR,
    HARM_SLOTS,
    LAST_TRAUMA,
    SHEET,
    attribute,
    harm,
    harm_rows,
    trauma_of,
    traumas,
)


def _slots_words(carried: int, most: int) -> str:
    """Return words such as "2 of 5 free"; without a load that is chosen, what is carried."""
    if not most:
        return f"{carried} carried, no load chosen"
    return f"{most - carried} of {most} free" if carried <= most else f"{carried - most} more than the {most} that fit"


class ForgedFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return the ratings of the attributes (forged.txt, Resistance Roll), the codes of trauma conditions, and how many slots
        of the load that is chosen are taken."""
        carried = sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])
        chosen = str(SHEET.value(values, "load"))
        return [
            *(Figure(name, (attribute(values, name),)) for name in ACTIONS),
            Figure("trauma", traumas(values)),
            Figure("slots", (carried, MOST_ITEMS[Load(chosen)] if chosen else 0)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == "trauma":
            return "Trauma", ", ".join(map(str, figure.values)) or "none"
        if figure.name == "slots":
            return "Load", _slots_words(*map(int, figure.values))
        return figure.name.capitalize(), str(figure.values[0])

    def brief(self, figure: Figure) -> tuple[str, int, int]:
        if figure.name != "trauma" or not figure.values:
            return "", 0, 0
        return ("Trauma" if len(figure.values) > 1 else str(figure.values[0]).capitalize()), 0, 0


def _harm(before: Values, after: Values) -> Iterator[State]:
    """Yield harm that is new, or of another level now; what only went has its own line."""
    was, rows = harm(before), (*map(harm_rows, HARM_SLOTS), "healing")
    old = {name: level for level, names in was.items() for name in names}
    for level, names in sorted(harm(after).items(), reverse=True):
        for name in _more(names, was[level]):
            yield State("eased" if old.get(name, 0) > level else "harm", (level, name), rows)


def _more(names: Sequence[str], than: Sequence[str]) -> list[str]:
    """Return what is there more often than it was."""
    left, more = [*than], []
    for name in names:
        if name in left:
            left.remove(name)
        else:
            more.append(name)
    return more


def _trauma(before: Values, after: Values) -> Iterator[State]:
    conditions = [trauma for trauma in traumas(after) if trauma not in traumas(before)]
    if conditions:
        full = len(traumas(after)) >= LAST_TRAUMA
        yield State("trauma", (full, *conditions), ("stress", *map(trauma_of, conditions)))


def _load(before: Values, after: Values) -> Iterator[State]:
    """Yield that armor is whole again and what was carried is put down, where a load was chosen."""
    load = str(SHEET.value(after, "load"))
    if load != SHEET.value(before, "load"):
        yield State("load", (load,), ("load", "items", *ARMOR))


class ForgedStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_harm(before, after), *_trauma(before, after), *_load(before, after)]

    def words(self, state: State) -> str:
        if state.code == "load":
            load = str(state.values[0])
            return f"chooses a load: {load}" if load else "puts down what they carried"
        if state.code == "trauma":
            last, *conditions = state.values
            return f"suffers trauma: {', '.join(map(str, conditions))}{', the last that can be borne' if last else ''}"
        if state.code == "full_stress":  # told until the trauma began by itself
            return "has marked the last box of stress: a trauma is due"
        level, name = state.values
        return (
            f"takes harm, level {level}: {name}" if state.code == "harm" else f"recovers: {name} is level {level} now"
        )


class CrewStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        level = crew.heat(after)[1]
        return [State("wanted", (level,), ("wanted", "heat"))] if level > crew.heat(before)[1] else []

    def words(self, state: State) -> str:
        return f"are wanted now, level {state.values[0]}"
