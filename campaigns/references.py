"""How events name what they are about, and whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from campaigns.models import Membership


@dataclass(frozen=True)
class Subject:
    """A subject to record an event under: `key` such as "character:<uuid>", `name` as it is now."""

    key: str
    name: str


def person(member: Membership) -> dict[str, Any]:
    """How payloads name a person: found by `forget` when the account goes."""
    return {"member": member.number, "name": member.name}


def persons(value: Any) -> Iterator[tuple[str, str]]:
    """Every person named anywhere in a payload, as subject key and name."""
    if isinstance(value, dict):
        if set(value) == {"member", "name"}:
            yield f"member:{value['member']}", value["name"]
        for item in value.values():
            yield from persons(item)
    elif isinstance(value, list):
        for item in value:
            yield from persons(item)
