"""What may be written on a sheet. The same as in the forms of the pages, which the sheets, being plain Python, cannot ask."""

from __future__ import annotations

import re

LONGEST_LINE = 120
LONGEST_TEXT = 10_000

# Control characters other than newline and tab; halves of characters, which no database takes; and the marks that
# turn the direction of all that follows, with which a name could rewrite the line it stands in.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029]")


class TextError(ValueError):
    """What is wrong with a text, as a sentence."""


def clean_text(text: str, limit: int = LONGEST_TEXT) -> str:
    """The text with plain line ends and without space around it; "" if nothing in it could be seen. Raises TextError."""
    # Twice the limit leaves room for the browser's two-character line ends; what is longer is not even looked through.
    if len(text) > 2 * limit + 100:
        raise TextError(f"this is {len(text):,} characters long; {limit:,} is the most that fits.")
    text = _BREAKS.sub("\n", text).strip()
    if found := _FORBIDDEN.search(text):
        raise TextError(f"there is a character in it that cannot be shown (U+{ord(found[0]):04X}).")
    if len(text) > limit:
        raise TextError(f"this is {len(text):,} characters long; {limit:,} is the most that fits.")
    return text if any(letter.isprintable() and not letter.isspace() for letter in text) else ""


def clean_line(text: str, limit: int = LONGEST_LINE) -> str:
    """The same for what has to fit on one line. Raises TextError."""
    text = clean_text(text, limit)
    if "\n" in text or "\t" in text:
        raise TextError("this has to fit on one line.")
    return text
