"""The only place where an event becomes HTML: for a role, never for a person, so that one rendering serves every socket."""

from __future__ import annotations

import dataclasses
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import blake2b
from html.parser import HTMLParser
from threading import Lock
from typing import Any, Final, ParamSpec

import nh3
from cachetools import LRUCache, cached
from django.db import DatabaseError
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from campaigns import chain
from campaigns.kinds import Indexed, Part, kind_of
from campaigns.live.cards import Card
from campaigns.models import Event, Role
from campaigns.models.members import TABLE
from campaigns.schema import UNREADABLE
from languages.text import gettext_lazy

# Texts that a process keeps because they are drawn again and again: bounded by the bytes they take, and safe in all threads.
#
# How long a line, a part of a sheet or a message is, is up to those who write it, so that a number of them bounds nothing.


P = ParamSpec("P")

EACH = 400
"""Bytes that a text takes beside itself: its key, and its places in the cache."""

_forgotten: list[Callable[[], None]] = []


def kept(most: int, drawn_from: Callable[P, object]) -> Callable[[Callable[P, SafeString]], Callable[P, SafeString]]:
    """Let a function cache up to `most` bytes of its texts; the least recently used go first.

    `drawn_from` returns everything that a text depends on besides the language, with a distinct `repr`. Texts longer
    than the cache are not kept.
    """
    cache: LRUCache[bytes, SafeString] = LRUCache(most, getsizeof=lambda text: sys.getsizeof(text) + EACH)
    lock = Lock()

    def key(*args: P.args, **kwargs: P.kwargs) -> bytes:
        # A hash: what a text is drawn from may be longer than the text.
        all_of_it = get_language(), drawn_from(*args, **kwargs)
        return blake2b(repr(all_of_it).encode(errors="surrogatepass"), digest_size=16).digest()

    def keeping(draw: Callable[P, SafeString]) -> Callable[P, SafeString]:
        keeper: Any = cached(cache, key=key, lock=lock)(draw)
        _forgotten.append(keeper.cache_clear)
        return keeper

    return keeping


def forget_texts() -> None:
    """Forget all texts in this process: some of them have words that were erased."""
    for forget in _forgotten:
        forget()


# Read what a rendered line says, without its buttons and ornaments: as plain text, and as Markdown that holds no HTML.
#
# Both are read from the HTML that a viewer would see, so they say what the page says, in its words, and nothing beyond.


SILENT = {"button", "form", "script", "style", "summary", "svg", "template"}
BLOCKS = {"article", "blockquote", "dd", "details", "div", "dl", "dt", "h2", "h3", "li", "ol", "p", "pre", "ul"}
MARKS = {"em": "*", "strong": "**", "b": "**", "s": "~~"}
# Elements that are told apart: those above, and spans, which may be one of the parts below. Of others only the words are read.
TOLD_APART = BLOCKS | MARKS.keys() | {"br", "span"}

# What can be done with a roll is no part of what happened.
ROLL_MENU = "roll-more"
# The sentence that describes a whole card to those who do not see dice; in the text it replaces the card.
CARD, SENTENCES = frozenset({"card", "roll"}), frozenset({"sentence", "roll-note"})

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&#!])")
_AT_BEGINNING = re.compile(r"^([-+=]|\d+(?=[.)]))", re.M)
_MANY_BREAKS = re.compile(r"\n{3,}")


def to_text(html: str) -> str:
    """Return the words of a line, paragraphs parted by line feeds."""
    return re.sub(r"\n+", "\n", _read(html, str, marks={}))


def to_markdown(html: str) -> str:
    """Return a line as Markdown; everything typed is escaped, so that it becomes no HTML, link or heading."""
    return _read(html, escaped, marks=MARKS)


def escaped(text: str) -> str:
    """Return text as Markdown that shows just this text."""
    return _AT_BEGINNING.sub(_held, _SPECIAL.sub(r"\\\1", text))


def _held(match: re.Match[str]) -> str:
    sign = match[0]
    return f"{sign}\\" if sign.isdigit() else f"\\{sign}"


def _read(html: str, write: Callable[[str], str], marks: dict[str, str]) -> str:
    reader = _Reader(write, marks)
    reader.feed(_balanced(html))
    reader.close()
    lines = (line.strip() for line in "".join(reader.parts).split("\n"))
    return _MANY_BREAKS.sub("\n\n", "\n".join(lines)).strip()


def _balanced(html: str) -> str:
    """Return the HTML as a browser parses it, without silent elements: every element but `br` is closed, in order."""
    return nh3.clean(html, tags=TOLD_APART, clean_content_tags=SILENT, attributes={"*": {"class"}}, link_rel=None)


class _Reader(HTMLParser):
    """Collects `parts` of balanced HTML. For each open element the stack says whether its words count."""

    def __init__(self, write: Callable[[str], str], marks: dict[str, str]) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._write, self._marks = write, marks
        self._open: list[bool] = []

    @property
    def _counts(self) -> bool:
        return self._open[-1] if self._open else True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.parts += ["\n"] if self._counts else []
            return
        classes = set((dict(attrs).get("class") or "").split())
        left_out = ROLL_MENU in classes or classes >= CARD
        self._open.append((self._counts and not left_out) or bool(classes & SENTENCES))
        if self._counts:
            self.parts.append(self._before(tag))

    def handle_endtag(self, tag: str) -> None:
        if self._open.pop():
            self.parts.append("\n\n" if tag in BLOCKS else self._marks.get(tag, ""))

    def handle_data(self, data: str) -> None:
        words = re.sub(r"\s+", " ", data)
        if self._counts and (words != " " or (self.parts and not self.parts[-1].endswith(("\n", " ")))):
            begins = not self.parts or self.parts[-1].endswith("\n")
            self.parts.append(self._write(words.lstrip() if begins else words))

    def _before(self, tag: str) -> str:
        if tag == "li" and self._marks:
            return "\n- "
        return "\n\n" if tag in BLOCKS else self._marks.get(tag, "")


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
    pinned = getattr(event, "is_pinned", None), event.undo if role == Role.GM else ""
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


