"""The only place where an event becomes HTML: for a role, never for a person, so that one rendering serves every socket."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from campaigns.models import Event, Role

KEPT = 2000  # lines, of some 4 kB
UNDRAWN = "<p>This entry cannot be drawn: it does not say what an entry of its kind says.</p>"


_lines: dict[bytes, SafeString] = {}
"""The lines drawn last, by all that they were drawn from: the same ones stand on everybody's pages."""


def render_line(event: Event, role: Role) -> SafeString:
    """How an event stands in the feed and in the log; empty for events that only move displays."""
    drawn_from = _fingerprint(event, role)
    line = _lines.get(drawn_from)
    if line is None:
        line = _lines[drawn_from] = _line(event, role)
        while len(_lines) > KEPT:
            _lines.pop(next(iter(_lines)), None)
    return line


def _line(event: Event, role: Role) -> SafeString:
    body = render_body(event, role)
    if not body:
        return SafeString("")
    return mark_safe(render_to_string("campaigns/_line.html", _around(event, role) | {"body": body}))


def _fingerprint(event: Event, role: Role) -> bytes:
    """Of all that a line is drawn from. Words that were erased are in no payload any more, so a line with them is not found."""
    later = [(one.kind, one.hash, one.payload, [*_marks(one)]) for one in event.amendments.all()]
    pinned = getattr(event, "is_pinned", None)
    own = (
        event.kind,
        event.uid,
        event.hash,
        event.at,
        event.session_id,
        event.payload,
        event.stream.name,
        pinned,
        later,
    )
    around = (role, timezone.get_current_timezone_name(), event.campaign.slug, event.campaign.name)
    return blake2b(repr((around, own)).encode(), digest_size=16).digest()


def _marks(event: Event) -> Iterator[tuple[str, str]]:
    return ((one.kind, one.hash) for one in event.amendments.all())


def render_body(event: Event, role: Role) -> SafeString:
    """What a line says, without what every line has around it."""
    return _partial(event, "line", role)


def render_live(event: Event, role: Role) -> SafeString:
    """What an event changes on a table page that is open now, its line included. Many templates have nothing but a line."""
    line = render_line(event, role)
    return mark_safe(line + _partial(event, "live", role)) if _moves_displays(event) else line


def _around(event: Event, role: Role) -> dict[str, Any]:
    return {"event": event, "role": role.value, "campaign": event.campaign}


def _moves_displays(event: Event) -> bool:
    """Whether the template of its kind has a part `live`. Templates are cached, so that it is looked up and not read."""
    try:
        template: Any = get_template(event.template)
    except TemplateDoesNotExist:
        return False  # the line has said so
    return "live" in template.template.extra_data.get("partials", {})


def _partial(event: Event, name: str, role: Role) -> SafeString:
    try:
        context = _around(event, role) | {"payload": event.described}
        return mark_safe(render_to_string(f"{event.template}#{name}", context).strip())
    except Exception:
        # What was brought from elsewhere may say anything. Of what was written here it is a fault of ours, to be seen.
        if event.campaign.imported_at is None:
            raise
        return SafeString(UNDRAWN)
