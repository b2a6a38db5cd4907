"""The engagement roll: its factors as chips, its exact odds, and the position that it leaves on the table (public rules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from languages.text import gettext_lazy
from rolls.procedures import NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, USED, Button, Values
from rulesets.forged.procedures.action_forms import extra_dice_field
from rulesets.forged.procedures.action_words import extra_words
from rulesets.forged.procedures.fortune import odds_words, pool_words, pushed_by, pushers, pushing
from rulesets.forged.rules import score as rules
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.score import FACTORS, Engage, EngageRules, Opening, OpeningRules
from rulesets.forged.table.action import ENGAGEMENT as SETTLES
from rulesets.forged.table.ask import LONGEST_WORDS, ForgedInput, Kind
from rulesets.forged.table.words import POSITION_WORDS

FACTOR_WORDS: Final = {
    "bold": gettext_lazy("a daring plan"),
    "weak_spot": gettext_lazy("it strikes at a weakness"),
    "friends": gettext_lazy("friends lend a hand"),
    "smaller": gettext_lazy("a lower-Tier target"),
    "for_it": gettext_lazy("something else in its favour"),
    "complex": gettext_lazy("a complicated plan"),
    "strong_spot": gettext_lazy("it strikes where they’re strong"),
    "rivals": gettext_lazy("someone gets in the way"),
    "larger": gettext_lazy("a higher-Tier target"),
    "against_it": gettext_lazy("something else against it"),
}


class EngagementDiceForm(ProcedureForm):
    """Ask who pushes for a die, and for dice that abilities add, with where they come from."""

    push = forms.UUIDField(required=False)
    more = extra_dice_field()
    why = LineField(max_length=LONGEST_WORDS, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"pushers": pushers(viewer.campaign)}


class OpenEngagementForm(ProcedureForm):
    """Only asks for the reason: the chips are on the card."""


def _chip(state: Engage, code: str, buttons: Sequence[Button]) -> dict[str, Any]:
    """Return a chip with the button that turns it, for those who may."""
    return {
        "words": str(FACTOR_WORDS[code]),
        "dice": FACTORS[code],
        "on": code in state.factors,
        "button": next((button for button in buttons if button.name == rules.TURN and button.whom == code), None),
    }


def _added(state: Engage) -> str:
    """Return words such as "Cross pushes +1, Inside man +1"."""
    push = _("{name} pushes +1").format(name=state.push_name) if state.push else ""
    return ", ".join(filter(None, (push, extra_words(state.more, state.why))))


def _opening_words(state: Opening) -> str:
    words = (
        _("Opening position: {position}, past the first obstacle") if state.past else _("Opening position: {position}")
    )
    return words.format(position=POSITION_WORDS[state.position])


class EngageProcedure(EngageRules, ProcedureKind[Engage]):
    label = gettext_lazy("Engagement roll")
    forms: ClassVar = {OPEN: OpenEngagementForm, rules.MORE: EngagementDiceForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return {**given, **pushed_by(context, given["push"])} if name == rules.MORE else given

    def next_roll(self, state: Engage) -> NextRoll | None:
        if not state.ready:
            return None
        ask = ForgedInput(
            kind=Kind.FORTUNE.value,
            trait=1,
            advantages=state.advantages,
            disadvantages=state.disadvantages,
            settles=SETTLES,
            more=state.more,
            more_from=state.why,
            **pushing(state.push),
        )
        return NextRoll(part=rules.PART, ask=ask)

    def describe(self, state: Engage, buttons: Sequence[Button]) -> Values:
        """Return the `chips` for and against it, those that count pressed, the dice and their odds, and `buttons`."""
        chips = [_chip(state, code, buttons) for code in FACTORS]
        return {
            "for_it": [chip for chip in chips if chip["dice"] > 0],
            "against_it": [chip for chip in chips if chip["dice"] < 0],
            "some_for": any(chip["on"] for chip in chips if chip["dice"] > 0),
            "some_against": any(chip["on"] for chip in chips if chip["dice"] < 0),
            "pool_words": f"{pool_words(state.pool)} ({added})" if (added := _added(state)) else pool_words(state.pool),
            "odds": odds_words(
                state.pool,
                {
                    "bad": POSITION_WORDS[Position.DESPERATE],
                    "partial": POSITION_WORDS[Position.RISKY],
                    "full": POSITION_WORDS[Position.CONTROLLED],
                    "critical": _("past the first obstacle"),
                },
            ),
            "more": state.more,
            "why": state.why,
            "push": state.push,
            "buttons": (rolls := [button for button in buttons if button.name in (rules.ROLL, rules.MORE)]),
            "staged": Staged(above=_("Engagement roll"), extra="forged/_factors.html", acts=rolls),
        }

    def button_words(self, state: Engage, available: AvailableAct) -> str:
        if available.name == rules.MORE:
            return _("More dice…")
        return str(FACTOR_WORDS[available.whom]) if available.name == rules.TURN else _("Roll")

    def primary(self, state: Engage, available: AvailableAct) -> bool:
        return available.name == rules.ROLL

    def said(self, state: Engage, name: str, whom: str) -> str:
        """Return the sentence of the log; none for the roll, which has its own card."""
        return _("An engagement roll was started.") if name == OPEN else ""


class OpeningProcedure(OpeningRules, ProcedureKind[Opening]):
    label = gettext_lazy("Opening position")
    token = True

    def describe(self, state: Opening, buttons: Sequence[Button]) -> Values:
        return {"words": _opening_words(state), "chip": _opening_words(state), "buttons": buttons}

    def button_words(self, state: Opening, available: AvailableAct) -> str:
        return _("Remove")

    def said(self, state: Opening, name: str, whom: str) -> str:
        """Return a sentence where it is used up by hand; what the roll's card says is not said again."""
        if name == rules.USE:
            return _("The opening position was removed from the table.")
        if name != USED:
            return ""
        return _("The first action used the opening position: {position}.").format(
            position=POSITION_WORDS[state.position]
        )
