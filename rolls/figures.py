"""What follows from a sheet by the rules, for those who read it: dice, movement, burden, Advances, attributes."""

from __future__ import annotations

from fractions import Fraction

from campaigns.models import Campaign
from characters.figures import Figure, register
from characters.sheets import arc, descriptors, forged
from characters.sheets.sheet import Values
from rolls.rules import arc as arc_rules
from rolls.rules.arc_body import Load, Size, load, movement
from rolls.rules.arc_settings import Settings as ArcSettings
from rolls.rules.arc_turn import actions_in_turn
from rolls.rules.descriptors_keys import XP_PER_ADVANCE
from rolls.settings import roll_settings

MINUS = "\N{MINUS SIGN}"
IMMOBILE = "cannot move or act"


def arc_figures(values: Values, campaign: Campaign) -> list[Figure]:
    """Movement, load and burden, and for each skill its die, adjustment and actions a turn (arc.txt, V.3, V.4, V.7)."""
    settings = roll_settings(campaign).arc
    body = arc.body(values)
    size = Size(body.size)
    borne = load(body.build, body.kilograms, clothing=body.clothing, size=size, settings=settings)
    moved = movement(body.control, size=size, burden=borne.burden, settings=settings)
    return [
        Figure("movement", "Movement", f"{_decimal(moved.metres)} m a turn"),
        Figure("loadt", "Load threshold", f"{_decimal(borne.loadt)} kg"),
        Figure("burden", "Burden", _burden(borne)),
        *(_skill(row["id"], row["name"], row["es"], settings) for row in arc.SHEET.rows(values, "skills")),
    ]


def descriptors_figures(values: Values, campaign: Campaign) -> list[Figure]:
    """Advances that can be spent, and XP towards the next (descriptors.txt, "Every 5 XP is an Advance")."""
    xp = descriptors.SHEET.number(values, "xp")
    earned, towards = divmod(xp, XP_PER_ADVANCE)
    left = earned - descriptors.SHEET.number(values, "advances_spent")
    return [
        Figure("advances", "Advances to spend", _signed(left) if left < 0 else str(left)),
        Figure("towards", "Towards the next", f"{towards} of {XP_PER_ADVANCE} XP"),
    ]


def forged_figures(values: Values, campaign: Campaign) -> list[Figure]:
    """The ratings of the attributes (forged.txt, Resistance Roll)."""
    return [Figure(name, name.capitalize(), str(forged.attribute(values, name))) for name in forged.ACTIONS]


def register_all() -> None:
    register(arc.SHEET.name, arc_figures)
    register(descriptors.SHEET.name, descriptors_figures)
    register(forged.SHEET.name, forged_figures)


def _skill(row_id: str, name: str, es: int, settings: ArcSettings) -> Figure:
    core = arc_rules.core_row(es, settings)
    actions = actions_in_turn([es], settings)
    times = "1 action" if actions == 1 else f"{actions} actions"
    words = f"d{core.die.sides}, {_signed(core.lowest)} to {_signed(core.highest)}, {times} a turn"
    return Figure(f"skills/{row_id}", name, words)


def _burden(borne: Load) -> str:
    """ "heavy: 40 of 54 kg"."""
    if not borne.may_act:
        return f"{IMMOBILE}: {_decimal(borne.weight)} kg, no more than {_decimal(borne.bearable)} can be borne"
    return f"{borne.burden}: {_decimal(borne.weight)} of {_decimal(borne.maximum)} kg"


def _decimal(number: Fraction) -> str:
    """To three decimals at most, without needless ones."""
    return f"{float(number):.3f}".rstrip("0").rstrip(".")


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "0"
