"""A stored procedure as its rules know it."""

from __future__ import annotations

from rolls.models import Procedure
from rolls.queries.table import standing_of
from rolls.registry import RULESETS
from rules.acting import Standing


def state_for(procedure: Procedure, *, is_gm: bool = True) -> Standing:
    """Return a procedure on the table that GMs see, or that players may know."""
    return standing_of(procedure, RULESETS[procedure.system].procedures[procedure.kind], is_gm=is_gm)
