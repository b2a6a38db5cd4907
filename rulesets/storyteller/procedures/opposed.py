"""The opposed action at the table: its form and its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from languages.text import gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.models import Procedure
from rolls.odds import Part, bar
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Mark, Staged
from rolls.stage import Side as StageSide
from rules.acts import AvailableAct, Target
from rules.checked import restored
from rules.procedures import OPEN, RECOUNTED, ROLLED, Button, Snapshot, Values
from rulesets.storyteller.forms import DifficultyField
from rulesets.storyteller.odds import MOST_DICE, net
from rulesets.storyteller.procedures import sides
from rulesets.storyteller.rules import contested as rules
from rulesets.storyteller.rules.contested import LONGEST_NAME, MOST_SUCCESSES, OnTie, Opposed, OpposedRules, Side, Until
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import asked_pool

ON_TIE: Final = {
    OnTie.DEFENDER: gettext_lazy("the resisting side wins"),
    OnTie.AGAIN: gettext_lazy("both roll again"),
}
TIE_NOTES: Final = {
    OnTie.DEFENDER: gettext_lazy("The resisting side wins a tie."),
    OnTie.AGAIN: gettext_lazy("On a tie, both roll again."),
}
UNTIL: Final = {
    Until.ONCE: gettext_lazy("one roll each"),
    Until.FIRST: gettext_lazy("first to a number of successes"),
    Until.MARGIN: gettext_lazy("first to be a number of successes ahead"),
}
USUAL_GOAL: Final = 5


class TermsForm(ProcedureForm):
    """Asks what each side rolls, and what decides it: a GM sets it."""

    a_pool = LineField(max_length=120, required=False)
    a_difficulty = DifficultyField()
    b_pool = LineField(max_length=120, required=False)
    b_difficulty = DifficultyField()
    on_tie = forms.ChoiceField(choices=[(option.value, words) for option, words in ON_TIE.items()], required=False)
    until = forms.ChoiceField(choices=[(option.value, words) for option, words in UNTIL.items()], required=False)
    goal = WholeNumber(gettext_lazy("Successes needed"), 1, MOST_SUCCESSES, USUAL_GOAL)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {
            "on_tie": [(option.value, str(words)) for option, words in ON_TIE.items()],
            "until": [(option.value, str(words)) for option, words in UNTIL.items()],
            "goal": USUAL_GOAL,
            "is_gm": viewer.is_gm,
        }

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Opposed, procedure.state)
        terms = {name: getattr(state, name).terms for name in rules.SIDES}
        pools = {name: {**value, "pool": asked_pool(value)} for name, value in terms.items()}
        return cls.choices(viewer) | {"now": state, **pools}


class OpenOpposedForm(TermsForm):
    """Asks also for each side's character or name; a player acts with their own."""

    against_field, own_field = "b_character", "a_character"

    a_character = forms.UUIDField(required=False)
    a_name = LineField(max_length=LONGEST_NAME, required=False)
    b_character = forms.UUIDField(required=False)
    b_name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        mine, others = sides.characters_for(viewer), sides.known_to_players(viewer)
        named = {"a": mine, "b": others}
        nothing = "" if mine or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {
            "nothing": nothing,
            **{
                name: {"characters": [(str(character.pk), character.name) for character in characters]}
                for name, characters in named.items()
            },
        }


def odds(state: Opposed) -> dict[str, Any] | None:
    """Return the exact odds of the current exchange; None if the reader may not know one of its pools."""
    if state.decided or state.withdrawn:
        return None
    gave = [_chances(state, index, name) for index, name in enumerate(rules.SIDES)]
    a, b = gave
    if a is None or b is None:
        return None
    more = {"a": Fraction(), "equal": Fraction(), "b": Fraction()}
    for own, chance in a.items():
        for other, against in b.items():
            more["a" if own > other else "b" if other > own else "equal"] += chance * against
    parts = [
        Part("good", _("{name} ahead").format(name=state.a.called), more["a"]),
        Part("fair", _("tie"), more["equal"]),
        Part("bad", _("{name} ahead").format(name=state.b.called), more["b"]),
    ]
    return bar(parts, dice=state.dice[0], lines=[_("this roll")])


def _chances(state: Opposed, index: int, name: str) -> Mapping[int, Fraction] | None:
    """Return the chance of each number of successes: one that has been rolled is certain."""
    fallen, dice = getattr(state.now, name), state.dice[index]
    if fallen is not None:
        return {fallen.successes: Fraction(1)}
    side: Side = getattr(state, name)
    return net(dice, side.difficulty) if 0 < dice <= MOST_DICE else None


def _decided_by(state: Opposed) -> str:
    """Return sentences such as "First to 5 successes. On a tie, both roll again."."""
    match state.until:
        case Until.ONCE:
            sentence = _("One roll each.")
        case Until.FIRST:
            sentence = ngettext("First to {count} success.", "First to {count} successes.", state.goal)
        case Until.MARGIN:
            sentence = ngettext(
                "First to be {count} success ahead.", "First to be {count} successes ahead.", state.goal
            )
    return f"{sentence.format(count=state.goal)} {TIE_NOTES[state.on_tie]}"


