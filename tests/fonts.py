"""Which characters a font has, read from its WOFF2 file: https://www.w3.org/TR/WOFF2/ and OpenType's table `cmap`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from struct import unpack_from

import brotli

HEADER = 48  # bytes
CMAP, GLYF, LOCA, OTHER_TAG = 0, 10, 11, 63
"""The codes of the tags of tables."""


def characters(font: Path) -> set[str]:
    """Return all characters that this font has a glyph for."""
    data = font.read_bytes()
    assert data[:4] == b"wOF2", font
    tables, at = _directory(data)
    packed = unpack_from(">I", data, 20)[0]
    whole = brotli.decompress(data[at : at + packed])
    start, length = tables[CMAP]
    return {chr(code) for code in _codes(whole[start : start + length])}


def _directory(data: bytes) -> tuple[dict[int, tuple[int, int]], int]:
    """Return where each table begins in the packed data, and its length there; and where that data begins in the file."""
    tables: dict[int, tuple[int, int]] = {}
    at, begins = HEADER, 0
    for _ in range(unpack_from(">H", data, 12)[0]):
        flags = data[at]
        tag, version = flags & 63, flags >> 6
        at += 5 if tag == OTHER_TAG else 1
        length, at = _number(data, at)
        # Of these two, 0 is what all others call transformed.
        if version != (3 if tag in (GLYF, LOCA) else 0):
            length, at = _number(data, at)
        tables[tag] = (begins, length)
        begins += length
    return tables, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a UIntBase128, and the position after it."""
    number = 0
    while True:
        number = number << 7 | data[at] & 127
        at += 1
        if data[at - 1] < 128:
            return number, at


def _codes(cmap: bytes) -> Iterator[int]:
    for record in range(unpack_from(">H", cmap, 2)[0]):
        offset = unpack_from(">I", cmap, 4 + 8 * record + 4)[0]
        kind = unpack_from(">H", cmap, offset)[0]
        if kind == 12:
            for group in range(unpack_from(">I", cmap, offset + 12)[0]):
                first, last, _ = unpack_from(">III", cmap, offset + 16 + 12 * group)
                yield from range(first, last + 1)
        elif kind == 4:
            # Segments; the last one ends the table and names no character.
            count = unpack_from(">H", cmap, offset + 6)[0] // 2
            ends = unpack_from(f">{count}H", cmap, offset + 14)
            starts = unpack_from(f">{count}H", cmap, offset + 16 + 2 * count)
            for first, last in zip(starts[:-1], ends[:-1], strict=True):
                yield from range(first, last + 1)
