"""What may be written on a sheet: the same as in the forms of the pages."""

from __future__ import annotations

from campaigns import text as text_rules
from campaigns.text import MAX_LINE, MAX_TEXT


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """The text with plain line ends and without space around it; "" if nothing in it could be seen. Raises TextError."""
    # Twice the limit leaves room for the browser's two-character line ends; what is longer is not even looked through.
    text_rules.check_length(text, 2 * limit + 100, limit=limit)
    return text_rules.clean_text(text, limit)


def clean_line(text: str, limit: int = MAX_LINE) -> str:
    """The same for what has to fit on one line. Raises TextError."""
    return text_rules.check_line(clean_text(text, limit))
