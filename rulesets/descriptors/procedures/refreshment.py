"""A Refreshment Scene at the table, and the GM's right that follows from it: forms and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from languages.text import gettext_lazy
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, Button, Values
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
    """Asks for the `caller` and the `partner`, or by `name` for a person of the GM's without a sheet."""

    caller = forms.UUIDField(error_messages={"required": gettext_lazy("Choose who asks for it.")})
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
    words = LineField(max_length=refreshment.LONGEST, error_messages={"required": gettext_lazy("Say what gets worse.")})


BUTTONS: Final = {
    rules.AGREE: gettext_lazy("Agree"),
    rules.DECLINE: gettext_lazy("Not now"),
    rules.WITHDRAW: gettext_lazy("Never mind"),
}


class RefreshmentProcedure(RefreshmentRules, ProcedureKind[RefreshmentScene]):
    label = gettext_lazy("Refreshment Scene")
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenRefreshmentForm}
    sees = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return the two people. Raises Invalid for a caller whom the member does not play."""
        caller = chosen_character(context, given["caller"], "caller")
        if not context.actor.plays(str(caller.pk)):
            raise Invalid(_("Choose one of your own characters to ask for it."), field="caller")
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
            above=_("Refreshment Scene"),
            title=_("{name} asks {other} to let their guard down together for a while.").format(
                name=state.caller.name, other=state.partner.name
            ),
            faces=[person.character for person in (state.caller, state.partner) if person.character],
            notes=[
                _("Will and Power come back, Injuries stay, and the GM may make the situation worse once in return.")
            ],
            acts=buttons,
        )
        return {"staged": staged}

    def button_words(self, state: RefreshmentScene, available: AvailableAct) -> str:
        return str(BUTTONS[available.name])

    def said(self, state: RefreshmentScene, name: str, whom: str) -> str:
        words = {
            OPEN: _("{caller} asked {partner} for a Refreshment Scene."),
            rules.AGREE: _(
                "{partner} and {caller} had a Refreshment Scene. Will and Power came back, Injuries stayed, and the GM may make "
                "the situation worse once in return."
            ),
            rules.DECLINE: _("{partner} declined a Refreshment Scene with {caller}."),
            rules.WITHDRAW: _("{caller} no longer asks {partner} for a Refreshment Scene."),
        }.get(name, _("Refreshment Scene: {caller} with {partner}."))
        return words.format(caller=state.caller.name, partner=state.partner.name)


class EscalationProcedure(EscalationRules, ProcedureKind[Escalation]):
    label = gettext_lazy("The GM may escalate")
    forms: ClassVar = {refreshment.USE: UseForm}
    token = True

    def describe(self, state: Escalation, buttons: Sequence[Button]) -> Values:
        return {"caller": state.caller, "partner": state.partner, "buttons": buttons}

    def button_words(self, state: Escalation, available: AvailableAct) -> str:
        return _("Make it worse") if available.name == refreshment.USE else _("Let it be")

    def said(self, state: Escalation, name: str, whom: str) -> str:
        if name == OPEN:
            return ""  # already recorded by the step that caused it
        words = {
            refreshment.USE: _("The GM made the situation worse for {caller} and {partner}’s Refreshment Scene."),
            refreshment.WAIVE: _(
                "The GM let {caller} and {partner}’s Refreshment Scene pass without making anything worse."
            ),
        }.get(name, _("The GM may make the situation worse for {caller} and {partner}’s Refreshment Scene."))
        return words.format(caller=state.caller, partner=state.partner)
