"""The forms of a downtime: the payoff, activities, coin for a better result, who goes to prison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Campaign, Clock, ClockKind, ClockVisibility, Viewer
from characters.models import Character
from languages.text import gettext_lazy, pgettext_lazy
from rolls.forms.base import WholeNumber
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm
from rules.acts import Target
from rules.checked import restored
from rules.procedures import OPEN, Snapshot, Values
from rulesets.forged import crew as crews
from rulesets.forged import sheet as forged
from rulesets.forged.models import crews_at_table, scoundrels
from rulesets.forged.rules.consequence import HARM_SLOTS
from rulesets.forged.rules.downtime import (
    LONGEST_NAME,
    Activity,
    Away,
    Crew,
    Downtime,
    Exposure,
    Harm,
    Rated,
    Score,
    Scoundrel,
    Sheet,
    Thing,
    score_heat,
)
from rulesets.forged.rules.downtime_acts import BETTER, MOST_COIN, SOURCES, TAKE, betterable, own, possible, trainable
from rulesets.forged.rules.score import HIGHEST_TIER, MOST_EXTRA_COIN, Take, payoff
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import NAME as SYSTEM

USUAL_SEGMENTS: Final = 8
ACTIVITIES: Final = {
    Activity.VICE: gettext_lazy("Indulge the vice"),
    Activity.RECOVER: gettext_lazy("Recover"),
    Activity.HEAT: gettext_lazy("Reduce heat"),
    Activity.PROJECT: gettext_lazy("Long-term project"),
    Activity.ACQUIRE: gettext_lazy("Acquire an asset"),
    Activity.TRAIN: pgettext_lazy("downtime activity", "Train"),
}
ACTIONS: Final = list(forged.ACTION_LABELS.items())
TRACKS: Final = [
    *((forged.xp_of(name), label) for name, label in forged.XP_LABELS.items()),
    ("playbook_xp", gettext_lazy("Playbook XP")),
]
TAKES: Final = [
    ("", gettext_lazy("no score before this")),
    (Take.MINOR.value, gettext_lazy("minor: 2 coin")),
    (Take.SMALL.value, gettext_lazy("small: 4 coin")),
    (Take.STANDARD.value, gettext_lazy("standard: 6 coin")),
    (Take.BIG.value, gettext_lazy("big: 8 coin")),
    (Take.MAJOR.value, gettext_lazy("major: 10 coin or more")),
]
EXPOSURES: Final = [
    (Exposure.UNSEEN.value, gettext_lazy("unseen: 0 heat")),
    (Exposure.CONTAINED.value, gettext_lazy("contained: 2 heat")),
    (Exposure.LOUD.value, gettext_lazy("loud: 4 heat")),
    (Exposure.WILD.value, gettext_lazy("wild: 6 heat")),
]
PAID_FROM: Final = list(zip(SOURCES, (gettext_lazy("your own coin"), gettext_lazy("the crew’s coin")), strict=True))
GONE: Final = gettext_lazy("That clock is full, or no longer on the table. Choose another.")


class OpenDowntimeForm(ProcedureForm):
    """Asks for the payoff of a score, if there was one."""

    take = forms.ChoiceField(choices=TAKES, required=False)
    extra = WholeNumber(gettext_lazy("Extra coin"), 0, MOST_EXTRA_COIN, 0)
    target = WholeNumber(gettext_lazy("Target’s Tier"), 0, HIGHEST_TIER, 0)
    exposure = forms.ChoiceField(choices=EXPOSURES, required=False)
    prominent = forms.BooleanField(required=False)
    hostile_turf = forms.BooleanField(required=False)
    killing = forms.BooleanField(required=False)
    war = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        crew = crew_of(viewer.campaign)
        return {"takes": TAKES if crew else TAKES[:1], "exposures": EXPOSURES, "crew": crew.name if crew else ""}


class TakeForm(ProcedureForm):
    """An activity, with its values; those of other activities are ignored."""

    on_card = "forged/_activities.html"

    kind = forms.ChoiceField(
        choices=[(activity.value, words) for activity, words in ACTIVITIES.items()],
        error_messages={"required": gettext_lazy("Choose an activity.")},
    )
    action = forms.ChoiceField(choices=ACTIONS, required=False)
    clock = forms.UUIDField(required=False, error_messages={"invalid": GONE})
    project = LineField(max_length=LONGEST_NAME, required=False)
    thing = LineField(max_length=LONGEST_NAME, required=False)
    segments = WholeNumber(gettext_lazy("Segments"), 2, 12, USUAL_SEGMENTS)
    healer = forms.RegexField("^[0-9]{1,2}$", required=False)
    track = forms.ChoiceField(choices=TRACKS, required=False)
    friend = forms.BooleanField(required=False)
    push = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return only what the one that the form is for can do now."""
        state = restored(Downtime, procedure.state)
        scoundrel = state.found(target[0])
        can, tracks = possible(state, scoundrel), trainable(scoundrel)
        mine = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM)
        return {
            "activities": [(what.value, words) for what, words in ACTIVITIES.items() if what in can],
            "sheets": [
                {
                    "character": str(character.pk),
                    "actions": _actions(character),
                    "vice": character.cell("vice")["value"],
                }
                for character in mine
            ],
            "clocks": [
                (
                    str(clock.pk),
                    _("{clock}, {filled} of {segments}").format(
                        clock=clock.name, filled=clock.filled, segments=clock.segments
                    ),
                )
                for clock in _clocks(viewer.campaign)
            ],
            "segments": USUAL_SEGMENTS,
            "tracks": [(name, words) for name, words in TRACKS if name in tracks],
        }


