"""What people and programs do on an evening besides rolling and talking: a table of functions with their weights.

Each takes the port of a server and a table, as a run knows it, and returns the answers. None has a key that the checker could
find in the log: the run counts what was answered. They raise OSError and TimeoutError as `ask` does.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from io import BytesIO
from typing import Any
from uuid import uuid4

from PIL import Image
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bench.drive.forms import Drawn
from bench.drive.procedures import press
from bench.drive.web import Answer, ask, call
from bench.live_world import HOST

Table = dict[str, Any]
Act = Callable[[int, Table], Awaitable[list[Answer]]]

DICE = random.Random(3)  # no secret: what is done, and by whom
PAGES, HANDOUTS = 12, 20  # of "What we know", and pictures that are hidden
WAITING = 3  # requests for rolls
STAYS, OVERLAYS = 5.0, 0.2  # seconds, who looks in, and how many of them only watch
REVEAL = re.compile(r"/log/([0-9a-f-]{36})/handout/reveal/")
PICTURE = re.compile(r"/pictures/[0-9a-f-]{36}/small/")
READ = (
    *("", "log/", "log/?q=Hero", "search/?q=Hero", "statistics/", "sessions/", "sessions/1/"),
    *("sessions/next/", "characters/", "party/", "handouts/", "clocks/", "storylines/", "world/"),
    *("world/names/", "members/", "safety/", "notices/", "log/export/", "chain/", "settings/tokens/"),
)

READ_BY_GMS = ("tables/", "sessions/1/recap/", "webhooks/", "settings/", "settings/rules/", "invitations/")


async def read(port: int, table: Table) -> list[Answer]:
    """Look at some page."""
    who = DICE.choice([table["people"][0], *table["people"]])
    page = DICE.choice(READ + READ_BY_GMS if who["role"] == "gm" else READ)
    return [(await ask(port, f"/c/{table['slug']}/{page}", who["session"]))._replace(did=page)]


async def look_in(port: int, table: Table) -> list[Answer]:
    """Open the table's page or the overlay of a stream, with its socket, and close both again."""
    who, link, path = DICE.choice(table["people"])["session"], "", f"/c/{table['slug']}/"
    page = path
    if DICE.random() < OVERLAYS:
        who, link, page = "", f"{table['watch']}/", f"/watch/{table['watch']}/overlay/?stay=5"
    drawn = await ask(port, page, who)
    url, own = f"ws://{HOST}:{port}{path}live/{link}", {"Cookie": f"sessionid={who}"}
    with suppress(WebSocketException, TimeoutError):
        async with (
            asyncio.timeout(STAYS),
            connect(url, origin=f"http://{HOST}", additional_headers=own, compression=None) as socket,
        ):
            await socket.send(json.dumps({"since": {}, "language": DICE.choice(["en-gb", "de"])}))
            async for _ in socket:
                pass
    return [drawn]


async def listen(port: int, table: Table) -> list[Answer]:
    """Follow the events by the API for a moment; an answer is a refusal, since the events have no end."""
    token = DICE.choice(table["people"])["token"]
    with suppress(TimeoutError):
        async with asyncio.timeout(STAYS):
            return [await call(port, f"{table['slug']}/events/stream", token)]
    return []


async def step(port: int, table: Table) -> list[Answer]:
    """Take a step of a procedure by the API."""
    who, path = DICE.choice(table["people"]), f"{table['slug']}/procedures"
    there = await call(port, path, who["token"])
    steps = [
        (procedure["id"], offer["act"])
        for procedure in (json.loads(there.text) if there.status == 200 else ())
        for offer in procedure["offers"]
        if offer["form"] is None
    ]
    if not steps:
        return [there]
    procedure, act = DICE.choice(steps)
    did = act.partition("~")[0].partition(":")[0]
    return [there, (await call(port, f"{path}/{procedure}/steps", who["token"], {"act": act}))._replace(did=did)]


async def roll(port: int, table: Table) -> list[Answer]:
    """Roll by the API, with a slash command."""
    who = _player(table)
    body = {"text": "/r 4", "character": who["character"]}
    return [await call(port, f"{table['slug']}/rolls", who["token"], body)]


async def request(port: int, table: Table) -> list[Answer]:
    """Ask somebody who is away for a roll, which then waits for them; they answer where much does."""
    gm, away = table["people"][0], next(who for who in table["people"] if who["is_away"])
    path = f"{table['slug']}/requests"
    waiting = await call(port, path, away["token"])
    there = json.loads(waiting.text) if waiting.status == 200 else []
    if len(there) < WAITING:
        body = {"member": away["member"], "pool": "4", "difficulty": 6, "reason": "The door", "system": "storyteller"}
        return [waiting, (await call(port, path, gm["token"], body))._replace(did="ask")]
    body = {"character": away["character"]}
    answer = await call(port, f"{path}/{there[0]['id']}/answer", away["token"], body)
    return [waiting, answer._replace(did="answer")]


