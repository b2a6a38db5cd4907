"""Fortune for the GM: a trait or a number of dice, alone or against another side (forged.txt, Fortune Roll)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Campaign, Viewer
from languages.text import gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.odds import percent
from rolls.procedures import NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Mark, Row, Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, ROLLED, Button, RollPart, Values
from rulesets.forged import crew as crews
from rulesets.forged.models import crews_at_table, scoundrels
from rulesets.forged.odds import results
from rulesets.forged.procedures.action_forms import extra_dice_field
from rulesets.forged.rules.fortune import (
    LONGEST_NAME,
    MAGNITUDES,
    MOST_MAJOR,
    MOST_TRAIT,
    PERFORMANCES,
    Ahead,
    Fates,
    FatesRules,
    Measure,
    Side,
)
from rulesets.forged.rules.roll import Pool
from rulesets.forged.table.ask import LONGEST_WORDS, ForgedInput, Kind, Push
from rulesets.forged.table.words import RESULT_LOOKS

MOST_BY_JUDGMENT: Final = 4
"""The most dice that a GM may give by judgement alone (forged.txt, Fortune Roll)."""


class OpenFortuneForm(ProcedureForm):
    """Dice for one side, or for two; `a_trait` is how many, which the list names."""

    a_name = LineField(max_length=LONGEST_NAME, required=False)
    a_trait = WholeNumber(gettext_lazy("Trait"), 0, MOST_TRAIT, 1)
    a_advantages = WholeNumber(gettext_lazy("Major advantages"), 0, MOST_MAJOR, 0)
    a_disadvantages = WholeNumber(gettext_lazy("Major disadvantages"), 0, MOST_MAJOR, 0)
    a_push = forms.UUIDField(required=False)
    a_more = extra_dice_field()
    a_why = LineField(max_length=LONGEST_WORDS, required=False)
    opposed = forms.BooleanField(required=False)
    b_name = LineField(max_length=LONGEST_NAME, required=False)
    b_trait = WholeNumber(gettext_lazy("Trait"), 0, MOST_TRAIT, 1)
    b_advantages = WholeNumber(gettext_lazy("Major advantages"), 0, MOST_MAJOR, 0)
    b_disadvantages = WholeNumber(gettext_lazy("Major disadvantages"), 0, MOST_MAJOR, 0)
    b_push = forms.UUIDField(required=False)
    b_more = extra_dice_field()
    b_why = LineField(max_length=LONGEST_WORDS, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"traits": traits_of(viewer.campaign), "pushers": pushers(viewer.campaign)}


def traits_of(campaign: Campaign) -> list[tuple[int, str]]:
    """Return what can be rolled, with its dice: luck or the GM's judgement; a crew's known traits and its cohorts; a
    magnitude.
    """
    traits = [
        (dice, _("1: sheer luck") if dice == 1 else _("{dice}: your judgement").format(dice=dice))
        for dice in range(1, MOST_BY_JUDGMENT + 1)
    ]
    for crew in crews_at_table(campaign):
        traits.append(_trait(crews.tier(crew.values), _("Tier of {name}").format(name=crew.name)))
        traits.append(_trait(crew.number("wanted"), _("Wanted level of {name}").format(name=crew.name)))
        traits += [
            _trait(row["quality"], _("Quality of {name}").format(name=row["name"]))
            for row in crews.SHEET.rows(crew.values, "cohorts")
        ]
    powers = MAGNITUDES[Measure.FORCE]
    return [
        *traits,
        *(_trait(level, _("Magnitude or Tier: {words}").format(words=words)) for level, words in enumerate(powers)),
    ]


def _trait(dice: int, words: str) -> tuple[int, str]:
    return dice, f"{dice}: {words}"


ASKED: Final = ("name", "trait", "advantages", "disadvantages", "more", "why")


def pushers(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the characters who may push themselves for a die of a roll that is nobody's own."""
    return [(str(character.pk), character.name) for character in scoundrels(campaign)]


