"""Filling a pool at the table: the form with what may be put into it, read for whoever fills it, and the words for what is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django import forms

from campaigns.access import sent_id
from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.fields import RowGone
from characters.sheets.sheet import Values as Sheet
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm
from rolls.queries.procedures import open_to
from rolls.registry import procedure_called
from rolls.rules.acts import Target
from rolls.rules.dice import LARGEST_POOL
from rolls.rules.procedures import Values
from rolls.rules.states import restored
from rulesets.descriptors.models import SceneDescriptor
from rulesets.descriptors.procedures.known import LISTS, known_of
from rulesets.descriptors.rules import filling
from rulesets.descriptors.rules.corrections import SCENE_DESCRIPTOR
from rulesets.descriptors.rules.filling import LONGEST_NAME, SCENE, Filling, Side, decisions_of
from rulesets.descriptors.rules.states import fund_of
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

NAME_OF_SYSTEM: Final = SHEET.name
MOST_CHIPS: Final = 400
LONGEST_SHOWN: Final = 40_000


NEWS: Final = frozenset({"news", "corrected"})


class Chosen(forms.MultipleChoiceField):
    """Some of what a form has shown; whether it may be chosen, `prepare` finds under the lock."""

    def valid_value(self, value: object) -> bool:
        return len(str(value)) <= 120


class UseForm(ProcedureForm):
    """`chips` are the sources that are pressed on the card, `before` those that were before. `name` with `name_dice` (and
    `theirs`) is something that no sheet shows them; `dice` are those without a name, for a GM to set."""

    on_card = "descriptors/_pool_chips.html"

    chips = Chosen(required=False)
    before = forms.CharField(max_length=LONGEST_SHOWN, required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)
    name_dice = forms.IntegerField(min_value=1, max_value=LARGEST_POOL, required=False)
    theirs = forms.BooleanField(required=False)
    dice = forms.IntegerField(min_value=0, max_value=LARGEST_POOL, required=False)

    def clean_chips(self) -> list[str]:
        if len(self.cleaned_data["chips"]) > MOST_CHIPS:
            raise forms.ValidationError("That is more than fits into a pool.")
        return list(self.cleaned_data["chips"])

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """`groups` of chips: one's own Descriptors, what lies on the table, and those of the other side: all where this viewer
        may read their sheet (`reads_them`), else those that everybody knows; `will` where they may read that."""
        rules = procedure_called(procedure.system, procedure.kind)
        state = restored(rules.state, procedure.state) if rules else None
        side = (
            next((side for side in state.sides if target == (side.key,)), None) if isinstance(state, Filling) else None
        )
        if side is None or state is None:
            raise NotFound
        other, used = state.other(side), {entry.source for entry in side.used if entry.source}
        mine, theirs = _readable(viewer, side), _readable(viewer, other)
        groups = [
            *_rows(mine, "", used),
            _group("On the table", [_lying(procedure) for procedure in lying(viewer)], used),
            *(_rows(theirs, f"{theirs.name}: ", used) if theirs else _known(viewer, other, used)),
        ]
        return {
            "groups": [group for group in groups if group["chips"]],
            "will": SHEET.number(mine.values, "will") if mine else None,
            "who": side.name,
            "other": other.name if other else "",
            "reads_them": theirs is not None,
            "bare": side.dice if viewer.is_gm else None,
            "limits": {"name": LONGEST_NAME, "dice": LARGEST_POOL},
        }


def used(context: ProcedureContext, given: Values) -> Values:
    """Return what `FillingRules.use` takes: chips that were pressed, and those that were let go. Raises Invalid, NotFound."""
    chips, before = list(dict.fromkeys(given["chips"])), set(given["before"].split())
    words = None
    if given["name"]:
        if given["name_dice"] is None:
            raise Invalid("Say how many dice it has.", field="name_dice")
        words = {"name": given["name"], "dice": given["name_dice"], "theirs": given["theirs"]}
    return {
        "add": tuple(_chip(context, chip) for chip in chips if chip not in before),
        "drop": tuple(sorted(before.difference(chips))),
        "words": words,
        "dice": given["dice"],
    }


def side_of(context: ProcedureContext, character: Character) -> dict[str, Any]:
    """The fields of a Side for a character."""
    fund = fund_of(character.values, context.settings.of(Settings)) if character.rules is SHEET else None
    return {"name": character.name, "character": str(character.pk), "fund": fund}


def decisions(context: ProcedureContext) -> filling.Decisions:
    return decisions_of(context.settings.of(Settings))


def lying(viewer: Viewer) -> list[Procedure]:
    """The Scene Descriptors on the table that this viewer knows of."""
    return [
        procedure
        for procedure in open_to(viewer)
        if (procedure.system, procedure.kind) == (NAME_OF_SYSTEM, SCENE_DESCRIPTOR)
    ]


def _chip(context: ProcedureContext, source: str) -> dict[str, Any]:
    whose, _, where = source.partition("/")
    if whose == SCENE:
        lies = SceneDescriptor.objects.lying_in(context.campaign).filter(pk=sent_id(where, "chips")).first()
        if lies is None:
            raise Invalid("That Scene Descriptor is gone.", field="chips")
        return {"source": source, "name": lies.name, "dice": lies.dice}
    character = context.character(str(sent_id(whose, "chips")))
    if character.rules is not SHEET or not (character.opens_for(context.by) or _is_known(character, source)):
        raise NotFound
    rows, _, row_id = where.partition("/")
    if rows not in {rows.name for rows in LISTS}:
        raise NotFound
    try:
        row = SHEET.row(character.values, rows, row_id)
    except RowGone:
        raise Invalid("That is not on the sheet any more.", field="chips") from None
    return {"source": source, "name": row["name"], "dice": row["dice"]}


def _is_known(character: Character, source: str) -> bool:
    """Return whether everybody knows of what stands there."""
    return any(entry.source == source for entry in known_of(character)[str(character.pk)])


def _seen(viewer: Viewer, side: Side | None) -> Character | None:
    """Who that is, of these rules and in play, where this viewer knows of them."""
    if side is None or side.character is None:
        return None
    character = Character.objects.seen_by(viewer).active().filter(pk=side.character).first()
    return character if character and character.rules is SHEET else None


def _readable(viewer: Viewer, side: Side | None) -> Character | None:
    """The same where this viewer may read their sheet."""
    character = _seen(viewer, side)
    return character if character and character.opens_for(viewer) else None


def _known(viewer: Viewer, side: Side | None, used: set[str]) -> Iterator[dict[str, Any]]:
    """Return what all know that somebody bears whose sheet this viewer may not read."""
    character = _seen(viewer, side)
    known = known_of(character)[str(character.pk)] if character else []
    for rows in LISTS:
        chips = [(entry.source, entry.name, entry.dice) for entry in known if entry.rows == rows.name]
        yield _group(f"{character.name if character else ''}: {rows.label}", chips, used)


def _rows(character: Character | None, before: str, used: set[str]) -> Iterator[dict[str, Any]]:
    if character is None:
        return
    for rows in LISTS:
        written: Sequence[Sheet] = SHEET.rows(character.values, rows.name)
        chips = [(f"{character.pk}/{rows.name}/{row['id']}", row["name"], row["dice"]) for row in written]
        yield _group(f"{before}{rows.label}", chips, used)


def _lying(procedure: Procedure) -> tuple[str, str, int]:
    return f"{SCENE}/{procedure.pk}", procedure.state["name"], procedure.state["dice"]


def _group(label: str, chips: Sequence[tuple[str, str, int]], used: set[str]) -> dict[str, Any]:
    drawn = [{"source": source, "name": name, "dice": dice, "pressed": source in used} for source, name, dice in chips]
    return {"label": label, "chips": drawn}
