"""Request bodies: JSON within limits, and the pages' forms filled in with it.

A route takes what the page's own form takes, under the same names, and the form checks it: so a ruleset's roll, or a
step of its procedure, works in the API without further code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from django import forms
from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils import translation
from django.utils.translation import gettext_lazy
from ninja.parser import Parser

from campaigns.errors import InvalidForm
from campaigns.forms.fields import valid
from campaigns.forms.play import MemberField, MembersField
from rolls.forms.base import FacesField

ZERO: Final = "\\u0000"

ONE_VALUE: Final = gettext_lazy("Send one value here: text, a number, true or false.")

Fields: TypeAlias = dict[str, Any]
"""The fields of a form, by name."""
F = TypeVar("F", bound=forms.Form)


class BoundedParser(Parser):
    """Reads a JSON body, and refuses (ValueError, RecursionError) invalid ones and characters that no database stores.
    ApiMiddleware has checked its length.
    """

    def parse_body(self, request: HttpRequest) -> Any:
        read = json.loads(request.body)
        text = json.dumps(read, ensure_ascii=False)
        # Neither half a character nor a zero one.
        text.encode()
        if ZERO in text:
            raise ValueError(ZERO)
        return read


def filled(form: type[F] | Callable[[QueryDict], F], given: Fields, *, also: Iterable[str] = ()) -> F:
    """Return a form, filled in and valid. `also` are names of fields for another form.

    Raises InvalidForm with all errors by field: unknown fields, impossible values, and the form's own errors.
    """
    bound = form(QueryDict(mutable=True))
    errors = dict(InvalidForm.unknown(given.keys() - {*bound.fields, *also}).errors)
    typed = QueryDict(mutable=True)
    for name in bound.fields.keys() & given.keys():
        try:
            typed.setlist(name, _by_id(bound.fields[name], _as_typed(bound.fields[name], given[name])))
        except ValueError as error:
            errors[name] = [str(error)]
    if errors:
        raise InvalidForm(errors)
    return valid(form(typed))


def names_of(*kinds: type[forms.Form]) -> list[str]:
    """Return the names of the fields of these forms."""
    return [name for kind in kinds for name in kind.base_fields]


def _as_typed(field: forms.Field, value: Any) -> list[str]:
    """Return what a browser would send for a value. Raises ValueError for values that no field takes."""
    if value is None or value is False:
        return []
    if isinstance(value, list):
        words = [_word(item) for item in value]
        if isinstance(field, FacesField):
            return [" ".join(words)]
        if not isinstance(field, (forms.MultipleChoiceField, forms.ModelMultipleChoiceField)):
            raise ValueError(ONE_VALUE)
        return words
    return [_word(value)]


def _by_id(field: forms.Field, words: list[str]) -> list[str]:
    """Return members, whom programs name by their numbers, as forms have them."""
    if not isinstance(field, MemberField | MembersField):
        return words
    known = {str(member.number): str(member.pk) for member in field.queryset or ()}
    return [known.get(word, word if word not in known.values() else "0") for word in words]


def _word(value: Any) -> str:
    if isinstance(value, (dict, list)) or value is None:
        raise ValueError(ONE_VALUE)
    return "on" if value is True else str(value)


KINDS: Final[Mapping[type[forms.Field], Mapping[str, Any]]] = {
    forms.BooleanField: {"type": "boolean"},
    forms.IntegerField: {"type": "integer"},
    forms.UUIDField: {"type": "string", "format": "uuid"},
    forms.DateField: {"type": "string", "format": "date"},
    FacesField: {"type": "array", "items": {"type": "integer"}},
}


def form_schema(*kinds: type[forms.Form], title: str = "", only: Iterable[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of an object that fills in some forms. It is part of the document, which is in English."""
    fields = {name: field for kind in kinds for name, field in kind.base_fields.items() if not only or name in only}
    required = [name for name, field in fields.items() if field.required]
    with translation.override(settings.LANGUAGE_CODE):
        properties = {name: _field_schema(field) for name, field in fields.items()}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return schema | ({"title": title} if title else {}) | ({"required": required} if required else {})


def _field_schema(field: forms.Field) -> dict[str, Any]:
    schema = dict(next((known for kind, known in KINDS.items() if isinstance(field, kind)), {"type": "string"}))
    if isinstance(field, forms.IntegerField):
        schema |= {"minimum": field.min_value} if field.min_value is not None else {}
        schema |= {"maximum": field.max_value} if field.max_value is not None else {}
    if isinstance(field, forms.ChoiceField):
        chosen = [str(value) for value, words in _flat(field.choices)]
        schema |= {"enum": chosen} if chosen else {}
        if isinstance(field, forms.MultipleChoiceField):
            schema = {"type": "array", "items": schema}
    if longest := getattr(field, "max_length", None):
        schema |= {"maxLength": longest} if schema["type"] == "string" else {}
    words = " ".join(str(said) for said in (field.label, field.help_text) if said)
    return schema | ({"description": words} if words else {})


def _flat(choices: Any) -> Iterable[tuple[Any, Any]]:
    """Choices without their groups."""
    for value, words in choices:
        if isinstance(words, (list, tuple)):
            yield from _flat(words)
        else:
            yield value, words
