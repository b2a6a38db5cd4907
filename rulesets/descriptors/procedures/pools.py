"""Pools that are filled at the table: the form with what may be put in, the stage that shows them, and what the log says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.access import sent_id
from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.fields import RowGone
from characters.sheets.sheet import Values as Sheet
from languages.text import gettext_lazy
from rolls import stage
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm
from rolls.queries.procedures import open_to
from rolls.registry import procedure_called
from rules.acts import Target
from rules.checked import restored
from rules.dice import LARGEST_POOL
from rules.procedures import Button, Values
from rulesets.descriptors.models import SceneDescriptor
from rulesets.descriptors.procedures.known import LISTS, known_of
from rulesets.descriptors.rules import filling
from rulesets.descriptors.rules.contest import called
from rulesets.descriptors.rules.filling import (
    LONGEST_NAME,
    SCENE_DESCRIPTOR,
    Entry,
    Filling,
    RowSource,
    SceneSource,
    Side,
    source_of,
)
from rulesets.descriptors.rules.will import fund_of, with_extra
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET, will_of
from rulesets.descriptors.table.ask import burn_words, dice_words


def known_to_players(viewer: Viewer) -> list[Character]:
    """Return the characters of these rules in play whom players know; procedures at the table are among them."""
    known = Character.objects.known_to_all(viewer.campaign).filter(system=SHEET.name, is_crew=False)
    return list(known.order_by("name"))


def own(viewer: Viewer) -> list[Character]:
    """Return the characters this viewer acts for: for GMs all of them."""
    return list(Character.objects.brought_by(viewer.by).filter(system=SHEET.name).order_by("name"))


def chosen_character(context: ProcedureContext, wanted: object, field: str) -> Character:
    """Return a character of these rules, in play and known to players. Raises Invalid at the field."""
    try:
        character = context.character(str(wanted))
    except (Invalid, NotFound):
        character = None
    if character is None or character.rules is not SHEET:
        raise Invalid(_("Choose a character who is in play and has a Descriptors sheet."), field=field)
    return character


def fund(context: ProcedureContext, character: Character) -> int | None:
    """Return the Will that a character has; None without limit."""
    return will_of(character.values, context.settings.of(Settings))


def entry_words(entry: Entry) -> str:
    words = _("their {name} {dice}D") if entry.theirs else _("{name} {dice}D")
    return words.format(name=entry.name, dice=entry.dice)


def pool_words(side: Side) -> str:
    """Return words such as "Swordplay 3D + their Pride 2D + 2 dice"."""
    named = [entry_words(entry) for entry in side.used]
    words = " + ".join([*named, dice_words(side.dice)] if side.dice or not named else named)
    return f"{words}, {burn_words(side.extra)}" if side.extra else words


BUTTONS: Final = {
    filling.USE: gettext_lazy("Fill the pool"),
    filling.READY: gettext_lazy("Ready"),
    filling.NOT_READY: gettext_lazy("Not ready"),
    filling.TAKE_OUT: gettext_lazy("Take out"),
    filling.STRIKE: gettext_lazy("Strike"),
    filling.ACCEPT: gettext_lazy("Accept"),
}


def filling_said(state: Filling, name: str, whom: str) -> str | None:
    """Return the sentence of the log for an act of filling; None for another act."""
    if name in (filling.USE, filling.TAKE_OUT, filling.NOT_READY):
        return ""
    if name == filling.READY:
        side = next((side for side in state.sides if side.name == whom), None)
        if side is None:
            return _("{name} is ready.").format(name=called(whom))
        return _("{name} is ready: {pool}.").format(name=called(whom), pool=pool_words(side))
    if name == filling.STRIKE:
        return _("{descriptor} was struck from the pool.").format(descriptor=whom)
    return _("{descriptor} was accepted into the pool.").format(descriptor=whom) if name == filling.ACCEPT else None


CORRECTIONS: Final = {
    "pool": gettext_lazy("{names} changed while in a pool. The new dice count, and no one is ready for them yet."),
    "will": gettext_lazy("No longer ready: {names}."),
    "dice": gettext_lazy("The dice from a Burn changed for {names}. No one is ready for them yet."),
    "left": gettext_lazy("No longer in play: {names}."),
}
"""Messages of the log for corrections (`Filling.news`)."""


def news_said(state: Filling) -> str:
    """Return the log line for a correction; "" if there was none."""
    return CORRECTIONS[state.news].format(names=_corrected(state)) if state.news in CORRECTIONS else ""


def news(state: Filling) -> list[str]:
    """Return the lines about what changed since a side was ready."""
    if not (state.news and state.corrected):
        return []
    return [_("Changed: {names}. Check your pool again.").format(names=_corrected(state))]


def _corrected(state: Filling) -> str:
    return ", ".join(map(called, state.corrected))


def let_in(state: Filling) -> list[str]:
    """Return a line for each side that a GM let in although their state forbids it."""
    return [_("The GM let {name} in anyway.").format(name=called(side.name)) for side in state.sides if side.allowed]


def staged_side(state: Filling, side: Side, buttons: Sequence[Button], odds: stage.Odds | None = None) -> stage.Side:
    """Return one of those who fill a pool, as the stage draws them."""
    other, theirs = state.other(side), [button for button in buttons if button.whom == side.key]
    gains = other.gives if other else 0
    will = [_("costs {cost} Will").format(cost=side.costs)] if side.costs else []
    will += [_("gains {gain} Will").format(gain=gains)] if gains else []
    entries = [_staged_entry(side, entry, buttons) for entry in side.used]
    entries += [stage.Entry(words=_unnamed(side.dice))] if side.dice else []
    entries += [stage.Entry(words=burn_words(side.extra))] if side.extra else []
    return stage.Side(
        name=called(side.name),
        character=side.character or "",
        words=", ".join(will),
        pool=with_extra(side.pool, side.extra),
        marks=[stage.Mark(pgettext("of a pool", "ready"), "good")] if side.ready else (),
        entries=entries,
        warnings=[str(words) for name, words in WARNINGS.items() if getattr(side, name)],
        buttons=theirs,
        acts_for=called(side.name) if any(button.members for button in theirs) else "",
        odds=odds,
    )


def _unnamed(count: int) -> str:
    return ngettext("{count} die without a name", "{count} dice without a name", count).format(count=count)


def _staged_entry(side: Side, entry: Entry, buttons: Sequence[Button]) -> stage.Entry:
    of_entry = [button for button in buttons if button.whom == entry.key]
    return stage.Entry(
        words=entry_words(entry),
        look="pending" if entry.pending else "theirs" if entry.theirs else "",
        buttons=[button for button in of_entry if button.members],
        # A GM strikes what an owner takes out, which is told.
        gm_buttons=[button for button in of_entry if button.name != filling.TAKE_OUT or side.character is None],
    )


WARNINGS: Final = {
    "short": gettext_lazy("Not enough Will for this pool."),
    "last": gettext_lazy("This takes the last Will: out of the scene after the roll."),
    "gone": gettext_lazy("No longer in play."),
}


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
            raise forms.ValidationError(_("That’s too much for one pool."))
        return list(self.cleaned_data["chips"])

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the form's context with `groups` of chips: one's own Descriptors, those on the table, and the other
        side's: all of them if this viewer may read the sheet (`reads_them`), else those that everyone knows; `will` if
        they may read that.
        """
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
            _group(_("On the table"), [_lying(procedure) for procedure in lying(viewer)], used),
            *(_rows(theirs, f"{theirs.name}: ", used) if theirs else _known(viewer, other, used)),
        ]
        for group in groups:
            group["chips"] = [chip for chip in group["chips"] if chip["source"] != state.opposed]
        return {
            "groups": [group for group in groups if group["chips"]],
            "will": SHEET.number(mine.values, "will") if mine else None,
            "who": called(side.name),
            "other": called(other.name) if other else "",
            "reads_them": theirs is not None,
            "bare": side.dice if viewer.is_gm else None,
            "limits": {"name": LONGEST_NAME, "dice": LARGEST_POOL},
        }


