"""How what follows from a Storyteller sheet is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from rulesets.storyteller.sheet import HEALTH_LEVELS

register = template.Library()


@register.filter
def levels(marks: Sequence[str]) -> list[dict[str, str]]:
    """[{"label", "mark"}]: the health levels, each with the damage that marks it or ""."""
    return [
        {"label": label, "mark": mark} for label, mark in zip(HEALTH_LEVELS, marks[: len(HEALTH_LEVELS)], strict=True)
    ]
