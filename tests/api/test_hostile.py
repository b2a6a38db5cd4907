"""Whatever is sent, a route answers for itself: odd values in each place of each operation, by chance; nothing gives a 5xx."""

from __future__ import annotations

import json
import random
import re
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from api import auth
from api.api import api
from tests.api.callers import Caller, calls
from tests.api.matrix import BESIDE_DJANGO, GET, MATRIX
from tests.api.test_permissions import named

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    2**31,
    2**63,
    10**30,
    1.5,
    float("1e300"),
    "",
    " ",
    "x",
    "\u202e",
    "٣",
    "'\"<script>",
    "x" * 20_000,
    "../..",
    "1e9",
    "0",
    "table",
    [],
    ["x"],
    [[["x"]]],
    {},
    {"a": {"b": 1}},
    "00000000-0000-0000-0000-000000000000",
)
TRIES = 5
"""The number of attempts at each operation."""


def odd_text() -> str:
    value = random.choice(ODD)
    return quote(value if isinstance(value, str) else json.dumps(value), safe="")[:400] or "%00"


def odd_path(row: str, names: dict[str, Any]) -> str:
    """Return a path in which each name is right or odd."""
    return re.sub(r"\{(\w+)\}", lambda name: str(names[name[1]]) if random.random() < 0.7 else odd_text(), row)


def odd_body(body: Any, properties: dict[str, Any]) -> Any:
    """Return a body with odd values in some of its fields, or one that is odd as a whole."""
    if random.random() < 0.1:
        return random.choice(ODD)
    fields = {name: random.choice(ODD) for name in properties if random.random() < 0.3}
    return (body if isinstance(body, dict) else {}) | fields


def ask(caller: Caller, name: str, names: dict[str, Any], operation: dict[str, Any]) -> Any:
    method, _, path, body = MATRIX[name]
    path = odd_path(path, names)
    if method == GET:
        query = [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"]
        asked = "&".join(f"{one}={odd_text()}" for one in query if random.random() < 0.5)
        return caller.client.get(caller.url(f"{path}?{asked}"), **caller.headers)
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    key = uuid4() if random.random() < 0.9 else "odd"
    seen = {"If-Match": random.choice(("", "*", '"0"', "x" * 500))}
    return caller.post(path, odd_body(body, schema.get("properties", {})), key=key, method=method.upper(), **seen)


def test_nothing_that_is_sent_gives_a_5xx(played, cast, settings, monkeypatch):
    monkeypatch.setattr(auth, "MOST_REQUESTS", 10**6)
    operations = {
        operation["operationId"]: operation
        for methods in api.get_openapi_schema()["paths"].values()
        for operation in methods.values()
    }
    names, callers = named(played), [calls(cast.gm), calls(cast.player)]
    statuses = set()
    for name in MATRIX:
        if name in BESIDE_DJANGO:
            continue
        for _ in range(TRIES):
            answer = ask(random.choice(callers), name, names, operations[name])
            statuses.add(answer.status_code)
            assert answer.status_code < 500, (name, answer.request["PATH_INFO"])
            if answer.status_code >= 400:
                assert answer["Content-Type"] == "application/problem+json", name
    assert {200, 404, 422} <= statuses