async def burn(port: int, table: Table) -> list[Answer]:
    """Say what a Burn does that fired, or narrate a Major Burn: until then it is on every page."""
    gm, path = table["people"][0], table["slug"]
    there = await call(port, f"{path}/scale", gm["token"])
    found = json.loads(there.text) if there.status == 200 else {"majors": [], "offers": []}
    waits = [(gm, one, "narration", {"text": _words(40)}) for one in found["majors"]]
    for one in found["offers"]:
        owner = next(who for who in table["people"] if one["character"]["id"] in who["characters"])
        does = {"offered": ("take", {}), "fired": ("effect", {"effect": "die"})}[one["state"]]
        waits.append((gm if one["chosen_by"] == "gm" else owner, one, *does))
    if not waits:
        return [there]
    who, one, does, body = DICE.choice(waits)
    return [there, (await call(port, f"{path}/burns/{one['id']}/{does}", who["token"], body))._replace(did=does)]


async def show_picture(port: int, table: Table) -> list[Answer]:
    """Say something with a picture; the table's page shows it small, and somebody fetches that."""
    who, page = _player(table), f"/c/{table['slug']}/"
    form = {"text": "Look", "voice": "player", "key": str(uuid4())}
    said = await ask(port, f"{page}compose/", who["session"], form, picture=picture())
    drawn = await ask(port, page, who["session"])
    small = [await ask(port, f"{page[:-1]}{path}", who["session"]) for path in PICTURE.findall(drawn.text)[-1:]]
    return [said, drawn, *(one._replace(did="small") for one in small)]


async def hand_out(port: int, table: Table) -> list[Answer]:
    """Keep a picture hidden as the GM, show one that is, or drop one."""
    gm, page = table["people"][0]["session"], f"/c/{table['slug']}/"
    there = await ask(port, f"{page}handouts/", gm)
    hidden = REVEAL.findall(there.text)
    key = {"key": str(uuid4())}
    if not hidden or DICE.random() < 0.5:
        new = key | {"title": "A map", "hidden": "on"}
        return [there, await ask(port, f"{page}handouts/new/", gm, new, picture=picture())]
    does = "drop" if len(hidden) > HANDOUTS else "reveal"
    one = f"{page}log/{DICE.choice(hidden)}/handout/{does}/"
    return [there, (await ask(port, one, gm, key))._replace(did=does)]


def picture() -> bytes:
    """Return a PNG that there has not been before."""
    file = BytesIO()
    Image.effect_noise((160, 100), DICE.uniform(40, 90)).save(file, "PNG")
    return file.getvalue()


async def write_field(port: int, table: Table) -> list[Answer]:
    """Set a field of a sheet by the API over the value that was seen, or write in the journal."""
    who = _player(table)
    path = f"{table['slug']}/characters/{DICE.choice(who['characters'])}"
    sheet = await call(port, path, who["token"])
    if sheet.status != 200:
        return [sheet]
    fields = json.loads(sheet.text)["fields"]
    one = next((one for one in fields if one["field"] == "journal" and DICE.random() < 0.3), DICE.choice(fields))
    field, now = one["field"], one["value"]
    number = not now if isinstance(now, bool) else DICE.randint(0, 3)
    new = {"value": number if isinstance(now, int) else _words(40 if field == "journal" else 0)}
    written = await call(port, f"{path}/fields/{field}", who["token"], new, method="PATCH", version=one["version"])
    return [sheet, written._replace(did=field)]


async def note(port: int, table: Table) -> list[Answer]:
    """Make a page of what is known, or write on one as its form is drawn."""
    who, page = _player(table), f"/c/{table['slug']}/world/"
    there = await call(port, f"{table['slug']}/pages", who["token"])
    pages = [one["id"] for one in json.loads(there.text) if one["character"] is None] if there.status == 200 else []
    if len(pages) < PAGES:
        line = {"name": f"Place {uuid4().hex[:6]}, place", "key": str(uuid4())}
        return [there, (await ask(port, f"{page}new/", who["session"], line))._replace(did="new")]
    one = f"{page}{DICE.choice(pages)}/"
    drawn = await ask(port, f"{one}edit/", who["session"])
    form = {"expected": Drawn(drawn.text).fields.get("expected", {}).get("value", "")}
    form |= {"name": f"Place {uuid4().hex[:6]}", "kind": "place", "note": _words(40), "key": str(uuid4())}
    wrote = await ask(port, f"{one}edit/", who["session"], form, whole=True)
    return [there, drawn, wrote._replace(did="write"), await ask(port, one, who["session"])]


def _words(more: int) -> str:
    """Return a line, or with `more` words two paragraphs."""
    return "\n\n".join(
        " ".join(DICE.choices(["the", "Gull", "Hero", "river", "debt"], k=DICE.randint(1, 5 + more)))
        for _ in range(2 if more else 1)
    )


def _player(table: Table) -> dict[str, Any]:
    return DICE.choice([who for who in table["people"] if who["role"] == "player"])


ACTS: dict[Act, int] = {
    press: 40,
    step: 12,
    read: 12,
    look_in: 10,
    write_field: 8,
    note: 6,
    roll: 4,
    request: 4,
    burn: 4,
    show_picture: 3,
    hand_out: 3,
    listen: 2,
}
