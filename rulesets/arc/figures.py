"""What follows from a VI-VIII-X sheet by the rules: movement, load, burden, and what each skill's die gives."""

from __future__ import annotations

from fractions import Fraction

from campaigns.models import Campaign
from characters.figures import Figure
from characters.sheets.sheet import Values
from rolls.settings import roll_settings
from rulesets.arc import sheet as arc
from rulesets.arc.rules.body import Load, Size, load, movement
from rulesets.arc.rules.check import core_row
from rulesets.arc.rules.turn import actions_in_turn
from rulesets.arc.settings import Settings

MINUS = "\N{MINUS SIGN}"
IMMOBILE = "cannot move or act"


def figures(values: Values, campaign: Campaign) -> list[Figure]:
    """Movement, load and burden, and for each skill its die, adjustment and actions a turn (arc.txt, V.3, V.4, V.7)."""
    settings = roll_settings(campaign).of(Settings)
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


def _skill(row_id: str, name: str, es: int, settings: Settings) -> Figure:
    core = core_row(es, settings)
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
