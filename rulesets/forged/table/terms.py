"""What a forged roll keeps of what was asked, whichever of the three kinds it is."""

from __future__ import annotations

from characters.models import Character
from rolls.rules.errors import word
from rolls.table_rules import Terms
from rulesets.forged.settings import Settings
from rulesets.forged.table import action, fortune, resistance
from rulesets.forged.table.ask import Kind, RollInput, refused_at


def terms_of(character: Character | None, ask: RollInput, settings: Settings) -> Terms:
    """Everything that reading the dice needs; who helps is not in it yet. Raises Invalid."""
    with refused_at():
        kind = word("kind", ask.kind, Kind)
    if kind is Kind.ACTION:
        kept = action.terms(character, ask, settings)
    elif kind is Kind.RESISTANCE:
        kept = resistance.terms(character, ask)
    else:
        kept = fortune.terms(ask)
    return kept | {"kind": kind.value}
