"""Recovery at the table: its form, its words, and the rolls that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Invalid, NotFound
from campaigns.models import Role, Viewer
from characters.models import Character
from characters.sheets.fields import RowGone
from languages.text import gettext_lazy
from rolls.procedures import NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, REREAD, ROLLED, Button, RollPart, Values
from rulesets.descriptors.models import Injury
from rulesets.descriptors.procedures import pools
from rulesets.descriptors.procedures.known import Known, known_of
from rulesets.descriptors.procedures.pools import (
    BUTTONS,
    NEWS,
    Chosen,
    UseForm,
    chosen_character,
    filling_said,
    fund,
    known_to_players,
    let_in,
    news_said,
)
from rulesets.descriptors.rules import filling
from rulesets.descriptors.rules import recovery as rules
from rulesets.descriptors.rules.recovery import LEAVE, Ended, Recovery, RecoveryRules
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import INJURIES, SHEET
from rulesets.descriptors.table.ask import DescriptorsInput, rated, recovery_terms
from rulesets.descriptors.table.roll import odds_bar

CHOOSE: Final = gettext_lazy("Choose the Injury to recover from.")
NOBODY_HURT: Final = gettext_lazy(
    "You don’t know of any Injury. Its bearer can start the recovery and choose who helps."
)


class OpenRecoveryForm(ProcedureForm):
    """`injury` is "<character>/<row>", `helpers` are those who roll against it, who may be its bearer."""

    injury = forms.CharField(max_length=120, error_messages={"required": CHOOSE})
    helpers = Chosen(error_messages={"required": gettext_lazy("Choose who rolls against it.")})
    override = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Return the context with the Injuries on sheets that this viewer may read, and those that everyone knows."""
        characters = known_to_players(viewer)
        known = known_of(*(character for character in characters if not character.opens_for(viewer)))
        injuries = list(Injury.objects.of(*characters))
        hurt = [
            injury
            for character in characters
            for injury in _injuries(character, injuries, known.get(str(character.pk)))
        ]
        nothing = "" if hurt else str(NOBODY_HURT)
        return {
            "injuries": hurt,
            "helpers": [(str(character.pk), character.name) for character in characters],
            "nothing": nothing,
        }


def _injuries(
    character: Character, injuries: Sequence[Injury], known: Sequence[Known] | None
) -> Iterator[tuple[str, str]]:
    """Yield those of these that are this character's, or that are `known`."""
    if known is None:
        injured = [(injury.uid, injury.name, injury.dice) for injury in injuries if injury.character_id == character.pk]
    else:
        injured = [(entry.row, entry.name, entry.dice) for entry in known if entry.rows == INJURIES.name]
    for row, name, dice in injured:
        yield f"{character.pk}/{row}", f"{character.name}: {rated(name, dice)}"


def _injury(context: ProcedureContext, wanted: str) -> dict[str, Any]:
    """Return the fields of an Injury on a sheet that the member may read, or that everyone knows. Raises Invalid."""
    whose, _, row_id = wanted.partition("/")
    try:
        bearer = chosen_character(context, whose, "injury")
        if not bearer.opens_for(context.by) and row_id not in _known_rows(bearer):
            raise NotFound
        row = SHEET.row(bearer.values, "injuries", row_id)
    except RowGone:
        raise Invalid(str(CHOOSE), field="injury") from None
    return {
        "character": str(bearer.pk),
        "bearer": bearer.name,
        "row": row["id"],
        "name": row["name"],
        "dice": row["dice"],
        "pays": fund(context, bearer) is not None,
    }


def _known_rows(bearer: Character) -> set[str]:
    return {entry.row for entry in known_of(bearer)[str(bearer.pk)] if entry.rows == INJURIES.name}


def _rolled_words(state: Recovery, side: str, successes: int, left: int) -> str:
    name = next((pool_side.name for pool_side in state.sides if pool_side.key == side), "")
    if not successes:
        return _("{name}: the Injury stays as it is.").format(name=name)
    if left:
        words = ngettext(
            "{name}: {count} success, {dice}D left.", "{name}: {count} successes, {dice}D left.", successes
        )
    else:
        words = ngettext(
            "{name}: {count} success, the Injury is gone.", "{name}: {count} successes, the Injury is gone.", successes
        )
    return words.format(name=name, count=successes, dice=left)


class RecoveryProcedure(RecoveryRules, ProcedureKind[Recovery]):
    label = gettext_lazy("Recovery")
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenRecoveryForm, filling.USE: UseForm}
    news = NEWS

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        if name == filling.USE:
            return pools.used(context, given)
        if name != OPEN:
            return given
        helpers = [chosen_character(context, helper, "helpers") for helper in dict.fromkeys(given["helpers"])]
        return {
            "injury": _injury(context, given["injury"]),
            "sides": [pools.side_of(context, helper) for helper in helpers],
            "decisions": context.settings.of(Settings),
            "override": context.actor.is_gm and given["override"],
        }

    def next_roll(self, state: Recovery) -> NextRoll | None:
        side = rules.ready(state)
        if side is None or side.character is None:
            return None
        terms = recovery_terms(side, state.injury.dice, f"{state.injury.name} ({state.injury.bearer})")
        return NextRoll(part=RollPart(side.key), ask=DescriptorsInput(character=UUID(side.character)), terms=terms)

    def describe(self, state: Recovery, buttons: Sequence[Button]) -> Values:
        injury, settings = state.injury, state.decisions
        sides = [
            pools.staged_side(
                state, side, buttons, odds_bar(side.pool, injury.dice, settings, names=(side.name, _("the Injury")))
            )
            for side in state.trying
        ]
        rolled = [_rolled_words(state, roll.side, roll.successes, roll.left) for roll in state.rolled]
        title = f"{injury.bearer}: {rated(injury.name, injury.dice)}"
        return {
            "staged": Staged(above=_("Recovery"), title=title, notes=[*pools.news(state), *rolled], sides=sides),
        }

    def button_words(self, state: Recovery, available: AvailableAct) -> str:
        return _("Leave out") if available.name == LEAVE else str(BUTTONS[available.name])

    def primary(self, state: Recovery, available: AvailableAct) -> bool:
        return available.name == filling.READY

    def said(self, state: Recovery, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        injury = {"name": state.injury.bearer, "injury": rated(state.injury.name, state.injury.dice)}
        if (words := filling_said(state, name, whom)) is not None:
            return words
        if name == OPEN:
            started = _("{name} started to recover from {injury}. Rolling: {helpers}.")
            helpers = ", ".join(side.name for side in state.sides)
            return " ".join([started.format(**injury, helpers=helpers), *let_in(state)])
        if name == ROLLED and state.rolled:
            last = state.rolled[-1]
            rolled = _rolled_words(state, last.side, last.successes, last.left)
            return _("{name} recovers from “{injury}”. {rolled}").format(
                name=state.injury.bearer, injury=state.injury.name, rolled=rolled
            )
        if name == REREAD:
            over = _("{name}’s recovery from “{injury}” is over.")
            if state.ended is not Ended.GONE:
                return news_said(state)
            return over.format(name=state.injury.bearer, injury=state.injury.name)
        if name == LEAVE:
            words = _("{helper} no longer rolls against {name}’s {injury}.")
            return words.format(helper=whom, **injury)
        return _("Recovery of {name} from {injury}.").format(**injury)