def pushed_by(context: ProcedureContext, wanted: UUID | None, field: str = "push") -> dict[str, Any]:
    """Return who pushes, by id and name; None and "" for nobody. Raises Invalid for someone who is not there."""
    names = dict(pushers(context.campaign))
    if wanted is not None and str(wanted) not in names:
        raise Invalid(_("Choose from the list."), field=field)
    return {"push": str(wanted) if wanted else None, "push_name": names.get(str(wanted), "")}


def pushing(who: str | None) -> dict[str, Any]:
    """Return the fields of a roll that someone pushes themselves for."""
    return {"push": Push.DIE.value, "helper": UUID(who)} if who else {}


CALLED: Final = {result.name.lower(): words.quality for result, words in PERFORMANCES.items()}


def _performed(side: Side) -> str:
    return str(PERFORMANCES[side.result].quality) if side.result else ""


def stands(state: Fates) -> str:
    """Return how two sides compare: "Lampblacks good, Crows mixed. Lampblacks came out ahead by 1 level."""
    fortune = _("Fortune")
    performed = ", ".join(f"{side.name or fortune} {_performed(side)}" for _part, side in state.sides)
    if state.ahead is None or state.b is None:
        return performed
    who, levels = state.ahead
    if who is Ahead.NEITHER:
        return _("{results}: equal, and the GM says what that means.").format(results=performed)
    ahead = state.a if who is Ahead.FIRST else state.b
    words = ngettext("{results}: {name} ahead by {count} level.", "{results}: {name} ahead by {count} levels.", levels)
    return words.format(results=performed, name=ahead.name, count=levels)


def _row(side: Side) -> Row:
    performed = _performed(side)
    likely = ", ".join(f"{part['words']} {part['chance']}" for part in odds_words(side.pool, CALLED))
    return Row(
        whose=side.name or _("Fortune"),
        words=pool_words(side.pool),
        detail=likely,
        marks=[Mark(performed)] if performed else (),
    )


class FortuneProcedure(FatesRules, ProcedureKind[Fates]):
    label = gettext_lazy("Fortune roll")
    forms: ClassVar = {OPEN: OpenFortuneForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        sides = {
            side: {name: given[f"{side}_{name}"] for name in ASKED}
            | {"push": pushed_by(context, given[f"{side}_push"], f"{side}_push")["push"]}
            for side in ("a", "b")
        }
        return {"a": sides["a"], "b": sides["b"] if given["opposed"] else None}

    def next_roll(self, state: Fates) -> NextRoll | None:
        if state.due is None:
            return None
        part, side = state.due
        ask = ForgedInput(
            kind=Kind.FORTUNE.value,
            trait=side.trait,
            advantages=side.advantages,
            disadvantages=side.disadvantages,
            note=side.name,
            more=side.more,
            more_from=side.why,
            **pushing(side.push),
        )
        return NextRoll(part=RollPart(part), ask=ask)

    def describe(self, state: Fates, buttons: Sequence[Button]) -> Values:
        """Return the card, which is only seen if a roll of it was voided."""
        return {
            "staged": Staged(above=_("Fortune roll"), rows=[_row(side) for _part, side in state.sides], acts=buttons)
        }

    def button_words(self, state: Fates, available: AvailableAct) -> str:
        return _("Roll again")

    def said(self, state: Fates, name: str, whom: str) -> str:
        """Return how two sides compare; a single roll says it all."""
        return stands(state) if name == ROLLED and state.ahead else ""


def pool_words(pool: Pool) -> str:
    """Return words such as "3 dice", "no dice: roll two, the lowest counts"."""
    if pool.lowest:
        return _("no dice: roll two, the lowest counts")
    return ngettext("{count} die", "{count} dice", pool.dice).format(count=pool.dice)


def odds_words(pool: Pool, called: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the chance of each result, as it is `called` by its code; what cannot come is left out."""
    return [
        {"look": RESULT_LOOKS[result], "words": called[result.name.lower()], "chance": percent(chance)}
        for result, chance in results(pool.dice).items()
        if chance
    ]
