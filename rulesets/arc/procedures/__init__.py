"""The procedures of VI-VIII-X, by their kinds."""

from __future__ import annotations

from typing import Any

from rolls.procedures import ProcedureKind
from rulesets.arc.procedures.check import CheckProcedure
from rulesets.arc.procedures.tracker import TrackerProcedure

PROCEDURES: dict[str, ProcedureKind[Any]] = {"check": CheckProcedure(), "tracker": TrackerProcedure()}
