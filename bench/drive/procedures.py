"""Procedures, as people use them on a page: one begins it, presses what the page offers, and a GM ends it.

The buttons are read from the page, so this knows nothing of a procedure but how it is begun.
"""

from __future__ import annotations

import random
import re
import secrets
from typing import Any
from uuid import uuid4

from bench.drive.web import ask

OPENED: dict[str, dict[str, str]] = {
    "storyteller/conflict": {"names": "Thug 5, Dog 6, Rat 3"},
    "storyteller/extended": {"name": "The tide", "pool": "4", "difficulty": "6", "goal": "12"},
    "arc/tracker": {"n0-name": "Guard", "n0-many": "4", "n0-how": "aware", "n1-name": "Dog", "n1-how": "surprised"},
    "forged/fortune": {"a_name": "The Watch", "a_trait": "2", "opposed": "on", "b_name": "The Crows", "b_trait": "1"},
}
"""How a GM begins each of these procedures, by its address."""

SYSTEMS = ["storyteller", "arc", "forged"]
FORMS = re.compile(r'<form[^>]* id="procedure-([0-9a-f-]{36})-act"(.*?)</form>', re.S)
BUTTON = re.compile(r'name="act"\s+value="([^"]+)"')
ENDS = 0.1  # the share of presses by which something is ended: a short fight
DICE = random.Random(22)  # no secret: what is pressed


async def press(port: int, table: dict[str, Any]) -> list[int]:
    """Load the page of one person at the table, and do one thing with what is in progress there. Return the statuses of
    the answers.

    Raises OSError and TimeoutError as `ask` does.
    """
    gm = table["people"][0]["session"]
    who = DICE.choice([gm, *(person["session"] for person in table["people"])])
    page = await ask(port, f"/c/{table['slug']}/", who)
    offered = buttons(page.text)
    if len(offered) < len(OPENED) and (not offered or DICE.random() < ENDS):
        address, fields = DICE.choice([*OPENED.items()])
        return [page.status, await _post(port, table, f"procedures/open/{address}/", gm, fields | _seed())]
    if not offered:
        return [page.status]
    procedure, acts = DICE.choice(offered)
    if not acts or DICE.random() < ENDS:
        return [page.status, await _post(port, table, f"procedures/{procedure}/close/", gm, {})]
    pressed = {"act": DICE.choice(acts)} | _seed()
    return [page.status, await _post(port, table, f"procedures/{procedure}/act/", who, pressed)]


def buttons(page: str) -> list[tuple[str, list[str]]]:
    """Return the open procedures on a page, by their ids, each with the acts that can be pressed there."""
    return [(procedure, BUTTON.findall(inside)) for procedure, inside in FORMS.findall(page)]


def _seed() -> dict[str, str]:
    return {"client_seed": secrets.token_hex(16)}


async def _post(port: int, table: dict[str, Any], path: str, session: str, form: dict[str, str]) -> int:
    return (await ask(port, f"/c/{table['slug']}/{path}", session, form | {"key": str(uuid4())})).status
