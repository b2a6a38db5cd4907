"""Words that this app puts together."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _


def listed(words: Sequence[str]) -> str:
    """Return "", "A", "A and B" or "A, B and C"."""
    if len(words) < 2:
        return "".join(words)
    return _("{others} and {last}").format(others=", ".join(words[:-1]), last=words[-1])
