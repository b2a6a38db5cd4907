"""Read what a rendered line says, without its buttons and ornaments: as plain text, and as Markdown that holds no HTML.

Both are read from the HTML that a viewer would see, so they say what the page says, in its words, and nothing beyond.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import nh3

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
