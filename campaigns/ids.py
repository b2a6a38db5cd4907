"""Ids as somebody has sent them."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid

NO_SUCH = "Choose one from the list."


def sent_id(text: object, field: str | None = None) -> UUID:
    """The id that was sent as `text`. Raises Invalid at the field for what is none; there may be no such thing."""
    sent = id_or_none(text)
    if sent is None:
        raise Invalid(NO_SUCH, field=field)
    return sent


def id_or_none(text: object) -> UUID | None:
    """The same where what is no id counts as nothing, or as nothing that there is."""
    try:
        return UUID(str(text))
    except ValueError:
        return None
