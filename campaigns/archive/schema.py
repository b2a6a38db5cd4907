"""One line of an imported log: whether it has a line's types and forms.

The format of a line is in docs/fairdice.md. Anybody may have made a file, so nothing in it is trusted that is not
checked here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from django.utils.translation import gettext as _
from pydantic import StringConstraints, ValidationError

from campaigns import chain, rulesets
from campaigns.kinds import Indexed, kind_of, kinds
from campaigns.schema import UNREADABLE, Schema
from campaigns.text import FORBIDDEN, MAX_TEXT
from languages.text import gettext_lazy

LONGEST_LINE = 300_000  # bytes
DEEPEST = 32  # lists and dicts in each other
MOST_PARTS = 5000  # of a line: what a page draws takes time and room for each
MOST_NUMBERED = 100_000  # the highest number of a session or scene
MOST_PATHS = 3  # of what does not fit in a payload, that are told
LONGEST_PATH = 80
HIGHEST = 2**53  # what every reader of JSON counts to
YEARS = (1900, 9000)  # beyond these no database counts the hours of every time zone

Hash: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Entry(Schema):
    """The types and forms of a line; each has all of these."""

    campaign: str
    stream: Annotated[str, StringConstraints(pattern=r"^(table|gm|member:[1-9][0-9]{0,14})$")]
    seq: int
    uid: str
    at: Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$")]
    kind: str
    actor: int | None
    session: int | None
    scene: int | None
    amends: dict[str, Any] | None
    payload: dict[str, Any]
    erased: bool
    salt: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    commitment: Hash
    prev: Hash
    hash: Hash


TOO_MUCH = gettext_lazy("it says more than an entry can.")
UNFIT = gettext_lazy("its content isn’t what entries of its kind hold.")
UNKEPT = gettext_lazy("it has characters or numbers that can’t be stored, or is nested too deeply.")

Line = dict[str, Any]
Ref = tuple[str, int]
"""An event as a file names it: its stream, its number there."""


class Wrong(Exception):
    """A fault of a line, in words."""


def parsed(raw: bytes) -> Line:
    """Return a line with the types and forms that a line has. Raises Wrong."""
    if len(raw) > LONGEST_LINE:
        raise Wrong(_("it is longer than {most} kB.").format(most=LONGEST_LINE // 1000))
    try:
        line = json.loads(raw, parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError):
        raise Wrong(_("it isn’t the JSON of a log.")) from None
    if not isinstance(line, dict):
        raise Wrong(_("it isn’t an entry of a log."))
    if "payload" not in line and "commitment" in line:
        raise Wrong(_("it is only a link of the chain. Export the whole log, without filters."))
    _check_shape(line)
    return line


def moment(line: Line) -> datetime:
    return datetime.fromisoformat(line["at"])


def ref(named: Mapping[str, Any]) -> Ref:
    """Return the reference to a line, from the line itself or from another line's `amends`."""
    return named["stream"], named["seq"]


def indexed(line: Line) -> Indexed:
    """Return the search index entry for a line of the log. Raises Wrong if its payload does not fit its kind."""
    kind = kind_of(line["kind"])
    payload = kind.today(line["payload"])
    try:
        if paths := kind.mistakes(payload):
            raise Wrong(_("its content isn’t what entries of its kind hold: see {paths}.").format(paths=_shown(paths)))
        by = kind.indexed(payload)
    except UNREADABLE:
        raise Wrong(UNFIT) from None
    if not isinstance(by.words, str) or (by.system != "" and not rulesets.NAME.fullmatch(by.system)):
        raise Wrong(UNFIT)
    return by


def _shown(paths: list[str]) -> str:
    """Return the first of these paths, shortened: faulty files may have any number of them, with any characters."""
    names = (re.sub(r"[^\w.-]", "?", path[:LONGEST_PATH]) for path in paths[:MOST_PATHS])
    return ", ".join(f"“{name}”" for name in names)


def persons(value: Any) -> Iterator[tuple[int, str]]:
    """Yield the number and name of every person named anywhere in a payload."""
    inside: Iterable[Any] = ()
    number: Any
    if isinstance(value, dict):
        inside, number, name = value.values(), value.get("member"), value.get("name")
        if set(value) == {"member", "name"} and is_number(number) and isinstance(name, str):
            yield number, name
    elif isinstance(value, list):
        inside = value
    for item in inside:
        yield from persons(item)


def _no_float(text: str) -> Any:
    raise ValueError(text)


def _check_shape(line: Line) -> None:
    try:
        Entry.model_validate(line)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        if fault["type"] in ("missing", "extra_forbidden"):
            raise Wrong(_("it has other fields than an exported entry.")) from None
        is_type = fault["type"].endswith("_type")
        message = _("its “{field}” is of the wrong type.") if is_type else _("its “{field}” is malformed.")
        raise Wrong(message.format(field=fault["loc"][0])) from None
    _check_parts(line)
    _check_values(line)


def _check_values(line: Line) -> None:
    for name in ("campaign", "uid"):
        if not _is_uuid(line[name]):
            raise Wrong(_("its “{field}” isn’t an id.").format(field=name))
    if not _is_moment(line["at"]):
        raise Wrong(_("its “at” isn’t a time."))
    if line["kind"] not in kinds():
        raise Wrong(_("this version of Afterburn doesn’t know its kind."))
    if line["actor"] is not None and not is_number(line["actor"]):
        raise Wrong(_("its “actor” isn’t the number of a person."))
    for name in ("session", "scene"):
        if line[name] is not None and not 1 <= line[name] <= MOST_NUMBERED:
            raise Wrong(_("its “{field}” is out of range.").format(field=name))
    if line["scene"] is not None and line["session"] is None:
        raise Wrong(_("it names a scene without a session."))


def _check_parts(line: Line) -> None:
    """Raise Wrong for values that no database can store, and for ones that nobody could have written here."""
    parts, texts, level = 0, list[str](), list[Any]([line])
    for __ in range(DEEPEST + 1):
        parts += len(level)
        inside: list[Any] = []
        for value in level:
            if isinstance(value, str):
                texts.append(value)
            elif isinstance(value, dict):
                inside += [*value, *value.values()]
            elif isinstance(value, list):
                inside += value
            elif isinstance(value, int) and abs(value) >= HIGHEST:
                raise Wrong(UNKEPT)
        level = inside
    if level or FORBIDDEN.search("".join(texts)):
        raise Wrong(UNKEPT)
    if parts > MOST_PARTS or max(map(len, texts)) > MAX_TEXT:
        raise Wrong(TOO_MUCH)


def is_number(value: Any) -> bool:
    return type(value) is int and 1 <= value < HIGHEST


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _is_moment(text: str) -> bool:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return False
    return YEARS[0] <= at.year < YEARS[1] and chain.moment(at) == text