HOW_MANY_COIN: Final = gettext_lazy("Type how much coin, from 1 to 40.")


class BetterForm(ProcedureForm):
    """Coin after the roll."""

    coin = WholeNumber(None, 1, MOST_COIN, words=HOW_MANY_COIN, required=HOW_MANY_COIN)
    paid_from = forms.ChoiceField(choices=PAID_FROM, required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Downtime, procedure.state)
        can = betterable(state, state.found(target[0]))
        return {"sources": [(source, words) for source, words in PAID_FROM if source in can]}


class PrisonForm(ProcedureForm):
    """Ask who is locked up: one of those in it, or none of them."""

    who = forms.RegexField("^[0-9]{1,2}$", required=False)


def _actions(character: Character) -> list[tuple[str, str]]:
    rated = [(character.number(name), name, label) for name, label in ACTIONS]
    return [(name, f"{label} {dots}") for dots, name, label in sorted(rated, key=lambda row: -row[0])]


def _clocks(campaign: Campaign) -> list[Clock]:
    """Return the clocks that a project may be worked on: in sight of all, and not full."""
    clocks = Clock.objects.running().shown().filter(campaign=campaign, visibility=ClockVisibility.VISIBLE)
    return [clock for clock in clocks.filter(kind__in=[ClockKind.PROJECT, ClockKind.PROGRESS]) if not clock.is_full]


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    """Return the values for the rules, with the sheets and clocks as they are now. Raises Invalid."""
    if name == OPEN:
        return _opened(context, given)
    if name == TAKE:
        return _chosen(context, given)
    if name == BETTER:
        return {**given, "paid_from": given["paid_from"] or SOURCES[0]}
    return given


def _opened(context: ProcedureContext, given: Values) -> Values:
    settings, crew = context.settings.of(Settings), crew_of(context.campaign)
    score = None
    if given["take"]:
        paid = payoff(crew.tier if crew else 0, given["target"], Take(given["take"]), given["extra"])
        done = {name: given[name] for name in ("prominent", "hostile_turf", "killing", "war")}
        heat = score_heat(Exposure(given["exposure"] or Exposure.UNSEEN), **done)
        score = Score(rep=paid.rep, coin=paid.coin, heat=heat)
    return {
        "those": [
            {"name": scoundrel.name, "character": str(scoundrel.pk), "sheet": sheet_of(scoundrel.values)}
            for scoundrel in scoundrels(context.campaign)
        ],
        "crew": crew,
        "score": score,
        "war": given["war"],
        "boxes": settings.boxes,
        "filling_counts": settings.filling_stress_counts,
    }


def _chosen(context: ProcedureContext, given: Values) -> Values:
    chosen: dict[str, Any] = {**given, "what": given["kind"], "clock": "", "segments": 0}
    if given["kind"] == Activity.ACQUIRE:
        return chosen | {"name": given["thing"]}
    if given["kind"] != Activity.PROJECT:
        return chosen
    if given["clock"]:
        clock = _running(context.campaign, str(given["clock"]), "clock")
        return chosen | {"clock": str(clock.pk), "name": clock.name}
    return chosen | {"clock": str(uuid4()), "name": given["project"], "segments": given["segments"]}


def _running(campaign: Campaign, wanted: str, field: str) -> Clock:
    """Return a clock that can be ticked for a project. Raises Invalid."""
    for clock in _clocks(campaign):
        if str(clock.pk) == wanted:
            return clock
    raise Invalid(str(GONE), field=field)


OF_A_SCORE: Final = ("load", "engagement")
"""The kinds of tokens that last as long as a score: the loads, and its opening position."""


def crew_of(campaign: Campaign) -> Crew | None:
    """Return the crew for a downtime."""
    crew = next(iter(crews_at_table(campaign)), None)
    return _crew(str(crew.pk), crew.name, crew.values) if crew else None


def _crew(known: str, name: str, values: Values) -> Crew:
    numbers = {name: crews.SHEET.number(values, name) for name in ("tier", "rep", "coin", "heat", "wanted")}
    return Crew(id=known, name=name, **numbers)


def sheet_of(values: Values) -> Sheet:
    number = forged.SHEET.number
    tracks = [*(forged.xp_of(name) for name in forged.ACTIONS), "playbook_xp"]
    return Sheet(
        stress=number(values, "stress"),
        traumas=len(forged.traumas(values)),
        healing=number(values, "healing"),
        coin=number(values, "coin"),
        actions=tuple(Rated(name=name, number=number(values, name)) for name in forged.ACTION_LABELS),
        tracks=tuple(Rated(name=name, number=number(values, name)) for name in tracks),
        harms=tuple(
            Harm(row=row["id"], level=level, name=row["name"])
            for level in HARM_SLOTS
            for row in forged.SHEET.rows(values, forged.harm_rows(level))
        ),
        load=str(forged.SHEET.value(values, "load")),
        carried=tuple(row["id"] for row in forged.SHEET.rows(values, "items") if row["carried"]),
        items=tuple(Thing(row=row["id"], name=row["name"]) for row in forged.SHEET.rows(values, "items")),
    )


def reads(state: Downtime, seen: Snapshot) -> Downtime:
    """Return the state with all numbers as they are now. Who has left play is away until they come back; so is a crew that is
    gone."""
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
    """Return the state that everyone may see: not the sheets, but the steps that each scoundrel can take."""
    scoundrels = tuple(replace(scoundrel, sheet=None, can=tuple(own(state, scoundrel))) for scoundrel in state.those)
    return replace(state, those=scoundrels, clocks=())
