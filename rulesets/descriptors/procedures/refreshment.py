"""A Refreshment Scene at the table, and the GM's right that comes of it: forms and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rolls.stage import Staged
from rulesets.descriptors.procedures.pools import chosen_character, known_to_players, own
from rulesets.descriptors.rules import refreshment
from rulesets.descriptors.rules import refreshment as rules
from rulesets.descriptors.rules.refreshment import (
    LONGEST_NAME,
    Escalation,
    EscalationRules,
    RefreshmentRules,
    RefreshmentScene,
)


class OpenRefreshmentForm(ProcedureForm):
    """Asks who asks (`caller`) and whom (`partner`); or by `name` somebody of the GM's without a sheet."""

    caller = forms.UUIDField(error_messages={"required": "Choose who asks for it."})
    partner = forms.UUIDField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        callers = own(viewer)
        others = [character for character in known_to_players(viewer) if len(callers) > 1 or character not in callers]
        return {
            "callers": [(str(caller.pk), caller.name) for caller in callers],
            "partners": [(str(other.pk), other.name) for other in others],
            "nothing": "" if callers else NO_CHARACTER,
        }


class UseForm(ProcedureForm):
    words = LineField(max_length=refreshment.LONGEST, error_messages={"required": "Say what becomes worse."})


class RefreshmentProcedure(RefreshmentRules, ProcedureKind[RefreshmentScene]):
    label = "Refreshment Scene"
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenRefreshmentForm}
    sees = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return who they are. Raises Invalid for a caller who is somebody else's."""
        caller = chosen_character(context, given["caller"], "caller")
        if not context.actor.plays(str(caller.pk)):
            raise Invalid("You ask for one of your own characters.", field="caller")
        partner: dict[str, Any] = {"name": given["name"].strip()}
        if given["partner"]:
            other = chosen_character(context, given["partner"], "partner")
            partner = {"name": other.name, "character": str(other.pk)}
        return {
            "caller": {"name": caller.name, "character": str(caller.pk)},
            "partner": partner,
            "in_scene": context.in_scene,
        }

    def describe(self, state: RefreshmentScene, buttons: Sequence[Button]) -> Values:
        staged = Staged(
            above="Refreshment Scene",
            title=f"{state.caller.name} asks {state.partner.name}: both let their guard down for a while.",
            faces=[person.character for person in (state.caller, state.partner) if person.character],
            notes=["Will and Power come back, Injuries stay, and the GM may make the situation worse for it, once."],
            acts=buttons,
        )
        return {"staged": staged}

    def button_words(self, state: RefreshmentScene, available: AvailableAct) -> str:
        return {rules.AGREE: "Agree", rules.DECLINE: "Not now", rules.WITHDRAW: "Never mind"}[available.name]

    def said(self, state: RefreshmentScene, name: str, whom: str) -> str:
        """Return the sentence of the log, behind the name of who did it."""
        of = f"a Refreshment Scene of {state.caller.name} with {state.partner.name}"
        return {
            OPEN: f"asks for {of}",
            rules.AGREE: f"agrees to {of}: Will and Power come back, Injuries stay, and the GM may make things worse, once",
            rules.DECLINE: f"declines {of}",
            rules.WITHDRAW: f"does not ask any more for {of}",
        }.get(name, of[2:])


class EscalationProcedure(EscalationRules, ProcedureKind[Escalation]):
    label = "The GM may escalate"
    forms: ClassVar = {refreshment.USE: UseForm}
    token = True

    def describe(self, state: Escalation, buttons: Sequence[Button]) -> Values:
        return {"caller": state.caller, "partner": state.partner, "buttons": buttons}

    def button_words(self, state: Escalation, available: AvailableAct) -> str:
        return {refreshment.USE: "Make it worse", refreshment.WAIVE: "Leave it"}[available.name]

    def said(self, state: Escalation, name: str, whom: str) -> str:
        of = f"the Refreshment Scene of {state.caller} and {state.partner}"
        return {
            OPEN: "",  # the step that it comes of has told it
            refreshment.USE: f"makes the situation worse for {of}",
            refreshment.WAIVE: f"leaves the situation as it is after {of}",
        }.get(name, f"The GM may make the situation worse for {of}")
