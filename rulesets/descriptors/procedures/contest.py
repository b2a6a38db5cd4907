"""A contest at the table: its forms, its words, and the roll that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms

from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from campaigns.text import counted
from characters.models import Character
from rolls.joining import HookContext
from rolls.models import Audience
from rolls.procedures import NO_CHARACTER, NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.dice import LARGEST_POOL
from rolls.rules.procedures import OPEN, REREAD, Button, RollPart, Values
from rolls.services.joining import extra_dice
from rolls.stage import Row, Staged
from rulesets.descriptors.procedures import pools
from rulesets.descriptors.procedures.pools import (
    BUTTONS,
    NEWS,
    UseForm,
    filling_said,
    known_to_players,
    news_said,
    own,
)
from rulesets.descriptors.rules import aftermath, contest_stage, filling
from rulesets.descriptors.rules.aftermath import After, Falls, Hit, Made
from rulesets.descriptors.rules.contest import oppose
from rulesets.descriptors.rules.contest_stage import CALL_OFF, Contest, ContestRules, ContestStage
from rulesets.descriptors.rules.filling import LONGEST_NAME, Side
from rulesets.descriptors.rules.will import with_extra
from rulesets.descriptors.table.ask import DescriptorsInput, bound_terms
from rulesets.descriptors.table.card import detail, falls_words, pairs, stored_outcome, taken_words
from rulesets.descriptors.table.counted import KIND
from rulesets.descriptors.table.roll import odds_bar

STEPS: Final = ("Stake", "Pools", "Aftermath")


class OpenContestForm(ProcedureForm):
    """Whose it is (`a_character`), and who or what stands against it: a character, or a name with dice that the GM sets."""

    against_field, own_field, at_once = "b_character", "a_character", True

    a_character = forms.UUIDField(error_messages={"required": "Say whose contest it is: choose a character."})
    b_character = forms.UUIDField(required=False)
    b_name = LineField(max_length=LONGEST_NAME, required=False)
    b_dice = forms.IntegerField(min_value=0, max_value=LARGEST_POOL, required=False)
    override = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(character.pk), character.name) for character in known_to_players(viewer)]
        mine = [(str(character.pk), character.name) for character in own(viewer)]
        nothing = "" if mine else NO_CHARACTER
        return {"mine": mine, "against": [("", "something else"), *named], "is_gm": viewer.is_gm, "nothing": nothing}


class NameForm(ProcedureForm):
    """Asks what a Scene Descriptor or an Injury is called."""

    name = LineField(max_length=LONGEST_NAME, error_messages={"required": "Say what it is called."})


class ShiftForm(ProcedureForm):
    """Asks how the situation is another one, where nobody has won."""

    words = LineField(max_length=aftermath.LONGEST_SHIFT, error_messages={"required": "Say what is otherwise now."})


def _extra_dice(context: ProcedureContext, mine: Character) -> int:
    """Return those that add-ons put into the pool of whose roll it will be, before everybody's eyes."""
    return extra_dice(
        HookContext(
            campaign=context.campaign,
            character=mine,
            system=pools.NAME_OF_SYSTEM,
            kind=KIND,
            audience=Audience.TABLE,
            settings=context.settings,
        )
    )


