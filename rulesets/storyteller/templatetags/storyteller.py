"""How what follows from a Storyteller sheet is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from rulesets.storyteller.rules.damage import HARM_WORDS, Harm
from rulesets.storyteller.sheet import DAMAGE, HEALTH_LEVELS, state_words

register = template.Library()


@register.filter
def state(figure: Sequence[Any]) -> str:
    """Return the words for a figure of health: its levels and the dice that actions lose."""
    *marks, less = figure
    return str(state_words(sum(bool(mark) for mark in marks), int(less)))


@register.filter
def levels(marks: Sequence[str]) -> list[dict[str, Any]]:
    """Return the health levels, each with its damage or "", its words, and the result of a press: the `next` worse
    damage, after the worst none; an empty one is marked with those before it, of which it is the `by`th.
    """
    shown = marks[: len(HEALTH_LEVELS)]
    filled = sum(bool(mark) for mark in shown)
    after = dict(zip(("", *DAMAGE), (*DAMAGE, ""), strict=True))
    return [
        {
            "label": label,
            "mark": mark,
            "words": HARM_WORDS[Harm(mark)] if mark else "",
            "next": after[mark],
            "by": 1 if mark else at - filled,
        }
        for at, (label, mark) in enumerate(zip(HEALTH_LEVELS, shown, strict=True), 1)
    ]
