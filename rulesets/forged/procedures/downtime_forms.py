"""What is asked in a downtime: what the score has brought, which activity, coin for a better result, who goes to prison."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from django import forms

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Campaign, Clock, ClockKind, ClockVisibility, Viewer
from characters.models import Character
from rolls.forms.fields import UsualNumber
from rolls.forms.fields import said as range_said
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm
from rolls.rules.acts import Target
from rolls.rules.procedures import OPEN, Values
from rolls.rules.states import restored
from rulesets.forged import sheet as forged
from rulesets.forged.procedures.downtime_sheets import crew_of, sheet_of
from rulesets.forged.procedures.people import scoundrels
from rulesets.forged.rules.downtime_activities import MOST_COIN, SOURCES, betterable, possible, trainable
from rulesets.forged.rules.downtime_acts import BETTER, TAKE
from rulesets.forged.rules.downtime_state import LONGEST_NAME, Activity, Downtime, Score
from rulesets.forged.rules.heat import EXPOSURE_HEAT, Exposure, score_heat
from rulesets.forged.rules.score import COIN, HIGHEST_TIER, MOST_EXTRA_COIN, Take, payoff
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import NAME as SYSTEM

USUAL_SEGMENTS: Final = 8
ACTIVITIES: Final = {
    Activity.VICE: "Indulge the vice",
    Activity.RECOVER: "Recover",
    Activity.HEAT: "Reduce heat",
    Activity.PROJECT: "Long-term project",
    Activity.ACQUIRE: "Acquire an asset",
    Activity.TRAIN: "Train",
}
ACTIONS: Final = [(label.lower(), label) for labels in forged.ACTIONS.values() for label in labels]
TRACKS: Final = [
    *((forged.xp_of(name), name.capitalize()) for name in forged.ACTIONS),
    ("playbook_xp", "The playbook"),
]
TAKES: Final = [
    ("", "no score came before"),
    *((option.value, f"{option.value}: {coin} coin") for option, coin in COIN.items()),
]
EXPOSURES: Final = [(exposure.value, f"{exposure.value}: {heat}") for exposure, heat in EXPOSURE_HEAT.items()]
PAID_FROM: Final = list(zip(SOURCES, ("one’s own coin", "the crew’s coin"), strict=True))
GONE: Final = "That clock is full, or not on the table any more. Choose another."


class OpenDowntimeForm(ProcedureForm):
    """What the score has brought, if one came before."""

    take = forms.ChoiceField(choices=TAKES, required=False)
    extra = UsualNumber("More coin", 0, MOST_EXTRA_COIN, 0)
    target = UsualNumber("The Tier of the target", 0, HIGHEST_TIER, 0)
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
    """An activity, with what it needs; what belongs to another is not looked at."""

    on_card = "forged/_activities.html"

    kind = forms.ChoiceField(
        choices=[(activity.value, words) for activity, words in ACTIVITIES.items()],
        error_messages={"required": "Choose an activity."},
    )
    action = forms.ChoiceField(choices=ACTIONS, required=False)
    clock = forms.UUIDField(required=False, error_messages={"invalid": GONE})
    project = LineField(max_length=LONGEST_NAME, required=False)
    thing = LineField(max_length=LONGEST_NAME, required=False)
    segments = UsualNumber("The size of a clock", 2, 12, USUAL_SEGMENTS)
    healer = forms.RegexField("^[0-9]{1,2}$", required=False)
    track = forms.ChoiceField(choices=TRACKS, required=False)
    friend = forms.BooleanField(required=False)
    push = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Only what whoever it is for can do now."""
        state = restored(Downtime, procedure.state)
        scoundrel = state.found(target[0])
        can, tracks = possible(state, scoundrel), trainable(scoundrel)
        mine = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM)
        return {
            "activities": [(what.value, words) for what, words in ACTIVITIES.items() if what in can],
            "sheets": [
                {"character": str(character.pk), "actions": _actions(character), "vice": character.value("vice")}
                for character in mine
            ],
            "clocks": [
                (str(clock.pk), f"{clock.name}, {clock.filled} of {clock.segments}")
                for clock in _clocks(viewer.campaign)
            ],
            "segments": USUAL_SEGMENTS,
            "tracks": [(name, words) for name, words in TRACKS if name in tracks],
        }


class BetterForm(ProcedureForm):
    """Coin after the roll."""

    coin = forms.IntegerField(
        min_value=1,
        max_value=MOST_COIN,
        error_messages=range_said(f"Type how many coin, from 1 to {MOST_COIN}.") | {"required": "Type how many coin."},
    )
    paid_from = forms.ChoiceField(choices=PAID_FROM, required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Downtime, procedure.state)
        can = betterable(state, state.found(target[0]))
        return {"sources": [(source, words) for source, words in PAID_FROM if source in can]}


class PrisonForm(ProcedureForm):
    """Who is locked up: one of those in it, or nobody of them."""

    who = forms.RegexField("^[0-9]{1,2}$", required=False)


def _actions(character: Character) -> list[tuple[str, str]]:
    """Those with most dots first."""
    rated = [(character.number(name), name, label) for name, label in ACTIONS]
    return [(name, f"{label} {dots}") for dots, name, label in sorted(rated, key=lambda row: -row[0])]


def _clocks(campaign: Campaign) -> list[Clock]:
    """Those that a project may be worked on: in sight of all, and not full."""
    clocks = Clock.objects.running().shown().filter(campaign=campaign, visibility=ClockVisibility.VISIBLE)
    return [clock for clock in clocks.filter(kind__in=[ClockKind.PROJECT, ClockKind.PROGRESS]) if not clock.is_full]


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    """Return what the rules take, with the sheets and clocks as they are now. Raises Invalid."""
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
    """A clock that can be ticked for a project. Raises Invalid."""
    for clock in _clocks(campaign):
        if str(clock.pk) == wanted:
            return clock
    raise Invalid(GONE, field=field)