def used(context: ProcedureContext, given: Values) -> Values:
    """Return the values for `FillingRules.use`: chips that were pressed, and chips that were released. Raises Invalid,
    NotFound.
    """
    chips, before = list(dict.fromkeys(given["chips"])), set(given["before"].split())
    words = None
    if given["name"]:
        if given["name_dice"] is None:
            raise Invalid(_("Say how many dice it has."), field="name_dice")
        words = {"name": given["name"], "dice": given["name_dice"], "theirs": given["theirs"]}
    return {
        "add": tuple(_chip(context, chip) for chip in chips if chip not in before),
        "drop": tuple(sorted(before.difference(chips))),
        "words": words,
        "dice": given["dice"],
    }


def side_of(context: ProcedureContext, character: Character) -> dict[str, Any]:
    """Return the fields of a Side for a character."""
    fund = fund_of(character.values, context.settings.of(Settings)) if character.rules is SHEET else None
    return {"name": character.name, "character": str(character.pk), "fund": fund}


def lying(viewer: Viewer) -> list[Procedure]:
    """Return the Scene Descriptors on the table that this viewer knows of."""
    return [
        procedure
        for procedure in open_to(viewer)
        if (procedure.system, procedure.kind) == (NAME_OF_SYSTEM, SCENE_DESCRIPTOR)
    ]