def _drawn_from_card(card: Card, role: Role) -> object:
    return card.id, card.inside, [_drawn_from(event, role) for event in card.events]


@kept(KEPT, _drawn_from_card)
def render_card(card: Card, role: Role) -> SafeString:
    """Return what has come of one thing, such as a procedure, as one card of the feed and the log: how it stands, its rolls, what
    they have changed, and its steps folded away; "" where none of its events has a line."""
    drawn = [(event.part, line) for event in card.events if (line := render_line(event, role))]
    if not drawn:
        return SafeString("")
    heads = (_partial(event, "head", role) for event in reversed(card.events) if event.part is Part.HEAD)
    head = next(filter(None, heads), "")
    folds = head or card.inside
    context = {
        "card": card,
        "role": role.value,
        "campaign": card.events[0].campaign,
        "head": head,
        "rows": [line for part, line in drawn if part is Part.ROW or not folds],
        "chips": [*chips_of(card.events, role)],
        "undo": mark_safe("".join(_undo(event) for event in card.events if event.undone_on_card)),
        "steps": [line for part, line in drawn if part is not Part.ROW and folds],
    }
    return mark_safe(render_to_string("campaigns/_card.html", context).strip())


def render_card_with(card: Card, own: Card, role: Role) -> SafeString:
    """Return a card of the table with what its reader alone is told inside it."""
    slot = f'id="card-{card.id}-own" data-own>'
    return mark_safe(render_card(card, role).replace(slot, slot + render_card(own, role), 1))


def _undo(event: Event) -> str:
    return render_to_string("campaigns/_undo.html", {"uid": event.uid, "campaign": event.campaign}).strip()


def chips_of(events: Sequence[Event], role: Role) -> Iterator[SafeString]:
    """Yield what has changed between the first and the last of these events, each thing once."""
    before: dict[str, Any] = {}
    last: dict[str, tuple[Event, Any]] = {}
    for event in events:
        changes = kind_of(event.kind).changed
        if changes and event.is_readable and (change := changes(event.described)):
            before.setdefault(change.what, change.before)
            last[change.what] = event, change.after
    for what, (event, after) in last.items():
        if after != before[what]:
            numbers = type(after) is int and type(before[what]) is int
            yield _partial(event, "chip", role, before=before[what], by=after - before[what] if numbers else None)


def render_body(event: Event, role: Role) -> SafeString:
    """Return the content of a line, without the frame that all lines share."""
    return _partial(event, "line", role)


def render_live(event: Event, role: Role, card: Card | None = None) -> SafeString:
    """Return an event's updates for an open table page, with its line, or with the card on which it stands. Many templates have
    only a line."""
    line = render_card(card, role) if card else render_line(event, role)
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


def _partial(event: Event, name: str, role: Role, **more: Any) -> SafeString:
    try:
        context = _around(event, role) | {"payload": event.described, "name": event.actor_name} | more
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


# An event as programs read it: one JSON object, for a role and never for a person, like its line on pages.
#
# It says what that line says and no more: the payload of one stream's version, with the words for its codes, and the line
# as text.


BESIDE: Final = ("session", "scene", "parent__stream")
"""Relations that `event_data` reads of an event, but that drawing its line does not need."""

OF_PAGES: Final = frozenset({"template", "chip_template", "band"})
"""Keys of a payload's words that only templates use."""


def event_data(event: Event, role: Role) -> dict[str, Any]:
    """Return an event, in a stream that this role may see, in JSON's own types. The event has to be read with `linked`."""
    indexed = _indexed(event)
    return {
        "uid": str(event.uid),
        "stream": event.stream.name,
        "seq": event.seq,
        "prev": event.prev or "",
        "hash": event.hash,
        "at": chain.moment(event.at),
        "kind": event.kind,
        "topic": indexed.topic,
        "system": indexed.system,
        "outcome": indexed.outcome,
        "by": plain(event.payload.get("by")),
        "session": event.session.number if event.session else None,
        "scene": event.scene.number if event.scene else None,
        "parent": _parent(event, role),
        "text": to_text(render_body(event, role)),
        "payload": plain(_described(event)),
    }


def plain(value: Any) -> Any:
    """Return a value from templates' context in JSON's own types: objects as their fields, without those for templates
    alone, and objects with a wording of their own as text.
    """
    if value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, Enum)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Enum):
        return plain(value.value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if key not in OF_PAGES}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return str(value)


def _parent(event: Event, role: Role) -> str | None:
    """Return the uid of the event that this one amends, if all readers of its stream may know that event; else None."""
    parent = event.parent
    known = parent is not None and (role == Role.GM or parent.stream.name in (TABLE, event.stream.name))
    return str(parent.uid) if parent and known else None


def _described(event: Event) -> Mapping[str, Any]:
    """Return the described payload; the stored one if it cannot be read."""
    return event.described if event.is_readable else event.payload


def _indexed(event: Event) -> Indexed:
    kind = kind_of(event.kind)
    try:
        return kind.indexed(event.payload)
    except UNREADABLE:
        return Indexed(topic=kind.topic)
