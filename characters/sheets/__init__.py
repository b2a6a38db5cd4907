"""The sheets of the rulesets, as plain Python: their fields, what these may hold, and what they give a roll.

`sheet.py` reads and writes values, `fields.py` has the kinds of fields. A ruleset has one sheet for its characters, and
one for its crews if it has them: a group's sheet, which belongs to everyone.
"""

from __future__ import annotations

from collections.abc import Iterable

from characters.sheets.sheet import Sheet

SHEETS: dict[str, Sheet] = {}
"""Every sheet by its name: a character's has that of its ruleset."""


def register(sheets: Iterable[Sheet]) -> None:
    """Know these sheets and no others. Nothing here needs Django, so tools may call it as well."""
    SHEETS.clear()
    SHEETS.update((sheet.name, sheet) for sheet in sheets)


def sheet_of(ruleset: str, *, is_crew: bool = False) -> Sheet:
    """Return the sheet of a ruleset's characters or crews. One whose ruleset is not installed has no fields; its values stay
    kept."""
    sheet = crew_sheet(ruleset) if is_crew else SHEETS.get(ruleset)
    return sheet or Sheet(ruleset, ())


def crew_sheet(ruleset: str) -> Sheet | None:
    """Return the ruleset's sheet for crews; None if it has none."""
    return next((sheet for sheet in SHEETS.values() if sheet.crew_of == ruleset), None)


def with_crews(rulesets: Iterable[str]) -> list[str]:
    """Return those of some rulesets that have crews."""
    return [name for name in rulesets if crew_sheet(name)]
