"""The rules as built, told in our words: what the pages under /rules/ show.

`<system>.toml` holds the texts; its tables are sections, and theirs are rules. Figures that the rules know come from the rules:
tables from `tables.py`, worked rolls from `examples.py`, the defaults of settings from `decided.py`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from rolls.guide.content import Contradiction, Mark, Rule, Section, System
from rolls.guide.decided import setting
from rolls.guide.examples import example
from rolls.guide.tables import TABLES

SYSTEMS: Final = ("scale", "storyteller", "descriptors", "arc", "forged")


@cache
def guide() -> tuple[System, ...]:
    """All systems, read once in the life of a process."""
    return tuple(_system(slug) for slug in SYSTEMS)


def system(slug: str) -> System | None:
    """The system of this name, None if there is none."""
    return next((found for found in guide() if found.slug == slug), None)


def _system(slug: str) -> System:
    told = tomllib.loads((Path(__file__).parent / f"{slug}.toml").read_text(encoding="utf-8"))
    sections = tuple(_section(key, value) for key, value in told.items() if isinstance(value, dict))
    rules = {rule.id: rule for section in sections for rule in section.rules}
    contradictions = tuple(
        Contradiction(one["says"], one["source"], one["reading"], rules[one["rule"]] if "rule" in one else None)
        for one in told["contradictions"]
    )
    return System(slug, told["name"], told["summary"], sections, contradictions)


def _section(key: str, told: dict[str, Any]) -> Section:
    rules = tuple(_rule(f"{key}-{name}", value) for name, value in told.items() if isinstance(value, dict))
    return Section(key, told["title"], rules)


def _rule(key: str, told: dict[str, Any]) -> Rule:
    return Rule(
        id=key,
        title=told["title"],
        text=told["text"],
        mark=Mark(told["mark"]),
        source=told.get("source", ""),
        setting=setting(told["setting"]) if "setting" in told else None,
        table=TABLES[told["table"]]() if "table" in told else None,
        examples=tuple(example(**one) for one in told.get("examples", ())),
    )
