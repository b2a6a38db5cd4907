"""Fields for what people write. They say what is wrong with a text instead of quietly changing it."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

MAX_LINE = 120
MAX_TEXT = 10_000

# Control characters other than newline and tab; halves of characters, which no database takes; and the marks that
# turn the direction of all that follows, with which a name could rewrite the line it stands in.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029]")


def clean_text(text: str, *, limit: int = MAX_TEXT) -> str:
    """The text with plain line ends and without space around it; "" if nothing in it could be seen.

    Raises ValidationError for more than `limit` characters and for characters that cannot be shown.
    """
    text = _BREAKS.sub("\n", text).strip()
    if found := FORBIDDEN.search(text):
        raise ValidationError(
            f"There is a character in it that cannot be shown (U+{ord(found[0]):04X}). Delete it and try again.",
            code="control",
        )
    if len(text) > limit:
        raise ValidationError(
            f"This is {len(text):,} characters long; {limit:,} is the most that fits.", code="max_length"
        )
    return text if any(letter.isprintable() and not letter.isspace() for letter in text) else ""


class TextField(forms.CharField):
    """Text of many lines, up to 10,000 characters unless `max_length` says otherwise."""

    widget: type[forms.Widget] = forms.Textarea

    def __init__(self, *, max_length: int = MAX_TEXT, **kwargs: Any) -> None:
        # Django's own length check would count the browser's two-character line ends.
        super().__init__(**{"strip": False, **kwargs})
        self.limit = max_length
        self.validators = []
        self.widget.attrs.setdefault("maxlength", str(max_length))

    def to_python(self, value: Any) -> str:
        return clean_text(super().to_python(value) or "", limit=self.limit)


class LineField(TextField):
    """Text of one line, up to 120 characters unless `max_length` says otherwise."""

    widget = forms.TextInput

    def __init__(self, *, max_length: int = MAX_LINE, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        if "\n" in text or "\t" in text:
            raise ValidationError("This has to fit on one line.", code="one_line")
        return text
