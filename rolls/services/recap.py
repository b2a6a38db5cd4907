"""The first draft of a recap, put together from what happened: Markdown for a GM to write on, not prose.

Headings are bold lines, since what people write here has no headings that could get in the way of the page's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.access import Seat
from campaigns.models import GameSession, Role
from rolls.services.facts import signed
from rolls.services.sessions import Told, told

FIRES = "fire"
"""In the words of a move by which a Burn fired, or both did."""


def recap_draft(seat: Seat, session: GameSession) -> str:
    """Made from what everybody may see, whoever asks: it is meant to be published."""
    known = told(Seat(seat.campaign, None, Role.SPECTATOR), session)
    parts = [_part(heading, lines) for heading, lines in _headings(known) if lines]
    return "\n\n".join([f"*{_names([member.name for member in known.who])} played.*", *parts])


def _headings(known: Told) -> Iterator[tuple[str, list[str]]]:
    for scene in known.scenes:
        yield str(scene), ["What happened here?"]
    yield "On the Scale", [*_burns(known), *_swings(known)]
    yield "Clocks that filled", [f"- {facts['clock']['name']}" for facts in known.filled]
    yield "Said", [f"> {_one_line(event.facts['words'])}\n> — {_speaker(event.facts)}\n" for event in known.quotes]
    yield (
        "Experience",
        [
            f"- {facts['character']['name']}: {facts['entry']['amount']} {facts['entry']['unit']}, {facts['entry']['label']}"
            for facts in known.awards
        ],
    )


def _part(heading: str, lines: list[str]) -> str:
    return "\n".join([f"**{heading}**", "", *lines])


def _burns(known: Told) -> list[str]:
    majors = [f"- {point.who}: a Major Burn at {signed(point.reached)}" for point in known.burns if point.reached]
    fired = sum(FIRES in point.burn for point in known.burns)
    return [*majors, f"- Times that a Burn fired: {fired}"] if fired else majors


def _swings(known: Told) -> list[str]:
    biggest = [f"{point.who} {signed(point.delta)}" for point in known.swings]
    return [f"- The biggest swings: {', '.join(biggest)}"] if biggest else []


def _speaker(facts: dict[str, Any]) -> str:
    return facts["voice"]["name"] if facts["voice"] else facts["by"]["name"]


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _names(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names) or "Nobody"
