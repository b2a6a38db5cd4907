"""What a campaign may decide has an effect: a setting that nothing at the table reads is worse than none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings

from rolls.settings import groups
from rulesets.discovery import plugins

ROOT = Path(settings.BASE_DIR)
PLUGINS = tuple(plugins().values())
RULES = re.compile(
    "|".join(
        [
            r"(rules|scale\.(rules|odds))\b",
            *(rf"{app}\.(rules|odds|settings)\b" for app in (r"rulesets\.\w+", *PLUGINS)),
        ]
    )
)
TOLD_OR_DECIDED = (
    "rolls.guide",
    "rolls.settings",
    "rolls.services.settings",
    "rolls.forms.settings",
)
"""They show every setting, or keep it; neither is an effect. Nor is a ruleset's own guide."""

Unit = tuple[str, str]
"""A module of the rules and a function or class in it."""


@dataclass
class Known:
    """What a module imports of the rules: units by the name they have there, modules by theirs."""

    units: dict[str, Unit] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def trees() -> dict[str, ast.Module]:
    found = {}
    apps = [(ROOT, ROOT / app) for app in ("config", "campaigns", "characters", "rolls", "rules", "rulesets", "scale")]
    plugged = [Path(str(find_spec(app).origin)).parent for app in PLUGINS]
    for root, app in (*apps, *((path.parent, path) for path in plugged)):
        for path in app.rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            if "migrations" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def known_in(tree: ast.Module, rules: set[str]) -> Known:
    known = Known()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.startswith(("rolls", "rules", "rulesets", "scale", *PLUGINS))
        ):
            for name in node.names:
                if not RULES.match(node.module) and f"{node.module}.{name.name}" not in rules:
                    continue
                here = name.asname or name.name
                if f"{node.module}.{name.name}" in rules:
                    known.modules[here] = f"{node.module}.{name.name}"
                else:
                    known.units[here] = (node.module, name.name)
    return known


def used(node: ast.AST, module: str, known: Known) -> Iterator[Unit]:
    """Yield the units that this piece of code names, its own module's included."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield known.units.get(part.id, (module, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in known.modules:
            yield known.modules[part.value.id], part.attr


def reads(node: ast.AST) -> set[str]:
    return {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def read_at_the_table() -> set[str]:
    """Return every attribute that is read outside the rules, or in those parts of the rules that are used from there."""
    code = trees()
    rules = {name for name in code if RULES.match(name)}
    known = {name: known_in(tree, rules) for name, tree in code.items()}
    units = {
        (name, part.name): part
        for name in rules
        for part in code[name].body
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)) and part.name != "Settings"
    }
    found, waiting, reached = set(), [], set()
    for name in code.keys() - rules:
        if not name.startswith(TOLD_OR_DECIDED) and ".guide_" not in name:
            found |= reads(code[name])
            waiting += used(code[name], name, known[name])
    while waiting:
        unit = waiting.pop()
        if unit in units and unit not in reached:
            reached.add(unit)
            found |= reads(units[unit])
            waiting += used(units[unit], unit[0], known[unit[0]])
    return found


@pytest.fixture(scope="module")
def read() -> set[str]:
    return read_at_the_table()


@pytest.mark.parametrize("group", groups())
def test_every_setting_is_read_by_what_is_played_with(read, group):
    assert groups()[group].model_fields.keys() - read == set()


def test_a_rule_that_no_page_reaches_counts_for_nothing(read):
    assert "no_such_setting" not in read
    assert "spent_this_turn" not in read  # of a function of the rules that pages have no use for
