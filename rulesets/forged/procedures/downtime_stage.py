"""A downtime as the stage shows it."""

from __future__ import annotations

from collections.abc import Iterator

from rolls.rules.procedures import Values
from rolls.stage import Row, Staged


def staged(card: Values) -> Staged:
    """Of what `describe` has said of it: the score, or who has done what."""
    scored = card["stage"] == "score"
    return Staged(
        above="Downtime",
        title=f"The score: {card['score_words']}" if scored else "",
        notes=list(_notes(card, scored=scored)),
        rows=[] if scored else [*_troubles(card), *_people(card)],
        acts=card["buttons"],
    )


def _notes(card: Values, *, scored: bool) -> Iterator[str]:
    if scored and card["no_room_words"]:
        yield f"The crew’s sheet has no room for {card['no_room_words']}: share that out by hand."
    if not scored and card["law_words"]:
        yield f"{card['law_words']}{'. At war: one activity each' if card['at_war'] else ''}"


def _troubles(card: Values) -> Iterator[Row]:
    for one in card["troubles"]:
        yield Row(whose="Entanglement", words=one["words"] or "one of two", look="trouble", buttons=one["buttons"])


def _people(card: Values) -> Iterator[Row]:
    for one in card["people"]:
        yield Row(
            whose=one["name"],
            character=one["character"] or "",
            words="",
            detail=one["words"],
            lines=[f"{taken['name']}: {taken['words']}" for taken in one["taken"]],
            look="settled" if one["away"] else "",
            buttons=one["buttons"],
            about=one["name"],
            acts_for=one["name"],
        )
