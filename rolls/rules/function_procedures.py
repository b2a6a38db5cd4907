"""The values of procedures that are still made of functions, until each is a class (rolls/function_procedures.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from rolls.rules.procedures import Snapshot, Values
from rolls.rules.states import stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    name: str
    whom: str = ""
    values: Values = field(default_factory=dict)
    override: bool = False
    seen: Snapshot | None = None


@dataclass(frozen=True, slots=True, order=True)
class AvailableAct:
    name: str
    whom: str = ""
    terms: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def mark(self) -> str:
        return sha256(json.dumps(stored(self.terms)).encode()).hexdigest()[:10] if self.terms else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    part: str
    terms: Mapping[str, Any]
    character: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    part: str
    outcome: Mapping[str, Any]
    terms: Mapping[str, Any] = field(default_factory=dict)
