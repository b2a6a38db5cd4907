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
    crew = next(iter(crews_at_table(campaign)), None)
    return _crew(str(crew.pk), crew.name, crew.values) if crew else None


def _crew(known: str, name: str, values: Values) -> Crew:
    numbers = {name: crews.SHEET.number(values, name) for name in ("tier", "rep", "coin", "heat", "wanted")}
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
    if state.crew and (sheet := seen.sheets.get(state.crew.id)):
        crew = _crew(state.crew.id, sheet.name, sheet.values)
    scoundrels = tuple(_as_they_are(scoundrel, seen.sheets) for scoundrel in state.those)
    left = tuple(id for kind in OF_A_SCORE for id, _ in seen.open.get(kind, ()))
    projects = dict.fromkeys(taken.clock for scoundrel in scoundrels for taken in scoundrel.taken if taken.clock)
    clocks = tuple(clock for clock in projects if clock in seen.clocks and clock not in seen.full_clocks)
    return replace(state, crew=crew or state.crew, those=scoundrels, left_open=left, clocks=clocks)


def _as_they_are(scoundrel: Scoundrel, sheets: Mapping[str, Any]) -> Scoundrel:
    sheet = sheets.get(scoundrel.character)
    if sheet is None:
        return replace(scoundrel, away=Away.LEFT, plan=None)
    away = None if scoundrel.away is Away.LEFT else scoundrel.away
    return replace(scoundrel, name=sheet.name, away=away, sheet=sheet_of(sheet.values))


def shown(state: Downtime) -> Downtime:
    """Return what everybody may know: not what stands on sheets that they may not read, but what each can do."""
    scoundrels = tuple(replace(scoundrel, sheet=None, can=tuple(own(state, scoundrel))) for scoundrel in state.those)
    return replace(state, those=scoundrels, clocks=())
