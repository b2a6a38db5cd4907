"""The people who act at the tables: rolls, edits of sheets, ticks of clocks, talk and whispers, so many a second.

A form is sent until it is answered, with the same key, and some are sent twice at once, as by a double click.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import uuid4

from bench.drive.checks import DONE, Operation
from bench.drive.evening import ACTS, Act
from bench.drive.web import ask

SHARES = {"roll": 35, "talk": 30, "sheet": 20, "clock": 10, "whisper": 5}
PAUSES = (0.5, 1, 2, 4, 5)
BLOCKED = 409
OPEN_MAJOR = re.compile(r"/burns/([0-9a-f-]{36})/defer/")
MARKUP, LONGEST = re.compile(r"<head.*?</head>|<[^>]*>|[0-9a-f-]{32,36}", re.S), 160
DICE = random.Random(8)  # no secret: what is done, and by whom


class Writers:
    """Writes to the tables. `operations` has all that was sent, by key, `statuses` how they ended, `answers` each attempt's
    answer, when it was sent and how long it took; `late` is how much later than planned each left: this process itself had
    no time. `twice` is the share sent twice at once, `evening` the share of what else is done (bench/drive/evening.py), whose
    answers are in `done`, and in `refusals` with words. All times are seconds.
    """

    def __init__(self, tables: list[dict[str, Any]], ports: list[int], *, twice: float, evening: float = 0.0) -> None:
        self.tables, self.ports, self.twice, self.evening = tables, ports, twice, evening
        self.done, self.refusals = Counter[str](), Counter[str]()
        self.operations: dict[str, Operation] = {}
        self.statuses, self.answers = Counter[str](), list[tuple[int | None, float, float]]()
        self.late = list[float]()
        self._turn = count()
        self._ticks = count()
        self._under_way = set[asyncio.Task[None]]()
        self._going_on = set[str]()
        self._fields = {who["character"]: ("", asyncio.Lock()) for table in tables for who in _players(table)}

    async def run(self, rate: float, seconds: float, *, resend: bool = True) -> None:
        """Send `rate` operations a second, each whenever it is its time, whatever has become of those before; again until they
        are answered, and with `resend` also where the answer is a 5xx."""
        began = time.monotonic()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            self.late.append(time.monotonic() - began - number / rate)
            table = self.tables[number % len(self.tables)]
            task = asyncio.create_task(self._one(table, resend))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def finish(self, within: float) -> None:
        """Wait until all is answered, and cancel the rest."""
        if self._under_way:
            _, late = await asyncio.wait(tuple(self._under_way), timeout=within)
            for task in late:
                task.cancel()

    async def remove(self, table: dict[str, Any], member: int) -> int:
        """Remove a member as the GM. Return the status of the answer."""
        form = {"key": str(uuid4())}
        gm = table["people"][0]["session"]
        return (await ask(self._port(), f"/c/{table['slug']}/members/{member}/remove/", gm, form)).status

    async def _one(self, table: dict[str, Any], resend: bool) -> None:
        if DICE.random() < self.evening:
            await self._else(DICE.choices([*ACTS], [*ACTS.values()])[0], table)
            return
        kind = DICE.choices([*SHARES], [*SHARES.values()])[0]
        if kind == "sheet":
            await self._edit(table, resend)
            return
        key = uuid4().hex
        path, who, form = getattr(self, f"_{kind}")(table, key)
        operation = await self._do(table, key, path, who, form, resend)
        if kind == "roll" and operation.status == BLOCKED:
            await self._go_on(table)

    def _roll(self, table: dict[str, Any], key: str) -> tuple[str, str, dict[str, str]]:
        who = DICE.choice(_players(table))
        audience = DICE.choice(["table", "table", "table", "self"])
        form = {"system": "storyteller", "pool": "4", "difficulty": "6", "note": key, "audience": audience}
        return "rolls/", who["session"], form | {"character": who["character"]}

    def _talk(self, table: dict[str, Any], key: str) -> tuple[str, str, dict[str, str]]:
        return "compose/", DICE.choice(_players(table))["session"], {"text": key, "voice": "player"}

    def _whisper(self, table: dict[str, Any], key: str) -> tuple[str, str, dict[str, str]]:
        who, to = DICE.sample(_players(table), 2)
        return "compose/", who["session"], {"text": key, "voice": "whisper", "to": str(to["member"])}

    def _clock(self, table: dict[str, Any], key: str) -> tuple[str, str, dict[str, str]]:
        number = next(self._ticks) // len(self.tables)
        ticks = "1" if number // len(table["clocks"]) % 2 else "-1"
        clock = table["clocks"][number % len(table["clocks"])]
        return f"clocks/{clock}/tick/", table["people"][0]["session"], {"ticks": ticks, "reason": key}

    async def _edit(self, table: dict[str, Any], resend: bool) -> None:
        """Change a field of a player's own sheet, over their last value."""
        who, key = DICE.choice(_players(table)), uuid4().hex
        _, lock = self._fields[who["character"]]
        async with lock:
            seen = self._fields[who["character"]][0]
            form = {"field": "pronouns", "value": key, "expected": seen}
            path = f"characters/{who['character']}/field/"
            operation = await self._do(table, key, path, who["session"], form, resend)
            if operation.is_acknowledged:
                self._fields[who["character"]] = key, lock

    async def _else(self, act: Act, table: dict[str, Any]) -> None:
        """Do what has no key that the checker could find in the log, and count the answers."""
        try:
            answers = await act(self._port(), table)
        except (OSError, TimeoutError):
            self.done[f"{act.__name__}: no answer"] += 1
            return
        for answer in answers:
            self.done[f"{act.__name__}: {answer.status}"] += 1
            if answer.status >= 400:
                words = " ".join(MARKUP.sub(" ", answer.text.partition("<main")[2] or answer.text).split())
                self.refusals[f"{act.__name__} {answer.did}: {answer.status} {words[:LONGEST]}"] += 1
        if BLOCKED in (answer.status for answer in answers):
            await self._go_on(table)

    async def _go_on(self, table: dict[str, Any]) -> None:
        """Defer an open Major Burn, which holds up all rolls; the GM finds it on their page."""
        gm, page = table["people"][0]["session"], f"/c/{table['slug']}/"
        if page in self._going_on:
            return
        self._going_on.add(page)
        try:
            for burn in set(OPEN_MAJOR.findall((await ask(self._port(), page, gm)).text)):
                await ask(self._port(), f"{page}burns/{burn}/defer/", gm, {"key": str(uuid4())})
        except (OSError, TimeoutError, ValueError):
            pass  # the next who is held up tries again
        finally:
            self._going_on.discard(page)

    async def _do(
        self, table: dict[str, Any], key: str, path: str, session: str, form: dict[str, str], resend: bool
    ) -> Operation:
        operation = self.operations[key] = Operation(key, table["slug"], [], None)
        address, form = f"/c/{table['slug']}/{path}", form | {"key": key}
        attempts = [self._insist(operation, address, session, form, resend)]
        if DICE.random() < self.twice:
            attempts.append(self._insist(operation, address, session, form, resend))
        ends = await asyncio.gather(*attempts)
        known = [end for end in ends if end is not None]
        done = next((end for end in known if end in DONE), None)
        # If one attempt got no answer, the refusal of another does not tell what became of it.
        operation.status = done or (max(known) if len(known) == len(ends) else None)
        self.statuses[str(operation.status or "no answer")] += 1
        return operation

    async def _insist(
        self, operation: Operation, address: str, session: str, form: dict[str, str], resend: bool
    ) -> int | None:
        """Send until there is an answer. Return the final status; None if an unanswered attempt may have succeeded."""
        unclear = False
        for pause in _pauses():
            status: int | None = None
            sent = time.monotonic()
            operation.sent.append(sent)
            try:
                status = (await ask(self._port(), address, session, form)).status
            except (OSError, TimeoutError, ValueError):
                unclear = True
            self.answers.append((status, sent, time.monotonic() - sent))
            if status is not None and (status < 500 or not resend):
                return status if status in DONE or not unclear else None
            if not resend and unclear:
                return None
            await asyncio.sleep(pause)
        return None

    def _port(self) -> int:
        return self.ports[next(self._turn) % len(self.ports)]


def _players(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [person for person in table["people"] if person["role"] == "player"]


def _pauses() -> Iterator[float]:
    yield from PAUSES
    while True:
        yield PAUSES[-1]
