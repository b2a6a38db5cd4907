"""The ids of rows that are made with their sheet: each says which in its list it was, so that a fault finds its way back."""

from __future__ import annotations

from uuid import UUID


def row_id(number: int, key: UUID) -> str:
    """The id of row `number`, 0 to 255, of a sheet made under `key`: 32 hex digits."""
    return f"{number:02x}{key.hex[2:]}"


def number_of(row: str) -> int:
    """Which row has this id."""
    return int(row[:2], 16)
