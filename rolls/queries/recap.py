"""The first draft of a recap, put together from what happened: Markdown for a GM to write on, not prose.

Headings are bold lines, since what people write here has no headings that could get in the way of the page's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.models import GameSession, Role, Viewer
from rolls.queries.sessions import Told, told
from rolls.registry import ADD_ONS


def recap_draft(viewer: Viewer, session: GameSession) -> str:
    """Made from what everybody may see, whoever asks: it is meant to be published."""
    everybody = Viewer(viewer.campaign, None, Role.SPECTATOR)
    known = told(everybody, session)
    parts = [_part(heading, lines) for heading, lines in _headings(everybody, known) if lines]
    return "\n\n".join([f"*{_names([member.name for member in known.who])} played.*", *parts])


def _headings(viewer: Viewer, known: Told) -> Iterator[tuple[str, list[str]]]:
    for scene in known.scenes:
        yield str(scene), ["What happened here?"]
    for add_on in ADD_ONS.values():
        yield from add_on.recap(viewer, known.session)
    yield "Clocks that filled", [f"- {payload['clock']['name']}" for payload in known.filled]
    quotes = (event.payload for event in known.quotes if event.payload["words"])
    yield "Said", [f"> {_one_line(said['words'])}\n> — {_speaker(said)}\n" for said in quotes]
    yield (
        "Experience",
        [
            "- {}: {amount} {unit}, {label}".format(payload["character"]["name"], **payload["entry"])
            for payload in known.awards
        ],
    )


def _part(heading: str, lines: list[str]) -> str:
    return "\n".join([f"**{heading}**", "", *lines])


def _speaker(payload: dict[str, Any]) -> str:
    return payload["voice"]["name"] if payload["voice"] else payload["by"]["name"]


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _names(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names) or "Nobody"
