"""Reading a whole campaign's log that comes from elsewhere: every line is checked before anything is written."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import IO, Annotated, Any, TypeAlias
from uuid import UUID

from django.utils.translation import gettext as _
from pydantic import StringConstraints, ValidationError

from campaigns import chain, rulesets
from campaigns.events import CAMPAIGN_CHANGED, CAMPAIGN_MADE, MEMBER_JOINED, ROLE_CHANGED
from campaigns.kinds import Indexed, kind_of, kinds
from campaigns.models.members import TABLE, Role
from campaigns.schema import UNREADABLE, Schema
from campaigns.text import FORBIDDEN, MAX_TEXT
from languages.text import gettext_lazy

# One line of an imported log: whether it has a line's types and forms.
#
# The format of a line is in docs/fairdice.md. Anybody may have made a file, so nothing in it is trusted that is not
# checked here.


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


MOST_FAULTS = 20  # that are told at once
# Of these a page lists all there are, and no campaign that is played comes near.
MOST_PEOPLE = 1000
MOST_SESSIONS = 1000
MOST_SCENES = 5000
MOST_AMENDING = 100  # entries that amend one other


@dataclass
class Someone:
    """A person whom the log knows by a number, with the name in the newest line about them."""

    name: str = ""
    role: Role = Role.PLAYER


@dataclass
class Span:
    """A session or scene: its title, and when its first and last entries were written."""

    first: datetime
    last: datetime
    title: str = ""


@dataclass
class Incoming:
    """A file that was read. `faults` are in words, by line, at most MOST_FAULTS; if there are any, the rest is meaningless.

    `digest` is SHA-256 of all of it, in hex; `amended` how many lines amend each line.
    """

    digest: str = ""
    campaign: str = ""
    about: dict[str, Any] = field(default_factory=dict)
    began: datetime | None = None
    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    people: dict[int, Someone] = field(default_factory=dict)
    sessions: dict[int, Span] = field(default_factory=dict)
    scenes: dict[tuple[int, int], Span] = field(default_factory=dict)
    amended: Counter[Ref] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def read(file: IO[bytes]) -> Incoming:
    """Check a file line by line, from its beginning; nothing is written."""
    incoming, digest = Incoming(), sha256()
    for number, raw in _raw(file):
        digest.update(raw)
        try:
            _take(incoming, parsed(raw))
        except Wrong as wrong:
            incoming.faults.append(_("Line {number}: {fault}").format(number=number, fault=wrong))
            if len(incoming.faults) == MOST_FAULTS:
                break
    if not incoming.faults and not incoming.heads:
        incoming.faults.append(_("This file is empty."))
    incoming.digest = digest.hexdigest()
    return incoming


def lines_in(file: IO[bytes]) -> Iterator[Line]:
    """Yield the lines of a file that was found to be right."""
    return (json.loads(raw) for _, raw in _raw(file))


def _raw(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    file.seek(0)
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        yield number, raw
        # The rest of a line that is too long is no line of its own.
        while len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            raw = file.readline(LONGEST_LINE + 1) or b"\n"


def _take(incoming: Incoming, line: Line) -> None:
    """Read a line, if it continues its stream. Raises Wrong."""
    incoming.campaign, incoming.began = incoming.campaign or line["campaign"], incoming.began or moment(line)
    stream = line["stream"]
    seq, head = incoming.heads.get(stream, (0, chain.first_link(line["campaign"], stream)))
    # What comes after a fault is compared with the fault, so that one is not told as many.
    incoming.heads[stream] = line["seq"], line["hash"]
    if line["campaign"] != incoming.campaign:
        raise Wrong(_("it belongs to a different campaign than the lines before it."))
    if line["seq"] != seq + 1:
        message = _("number {number} of “{stream}” follows number {before}: lines are missing or out of order.")
        raise Wrong(message.format(number=line["seq"], stream=stream, before=seq))
    _check_chain(line, head)
    check_payload(line)
    _check_amends(incoming, line)
    _note_people(incoming, line)
    _note_place(incoming, line)
    _note_names(incoming, line)


def _check_chain(line: Line, head: str) -> None:
    bound = {name: line[name] for name in ("stream", "seq", "kind", "actor", "commitment")}
    linked = chain.link(head, campaign_id=line["campaign"], at=moment(line), **bound)
    if (line["prev"], line["hash"]) != (head, linked):
        raise Wrong(_("the hash chain doesn’t match: this line or an earlier one was changed."))
    if not line["erased"] and chain.commit(line["salt"], line["payload"]) != line["commitment"]:
        raise Wrong(_("its content isn’t what was originally written."))


def check_payload(line: Line) -> None:
    by = line["payload"].get("by")
    if kind_of(line["kind"]).nameless:
        if by is not None or line["actor"] is not None:
            raise Wrong(_("it names a person, but entries of this kind never do."))
    elif not isinstance(by, dict) or [number for number, __ in persons(by)] != [line["actor"]]:
        raise Wrong(_("its author is missing, or isn’t the one that its content names."))
    indexed(line)


def _check_amends(incoming: Incoming, line: Line) -> None:
    parent = line["amends"]
    if parent is None:
        return
    stream, seq = parent.get("stream"), parent.get("seq")
    if set(parent) != {"stream", "seq"} or type(stream) is not str or not is_number(seq):
        raise Wrong(_("its “amends” is malformed."))
    if seq > incoming.heads.get(stream, (0, ""))[0] or (stream, seq) == ref(line):
        raise Wrong(_("it amends an entry that comes later."))
    if line["stream"] not in (stream, TABLE):
        raise Wrong(_("it is hidden from some people who see the entry that it amends."))
    incoming.amended[ref(parent)] += 1
    if incoming.amended[ref(parent)] > MOST_AMENDING:
        raise Wrong(_("more than {most} entries amend the same entry.").format(most=MOST_AMENDING))


def _note_people(incoming: Incoming, line: Line) -> None:
    for number, name in persons(line["payload"]):
        incoming.people.setdefault(number, Someone()).name = name[:120]
    owner = line["stream"].partition(":")[2]
    for number in filter(None, (line["actor"], int(owner) if owner else None)):
        incoming.people.setdefault(number, Someone())
    if len(incoming.people) > MOST_PEOPLE:
        raise Wrong(_("the log has more than {most} people by this line.").format(most=MOST_PEOPLE))
    role = line["payload"].get("role")
    if line["kind"] == CAMPAIGN_MADE and line["actor"]:
        incoming.people[line["actor"]].role = Role.GM
    elif line["kind"] in (MEMBER_JOINED, ROLE_CHANGED) and role in Role.values:
        for number, __ in persons(line["payload"].get("who")):
            incoming.people[number].role = Role(role)


def _note_place(incoming: Incoming, line: Line) -> None:
    at, session, scene = moment(line), line["session"], line["scene"]
    spans: list[Span] = []
    if session is not None:
        spans.append(incoming.sessions.setdefault(session, Span(at, at)))
    if scene is not None:
        spans.append(incoming.scenes.setdefault((session, scene), Span(at, at)))
    if len(incoming.sessions) > MOST_SESSIONS or len(incoming.scenes) > MOST_SCENES:
        message = _("the log has more than {sessions} sessions or {scenes} scenes by this line.")
        raise Wrong(message.format(sessions=MOST_SESSIONS, scenes=MOST_SCENES))
    for span in spans if line["stream"] == TABLE else ():
        span.first, span.last = min(span.first, at), max(span.last, at)


def _note_names(incoming: Incoming, line: Line) -> None:
    """Note the current names of the campaign, its sessions and scenes, as far as the whole table was told."""
    payload, kind = line["payload"], line["kind"]
    if line["stream"] != TABLE:
        return
    if kind in (CAMPAIGN_MADE, CAMPAIGN_CHANGED):
        about = payload.get("after", payload)
        incoming.about = about if isinstance(about, dict) else {}
    title, number = payload.get("title"), payload.get("number")
    if not isinstance(title, str) or type(number) is not int:
        return
    what = kind.partition(".")[2].partition("_")[0]
    if what == "session" and number in incoming.sessions:
        incoming.sessions[number].title = title[:120]
    elif what == "scene" and (line["session"], number) in incoming.scenes:
        incoming.scenes[line["session"], number].title = title[:120]
