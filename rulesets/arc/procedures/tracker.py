"""An event in turns at the table: who declares after whom, what they do, and the outcomes when the turn ends (arc.txt,
V.1, V.5, V.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from languages.text import gettext_lazy
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rules.acts import AvailableAct
from rules.procedures import OPEN, Button, RollPart, Values
from rulesets.arc import sheet
from rulesets.arc.procedures import tracker_forms as forms
from rulesets.arc.procedures import tracker_words as words
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules import tracker_acts as people
from rulesets.arc.rules.check import actions_in_turn
from rulesets.arc.rules.tracker import Event, Mind, Side, Skill
from rulesets.arc.rules.tracker_acts import TrackerRules
from rulesets.arc.settings import Settings
from rulesets.arc.table.ask import NAME as SYSTEM
from rulesets.arc.table.ask import ArcInput, Kind, at_field


def _characters(context: ProcedureContext, given: Values, settings: Settings) -> Iterator[dict[str, Any]]:
    chosen = {match[2]: match[1] for text in given["takes_part"] if (match := forms.TAKES_PART.fullmatch(text))}
    for wanted, how in chosen.items():
        character = context.character(wanted)
        if character.system != SYSTEM:
            message = _("{name} has no VI-VIII-X sheet. Add them by name with typed scores instead.").format(
                name=character.name
            )
            raise Invalid(message, field="takes_part")
        played = bool(character.players)
        down = sheet.SHEET.value(character.values, people.UNCONSCIOUS)
        yield {
            **_how(Mind.UNCONSCIOUS.value if down else how),
            **people.of_sheet(character.values, settings),
            "name": character.name,
            "character": str(character.pk),
            "played": played,
            "side": Side.PARTY if played or wanted in given["allies"] else Side.FOES,
        }


def _nameless(given: Values, settings: Settings) -> Iterator[dict[str, Any]]:
    for line in given["lines"]:
        typed = {name: line[name] for name in (*forms.SCORED, "size", "burden")}
        for at in range(line["many"]):
            name = f"{line['name']} {at + 1}" if line["many"] > 1 else line["name"]
            figures = people.nameless(name, **typed, settings=settings)
            yield {**_how(line["how"]), **figures, "side": Side.PARTY if line["ally"] else Side.FOES}


def _how(how: str) -> dict[str, Any]:
    return {"ambushed": True} if how == forms.AMBUSHED else {"mind": Mind(how)}


def _named(context: ProcedureContext, given: Values, settings: Settings) -> dict[str, Any]:
    """Return the named skills with their characters, and how many actions they give; one action without skills."""
    scores, whose, named = [], set(), []
    for wanted, address in forms.chosen_skills(given["skills"]):
        character = context.character(wanted)
        with at_field("skills"):
            row = sheet.find_skill(character.values, address)
        scores.append(row.rating)
        named.append(Skill(stat=sheet.stat_of_skill(character.values, row), skill=row.label))
        whose.add(wanted)
    return {"named": named, "characters": sorted(whose), "most": actions_in_turn(scores, settings) if scores else 1}


class TrackerProcedure(TrackerRules, ProcedureKind[Event]):
    label = gettext_lazy("Event in turns")
    forms: ClassVar = {
        OPEN: forms.OpenTrackerForm,
        acts.JOIN: forms.JoinForm,
        acts.DECLARE: forms.DeclareForm,
        acts.GO_ON: forms.DeclareForm,
        acts.REACT: forms.ReactForm,
        acts.OUTCOME: forms.OutcomeForm,
        acts.LAND: forms.OutcomeForm,
        acts.CHANGE: forms.ChangeForm,
    }
    news: ClassVar = frozenset({"ties", "landed", "resorted", "words"})

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return the participants with what their sheets say now, and how many actions the named skills give."""
        settings = context.settings.of(Settings)
        if name in (OPEN, acts.JOIN):
            participants = [*_characters(context, given, settings), *_nameless(given, settings)]
            described: dict[str, Any] = {"those": participants, "ambush": given.get("ambush", "")}
            return described | {"apart": given["apart"], "settings": settings} if name == OPEN else described
        if name in (acts.DECLARE, acts.GO_ON):
            return {**given, **_named(context, given, settings)}
        return given

    def shown(self, state: Event) -> Event:
        """Return the state without secrets: no scores, nor NPCs' reach and changes of SOM. Skills are told with the
        check that they lead to.
        """
        hidden: dict[str, Any] = dict.fromkeys(("som", "empathy", "perception", "most")) | {"skills": ()}
        unknown = hidden | dict.fromkeys(("reach", "burden", "size"))
        participants = (
            replace(participant, **hidden if participant.played else unknown) for participant in state.participants
        )
        npcs = {participant.key for participant in state.participants if not participant.played}
        noted, landed = (
            tuple(replace(outcome, som=0) if outcome.whom in npcs else outcome for outcome in outcomes)
            for outcomes in (state.outcomes, state.landed)
        )
        return replace(state, participants=tuple(participants), outcomes=noted, landed=landed, counted=())

    def next_roll(self, state: Event) -> NextRoll | None:
        """Return the next Reaction check of a participant without a player; None if there is none."""
        check = next(iter(checks.owed(state, made=True)), None)
        if check is None:
            return None
        participant = state.found(check.key)
        typed: dict[str, Any] = (
            {"character": UUID(participant.character)}
            if participant.character
            else {"som": participant.som, "note": participant.name}
        )
        return NextRoll(part=RollPart(check.part), ask=ArcInput(kind=Kind.REACTION.value, **typed), terms=acts.REACTION)

    def describe(self, state: Event, buttons: Sequence[Button]) -> Values:
        return words.describe(state, buttons)

    def button_words(self, state: Event, available: AvailableAct) -> str:
        return str(words.BUTTONS[available.name])

    def said(self, state: Event, name: str, whom: str) -> str:
        return words.said(state, name, whom)
