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
    for trouble in card["troubles"]:
        yield Row(
            whose="Entanglement", words=trouble["words"] or "one of two", look="trouble", buttons=trouble["buttons"]
        )


def _people(card: Values) -> Iterator[Row]:
    for person in card["people"]:
        yield Row(
            whose=person["name"],
            character=person["character"] or "",
            words="",
            detail=person["words"],
            lines=[f"{taken['name']}: {taken['words']}" for taken in person["taken"]],
            look="settled" if person["away"] else "",
            buttons=person["buttons"],
            about=person["name"],
            acts_for=person["name"],
        )
