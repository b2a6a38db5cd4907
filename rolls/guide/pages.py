"""The rules as built, told in our words: what the pages under /rules/ show.

The TOML file of a ruleset holds the texts; its tables are sections, and theirs are rules. Figures that the rules know come from
the rules: tables and worked rolls from the ruleset's Guide, the defaults of settings from `decided.py`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from rolls.guide.content import Contradiction, Mark, Rule, Section, System, Table
from rolls.guide.coverage import coverage
from rolls.guide.decided import setting
from rolls.registry import all_rules
from rolls.ruleset import Rules, Ruleset

CREATION = "creation"
"""The name of the table of what new characters are made of, which every ruleset with a budget has."""


@cache
def guide() -> tuple[System, ...]:
    """All systems, read once in the life of a process."""
    return tuple(system_of(rules) for rules in all_rules())


def system(slug: str) -> System | None:
    """The system of this name, None if there is none."""
    return next((found for found in guide() if found.slug == slug), None)


def system_of(of: Rules) -> System:
    """Read what a ruleset or an add-on tells of itself. Raises KeyError for a table, a setting or a rule that there is not."""
    told = tomllib.loads(of.guide.read_text(encoding="utf-8"))
    sections = tuple(_section(of, key, value) for key, value in told.items() if isinstance(value, dict))
    rules = {rule.id: rule for section in sections for rule in section.rules}
    contradictions = tuple(
        Contradiction(one["says"], one["source"], one["reading"], rules[one["rule"]] if "rule" in one else None)
        for one in told.get("contradictions", ())
    )
    first_evening = tuple((one["title"], one["text"]) for one in told.get("first_evening", ()))
    covered = coverage(of.guide)
    return System(of.name, told["name"], told["summary"], sections, contradictions, covered, first_evening)


def _section(of: Rules, key: str, told: dict[str, Any]) -> Section:
    rules = tuple(_rule(of, f"{key}-{name}", value) for name, value in told.items() if isinstance(value, dict))
    return Section(key, told["title"], rules)


def _rule(of: Rules, key: str, told: dict[str, Any]) -> Rule:
    return Rule(
        id=key,
        title=told["title"],
        text=told["text"],
        mark=Mark(told["mark"]),
        source=told.get("source", ""),
        setting=setting(told["setting"]) if "setting" in told else None,
        table=_table(of, told["table"]) if "table" in told else None,
        examples=tuple(of.guide_example(**one) for one in told.get("examples", ())),
    )


def _table(of: Rules, name: str) -> Table:
    if name == CREATION and isinstance(of, Ruleset) and of.budget:
        budget = of.budget()
        rows = tuple((setting.words, str(getattr(budget, name))) for name, setting in budget.settings().items())
        return Table("What there is to spend", ("What", "Figure"), rows)
    return of.guide_tables[name]()