def _stands(state: Opposed) -> str:
    """Return words such as "Silas 3, Vesper 2"; as long as one has not rolled yet, what the other has."""
    if state.decided is None:
        return ", ".join(_so_far(state)) or _("no one has rolled yet")
    number = state.decided[2]
    return f"{state.a.called} {state.total('a', number)}, {state.b.called} {state.total('b', number)}"


def _won(state: Opposed) -> str:
    """Return a sentence such as "Silas won by 1."; "" before it is decided."""
    if state.decided is None:
        return ""
    winner, margin = state.decided[:2]
    name = (state.a if winner == "a" else state.b).called
    if not margin:
        return _("{name} won the tie.").format(name=name)
    return _("{name} won by {count}.").format(name=name, count=margin)


def _so_far(state: Opposed) -> Iterator[str]:
    """Yield of each side that has rolled all its successes, those of the exchange that is not whole yet among them."""
    for name in rules.SIDES:
        now = getattr(state.now, name)
        if now is not None or state.number > 1:
            yield f"{getattr(state, name).called} {state.total(name) + (now.successes if now else 0)}"


def _staged(state: Opposed, name: str, side: Side) -> StageSide:
    rolled = getattr(state.now, name)
    marks = [Mark(_("total: {count}").format(count=state.total(name)))] if state.number > 1 else []
    marks += [Mark(_("rolled {count}").format(count=rolled.successes))] if rolled else []
    return StageSide(name=side.called, character=side.character or "", words=sides.roll_words(side), marks=marks)


class OpposedAction(OpposedRules, ProcedureKind[Opposed]):
    label = gettext_lazy("Opposed action")
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenOpposedForm, rules.SET: TermsForm}
    rolls = Kind.ACTION.value

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        terms = {
            "on_tie": OnTie(given["on_tie"] or OnTie.DEFENDER),
            "until": Until(given["until"] or Until.ONCE),
            "goal": given["goal"],
        }
        if name == rules.SET:
            return terms | {side: sides.pool_of(given, f"{side}_") for side in rules.SIDES}
        a, b = sides.side(context, given, "a_"), sides.anybody(context, given, "b_")
        known = [context.character(side.character) if side.character else None for side in (a, b)]
        values = {
            str(character.pk): character.sheet
            for character in known
            if character is not None and character.system == SYSTEM
        }
        settings = context.settings.of(Settings)
        return terms | {
            "a": a,
            "b": b,
            "announced": not context.actor.is_gm,
            "open": tuple(map(sides.is_open, known)),
            "dice": tuple(sides.dice_of(side, values, settings, {}) for side in (a, b)),
        }

    def reads(self, state: Opposed, seen: Snapshot) -> Opposed:
        """Read the sheets as they are now."""
        values = {who: sheet.values for who, sheet in seen.sheets.items() if sheet.system == SYSTEM}
        settings = seen.settings or Settings()
        both = zip((state.a, state.b), state.dice, strict=True)
        return replace(
            state, dice=tuple(sides.dice_of(side, values, settings, seen.extra_dice, before) for side, before in both)
        )

    def describe(self, state: Opposed, buttons: Sequence[Button]) -> Values:
        staged = Staged(
            above=_("Opposed action"),
            notes=[_decided_by(state)],
            sides=[_staged(state, name, side) for name, side in (("a", state.a), ("b", state.b))],
            odds=odds(state),
            acts=buttons,
        )
        return {"staged": staged}

    def button_words(self, state: Opposed, available: AvailableAct) -> str:
        return {rules.SET: _("Set terms…"), rules.WITHDRAW: _("Call it off")}[available.name]

    def said(self, state: Opposed, name: str, whom: str) -> str:
        if state.withdrawn:
            return _("{name} called off the opposed action against {other}.").format(
                name=state.a.called, other=state.b.called
            )
        if name in (OPEN, rules.SET):
            return _begun(state, name)
        words = _("Opposed action recounted: {score}.") if name == RECOUNTED else _("Opposed action: {score}.")
        sentences = [words.format(score=_stands(state)), _won(state)]
        if name in (ROLLED, RECOUNTED) and (missing := self.requests(state)):
            names = ", ".join(getattr(state, asked.part.name).called for asked in missing)
            sentences.append(_("Still to roll: {names}.").format(names=names))
        return " ".join(filter(None, sentences))


def _begun(state: Opposed, name: str) -> str:
    """Return the line for an opposed action that was announced, set or started."""
    if name == rules.SET:
        words = _("{name}’s opposed action was set: {roll}, against {other} ({other_roll}).")
    elif state.announced:
        words = _("{name} announced an opposed action: {roll}, against {other} ({other_roll}).")
    else:
        words = _("{name} started an opposed action: {roll}, against {other} ({other_roll}).")
    sentence = words.format(
        name=state.a.called, roll=sides.roll_words(state.a), other=state.b.called, other_roll=sides.roll_words(state.b)
    )
    return sentence if state.announced else f"{sentence} {_decided_by(state)}"
