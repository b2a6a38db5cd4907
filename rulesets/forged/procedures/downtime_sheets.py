"""What a downtime goes by of sheets: the crew's, and those of the scoundrels in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from campaigns.models import Campaign
from characters.sheets.sheet import Values
from rolls.rules.procedures import Snapshot
from rulesets.forged import crew as crews
from rulesets.forged import sheet as forged
from rulesets.forged.procedures.people import crews_at_table
from rulesets.forged.rules.downtime_acts import own
from rulesets.forged.rules.downtime_state import Away, Crew, Downtime, Harm, Rated, Scoundrel, Sheet, Thing

OF_A_SCORE: Final = ("load", "engagement")
"""What lies on the table as long as a score goes on: the loads, and the position that it opens in."""


def crew_of(campaign: Campaign) -> Crew | None:
    """That of the table, as a downtime has it."""
    found = next(iter(crews_at_table(campaign)), None)
    return _crew(str(found.pk), found.name, found.values) if found else None


def _crew(known: str, name: str, values: Values) -> Crew:
    numbers = {one: crews.SHEET.number(values, one) for one in ("tier", "rep", "coin", "heat", "wanted")}
    return Crew(id=known, name=name, **numbers)


def sheet_of(values: Values) -> Sheet:
    number = forged.SHEET.number
    actions = [label.lower() for labels in forged.ACTIONS.values() for label in labels]
    tracks = [*(forged.xp_of(name) for name in forged.ACTIONS), "playbook_xp"]
    return Sheet(
        stress=number(values, "stress"),
        traumas=len(forged.traumas(values)),
        healing=number(values, "healing"),
        coin=number(values, "coin"),
        actions=tuple(Rated(name=name, number=number(values, name)) for name in actions),
        tracks=tuple(Rated(name=name, number=number(values, name)) for name in tracks),
        harms=tuple(
            Harm(row=row["id"], level=level, name=row["name"])
            for level in forged.HARM_SLOTS
            for row in forged.SHEET.rows(values, forged.harm_rows(level))
        ),
        load=str(forged.SHEET.value(values, "load")),
        carried=tuple(row["id"] for row in forged.SHEET.rows(values, "items") if row["carried"]),
        items=tuple(Thing(row=row["id"], name=row["name"]) for row in forged.SHEET.rows(values, "items")),
    )


def reads(state: Downtime, seen: Snapshot) -> Downtime:
    """With all numbers as they are now. Who has left play is away, until they come back; so is a crew that is gone."""
    crew = None
    if state.crew and (there := seen.sheets.get(state.crew.id)):
        crew = _crew(state.crew.id, there.name, there.values)
    those = tuple(_as_they_are(one, seen.sheets) for one in state.those)
    left = tuple(one for kind in OF_A_SCORE for one, _ in seen.open.get(kind, ()))
    projects = dict.fromkeys(taken.clock for one in those for taken in one.taken if taken.clock)
    clocks = tuple(clock for clock in projects if clock in seen.clocks and clock not in seen.full_clocks)
    return replace(state, crew=crew or state.crew, those=those, left_open=left, clocks=clocks)


def _as_they_are(one: Scoundrel, sheets: Mapping[str, Any]) -> Scoundrel:
    there = sheets.get(one.character)
    if there is None:
        return replace(one, away=Away.LEFT, plan=None)
    away = None if one.away is Away.LEFT else one.away
    return replace(one, name=there.name, away=away, sheet=sheet_of(there.values))


def shown(state: Downtime) -> Downtime:
    """What everybody may know: not what stands on sheets that they may not read, but what each can do."""
    those = tuple(replace(one, sheet=None, can=tuple(own(state, one))) for one in state.those)
    return replace(state, those=those, clocks=())
