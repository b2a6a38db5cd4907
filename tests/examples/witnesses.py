"""Witnesses of a table here: the example's, that ask the API through Django's test client in place of a socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from afterburn_witness.log import Witness

from tests.api.callers import Caller, calls
from tests.cast import Person


def getter(caller: Caller) -> Any:
    """Return the function with which a witness asks a route."""

    def get(path: str, **query: Any) -> Any:
        answer = caller.get(f"/{path}", **query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return get


def witness(person: Person, file: Path, *others: Path) -> Witness:
    """Return a person's witness, which has read the log once."""
    caller = calls(person, writes=False)
    watching = Witness(getter(caller), caller.slug, file, others)
    watching.read()
    return watching
