"""What somebody saw of a row when they pressed a button, told by what stood in each of its columns."""

from __future__ import annotations

from collections.abc import Mapping

from campaigns.services.compare_and_set import version
from characters.models import Character
from characters.sheets.fields import SheetError


def row_as_seen(character: Character, rows: str, row_id: str, said: Mapping[str, str]) -> str:
    """The version of a row in which these columns say what somebody `said` to have seen there: for the `seen` of `remove_row`.

    What no column holds is the version of no row. "" where there is no such row, which is for `remove_row` to refuse.
    """
    try:
        kind, row = character.rules.rows_called(rows), character.rules.row(character.values, rows, row_id)
        seen = {column.name: column.clean(said.get(column.name, "")) for column in kind.columns}
    except SheetError:
        return ""
    return version({**row, **seen})