def _chip(context: ProcedureContext, source: str) -> dict[str, Any]:
    written = source_of(source)
    if isinstance(written, SceneSource):
        lies = (
            SceneDescriptor.objects.lying_in(context.campaign).filter(pk=sent_id(written.descriptor, "chips")).first()
        )
        if lies is None:
            raise Invalid(_("That Scene Descriptor is gone."), field="chips")
        return {"source": source, "name": lies.name, "dice": lies.dice}
    if written is None or written.rows not in {rows.name for rows in LISTS}:
        raise NotFound
    character = context.character(str(sent_id(written.character, "chips")))
    if character.rules is not SHEET or not (character.opens_for(context.by) or _is_known(character, source)):
        raise NotFound
    try:
        row = SHEET.row(character.values, written.rows, written.row)
    except RowGone:
        raise Invalid(_("That’s no longer on the sheet."), field="chips") from None
    return {"source": source, "name": row["name"], "dice": row["dice"]}


def _is_known(character: Character, source: str) -> bool:
    return any(entry.source == source for entry in known_of(character)[str(character.pk)])


def _seen(viewer: Viewer, side: Side | None) -> Character | None:
    """Return a side's character, if it is of these rules and in play and the viewer knows it; else None."""
    if side is None or side.character is None:
        return None
    character = Character.objects.seen_by(viewer).active().filter(pk=side.character).first()
    return character if character and character.rules is SHEET else None


def _readable(viewer: Viewer, side: Side | None) -> Character | None:
    """Return the same where this viewer may read their sheet."""
    character = _seen(viewer, side)
    return character if character and character.opens_for(viewer) else None


def _known(viewer: Viewer, side: Side | None, used: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the Descriptors that everyone knows of a character whose sheet this viewer may not read."""
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
        chips = [(str(RowSource(str(character.pk), rows.name, row["id"])), row["name"], row["dice"]) for row in written]
        yield _group(f"{before}{rows.label}", chips, used)


def _lying(procedure: Procedure) -> tuple[str, str, int]:
    return str(SceneSource(str(procedure.pk))), procedure.state["name"], procedure.state["dice"]


def _group(label: str, chips: Sequence[tuple[str, str, int]], used: set[str]) -> dict[str, Any]:
    drawn = [{"source": source, "name": name, "dice": dice, "pressed": source in used} for source, name, dice in chips]
    return {"label": str(label), "chips": drawn}
