"""The only place where an event becomes HTML: for a role, never for a person, so that one rendering serves every socket."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from django.db import DatabaseError
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns.kept_texts import kept
from campaigns.models import Event, Role
from languages.text import gettext_lazy

log = logging.getLogger(__name__)

KEPT = 8 * 2**20  # bytes of lines
UNDRAWN = gettext_lazy("This entry can’t be shown: its content isn’t what entries of its kind hold.")


def _drawn_from(event: Event, role: Role) -> object:
    """Return everything that a line is drawn from. Erased words are in no payload any more, so cached lines with them
    are not found.
    """
    later = [
        (amendment.kind, amendment.hash, amendment.stored.payload, [*_marks(amendment)])
        for amendment in event.amendments.all()
    ]
    pinned = getattr(event, "is_pinned", None)
    own = (
        event.kind,
        event.uid,
        event.hash,
        event.at,
        event.session_id,
        event.stored.payload,
        event.stream.name,
        pinned,
        later,
    )
    around = (role, timezone.get_current_timezone_name(), event.campaign.slug, event.campaign.name)
    return around, own


def _marks(event: Event) -> Iterator[tuple[str, str]]:
    return ((amendment.kind, amendment.hash) for amendment in event.amendments.all())


@kept(KEPT, _drawn_from)
def render_line(event: Event, role: Role) -> SafeString:
    """Return an event's line in the feed and the log, the same on every page; "" for events that only update displays."""
    body = render_body(event, role)
    if not body:
        return SafeString("")
    try:
        return mark_safe(render_to_string("campaigns/_line.html", _around(event, role) | {"body": body}))
    except DatabaseError:
        raise
    except Exception:
        _note(event)
        return mark_safe(render_to_string("campaigns/_undrawn.html", _around(event, role) | {"body": _undrawn()}))


def render_body(event: Event, role: Role) -> SafeString:
    """Return the content of a line, without the frame that all lines share."""
    return _partial(event, "line", role)


def render_live(event: Event, role: Role) -> SafeString:
    """Return an event's updates for an open table page, with its line. Many templates have only a line."""
    line = render_line(event, role)
    return mark_safe(line + _partial(event, "live", role)) if _has_part(event, "live") else line


def _around(event: Event, role: Role) -> dict[str, Any]:
    return {"event": event, "role": role.value, "campaign": event.campaign}


def _has_part(event: Event, name: str) -> bool:
    """Return whether the kind's template has a part of this name. Templates are cached, so this reads no file."""
    try:
        template: Any = get_template(event.template)
    except TemplateDoesNotExist:
        return False  # the line says so
    return name in template.template.extra_data.get("partials", {})


def _partial(event: Event, name: str, role: Role) -> SafeString:
    try:
        context = _around(event, role) | {"payload": event.described, "name": event.actor_name}
        # What stands in a template beside its parts is the line. Packages may still have that in a part, too.
        template = f"{event.template}#{name}" if _has_part(event, name) else event.template
        return mark_safe(render_to_string(template, context).strip())
    except DatabaseError:
        # It says nothing of the event.
        raise
    except Exception:
        _note(event)
        return _undrawn() if name == "line" else SafeString("")


def _undrawn() -> SafeString:
    """Return the text shown for an entry that cannot be drawn."""
    return format_html("<p>{}</p>", UNDRAWN)


def _note(event: Event) -> None:
    """Log an event that cannot be drawn; its line says so, and the page works. An imported event may contain anything;
    one written here is our error.
    """
    if event.campaign.imported_at is None:
        log.exception("%s (%s) cannot be drawn.", event.kind, event.uid)
