"""Acts of procedures by what is typed for them, for tests of their rules."""

from __future__ import annotations

from typing import Any

from rules.acts import Actor, AvailableAct, Target
from rules.effects import StepResult
from rules.procedures import Act, ProcedureRules


def for_whom(whom: Any = "") -> Target:
    """Return the target of an act for this one; "" for nothing, a tuple for several parts."""
    return whom if isinstance(whom, tuple) else (whom,) if whom else ()


def available(name: str, whom: Any = "") -> AvailableAct:
    return AvailableAct(name, for_whom(whom))


def take(
    rules: ProcedureRules[Any], state: Any, by: Actor, name: str, whom: Any = "", /, **step: Any
) -> StepResult[Any]:
    """Take a step by the rules, whoever may do that. `step` are further fields of the Act."""
    return rules.take(state, Act(name=name, by=by, target=for_whom(whom), **step))
