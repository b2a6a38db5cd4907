"""Errors that a service raises when it refuses. The middleware turns each into an answer with the right status; nothing is
changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm

from languages.text import gettext as _
from languages.text import ngettext

T = TypeVar("T")


class ServiceError(Exception):
    """An operation was refused.

    `message` is for the person who tried, and says what to do; `field` names the form field at fault, if one is.
    """

    status = 422

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(str(message))
        self.message = str(message)
        self.field = field
        self.errors: Mapping[str, Sequence[str]] = {field or "": [self.message]}


class Invalid(ServiceError):
    """The input cannot be used as it is (422)."""


class InvalidForm(ServiceError):
    """What was sent cannot be used (422). `errors` maps fields to their messages, "" to those of no field."""

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        super().__init__(next((message for messages in errors.values() for message in messages), ""))
        self.errors = errors

    @classmethod
    def by_form(cls, form: BaseForm) -> InvalidForm:
        """Return the error with all messages of a form."""
        errors = {name: [str(message) for message in messages] for name, messages in form.errors.items()}
        return cls({"" if name == NON_FIELD_ERRORS else name: messages for name, messages in errors.items()})

    @classmethod
    def unknown(cls, names: Iterable[str]) -> InvalidForm:
        """Return the error for fields that there are not."""
        return cls({name: [_("There is no such field.")] for name in sorted(names)})


class Conflict(ServiceError):
    """Somebody else changed the value first (409). `current` is its value now, `by` the name of who wrote it."""

    status = 409

    def __init__(self, message: str, *, field: str | None = None, current: object = None, by: str = "") -> None:
        super().__init__(message, field=field)
        self.current = current
        self.by = by


class Blocked(ServiceError):
    """The operation is valid, but others have to do something first (409).

    `anyway` is the name and value with which the same form does it all the same; None if the person may not.
    """

    status = 409

    def __init__(self, message: str, *, field: str | None = None, anyway: tuple[str, str] | None = None) -> None:
        super().__init__(message, field=field)
        self.anyway = anyway


class Forbidden(ServiceError):
    """A member whose role does not allow it (403)."""

    status = 403


class NotFound(ServiceError):
    """Nothing here for this person: foreign, gone and never made answer alike (404)."""

    status = 404

    def __init__(self, message: str = "") -> None:
        super().__init__(message or _("There’s nothing here."))


def existing(row: T | None) -> T:
    """Return what was looked up. Raises NotFound if there is nothing."""
    if row is None:
        raise NotFound
    return row


class Gone(ServiceError):
    """It was here once and is no more (410): an invitation that has done its work."""

    status = 410


class RateLimited(ServiceError):
    """Too many operations in a short time (429). `retry_after` is in seconds."""

    status = 429

    def __init__(self, retry_after: int, message: str = "") -> None:
        words = ngettext(
            "That was a lot at once. Try again in {seconds} second.",
            "That was a lot at once. Try again in {seconds} seconds.",
            retry_after,
        )
        super().__init__(message or words.format(seconds=retry_after))
        self.retry_after = retry_after
