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

OPENED: dict[str, dict[str, str]] = {
    "storyteller/conflict": {"names": "Thug 5, Dog 6, Rat 3"},
    "storyteller/extended": {"name": "The tide", "pool": "4", "difficulty": "6", "goal": "12"},
    "arc/tracker": {"n0-name": "Guard", "n0-many": "4", "n0-how": "aware", "n1-name": "Dog", "n1-how": "surprised"},
    "forged/fortune": {"a_name": "The Watch", "a_trait": "2", "opposed": "on", "b_name": "The Crows", "b_trait": "1"},
}
"""How a GM begins each of these procedures, by its address."""
BY_PLAYERS: dict[str, dict[str, str]] = {
    "forged/action": {},
    "arc/check": {"stat": "build", "skill": "", "other": "rain -1"},
    "storyteller/attack": {"target": "", "target_name": "Dog", "a_pool": "5"},
}
"""What goes into the form of those that players begin, besides what it says."""

SYSTEMS = ["storyteller", "arc", "forged"]
MOST = len(OPENED) + len(BY_PLAYERS)
CARDS = re.compile(r'<form[^>]* id="procedure-([0-9a-f-]{36})-act"(.*?)</form>', re.S)
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
    if not offered or (len(offered) < MOST and DICE.random() < ENDS):
        return [page, *await _open(port, table)]
    procedure, card = DICE.choice([*offered.items()])
    parts = [part for part in card.parts if f"/{procedure}/" in part]
    if DICE.random() < ENDS:
        return [page, await _post(port, table, f"procedures/{procedure}/close/", gm, {})]
    if parts and (not card.acts or DICE.random() < 0.5):
        part = await ask(port, DICE.choice(parts), who)
        form = Drawn(part.text)
        fields = form.filled() | ({"act": DICE.choice(form.acts)} if form.acts else {})
        if "act" not in fields:
            return [page, part]
        return [page, part, await _post(port, table, f"procedures/{procedure}/act/", who, fields)]
    if not card.acts:
        return [page]
    fields = {"act": DICE.choice(card.acts), "client_seed": uuid4().hex}
    return [page, await _post(port, table, f"procedures/{procedure}/act/", who, fields)]


async def _open(port: int, table: dict[str, Any]) -> list[Answer]:
    if DICE.random() < 0.5:
        address, fields = DICE.choice([*OPENED.items()])
        form: Form = {**fields, "client_seed": uuid4().hex}
        who, before = table["people"][0]["session"], []
        if DICE.random() < 0.5 and address == "storyteller/conflict":
            # With the players' characters, as its form offers them.
            before = [await ask(port, f"/c/{table['slug']}/procedures/new/{address}/", who)]
            form = {**Drawn(before[0].text).filled(), **form}
    else:
        address, fields = DICE.choice([*BY_PLAYERS.items()])
        who = DICE.choice([person["session"] for person in table["people"] if person["role"] == "player"])
        before = [await ask(port, f"/c/{table['slug']}/procedures/new/{address}/", who)]
        form = {**Drawn(before[0].text).filled(), **fields}
    return [*before, await _post(port, table, f"procedures/open/{address}/", who, form)]


def cards(page: str) -> dict[str, Drawn]:
    """Return what can be pressed of the open procedures on a page, by their ids."""
    return {procedure: Drawn(inside) for procedure, inside in CARDS.findall(page)}


async def _post(port: int, table: dict[str, Any], path: str, session: str, form: Form) -> Answer:
    answer = await ask(port, f"/c/{table['slug']}/{path}", session, {**form, "key": str(uuid4())})
    did = re.sub("[0-9a-f-]{36}", "…", path)
    return answer._replace(did=f"{did} {str(form.get('act', '')).partition('~')[0].partition(':')[0]}".strip())
