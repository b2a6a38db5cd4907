"""A contest at the table: its forms, its words, and the roll that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.models import Audience
from rolls.procedures import NO_CHARACTER, NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Row, Staged
from rolls.table_rules import falling
from rules.acts import AvailableAct
from rules.dice import LARGEST_POOL
from rules.procedures import OPEN, REREAD, Button, RollPart, Values
from rulesets.descriptors.procedures import pools
from rulesets.descriptors.procedures.pools import (
    NEWS,
    UseForm,
    filling_said,
    known_to_players,
    let_in,
    news_said,
    own,
)
from rulesets.descriptors.rules import contest_stage, filling
from rulesets.descriptors.rules.contest import called, oppose, sentence
from rulesets.descriptors.rules.contest_stage import CALL_OFF, After, Contest, ContestRules, ContestStage, Hit, Made
from rulesets.descriptors.rules.filling import LONGEST_NAME, Side
from rulesets.descriptors.rules.will import with_extra
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table.ask import DescriptorsInput, bound_terms, rated
from rulesets.descriptors.table.card import detail, falls_words, pairs, stored_outcome, taken_words
from rulesets.descriptors.table.roll import KIND, odds_bar
from scale.services.moving import extra_dice

STEPS: Final = (gettext_lazy("Stake"), gettext_lazy("Pools"), gettext_lazy("Aftermath"))


class OpenContestForm(ProcedureForm):
    """Asks whose contest it is (`a_character`), and the opponent: a character, or a name with dice that the GM sets."""

    against_field, own_field, at_once = "b_character", "a_character", True

    a_character = forms.UUIDField(error_messages={"required": gettext_lazy("Choose whose contest it is.")})
    b_character = forms.UUIDField(required=False)
    b_name = LineField(max_length=LONGEST_NAME, required=False)
    b_dice = forms.IntegerField(min_value=0, max_value=LARGEST_POOL, required=False)
    override = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(character.pk), character.name) for character in known_to_players(viewer)]
        mine = [(str(character.pk), character.name) for character in own(viewer)]
        nothing = "" if mine else NO_CHARACTER
        return {"mine": mine, "against": [("", _("something else")), *named], "is_gm": viewer.is_gm, "nothing": nothing}


class NameForm(ProcedureForm):
    """Asks what a Scene Descriptor or an Injury is called."""

    name = LineField(max_length=LONGEST_NAME, error_messages={"required": gettext_lazy("Give it a name.")})


class ShiftForm(ProcedureForm):
    """Asks how the situation shifts when nobody has won."""

    words = LineField(
        max_length=contest_stage.LONGEST_SHIFT, error_messages={"required": gettext_lazy("Say what is different now.")}
    )


def _extra_dice(context: ProcedureContext, mine: Character) -> int:
    """Return those that Burns put into the pool of the character who will roll, openly."""
    return extra_dice(falling(context.campaign, mine, pools.NAME_OF_SYSTEM, KIND, Audience.TABLE, context.settings))


def _against(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return a character, or a pool of the GM's, who sets its dice."""
    if given["b_character"]:
        return pools.side_of(context, context.character(str(given["b_character"])))
    if not given["b_name"]:
        raise Invalid(_("Say who or what they’re up against."), field="b_name")
    return {"name": given["b_name"], "dice": (given["b_dice"] or 0) if context.actor.is_gm else 0}


def _rows(state: Contest, after: After, buttons: Sequence[Button]) -> list[Row]:
    """Return a row for each consequence: what it is, and who may press what."""
    winner, loser = state.winner, state.loser
    if winner is None or loser is None:
        words = after.shifted or _("No one gets anything: the GM shifts the situation.")
        return [Row(words=words, buttons=[button for button in buttons if button.name == contest_stage.SHIFT])]
    rows = [
        _row(_made_words(after, called(winner.name)), winner, (contest_stage.MAKE, contest_stage.MAKE_NONE), buttons)
    ]
    if after.hit is not Hit.NOBODY:
        names = (contest_stage.CROSS, contest_stage.INJURE, contest_stage.BUMP)
        rows.append(_row(hit_words(after, loser.name), loser, names, buttons))
    return rows


def _title(state: Contest) -> str:
    winner = state.winner
    return sentence(_("{name} wins").format(name=called(winner.name))) if winner else _("Stalemate")


def _made_words(after: After, winner: str) -> str:
    if after.made is Made.MADE:
        return _("Scene Descriptor: {descriptor}.").format(descriptor=rated(after.made_name, after.successes))
    if after.made is Made.NOTHING:
        return sentence(_("{name} made no Scene Descriptor.").format(name=winner))
    words = ngettext(
        "{name} may make a Scene Descriptor with {count} die.",
        "{name} may make a Scene Descriptor with {count} dice.",
        after.successes,
    )
    return sentence(words.format(name=winner, count=after.successes))


def _row(words: str, side: Side, names: Sequence[str], buttons: Sequence[Button]) -> Row:
    theirs = [button for button in buttons if button.whom == side.key and button.name in names]
    return Row(words=words, buttons=theirs, about=called(side.name))


