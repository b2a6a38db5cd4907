"""What pages read of an event by name: of what shape it has to be.

What is written here has it, since services write it. What is brought from elsewhere was written by anybody, and is refused
where it has not (campaigns/archive/schema.py). Only what code reads is told here: a template draws whatever there is, and what
it cannot draw says so in its place. Each app registers once, when it is ready, what its own pages read, of its own kinds and of
those below.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Shape: TypeAlias = "type | re.Pattern[str] | ListOf | Maybe | Mapping[str, Shape]"
"""A type (a bool is no int), a pattern that a text has to match, or a dict of what has to be there, beside which anything may."""


@dataclass(frozen=True)
class ListOf:
    """A list of things of one shape."""

    each: Shape


@dataclass(frozen=True)
class Maybe:
    """A thing of a shape; or None, or not there."""

    some: Shape


WRONG_FACTS = (KeyError, IndexError, TypeError, AttributeError, ValueError)
"""What reading facts raises where they are not of the shape that their kind has here."""

UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PERSON: Shape = {"member": int, "name": str}
PLACE: Shape = {"session": Maybe(int), "scene": Maybe(int)}

_shapes: dict[str, list[Shape]] = defaultdict(list)


def register(shapes: Mapping[str, Shape]) -> None:
    """Say what is read of the facts of these kinds."""
    for kind, shape in shapes.items():
        _shapes[kind].append(shape)


def is_shaped(kind: str, facts: Any) -> bool:
    """Whether all that is read of the facts of this kind can be read."""
    return all(_fits(facts, shape) for shape in _shapes.get(kind, ()))


def _fits(value: Any, shape: Shape) -> bool:
    if isinstance(shape, Maybe):
        return value is None or _fits(value, shape.some)
    if isinstance(shape, ListOf):
        return isinstance(value, list) and all(_fits(item, shape.each) for item in value)
    if isinstance(shape, re.Pattern):
        return isinstance(value, str) and shape.fullmatch(value) is not None
    if isinstance(shape, Mapping):
        return isinstance(value, dict) and all(_fits(value.get(name), inside) for name, inside in shape.items())
    return type(value) is shape


def of_kinds(kinds: Iterable[str], shape: Shape) -> dict[str, Shape]:
    """The same shape for several kinds."""
    return dict.fromkeys(kinds, shape)


SAID: Shape = {"words": str, "manner": str, "voice": Maybe({"name": str})}

register(
    {
        "campaigns.said": SAID,
        "campaigns.said_amended": {"words": str},
        "campaigns.scene_opened": {"now": {"scene": str}},
        "campaigns.event_refiled": {"of": UID, "before": PLACE, "now": PLACE},
        **of_kinds(["campaigns.moment_pinned", "campaigns.moment_unpinned"], {"of": UID}),
        **of_kinds(["campaigns.recap_drafted", "campaigns.recap_published"], {"number": int, "words": str}),
        **of_kinds(["campaigns.member_left", "campaigns.member_removed", "campaigns.role_changed"], {"who": PERSON}),
    }
)
