"""What a page offers to press and to fill in, read from its HTML, so that nothing here knows what a form asks for."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field
from html.parser import HTMLParser

DICE = random.Random(38)  # no secret: what is filled in
WORDS = ("", "", "The tide", "Two guards, Dog", "5")


@dataclass
class Field:
    """An input of a form: `choices` are its values with whether each is chosen."""

    kind: str
    value: str = ""
    required: bool = False
    least: str | None = None
    most: str | None = None
    choices: list[tuple[str, bool]] = field(default_factory=list)


class Drawn(HTMLParser):
    """`fields` by name; `acts` are the buttons that send an act, `parts` the addresses that htmx fetches."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self.acts: list[str] = []
        self.parts: list[str] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name") or "", has.get("value") or ""
        if part := has.get("hx-get"):
            self.parts.append(part)
        if tag == "button" and name == "act":
            self.acts.append(value)
        elif tag == "option" and self._select:
            self.fields[self._select].choices.append((value, "selected" in has))
        elif tag in ("input", "select", "textarea") and name and "disabled" not in has:
            kind = has.get("type") or "text" if tag == "input" else tag
            made = Field(kind, value, "required" in has, has.get("min"), has.get("max"))
            one = self.fields.setdefault(name, made)
            self._select = name if tag == "select" else ""
            if kind in ("radio", "checkbox"):
                one.choices.append((value or "on", "checked" in has))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""

    def filled(self) -> dict[str, str | list[str]]:
        """Return the fields as somebody fills them in."""
        form = {name: _value(name, one) for name, one in self.fields.items() if name != "key"}
        return {name: value for name, value in form.items() if value != []}


def _value(name: str, field: Field) -> str | list[str]:
    if name == "client_seed":
        return secrets.token_hex(16)
    match field.kind:
        case "checkbox":
            return [value for value, is_chosen in field.choices if is_chosen != (DICE.random() < 0.2)]
        case "radio" | "select":
            return DICE.choice(field.choices)[0] if field.choices else []
        case "number":
            least, most = int(field.least or 0), int(field.most or 9)
            return (
                str(DICE.randint(least, min(most, least + 6))) if field.required or DICE.random() < 0.3 else field.value
            )
        case "text" | "textarea":
            return field.value or DICE.choice(WORDS[2:] if field.required else WORDS)
    return field.value
