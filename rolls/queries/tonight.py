"""First evenings that rulesets bring, ready to play: tonight.toml beside guide.toml (docs/rulesets.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rolls.queries.guide import book_at
from rolls.registry import RULESETS
from rolls.ruleset import Ruleset

WORDS: Final = {"name", "pitch", "title", "words", "alt", "concept"} | {
    # of sheets
    *("description", "gm_notes", "morality", "heritage", "background", "look", "vice_purveyor")
}
"""The keys of an evening that are translated; all others are only in its English file."""


PARTS: Final = {"name", "pitch", "scene", "handout", "clocks", "storylines", "characters", "npcs"}


def evening_of(rules: Ruleset) -> Mapping[str, Any] | None:
    """Return a ruleset's first evening in the active language, None if it brings none. Raises ValueError for a file that cannot
    be read, or a translation that does not fit.
    """
    return book_at(rules.tonight, WORDS) if rules.tonight.exists() else None


def evenings() -> dict[str, Mapping[str, Any]]:
    """Return the first evenings by their rulesets."""
    return {name: evening for name, rules in RULESETS.items() if (evening := evening_of(rules))}
