"""Templates are formatted for readers of the code. Pages are sent without that formatting.

Compression does not do the same. Frames of sockets are not compressed, since that tripled the time at a thousand sockets: with
its layout a roll of the demo would be 4,853 bytes for a player instead of 3,892. The table would be 26 kB with gzip instead of
24, and what is drawn for a feed would take an eighth longer.

Only what stands in a template is touched, once, when it is loaded: never a value. Where there was space between two things there
still is: one line break in place of many.
"""

from __future__ import annotations

import re

from django.template.base import Origin
from django.template.loaders import app_directories, filesystem

QUIET = "if|elif|else|endif|for|empty|endfor|with|endwith|load|localize|endlocalize|partialdef|endpartialdef|comment|endcomment"
"""Tags that put nothing into the page themselves."""

NOTHING = re.compile(rf"(?:\{{%\s*(?:{QUIET})\b(?:(?!%\}}).)*%\}}|\{{#(?:(?!#\}}).)*#\}})+")
AS_IT_STANDS = "<pre"


def without_layout(source: str) -> str:
    """Return a template without indentation, and without line breaks after tags that print nothing."""
    if AS_IT_STANDS in source:
        return source
    lines = (line.strip() for line in source.splitlines())
    return "".join(line if NOTHING.fullmatch(line) else f"{line}\n" for line in lines if line)


class FromFolders(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        return _lean(origin, super().get_contents(origin))


class FromApps(app_directories.Loader):
    def get_contents(self, origin: Origin) -> str:
        return _lean(origin, super().get_contents(origin))


def _lean(origin: Origin, source: str) -> str:
    # In mails and other texts line breaks matter.
    return without_layout(source) if origin.name.endswith(".html") else source