def _against(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return a character, or a pool of the GM's, who sets its dice."""
    if given["b_character"]:
        return pools.side_of(context, context.character(str(given["b_character"])))
    if not given["b_name"]:
        raise Invalid("Say who or what stands against it.", field="b_name")
    return {"name": given["b_name"], "dice": (given["b_dice"] or 0) if context.actor.is_gm else 0}


def _rows(state: Contest, after: After, buttons: Sequence[Button]) -> list[Row]:
    """Return a row for each thing that follows: what it is, and who may press what."""
    winner, loser = state.winner, state.loser
    if winner is None or loser is None:
        words = after.shifted or "Nobody gets anything: the GM shifts the situation."
        return [Row(words=words, buttons=[button for button in buttons if button.name == aftermath.SHIFT])]
    words = {
        Made.OPEN: f"{winner.name} may make a Scene Descriptor of {counted(after.successes, 'die')}.",
        Made.MADE: f"Scene Descriptor: {after.made_name} {after.successes}D.",
        Made.NOTHING: f"{winner.name} makes no Scene Descriptor.",
    }[after.made]
    rows = [_row(words, winner, (aftermath.MAKE, aftermath.MAKE_NONE), buttons)]
    if after.hit is not Hit.NOBODY:
        names = (aftermath.CROSS, aftermath.INJURE, aftermath.BUMP)
        rows.append(_row(hit_words(after, loser.name), loser, names, buttons))
    return rows


def _row(words: str, side: Side, names: Sequence[str], buttons: Sequence[Button]) -> Row:
    theirs = [button for button in buttons if button.whom == side.key and button.name in names]
    return Row(words=words, buttons=theirs, about=side.name)


def hit_words(after: After, loser: str) -> str:
    """Return what falls on the loser, as the card of the roll says it, or what they have taken."""
    falls = after.falls
    if falls is None or after.hit is Hit.OPEN:
        return falls_words(falls, loser, after.successes)
    named = f": {after.injury_name}" if after.injury_name else ""
    return f"{loser} {_instead(falls) if after.hit is Hit.INJURY else taken_words(falls)}{named}."


def _instead(falls: Falls) -> str:
    return f"takes a level {falls.instead} Injury"


def _falls_said(state: Contest) -> str:
    """Return what is said where somebody has marked the sheet since the dice fell: the card of the roll is not the last word."""
    after, loser = state.after, state.loser
    return f"changes what falls on {loser.name}. {hit_words(after, loser.name)}" if after and loser else ""


def _after_said(state: Contest, name: str, whom: str) -> str:
    after = state.after
    if after is None:
        return ""
    falls = after.falls
    if name == aftermath.MAKE_NONE:
        return f"makes no Scene Descriptor for {whom}"
    if name == aftermath.SHIFT:
        return f"shifts the situation: {after.shifted}"
    if falls and name == aftermath.INJURE:
        return f"settles it for {whom}, who {_instead(falls)} instead of a box: {after.injury_name}"
    if falls and name in (aftermath.CROSS, aftermath.BUMP):
        named = f": {after.injury_name}" if after.injury_name else ""
        return f"settles it for {whom}, who {taken_words(falls)}{named}"
    if name in ("taken_back", "dropped", "recounted"):
        return f"The contest of {state.sides[0].name} and {state.sides[1].name}"
    return ""


class ContestProcedure(ContestRules, ProcedureKind[Contest]):
    label = "Contest"
    opened_by = Role.PLAYER
    forms: ClassVar = {
        OPEN: OpenContestForm,
        filling.USE: UseForm,
        aftermath.MAKE: NameForm,
        aftermath.INJURE: NameForm,
        aftermath.BUMP: NameForm,
        aftermath.SHIFT: ShiftForm,
    }
    news = NEWS
    rolls = KIND

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        if name == filling.USE:
            return pools.used(context, given)
        if name != OPEN:
            return given
        mine = context.character(str(given["a_character"]))
        if not context.actor.plays(str(mine.pk)):
            raise NotFound
        return {
            "sides": [pools.side_of(context, mine) | {"extra": _extra_dice(context, mine)}, _against(context, given)],
            "decisions": pools.decisions(context),
            "override": context.actor.is_gm and given["override"],
        }

    def next_roll(self, state: Contest) -> NextRoll | None:
        """Return all dice as one roll, of the first side's character."""
        if not contest_stage.ready(state):
            return None
        a, b = state.sides
        ask = DescriptorsInput(character=UUID(a.character) if a.character else None)
        return NextRoll(part=RollPart("contest"), ask=ask, terms=bound_terms(a, b))

    def describe(self, state: Contest, buttons: Sequence[Button]) -> Values:
        """Return the pools as they are filled, and once all dice have fallen `pairs` as of card.html, with what follows."""
        a, b = state.sides
        if after := state.after:
            outcome = stored_outcome(oppose(list(after.a), list(after.b), state.decisions.settings))
            drawn = pairs(outcome)
            staged = Staged(
                above="Contest",
                title=f"{state.winner.name} wins" if state.winner else "Stalemate",
                steps=STEPS,
                step=2,
                notes=[f"{a.name} above, {b.name} below: {detail(outcome)}"],
                rows=_rows(state, after, buttons),
                extra="descriptors/_pairs.html" if drawn else "",
            )
            return {"pairs": drawn, "staged": staged}
        odds = None
        if state.stage is ContestStage.FILLING and a.pool and b.pool:
            names, settings = (a.name, b.name), state.decisions.settings
            odds = odds_bar(with_extra(a.pool, a.extra), b.pool, settings, names=names)
        filled = [button for button in buttons if button.name != CALL_OFF]
        staged = Staged(
            above="Contest",
            title=f"{a.name} against {b.name}",
            steps=STEPS,
            step=1,
            notes=pools.news(state),
            sides=[pools.staged_side(state, side, filled) for side in state.sides],
            odds=odds,
            acts=[button for button in buttons if button.name == CALL_OFF],
        )
        return {"staged": staged}

    def button_words(self, state: Contest, available: AvailableAct) -> str:
        falls = state.after.falls if state.after else None
        if falls and available.name in (aftermath.CROSS, aftermath.BUMP, aftermath.INJURE):
            if available.name == aftermath.INJURE:
                return f"Take a level {falls.instead} Injury"
            box = f"Cross off box {falls.box}" if falls.box else ""
            injury = f"{' and take' if box else 'Take'} a level {falls.injury} Injury" if falls.injury else ""
            return f"{box}{injury}"
        others = {
            aftermath.MAKE: "Make a Scene Descriptor",
            aftermath.MAKE_NONE: "None",
            aftermath.SHIFT: "Shift the situation",
            CALL_OFF: "Call it off",
        }
        return {**BUTTONS, **others}[available.name]

    def primary(self, state: Contest, available: AvailableAct) -> bool:
        return available.name == filling.READY

    def said(self, state: Contest, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        a, b = state.sides
        if (words := filling_said(state, name, whom)) is not None:
            return words
        if name == OPEN:
            allowed = "".join(f"; {side.name} is let in all the same" for side in state.sides if side.allowed)
            return "" if state.after else f"begins a contest: {a.name} against {b.name}{allowed}"
        if name == REREAD:
            return _falls_said(state) if state.news == contest_stage.FALLS else news_said(state)
        if name == CALL_OFF:
            return f"calls off the contest of {a.name} and {b.name}"
        return _after_said(state, name, whom) if state.after else f"The contest of {a.name} and {b.name}"
