"""Procedures, as people use them on a page: one begins it, presses what the page offers, fills in what that asks for, and a GM
ends it.

Buttons and forms are read from the page, so this knows nothing of a procedure but how it is begun.
"""

from __future__ import annotations

import random
import re
from typing import Any
from uuid import uuid4

from bench.drive.forms import Drawn
from bench.drive.web import Answer, Form, ask

OPENED: dict[str, tuple[str, dict[str, str]]] = {
    "storyteller/conflict": ("gm", {"names": "Thug 5, Dog 6, Rat 3"}),
    "storyteller/extended": ("gm", {"name": "The tide", "pool": "4", "difficulty": "6", "goal": "12"}),
    "storyteller/attack": ("player", {"target": "", "target_name": "Dog", "a_pool": "5", "soak": ""}),
    "arc/tracker": (
        "gm",
        {"n0-name": "Guard", "n0-many": "4", "n0-how": "aware", "n1-name": "Dog", "n1-how": "surprised"},
    ),
    "arc/check": ("player", {"stat": "build", "skill": "", "other": "rain -1"}),
    "forged/action": ("player", {}),
    "forged/fortune": (
        "gm",
        {"a_name": "The Watch", "a_trait": "2", "opposed": "on", "b_name": "Crows", "b_trait": "1"},
    ),
}
"""Who begins each of these procedures, by its address, and what goes into its form besides what that is filled with."""

SYSTEMS = ["storyteller", "arc", "forged"]
CARDS = re.compile(r'<form[^>]* id="procedure-([0-9a-f-]{36})-act"(.*?)</form>', re.S)
IN_PARTS = 0.5  # the share of presses on what a card fetches, where it also has buttons
ENDS = 0.1  # the share of presses by which something is ended: a short fight
DICE = random.Random(22)  # no secret: what is pressed


async def press(port: int, table: dict[str, Any]) -> list[Answer]:
    """Load the page of one person at the table, and do one thing with what is in progress there. Return the answers.

    Raises OSError and TimeoutError as `ask` does.
    """
    gm = table["people"][0]["session"]
    who = DICE.choice([gm, *(person["session"] for person in table["people"])])
    page = await ask(port, f"/c/{table['slug']}/", who)
    offered = cards(page.text)
    if not offered or (len(offered) < len(OPENED) and DICE.random() < ENDS):
        return [page, *await _open(port, table)]
    procedure, form = DICE.choice([*offered.items()])
    if DICE.random() < ENDS:
        return [page, await _post(port, table, f"procedures/{procedure}/close/", gm, {})]
    seen, parts = [page], [part for part in form.parts if f"/{procedure}/" in part]
    if parts and (not form.acts or DICE.random() < IN_PARTS):
        seen.append(await ask(port, DICE.choice(parts), who))
        form = Drawn(seen[-1].text)
    fields = form.filled() | ({"act": DICE.choice(form.acts)} if form.acts else {})
    if "act" in fields:
        seen.append(await _post(port, table, f"procedures/{procedure}/act/", who, fields))
    return seen


async def _open(port: int, table: dict[str, Any]) -> list[Answer]:
    address, (role, fields) = DICE.choice([*OPENED.items()])
    who = DICE.choice([person["session"] for person in table["people"] if person["role"] == role])
    form = await ask(port, f"/c/{table['slug']}/procedures/new/{address}/", who)
    return [form, await _post(port, table, f"procedures/open/{address}/", who, {**Drawn(form.text).filled(), **fields})]


def cards(page: str) -> dict[str, Drawn]:
    """Return what can be pressed of the open procedures on a page, by their ids."""
    return {procedure: Drawn(inside) for procedure, inside in CARDS.findall(page)}


async def _post(port: int, table: dict[str, Any], path: str, session: str, form: Form) -> Answer:
    answer = await ask(port, f"/c/{table['slug']}/{path}", session, {**form, "key": str(uuid4())})
    did = re.sub("[0-9a-f-]{36}", "…", path)
    return answer._replace(did=f"{did} {str(form.get('act', '')).partition('~')[0].partition(':')[0]}".strip())
