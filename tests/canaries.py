"""Canaries: words in private fields that say who may read them, looked for in every answer and frame of the whole suite.

`canary("mo", "whisper")` may be read by the person who signs in as mo, and by GMs; `canary("gm", …)` by GMs alone. Where a secret
is a number, a test names some that nothing else on a page is: `with numbers_of_gms(121): …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

GMS = frozenset({"gm"})
_numbers: set[int] = set()
_CANARY = re.compile(r"canary-([a-z]+)-([a-z]+)")


def canary(who: str, what: str) -> str:
    return f"canary-{who}-{what}"


@contextmanager
def numbers_of_gms(*numbers: int) -> Iterator[None]:
    """Let only GMs read these numbers inside."""
    _numbers.update(numbers)
    try:
        yield
    finally:
        _numbers.difference_update(numbers)


def must_be_free_of_secrets(text: str, username: str) -> None:
    """Fail if `text`, which was sent to `username` ("" for nobody signed in), holds a word that is not for them."""
    if username in GMS:
        return
    leaked = {f"{what} of {who}" for who, what in _CANARY.findall(text) if who != username}
    # Not in single quotes: so headers are written here, and any number may be a page's length. Nor as how far the table's
    # stream is, which may come to be any number too.
    # The number first, which is looked for many times faster than what may not stand before it.
    leaked |= {
        f"the number {number}"
        for number in _numbers
        if re.search(rf"{number}(?<![\w.'-]{number})(?<!table&quot;: {number})(?![\w.-])", text)
    }
    assert not leaked, f"{username or 'somebody without an account'} was sent: {', '.join(sorted(leaked))}"