def hit_words(after: After, loser: str) -> str:
    """Return words for the hit on the loser, as the roll's card has them, or for what they have taken."""
    falls = after.falls
    if falls is None or after.hit is Hit.OPEN:
        return falls_words(falls, loser, after.successes)
    return taken_words(falls, loser, after.injury_name, instead=after.hit is Hit.INJURY)


def _falls_said(state: Contest) -> str:
    """Return the line for a hit that changed because the sheet was marked after the dice fell; "" without a loser."""
    after, loser = state.after, state.loser
    if after is None or loser is None:
        return ""
    words = _("The hit on {name} changed. {hit}")
    return words.format(name=called(loser.name), hit=hit_words(after, loser.name))


def _after_said(state: Contest, name: str, whom: str) -> str:
    after = state.after
    if after is None:
        return ""
    if name == contest_stage.MAKE_NONE:
        return sentence(_("{name} made no Scene Descriptor.").format(name=called(whom)))
    if name == contest_stage.SHIFT:
        return _("The situation shifted: {words}").format(words=after.shifted)
    if name in (contest_stage.INJURE, contest_stage.CROSS, contest_stage.BUMP):
        return hit_words(after, whom)
    return _between(state) if name in ("taken_back", "dropped", "recounted") else ""


def _between(state: Contest) -> str:
    a, b = state.sides
    return _("Contest: {name} against {other}.").format(name=called(a.name), other=called(b.name))


BUTTONS: Final = {
    **pools.BUTTONS,
    contest_stage.MAKE: gettext_lazy("Make a Scene Descriptor"),
    contest_stage.MAKE_NONE: gettext_lazy("No Scene Descriptor"),
    contest_stage.SHIFT: gettext_lazy("Shift the situation"),
    CALL_OFF: gettext_lazy("Call it off"),
}


class ContestProcedure(ContestRules, ProcedureKind[Contest]):
    label = gettext_lazy("Contest")
    opened_by = Role.PLAYER
    forms: ClassVar = {
        OPEN: OpenContestForm,
        filling.USE: UseForm,
        contest_stage.MAKE: NameForm,
        contest_stage.INJURE: NameForm,
        contest_stage.BUMP: NameForm,
        contest_stage.SHIFT: ShiftForm,
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
            "decisions": context.settings.of(Settings),
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
            outcome = stored_outcome(oppose(list(after.a), list(after.b), state.decisions))
            drawn = pairs(outcome)
            staged = Staged(
                above=_("Contest"),
                title=_title(state),
                steps=[*map(str, STEPS)],
                step=2,
                notes=[
                    _("{name} above, {other} below: {detail}").format(
                        name=called(a.name), other=called(b.name), detail=detail(outcome)
                    )
                ],
                rows=_rows(state, after, buttons),
                extra="descriptors/_pairs.html" if drawn else "",
            )
            return {"pairs": drawn, "staged": staged}
        odds = None
        if state.stage is ContestStage.FILLING and a.pool and b.pool:
            names, settings = (called(a.name), called(b.name)), state.decisions
            odds = odds_bar(with_extra(a.pool, a.extra), b.pool, settings, names=names)
        filled = [button for button in buttons if button.name != CALL_OFF]
        staged = Staged(
            above=_("Contest"),
            title=_("{name} against {other}").format(name=called(a.name), other=called(b.name)),
            steps=[*map(str, STEPS)],
            step=1,
            notes=pools.news(state),
            sides=[pools.staged_side(state, side, filled) for side in state.sides],
            odds=odds,
            acts=[button for button in buttons if button.name == CALL_OFF],
        )
        return {"staged": staged}

    def button_words(self, state: Contest, available: AvailableAct) -> str:
        falls = state.after.falls if state.after else None
        if falls and available.name in (contest_stage.CROSS, contest_stage.BUMP, contest_stage.INJURE):
            if available.name == contest_stage.INJURE:
                return _("Take a level {level} Injury").format(level=falls.instead)
            if falls.box and falls.injury:
                words = _("Cross off box {box} and take a level {level} Injury")
            else:
                words = _("Cross off box {box}") if falls.box else _("Take a level {level} Injury")
            return words.format(box=falls.box, level=falls.injury)
        return str(BUTTONS[available.name])

    def primary(self, state: Contest, available: AvailableAct) -> bool:
        return available.name == filling.READY

    def said(self, state: Contest, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        a, b = state.sides
        if (words := filling_said(state, name, whom)) is not None:
            return words
        if name == OPEN:
            started = _("{name} started a contest against {other}.").format(name=called(a.name), other=called(b.name))
            return "" if state.after else " ".join([started, *let_in(state)])
        if name == REREAD:
            return _falls_said(state) if state.news == contest_stage.FALLS else news_said(state)
        if name == CALL_OFF:
            words = _("The contest between {name} and {other} was called off.")
            return words.format(name=called(a.name), other=called(b.name))
        return _after_said(state, name, whom) if state.after else _between(state)
