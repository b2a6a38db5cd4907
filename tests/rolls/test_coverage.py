"""Of each rule of a game it is said where it is played, and what is said is so."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from rolls.guide import pages as guide
from rolls.guide.content import How
from rolls.guide.pages import FILE, coverage

COVERED = [
    (f"{system.slug}, {section.title}: {rule.says}", rule)
    for system in guide.guide()
    for section in system.coverage
    for rule in section.rules
]
ROW = """
[[rule]]
section = "Will"
says = "Will is paid."
how = "{how}"
where = "{where}"
"""


@cache
def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_rule_says_in_a_sentence_what_it_is_and_where_it_is_played():
    for name, rule in COVERED:
        assert rule.says.endswith(".") and rule.where, name
        assert rule.test or rule.how is not How.TABLE, f"{name} what is played at the table has a test"


def test_the_tests_of_rules_are_there():
    for name, rule in COVERED:
        if rule.test:
            path, _, test = rule.test.partition("::")
            file = Path(settings.BASE_DIR) / path
            assert path.startswith("tests/") and file.is_file(), name
            assert test in functions(file), name


def test_what_cannot_be_is_refused(tmp_path):
    assert coverage(tmp_path / "guide.toml") == ()
    for how, where in (("by hand", "Nowhere"), ("decision", "descriptors.no_such"), ("decision", "nosuch.will")):
        (tmp_path / FILE).write_text(ROW.format(how=how, where=where))
        with pytest.raises((ValueError, AttributeError, KeyError)):
            coverage(tmp_path / "guide.toml")
    (tmp_path / FILE).write_text(ROW.format(how="decision", where="descriptors.start_will"))
    ((row,),) = [section.rules for section in coverage(tmp_path / "guide.toml")]
    assert (row.setting.default, row.how) == ("9", How.DECISION)
