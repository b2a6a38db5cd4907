"""Letters as people see them: one form for each, however a keyboard writes it, and those that no one sees.

Plain Python below all apps, since accounts have names, too.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import lru_cache

# Format characters (soft hyphen, zero-width blanks, marks of direction, byte order), fillers that are letters without ink, and
# the selectors and joiners between other letters.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_LEADING = re.compile(rf"[\s{_UNSEEN}]+")
# Joiners change how Arabic and Indic words look; emoji are joined, drawn in colour, and made to flags.
_MEANT = re.compile(
    "(?<=[\u0620-\u109f])[\u200c\u200d](?=[\u0620-\u109f])"
    "|(?<=[^\\w\\s])\ufe0f|\ufe0f(?=\u20e3)"
    "|(?<=[^\\w\\s])\u200d(?=[^\\w\\s])"
    "|\U0001f3f4[\U000e0020-\U000e007f]+"
)


def normalised(text: str) -> str:
    """Return the text with each letter in one character where there is one: é from a Mac is two."""
    return unicodedata.normalize("NFC", text)


def seen(text: str) -> str:
    """Return the text without the signs that no one sees."""
    return _INVISIBLE.sub("", text)


def seen_start(text: str) -> str:
    """Return the text from the first sign that one sees."""
    return text[begin.end() :] if (begin := _LEADING.match(text)) else text


def hidden_in(name: str) -> str:
    """Return the first sign in a name that no one sees and that changes nothing of how it looks, as "U+200B"; "" without one."""
    found = _INVISIBLE.search(_MEANT.sub("", name))
    return f"U+{ord(found[0]):04X}" if found else ""


def fold(text: str) -> str:
    """Return a text as it is compared with others: small letters without accents, in their plain forms, and nothing invisible."""
    if text.isascii():
        return text.casefold()
    return text.encode("ascii", "afterburn.folded").lower().decode(errors="surrogatepass")


def _folded(beyond: UnicodeError) -> tuple[bytes, int]:
    """Fold some letters that ASCII lacks, in bytes of UTF-8: a codec finds them ten times as fast as Python goes from one to the
    next."""
    assert isinstance(beyond, UnicodeEncodeError)  # noqa: S101  # for mypy
    letters = beyond.object[beyond.start : beyond.end]
    return "".join(map(_plain, letters)).encode(errors="surrogatepass"), beyond.end


codecs.register_error("afterburn.folded", _folded)


@lru_cache(maxsize=2**14)
def _plain(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", seen(letter))
    # Capitals are the same for ı and i, for ß and ss.
    return "".join(part for part in parts if not unicodedata.combining(part)).upper().casefold()


_SIGNS = str.maketrans(
    dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{FULLWIDTH HYPHEN-MINUS}\N{SMALL HYPHEN-MINUS}", "-")
    | {"\N{FULLWIDTH PLUS SIGN}": "+", "\N{FULLWIDTH EQUALS SIGN}": "="}
)


def plain_signs(text: str) -> str:
    """Return a text with the minus, plus and equals signs of a keyboard: our cards print "−2"."""
    return text.translate(_SIGNS)


def same(one: str, other: str) -> bool:
    """Return whether two names are spelt alike, whatever their case, accents and blanks."""
    return fold(one).split() == fold(other).split()


# Letters of other scripts, and digits, that look like Latin ones; capital I looks like small l.
_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХабеѕіјкорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνορτυχI0",
    "ABESlJKMHOPCTYXa6esijkopcyxhdqwABEZHlKMNOPTYXikvoptuxlO",
)


def look_alike(one: str, other: str) -> bool:
    """Return whether two names cannot be told apart by eye: capitals, blanks and invisible signs do not count, nor of which
    script a letter is."""
    return _spelt(one) == _spelt(other) or _spelt(_drawn(one)) == _spelt(_drawn(other))


def _spelt(name: str) -> list[str]:
    return unicodedata.normalize("NFKC", seen(name)).casefold().split()


def _drawn(name: str) -> str:
    return unicodedata.normalize("NFKC", seen(name)).translate(_LOOKS).replace("1", "l").replace("rn", "m")
