"""A flashback at the table: its character, its purpose in the player's words, and its cost in the GM's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.errors import Invalid, NotFound
from campaigns.models import Role, Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, SCENE_ENDED, Button, Values
from rulesets.forged.rules import flashback as rules
from rulesets.forged.rules.flashback import MOST_STRESS, FlashbackRules, Past
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import NAME as SYSTEM

RANGE: Final = gettext_lazy("A flashback costs 0 to 9 stress.")


class OpenFlashbackForm(ProcedureForm):
    """Asks whose flashback it is; the reason says what was done."""

    character = forms.UUIDField(error_messages={"required": gettext_lazy("Choose whose flashback it is.")})

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        mine = Character.objects.rolled_by(viewer.by).filter(system=SYSTEM).order_by("name")
        characters = [(str(character.pk), character.name) for character in mine.exclude(owner=None)]
        return {"characters": characters, "nothing": "" if characters else NO_CHARACTER}


class MoreForm(ProcedureForm):
    """Ask what an elaborate one costs."""

    stress = WholeNumber(None, 0, MOST_STRESS, words=RANGE, required=RANGE)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"most": MOST_STRESS}


def price_words(stress: int | None) -> str:
    if stress is None:
        return _("The GM hasn’t set the cost yet.")
    return _("It costs {count} stress.").format(count=stress) if stress else _("It costs nothing.")


class FlashbackProcedure(FlashbackRules, ProcedureKind[Past]):
    label = gettext_lazy("Flashback")
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenFlashbackForm, rules.MORE: MoreForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return one's own character with a forged sheet, or for GMs anyone's. Raises Invalid, NotFound."""
        if name != OPEN:
            return given
        character = context.character(str(given["character"]))
        if not context.actor.plays(str(character.pk)):
            raise NotFound
        if character.system != SYSTEM or character.owner_id is None:
            message = _("{name} is no player character with a Forged in the Dark sheet. Choose one who is.")
            raise Invalid(message.format(name=character.name), field="character")
        settings = context.settings.of(Settings)
        return {
            "character": str(character.pk),
            "name": character.name,
            "room": rules.room_of(character.values, settings),
            "filling_counts": settings.filling_stress_counts,
        }

    def describe(self, state: Past, buttons: Sequence[Button]) -> Values:
        """Return the `own` buttons of the character's player, and the GM's `buttons`."""
        own = [button for button in buttons if button.whom == rules.OWN]
        gms = [button for button in buttons if button.whom != rules.OWN]
        staged = Staged(
            above=_("Flashback"),
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
            return _("No stress") if available.whom == "0" else _("{count} stress").format(count=available.whom)
        if available.name == rules.MORE:
            return _("More stress…")
        if available.name == rules.DROP:
            return _("Drop it")
        return _("Pay {count} stress").format(count=state.stress) if state.stress else _("Confirm the flashback")

    def primary(self, state: Past, available: AvailableAct) -> bool:
        return available.name == rules.ACCEPT

    def said(self, state: Past, name: str, whom: str) -> str:
        cost = _("{count} stress").format(count=state.stress) if state.stress else _("no stress")
        sentences = {
            OPEN: _("{name} announced a flashback."),
            rules.SET: _("{name}’s flashback was priced: {cost}."),
            rules.MORE: _("{name}’s flashback was priced: {cost}."),
            rules.ACCEPT: _("{name} had the flashback, for {cost}."),
            rules.DROP: _("{name} dropped the flashback."),
            SCENE_ENDED: _("{name}’s flashback was dropped: the scene ended."),
        }
        return sentences.get(name, "").format(name=state.name, cost=cost)
