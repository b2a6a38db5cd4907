"""Recovery at the table: its form, its words, and the rolls that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms

from campaigns.errors import Invalid, NotFound
from campaigns.models import Role, Viewer
from characters.models import Character
from characters.sheets.fields import RowGone
from rolls.procedures import NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, REREAD, ROLLED, Button, RollPart, Values
from rolls.stage import Staged
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
    news_said,
)
from rulesets.descriptors.rules import filling
from rulesets.descriptors.rules import recovery as rules
from rulesets.descriptors.rules.recovery import LEAVE, Ended, Recovery, RecoveryRules
from rulesets.descriptors.sheet import INJURIES, SHEET
from rulesets.descriptors.table.ask import DescriptorsInput, recovery_terms
from rulesets.descriptors.table.roll import odds_bar

CHOOSE: Final = "Choose the Injury that is to be mended."
NOBODY_HURT: Final = "You know of no Injury. Ask whoever bears one to start its recovery: they say who helps."


class OpenRecoveryForm(ProcedureForm):
    """`injury` is "<character>/<row>", `helpers` are those who roll against it, who may be its bearer."""

    injury = forms.CharField(max_length=120, error_messages={"required": CHOOSE})
    helpers = Chosen(error_messages={"required": "Choose who rolls against it."})
    override = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Return Injuries on sheets that this viewer may read, and those of others of which everybody knows."""
        characters = known_to_players(viewer)
        known = known_of(*(character for character in characters if not character.opens_for(viewer)))
        injuries = list(Injury.objects.of(*characters))
        hurt = [
            injury
            for character in characters
            for injury in _injuries(character, injuries, known.get(str(character.pk)))
        ]
        nothing = "" if hurt else NOBODY_HURT
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
        yield f"{character.pk}/{row}", f"{character.name}: {name} {dice}D"


def _injury(context: ProcedureContext, wanted: str) -> dict[str, Any]:
    """Return the fields of an Injury, on a sheet that whoever opens this may read, or of which everybody knows."""
    whose, _, row_id = wanted.partition("/")
    try:
        bearer = chosen_character(context, whose, "injury")
        if not bearer.opens_for(context.by) and row_id not in _known_rows(bearer):
            raise NotFound
        row = SHEET.row(bearer.values, "injuries", row_id)
    except RowGone:
        raise Invalid(CHOOSE, field="injury") from None
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
        return f"{name}: the Injury withstands"
    return f"{name}: {'1 success' if successes == 1 else f'{successes} successes'}, {_left(left)}"


def _left(dice: int) -> str:
    return f"{dice}D left" if dice else "it is gone"


class RecoveryProcedure(RecoveryRules, ProcedureKind[Recovery]):
    label = "Recovery"
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
            "decisions": pools.decisions(context),
            "override": context.actor.is_gm and given["override"],
        }

    def next_roll(self, state: Recovery) -> NextRoll | None:
        side = rules.ready(state)
        if side is None or side.character is None:
            return None
        terms = recovery_terms(side, state.injury.dice, f"{state.injury.name} of {state.injury.bearer}")
        return NextRoll(part=RollPart(side.key), ask=DescriptorsInput(character=UUID(side.character)), terms=terms)

    def describe(self, state: Recovery, buttons: Sequence[Button]) -> Values:
        injury, settings = state.injury, state.decisions.settings
        sides = [
            pools.staged_side(
                state, side, buttons, odds_bar(side.pool, injury.dice, settings, names=(side.name, "the Injury"))
            )
            for side in state.trying
        ]
        rolled = [_rolled_words(state, roll.side, roll.successes, roll.left) for roll in state.rolled]
        title = f"{injury.name} {injury.dice}D of {injury.bearer}"
        return {
            "staged": Staged(above="Recovery", title=title, notes=[*pools.news(state), *rolled], sides=sides),
        }

    def button_words(self, state: Recovery, available: AvailableAct) -> str:
        return {**BUTTONS, LEAVE: "Leave out"}[available.name]

    def primary(self, state: Recovery, available: AvailableAct) -> bool:
        return available.name == filling.READY

    def said(self, state: Recovery, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        injury = f"“{state.injury.name}” of {state.injury.bearer}"
        if (words := filling_said(state, name, whom)) is not None:
            return words
        if name == OPEN:
            allowed = "".join(f"; {side.name} is let in all the same" for side in state.sides if side.allowed)
            named = ", ".join(side.name for side in state.sides)
            return f"begins recovery from {injury}, {state.injury.dice}D: {named}{allowed}"
        if name == ROLLED and state.rolled:
            last = state.rolled[-1]
            return f"Recovery from {injury}, {_rolled_words(state, last.side, last.successes, last.left)}"
        if name == REREAD:
            return f"changes {injury}: its recovery is over" if state.ended is Ended.GONE else news_said(state)
        if name == LEAVE:
            return f"leaves {whom} out of recovery from {injury}"
        return f"Recovery from {injury}, {state.injury.dice}D"
