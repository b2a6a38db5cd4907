"""What the state that somebody is in forbids in VI-VIII-X (rolls/rules/bars.py)."""

from __future__ import annotations

from typing import Final

from rolls.rules.bars import Bar

IMMOBILE: Final = Bar("arc_immobile", "an action under too much weight")
UNCONSCIOUS: Final = Bar("arc_unconscious", "a roll of the unconscious")
