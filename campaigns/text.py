"""Texts that people write in forms, on sheets and in imported files. Plain Python, so that sheets can use it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from languages.letters import fold, hidden_in, normalised, seen
from languages.text import gettext as _
from languages.text import gettext_noop

MAX_LINE = 120
MAX_TEXT = 10_000
# A text without a blank may be one word of 10,000 letters, which no index takes.
LONGEST_WORD = 64

# Control characters other than newline and tab; lone surrogates, which no database takes; and marks for the direction
# of text, by which a name could garble its line.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029]")


ERASED = gettext_noop("[erased]")
"""Replaces a text that its author has erased."""
QUOTE = "> "


class TextError(ValueError):
    """A fault of a text, as a sentence that begins with a small letter; `code` is "control", "max_length" or "one_line"."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """Return the text in Unicode's composed form (NFC), with plain line ends and without space around it; "" if nothing in it
    could be seen.

    Raises TextError for more than `limit` characters and for characters that cannot be shown.
    """
    text = normalised(_BREAKS.sub("\n", text)).strip()
    if forbidden := FORBIDDEN.search(text):
        raise TextError(
            _("it has a character that can’t be shown ({character}). Delete it and try again.").format(
                character=f"U+{ord(forbidden[0]):04X}"
            ),
            "control",
        )
    check_length(text, limit)
    return text if any(letter.isprintable() and not letter.isspace() for letter in seen(text)) else ""


def check_length(text: str, most: int, *, limit: int | None = None) -> None:
    """Raise TextError for more than `most` characters; `limit` is the number in the message, if it differs."""
    if len(text) > most:
        message = _("that’s {length} characters; the limit is {most}.")
        raise TextError(message.format(length=grouped(len(text)), most=grouped(limit or most)), "max_length")


def check_line(text: str) -> str:
    """Return the text itself. Raises TextError where it does not fit on one line, and for signs that no one sees: most lines are
    names, or name something.
    """
    if "\n" in text or "\t" in text:
        raise TextError(_("this has to fit on one line."), "one_line")
    if sign := hidden_in(text):
        message = _("it has an invisible character ({character}). Type it instead of pasting it.")
        raise TextError(message.format(character=sign), "invisible")
    return text


# Han, kana, Thai, Lao, Tibetan, Burmese and Khmer put no blanks between words, so each of their letters is a word here.
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
LETTER = r"[^\W_]"
_WORDS = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}]){LETTER})+")
_RUNS = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}]){LETTER})+")
SHORTEST_PART = 3
"""So many letters are also found inside a word; fewer have to begin one, and a single one has to be one."""


def folded(text: str) -> list[str]:
    """Return the words of a text as a search compares them: lower case, without accents, letters and digits only."""
    return [word[:LONGEST_WORD] for word in _WORDS.findall(fold(text))]


def wanted_parts(text: str) -> list[str]:
    """Return what is looked for when somebody types this, each time as a part of the `folded` words with a blank between them and
    at both ends: "urn" anywhere, " no" where a word begins, " b " where it is one, and " 東 京 " as the letters stand.
    """
    parts = []
    for run in _RUNS.findall(fold(text)):
        words = folded(run)
        part = " ".join(words)
        if len(words) > 1 or len(part) < SHORTEST_PART:
            part = f" {part} " if len(words[-1]) == 1 else f" {part}"
        parts.append(part)
    return parts


def grouped(number: int) -> str:
    """Return a large number with a thin space between its thousands, which every language reads."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def as_read(text: str) -> str:
    """Return a text for readers: erased text, all or a quoted line, is marked in the reader's language."""
    if ERASED not in text:
        return text
    words = {ERASED: _(ERASED), f"{QUOTE}{ERASED}": f"{QUOTE}{_(ERASED)}"}
    return "\n".join(words.get(line, line) for line in text.split("\n"))


MINUS = "\N{MINUS SIGN}"


def signed(number: int) -> str:
    """Return a number with its sign: -4 as "−4" (a real minus sign), 2 as "+2", 0 as "0"."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"


def added(number: int) -> str:
    """Return a further number of a sum: "+ 5", "− 3"."""
    return f"{MINUS} {-number}" if number < 0 else f"+ {number}"


def listed(words: Sequence[str]) -> str:
    """Return "", "A", "A and B" or "A, B and C"."""
    if len(words) < 2:
        return "".join(words)
    return _("{others} and {last}").format(others=", ".join(words[:-1]), last=words[-1])
