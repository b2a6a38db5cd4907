"""Fields for what people write and choose. They report errors in a text instead of quietly changing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from campaigns import text as text_rules
from campaigns.errors import InvalidForm
from campaigns.text import MAX_LINE, MAX_TEXT, TextError

F = TypeVar("F", bound=forms.BaseForm)


def clean_text(text: str, *, limit: int = MAX_TEXT) -> str:
    """Clean a text as campaigns.text does. Raises ValidationError for a text that it refuses."""
    with _told():
        return text_rules.clean_text(text, limit)


@contextmanager
def _told() -> Iterator[None]:
    """Raise a TextError inside as a ValidationError for the form."""
    try:
        yield
    except TextError as wrong:
        message = str(wrong)
        raise ValidationError(message[:1].upper() + message[1:], code=wrong.code) from None


class TextField(forms.CharField):
    """Text of many lines, up to 10,000 characters unless `max_length` says otherwise."""

    widget: type[forms.Widget] = forms.Textarea
    explained: Sequence[tuple[str, str]] = ()
    """Suggestions, each with a line about it."""

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
        with _told():
            return text_rules.check_line(super().to_python(value))


class QuickSelect(forms.Select):
    """A select that is drawn at once. Django draws it by three templates for each option, which took half of a page with many
    filters."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        widget = self.get_context(name, value, attrs)["widget"]
        groups = format_html_join("", "{}", ((_group(label, options),) for label, options, _ in widget["optgroups"]))
        return format_html('<select name="{}"{}>{}</select>', widget["name"], flatatt(widget["attrs"]), groups)


def _group(label: str | None, options: list[dict[str, Any]]) -> SafeString:
    drawn = format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((option["value"], flatatt(option["attrs"]), option["label"]) for option in options),
    )
    return format_html('<optgroup label="{}">{}</optgroup>', label, drawn) if label else drawn


def valid(form: F) -> F:
    """Return a form that is filled in as it has to be. Raises InvalidForm."""
    if not form.is_valid():
        raise InvalidForm.by_form(form)
    return form
