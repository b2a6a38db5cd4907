"""A flashback at the table: whose, what for in the player's words, and what it costs in the GM's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms

from campaigns.errors import Invalid, NotFound
from campaigns.models import Role, Viewer
from characters.models import Character
from rolls.forms.fields import said as range_said
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, SCENE_ENDED, Button, Values
from rolls.stage import Staged
from rulesets.forged.rules import flashback as rules
from rulesets.forged.rules.flashback import MOST_STRESS, FlashbackRules, Past
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import NAME as SYSTEM

RANGE: Final = f"The stress of a flashback goes from 0 to {MOST_STRESS}."


class OpenFlashbackForm(ProcedureForm):
    """Ask whose it is; what was done stands in what it is for."""

    character = forms.UUIDField(error_messages={"required": "Choose whose flashback it is."})

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        mine = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM).order_by("name")
        characters = [(str(character.pk), character.name) for character in mine.exclude(owner=None)]
        return {"characters": characters, "nothing": "" if characters else NO_CHARACTER}


class MoreForm(ProcedureForm):
    """Ask what an elaborate one costs."""

    stress = forms.IntegerField(
        min_value=0, max_value=MOST_STRESS, error_messages=range_said(RANGE) | {"required": RANGE}
    )

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"most": MOST_STRESS}


def price_words(stress: int | None) -> str:
    if stress is None:
        return "The GM has yet to say what it costs."
    return f"It costs {stress} stress." if stress else "It costs nothing."


class FlashbackProcedure(FlashbackRules, ProcedureKind[Past]):
    label = "Flashback"
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenFlashbackForm, rules.MORE: MoreForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return one's own character with a forged sheet, or for GMs anybody's. Raises Invalid, NotFound."""
        if name != OPEN:
            return given
        character = context.character(str(given["character"]))
        if not context.actor.plays(str(character.pk)):
            raise NotFound
        if character.system != SYSTEM or character.owner_id is None:
            raise Invalid(f"{character.name} has no forged sheet of a player’s.", field="character")
        settings = context.settings.of(Settings)
        return {
            "character": str(character.pk),
            "name": character.name,
            "room": rules.room_of(character.values, settings),
            "filling_counts": settings.filling_stress_counts,
        }

    def describe(self, state: Past, buttons: Sequence[Button]) -> Values:
        """Return `own` buttons of whoever has it, and the `buttons` of the GM."""
        own = [button for button in buttons if button.whom == rules.OWN]
        gms = [button for button in buttons if button.whom != rules.OWN]
        staged = Staged(
            above="Flashback",
            title=state.name,
            faces=[state.character],
            notes=[price_words(state.stress)],
            acts=own,
            own=gms,
            acts_for=state.name,
        )
        return {"price_words": price_words(state.stress), "own": own, "buttons": gms, "staged": staged}

    def button_words(self, state: Past, available: AvailableAct) -> str:
        if available.name == rules.SET:
            return "No stress" if available.whom == "0" else f"{available.whom} stress"
        words = {rules.MORE: "More stress", rules.DROP: "Let it be"}
        return words.get(available.name) or (f"Pay {state.stress} stress" if state.stress else "So it was")

    def primary(self, state: Past, available: AvailableAct) -> bool:
        return available.name == rules.ACCEPT

    def said(self, state: Past, name: str, whom: str) -> str:
        cost = f"{state.stress} stress" if state.stress else "no stress"
        sentences = {
            OPEN: f"has a flashback of {state.name}",
            rules.SET: f"says what the flashback of {state.name} costs: {cost}",
            rules.MORE: f"says what the flashback of {state.name} costs: {cost}",
            rules.ACCEPT: f"has had the flashback of {state.name}, for {cost}",
            rules.DROP: f"lets the flashback of {state.name} be",
            SCENE_ENDED: f"lets the flashback of {state.name} come to nothing: the scene is over",
        }
        return sentences.get(name, "")
