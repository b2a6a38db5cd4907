"""Figures that follow from a forged sheet by the rules (attributes, trauma, what else can be carried), and what a change of it
means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.models import Campaign
from characters.figures import Figure, Figures, State, States
from characters.sheets.sheet import STATE, Values
from rulesets.forged.rules.consequence import HARM_SLOTS
from rulesets.forged.rules.downtime import MOST_ITEMS, Load
from rulesets.forged.rules.roll import MOST_TRAUMAS
from rulesets.forged.sheet import (
    ACTIONS,
    ARMOR,
    ATTRIBUTE_LABELS,
    LOADS,
    SHEET,
    TRAUMA_LABELS,
    attribute,
    harm,
    harm_rows,
    heat,
    trauma_of,
    traumas,
)


def _slots_words(carried: int, most: int) -> str:
    """Return words such as "2 of 5 free"; without a chosen load, the number carried."""
    if not most:
        return _("{count} carried, no load chosen").format(count=carried)
    if carried <= most:
        return _("{free} of {most} free").format(free=most - carried, most=most)
    return _("{over} over the limit of {most}").format(over=carried - most, most=most)


def _traumas(conditions: Sequence[object]) -> str:
    return ", ".join(str(TRAUMA_LABELS[str(condition)]) for condition in conditions)


class ForgedFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return the worst harm's level with the codes of trauma, the ratings of the attributes (forged.txt, Resistance Roll),
        these codes, and how many slots of the chosen load are taken.
        """
        carried = sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])
        chosen = str(SHEET.value(values, "load"))
        worst = max((level for level, names in harm(values).items() if names), default=0)
        return [
            Figure(STATE, (worst, *traumas(values))),
            *(Figure(name, (attribute(values, name),)) for name in ACTIONS),
            Figure("trauma", traumas(values)),
            Figure("slots", (carried, MOST_ITEMS[Load(chosen)] if chosen else 0)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == STATE:
            worst, *conditions = figure.values
            hurt = _("Level {level} harm").format(level=worst) if worst else ""
            trauma = _("Trauma") if len(conditions) > 1 else _traumas(conditions)
            return "", ", ".join(filter(None, (hurt, trauma))) or _("Unhurt")
        if figure.name == "trauma":
            return _("Trauma"), _traumas(figure.values) or pgettext("trauma", "none")
        if figure.name == "slots":
            return pgettext("carried", "Load"), _slots_words(*map(int, figure.values))
        return str(ATTRIBUTE_LABELS[figure.name]), str(figure.values[0])


def _harm(before: Values, after: Values) -> Iterator[State]:
    """Yield harm that is new, or of another level now; what only went has its own line."""
    was, rows = harm(before), (*map(harm_rows, HARM_SLOTS), "healing")
    old = {name: level for level, names in was.items() for name in names}
    for level, names in sorted(harm(after).items(), reverse=True):
        for name in _more(names, was[level]):
            yield State("eased" if old.get(name, 0) > level else "harm", (level, name), rows)


def _more(names: Sequence[str], than: Sequence[str]) -> list[str]:
    """Return the names that occur more often than in `than`."""
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
        full = len(traumas(after)) >= MOST_TRAUMAS
        yield State("trauma", (full, *conditions), ("stress", *map(trauma_of, conditions)))


def _load(before: Values, after: Values) -> Iterator[State]:
    """Yield the state that armour is whole again and items are put down, when a load was chosen."""
    load = str(SHEET.value(after, "load"))
    if load != SHEET.value(before, "load"):
        yield State("load", (load,), ("load", "items", *ARMOR))


class ForgedStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_harm(before, after), *_trauma(before, after), *_load(before, after)]

    def words(self, state: State) -> str:
        if state.code == "load":
            load = str(state.values[0])
            if not load:
                return _("puts down what they carried")
            return _("chooses a load: {load}").format(load=dict(LOADS)[load])
        if state.code == "trauma":
            last, *conditions = state.values
            words = _("suffers their last trauma: {conditions}") if last else _("suffers trauma: {conditions}")
            return words.format(conditions=_traumas(conditions))
        if state.code == "full_stress":  # told until the trauma began by itself
            return _("marked the last stress box: a trauma is due")
        level, name = state.values
        words = (
            _("takes level {level} harm: {harm}")
            if state.code == "harm"
            else _("recovers: {harm} is now level {level}")
        )
        return words.format(level=level, harm=name)


class CrewStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        level = heat(after)[1]
        return [State("wanted", (level,), ("wanted", "heat"))] if level > heat(before)[1] else []

    def words(self, state: State) -> str:
        return _("are now wanted, level {level}").format(level=state.values[0])
