"""Figures that follow from a VI-VIII-X sheet by the rules (state of mind, movement, burden, what each skill's die gives), and
what a change of it means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from campaigns.text import signed
from characters.figures import Figure, Figures, State, States
from characters.sheets.sheet import STATE, Values
from rolls.settings import roll_settings
from rulesets.arc import sheet as arc
from rulesets.arc.rules.body import Load
from rulesets.arc.rules.check import MIND, actions_in_turn, core_row
from rulesets.arc.settings import BURDEN_WORDS, Burden, Settings
from rulesets.arc.sheet import SHEET


def _skill(row_id: str, es: int, settings: Settings) -> Figure:
    core = core_row(es, settings)
    return Figure(f"skills/{row_id}", (core.die.sides, core.lowest, core.highest, actions_in_turn([es], settings)))


def _burden(borne: Load) -> tuple[str, str, str]:
    """Return the burden, the weight, and how much can be borne with it; "immobile" and the most that can be borne beyond that."""
    most = borne.maximum if borne.may_act else borne.bearable
    return str(borne.burden), decimal(borne.weight), decimal(most)


def decimal(number: Fraction) -> str:
    """Return a number with three decimals at most, without needless ones; `number_format` writes it as a language does."""
    return f"{float(number):.3f}".rstrip("0").rstrip(".")


def _burden_words(burden: str, weight: str, most: str) -> str:
    """Return words such as "Heavy burden: 40 of 54 kg"."""
    weight, most = number_format(weight), number_format(most)
    if burden == Burden.IMMOBILE:
        return _("can’t move or act: {weight} kg, more than {most} kg").format(weight=weight, most=most)
    return _("{burden}: {weight} of {most} kg").format(burden=BURDEN_WORDS[Burden(burden)], weight=weight, most=most)


class ArcFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return how they are, state of mind, movement, burden, and for each skill its die, adjustment and actions a turn
        (arc.txt, V.3, V.4, V.7).
        """
        settings = roll_settings(campaign).of(Settings)
        body = arc.body(values)
        borne = body.load(settings)
        som = arc.SHEET.number(values, "som")
        return [
            Figure(STATE, (som, bool(arc.SHEET.value(values, "unconscious")))),
            Figure("mind", (som,)),
            Figure("movement", (decimal(body.movement(settings).metres),)),
            Figure("loadt", (decimal(borne.loadt),)),
            Figure("burden", _burden(borne)),
            *(_skill(row["id"], row["es"], settings) for row in arc.SHEET.rows(values, "skills")),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == STATE:
            som, unconscious = map(int, figure.values)
            return "", _("Unconscious") if unconscious else capfirst(str(MIND[som - 1]))
        if figure.name == "mind":
            mind = int(figure.values[0])
            return _("State of mind"), f"{mind}: {MIND[mind - 1]}"
        if figure.name == "movement":
            return _("Movement"), _("{metres} m per turn").format(metres=number_format(figure.values[0]))
        if figure.name == "loadt":
            return _("Load threshold"), f"{number_format(figure.values[0])} kg"
        if figure.name == "burden":
            return _("Burden"), _burden_words(*map(str, figure.values))
        sides, lowest, highest, actions = (int(value) for value in figure.values)
        words = ngettext(
            "d{sides}, {lowest} to {highest}, {count} action per turn",
            "d{sides}, {lowest} to {highest}, {count} actions per turn",
            actions,
        )
        return "", words.format(sides=sides, lowest=signed(lowest), highest=signed(highest), count=actions)

    def bar(self, figure: Figure) -> tuple[str, int, int]:
        """Return the weight that is borne, out of the most that can be."""
        if figure.name != "burden":
            return "", 0, 0
        weight, most = (float(value) for value in figure.values[1:])
        return self.words(figure)[1], round(min(weight, most)), max(1, round(most))


class ArcStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        was, now = SHEET.number(before, "som"), SHEET.number(after, "som")
        at_an_end = {was, now} & {1, len(MIND)}
        mind = [State("mind", (was, now), ("som",))] if was != now and at_an_end else []
        was_awake, awake = (not SHEET.value(values, "unconscious") for values in (before, after))
        return mind if was_awake is awake else [*mind, State("awake" if awake else "unconscious", (), ("unconscious",))]

    def words(self, state: State) -> str:
        if state.code != "mind":
            return _("is awake again") if state.code == "awake" else _("is unconscious")
        was, now = map(int, state.values)
        words = _("is now {mind}, no longer {before}: state of mind {score}")
        return words.format(mind=MIND[now - 1], before=MIND[was - 1], score=now)
