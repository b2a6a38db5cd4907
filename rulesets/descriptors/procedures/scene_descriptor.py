"""A Scene Descriptor on the table: its forms, its words, and what of sheets it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Role, Viewer
from campaigns.schema import CODE, NAME, UID, Fields, Maybe
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureRules
from rolls.rules.procedures import OPEN, SCENE_ENDED, AvailableAct, Button, Values
from rulesets.descriptors.procedures.people import found, fund, known_to_players, own
from rulesets.descriptors.rules import scene_descriptor as rules
from rulesets.descriptors.rules.scene_descriptor import LONGEST_NAME, STICKING_COST, SceneDescriptor
from rulesets.descriptors.sheet import MOST_DICE

SCHEMA: Final[Fields] = {
    "name": NAME,
    "dice": int,
    "made_by": Maybe(UID),
    "made_by_name": NAME,
    "stage": CODE,
    "stuck_to": Maybe(UID),
    "stuck_to_name": NAME,
    "paid_by_name": NAME,
}


class OpenForm(ProcedureForm):
    """What a GM puts there, as the situation has it."""

    name = LineField(max_length=LONGEST_NAME, error_messages={"required": "Say what it is called."})
    dice = forms.IntegerField(min_value=1, max_value=MOST_DICE, initial=1)


class StickForm(ProcedureForm):
    """`to` whom it sticks, and who pays (`payer`)."""

    to = forms.UUIDField(error_messages={"required": "Choose to whom it sticks."})
    payer = forms.UUIDField(error_messages={"required": "Choose who pays for it."})

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        payers = [(str(one.pk), one.name) for one in own(viewer)]
        return {
            "to": [(str(one.pk), one.name) for one in known_to_players(viewer)],
            "payers": payers,
            "nothing": "" if payers else NO_CHARACTER,
        }


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    """Who is to bear it and who pays, with the Will that they have."""
    if name == OPEN:
        return {"name": given["name"].strip(), "dice": given["dice"]}
    bearer, payer = found(context, given["to"], "to"), found(context, given["payer"], "payer")
    return {
        "to": str(bearer.pk),
        "to_name": bearer.name,
        "payer": str(payer.pk),
        "payer_name": payer.name,
        "will": fund(context, payer),
    }


def said(state: SceneDescriptor, name: str, whom: str) -> str:
    """The sentence of the log, behind the name of who did it."""
    words = titled(state)
    made = f" of {state.made_by_name}" if state.made_by_name else ""
    if name == rules.REDUCE and not rules.is_over(state):
        return f"takes a die off, since somebody has done something about it: {words}"
    return {
        OPEN: f"makes a Scene Descriptor{made}: {words}",
        rules.STICK: f"makes {words} stick to {state.stuck_to_name}, for {STICKING_COST} Will of {state.paid_by_name}",
        SCENE_ENDED: f"lets {words} go with the scene",
        rules.REDUCE: f"takes {words} away: somebody has done something about it",
        rules.END: f"takes {words} away: somebody has done something about it",
    }.get(name, f"Scene Descriptor: {words}")


def titled(state: SceneDescriptor) -> str:
    """ "“Tied up” 3D"."""
    return f"“{state.name}” {state.dice}D"


def describe(state: SceneDescriptor, buttons: Sequence[Button]) -> Values:
    """`joins` is how one writes it into a pool, where a plus sign stands between Descriptors."""
    return {
        "title": titled(state),
        "name": state.name,
        "dice": state.dice,
        "made_by": state.made_by_name,
        "joins": f"{state.name.replace('+', ' ')} {state.dice}",
        "buttons": buttons,
        "chip": f"{state.name} {state.dice}D",
        "chip_template": "descriptors/scene_descriptor_chip.html",
    }


def party(state: SceneDescriptor, whom: str) -> tuple[str, str | None]:
    return state.made_by_name, state.made_by


BUTTONS: Final = {rules.STICK: "Make it stick", rules.REDUCE: "One die less", rules.END: "Gone"}


def _button(state: SceneDescriptor, offer: AvailableAct) -> str:
    return BUTTONS[offer.name]


SCENE_DESCRIPTOR: Final = ProcedureRules(
    label="Scene Descriptor",
    opened_by=Role.GM,
    state=SceneDescriptor,
    schema=SCHEMA,
    forms={OPEN: OpenForm, rules.STICK: StickForm},
    prepare=prepare,
    start=rules.start,
    may=rules.may,
    act=rules.act,
    waiting=lambda state: (),
    is_over=rules.is_over,
    played=rules.played,
    describe=describe,
    buttons=_button,
    said=said,
    party=party,
    at_scene_end=rules.at_scene_end,
    open_to_all=frozenset({rules.STICK}),
    token=True,
)
