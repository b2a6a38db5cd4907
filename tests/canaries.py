"""Canaries: words in private fields that say who may read them, looked for in every answer and frame of the whole suite.

`canary("mo", "whisper")` may be read by the person who signs in as mo, and by GMs; `canary("gm", …)` by GMs alone.
"""

from __future__ import annotations

import re

GMS = frozenset({"gm"})
_CANARY = re.compile(r"canary-([a-z]+)-([a-z]+)")


def canary(who: str, what: str) -> str:
    return f"canary-{who}-{what}"


def must_be_free_of_secrets(text: str, username: str) -> None:
    """Fail if `text`, which reached the person called `username` ("" for nobody signed in), holds a word not meant for them."""
    if username in GMS:
        return
    leaked = {f"{what} of {who}" for who, what in _CANARY.findall(text) if who != username}
    assert not leaked, f"{username or 'somebody without an account'} was sent: {', '.join(sorted(leaked))}"
