"""What a page offers to press and to fill in, read from its HTML, so that nothing here knows what a form asks for."""

from __future__ import annotations

import random
import secrets
from collections import defaultdict
from html.parser import HTMLParser

DICE = random.Random(38)  # no secret: what is filled in
WORDS = ("", "", "The tide", "Two guards, Dog", "5")
CHANGED = 0.2  # the share of boxes that are ticked or not, other than they are drawn
GIVEN = 0.3  # the share of numbers that are given where none has to be

Attributes = dict[str, str]


class Drawn(HTMLParser):
    """`fields` are inputs' attributes by name, `choices` their values with whether each is chosen; `acts` are the buttons that
    send an act, `parts` the addresses that htmx fetches.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, Attributes] = {}
        self.choices: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        self.acts: list[str] = []
        self.parts: list[str] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {"type": "text" if tag == "input" else tag, "name": "", **{name: value or "" for name, value in attrs}}
        name, value = has["name"], has.get("value", "")
        if "hx-get" in has:
            self.parts.append(has["hx-get"])
        if tag == "button" and name == "act":
            self.acts.append(value)
        elif tag == "option":
            self.choices[self._select].append((value, "selected" in has))
        elif tag in ("input", "select", "textarea") and name and "disabled" not in has:
            self.fields.setdefault(name, has)
            self._select = name
            if has["type"] in ("radio", "checkbox"):
                self.choices[name].append((value or "on", "checked" in has))

    def filled(self) -> dict[str, str | list[str]]:
        """Return the fields as somebody fills them in."""
        form = {name: self._value(name, has) for name, has in self.fields.items() if name != "key"}
        return {name: value for name, value in form.items() if value != []}

    def _value(self, name: str, has: Attributes) -> str | list[str]:
        drawn, choices, must = has.get("value", ""), self.choices[name], "required" in has
        match has["type"]:
            case "hidden" if name == "client_seed":
                return secrets.token_hex(16)
            case "checkbox":
                return [value for value, is_chosen in choices if is_chosen != (DICE.random() < CHANGED)]
            case "radio" | "select":
                return DICE.choice(choices)[0] if choices else []
            case "number" if must or DICE.random() < GIVEN:
                least = int(has.get("min") or 0)
                return str(DICE.randint(least, min(int(has.get("max") or 9), least + 6)))
            case "text" | "textarea":
                return drawn or DICE.choice(WORDS[2:] if must else WORDS)
        return drawn
