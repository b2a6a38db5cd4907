"""What is typed and thrown by chance: it goes by the seed that a run prints."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import UUID

from rolls.services.fairness import DiceRequest
from rules.fairness import without_end
from tests.dom import Node
from tests.flows.robot import Typed


def dice_by_chance(throw: DiceRequest) -> Iterator[int]:
    """Yield dice that follow the seed of the run; for settings.DICE_SOURCE."""
    for sides in without_end(throw.spec):
        yield random.randint(1, sides)


def key() -> UUID:
    return UUID(int=random.getrandbits(128), version=4)


def filled_by_chance(form: Node) -> Typed:
    """Return what a browser would send of the form after anything was chosen, typed and pressed in it."""
    given: Typed = {}
    one_of: Typed = {}
    buttons: list[Typed] = []
    much = random.choice((0.0, 0.5, 1.0))
    for node in form.walk():
        name, kind = node.attrs.get("name"), node.attrs.get("type") or "text"
        value = node.attrs.get("value") or ""
        if node.tag == "button" and kind in ("submit", "text") and "disabled" not in node.attrs:
            buttons.append({name: [value]} if name else {})
            continue
        if not name or name == "key" or "disabled" in node.attrs:
            continue
        if node.tag == "select":
            options = [one.attrs.get("value") or "" for one in node.walk() if one.tag == "option"]
            given.setdefault(name, []).append(random.choice(options or [""]))
        elif kind == "radio":
            one_of.setdefault(name, []).append(value)
        elif kind == "checkbox":
            if random.random() < (much or 0.3):
                given.setdefault(name, []).append(value or "on")
        elif node.tag in ("input", "textarea"):
            given.setdefault(name, []).append(value if kind == "hidden" else _typed(node, kind, value, much))
    pressed = random.choice(buttons or [{}])
    return given | {name: [random.choice(values)] for name, values in one_of.items()} | pressed


def _typed(node: Node, kind: str, value: str, much: float) -> str:
    if random.random() >= much and (value or "required" not in node.attrs):
        return value
    if kind != "number":
        return random.choice((f"Words {random.randrange(99)}", "3"))
    least = int(node.attrs.get("min") or 0)
    return str(random.randint(least, min(int(node.attrs.get("max") or 6), least + 9)))
