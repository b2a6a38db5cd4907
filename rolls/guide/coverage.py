"""Where each rule of a game is played: `coverage.toml` beside its guide.toml, drawn on the game's page under /rules/.

    [[rule]]
    section = "Will"
    says = "An assist costs the helper a point."         # in our own words
    how = "table"                                        # or "decision", "story"
    where = "The contest's chips"                        # of a decision the setting's name, if it is one
    test = "tests/rulesets/<game>/rules/test_pool.py::test_…"   # of what is played at the table

Every sentence of the source text has its row, so that nothing is left to be done by hand that the rules decide. Rows of one
section stand together.
"""

from __future__ import annotations

import re
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from rolls.guide.content import Covered, CoveredSection, How
from rolls.guide.decided import setting

FILE: Final = "coverage.toml"
SETTING: Final = re.compile(r"[a-z_]+\.[a-z0-9_]+")
"""How a `where` looks that names a setting."""


def coverage(guide: Path) -> tuple[CoveredSection, ...]:
    """What stands beside this guide.toml, by its sections in their order; nothing where there is no such file.

    Raises KeyError, ValueError or AttributeError for a rule without one of its fields, another `how`, and a setting that there
    is not.
    """
    path = guide.with_name(FILE)
    if not path.exists():
        return ()
    rules = tomllib.loads(path.read_text(encoding="utf-8"))["rule"]
    return tuple(
        CoveredSection(title, tuple(map(_covered, those)))
        for title, those in groupby(rules, key=lambda rule: str(rule["section"]))
    )


def _covered(rule: dict[str, Any]) -> Covered:
    where = rule["where"]
    chosen = setting(where) if SETTING.fullmatch(where) else None
    return Covered(says=rule["says"], how=How(rule["how"]), where=where, setting=chosen, test=rule.get("test", ""))
