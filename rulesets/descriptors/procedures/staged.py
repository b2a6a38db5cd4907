"""Pools that are filled, and what follows from them, as the stage shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rolls.rules.procedures import Values
from rolls.stage import Entry, Mark, Odds, Row, Side, Staged, dice_words
from rulesets.descriptors.rules import filling

STEPS: Final = ("Stake", "Pools", "Aftermath")
ACTS: Final = frozenset({filling.READY, filling.NOT_READY})


def contest(card: Values, faces: Mapping[str, str]) -> Staged:
    """Of what `describe` has said of it, and of the characters of its sides by their keys."""
    after = card["after"]
    if after is None:
        return Staged(
            above="Contest",
            title=" against ".join(row["name"] for row in card["sides"]),
            steps=STEPS,
            step=1,
            notes=news(card["news"]),
            sides=[side(row, faces) for row in card["sides"]],
            odds=card["odds"],
            acts=card["off"],
        )
    rows = [Row(words=line["words"], buttons=line["buttons"], about=line["whose"]) for line in after["lines"]]
    return Staged(
        above="Contest",
        title=after["headline"],
        steps=STEPS,
        step=2,
        notes=[f"{after['names'][0]} above, {after['names'][1]} below: {after['detail']}"],
        rows=rows,
        extra="descriptors/_pairs.html" if after["pairs"] else "",
    )


def news(corrected: Any) -> list[str]:
    """Whose pool is another one than when somebody was ready for it."""
    return [f"Changed: {', '.join(corrected)}. Check your pool again."] if corrected else []


def side(drawn: Mapping[str, Any], faces: Mapping[str, str], odds: Odds | None = None) -> Side:
    """One of those who fill a pool (pool_words.side_drawn)."""
    return Side(
        name=drawn["name"],
        character=faces.get(drawn["key"], ""),
        words=drawn["will"],
        pool=drawn["pool"],
        marks=[Mark("ready", "good")] if drawn["ready"] else (),
        entries=list(_entries(drawn)),
        warnings=[words for name, words in WARNINGS.items() if drawn[name]],
        buttons=drawn["buttons"],
        acts_for=drawn["name"] if any(button.members for button in drawn["buttons"]) else "",
        odds=odds,
    )


WARNINGS: Final = {
    "short": "That is more Will than there is.",
    "last": "The last Will: out of the scene once the dice have fallen.",
    "gone": "Not in play any more.",
}


def _entries(drawn: Mapping[str, Any]) -> Iterator[Entry]:
    for entry in drawn["entries"]:
        yield Entry(
            words=entry["words"],
            look="pending" if entry["pending"] else "theirs" if entry["theirs"] else "",
            buttons=entry["buttons"],
            gm_buttons=entry["gm_buttons"],
        )
    if drawn["dice"]:
        yield Entry(words=f"{dice_words(drawn['dice'])} without a name")
    if drawn["burn"]:
        yield Entry(words=drawn["burn"])
