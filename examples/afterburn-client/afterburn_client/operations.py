"""The types and operations of the API. Written by generate.py from its OpenAPI document: change that, not this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict
from uuid import UUID, uuid4

Body = Mapping[str, Any]
"""What is sent: the fields that the document names for the operation."""


class Advance(TypedDict):
    """Something that can be bought. `cost` is null where who buys says it."""

    offer: str
    words: str
    currency: str
    cost: int | None
    asks: list[Ask]


class Ask(TypedDict):
    """A value that a purchase asks for."""

    name: str
    label: str
    choices: dict[str, str] | None
    """The values there are to choose from, with their words."""


class Balance(TypedDict):
    """How much there is of a currency."""

    currency: str
    label: str
    have: int
    words: str


class Campaign(TypedDict):
    slug: str
    name: str
    pitch: str
    systems: list[str]
    """The rulesets that it plays by."""
    rules: list[str]
    """The same, and the Scale where it joins them, as far as they are installed."""
    archived: bool
    paused: str
    """The message shown while play is paused; empty otherwise."""
    next_session_at: str | None
    now: Now
    me: Me


class Character(TypedDict):
    id: str
    name: str
    concept: str
    system: str
    whose: Person | None
    also: list[Person]
    crew: bool
    shown: bool
    state: str
    mine: bool
    """Whether this token may roll and speak for it."""
    fields: list[SheetField]
    lists: list[SheetList]


class CharacterCard(TypedDict):
    id: str
    name: str
    concept: str
    system: str
    whose: Person | None
    also: list[Person]
    crew: bool
    shown: bool
    state: str
    mine: bool
    """Whether this token may roll and speak for it."""


class Clock(TypedDict):
    id: str
    name: str
    kind: str
    segments: int
    filled: int | None
    """Null where its progress is hidden."""
    full: bool
    visibility: str
    owner: dict[str, Any]
    rival: Ref | None
    after: Ref | None
    archived: bool
    version: NotRequired[str | None]
    """For If-Match. Only GMs get it: they alone change clocks."""


class DateAnswer(TypedDict):
    member: Person
    answer: str
    """yes, maybe or no"""


class Done(TypedDict):
    """The result of an operation. Its events come by the stream of events."""

    id: NotRequired[str | None]


class Event(TypedDict):
    """One thing that happened, as one stream has it."""

    uid: str
    """The same in every stream that tells of it."""
    stream: str
    seq: int
    prev: str
    """The hash of the event before it in its stream; empty for the first."""
    hash: str
    at: str
    kind: str
    topic: str
    system: str
    outcome: str | None
    by: Person | None
    session: int | None
    scene: int | None
    parent: str | None
    """The uid of the event this one corrects."""
    text: str
    """The line of the log, as text; empty for what only moves a display."""
    payload: dict[str, Any]
    """What it says: codes, numbers and names, and the words for them."""


class Events(TypedDict):
    items: list[Event]
    next: str | None
    """Send it as `after` to get the next page; null at the end."""


class Filters(TypedDict):
    """Those of the log’s page."""

    words: NotRequired[str]
    topic: NotRequired[str]
    outcome: NotRequired[str]
    who: NotRequired[str]
    character: NotRequired[str]
    session: NotRequired[str]
    scene: NotRequired[str]
    between: NotRequired[str]
    clock: NotRequired[str]
    storyline: NotRequired[str]
    system: NotRequired[str]
    order: NotRequired[str]
    since: NotRequired[str]
    until: NotRequired[str]


class Handout(TypedDict):
    id: str
    event: str
    """The uid of the line that it came with."""
    title: str
    alt: str
    width: int
    height: int
    picture: str
    """The address of the picture, below this API."""


class KeptRoll(TypedDict):
    """A roll offered for a character."""

    id: NotRequired[str | None]
    """Set for a saved roll; null for a recent one."""
    words: str
    system: str
    fields: dict[str, Any]
    """What goes into the roll’s fields."""


class Ledger(TypedDict):
    balances: list[Balance]
    entries: list[LedgerEntry]
    """The newest first, a hundred at most."""
    claims: list[dict[str, Any]]
    """What is claimed and waits for the GM."""
    offers: list[Advance]


class LedgerEntry(TypedDict):
    """A line of a ledger, with the words for it."""

    id: str
    kind: str
    currency: str
    label: str
    amount: int
    unit: str
    words: str
    by: Person
    at: str


class Lines(TypedDict):
    items: list[dict[str, Any]]
    """Lines of the export (docs/fairdice.md)."""
    next: str | None
    """Send it as `after` to get the next page; null at the end."""


class Me(TypedDict):
    member: int
    name: str
    role: str
    """gm, player or spectator"""
    writes: bool
    """Whether this token may change anything."""


class Member(TypedDict):
    member: int
    name: str
    role: str
    """gm, player or spectator"""


class NewRow(TypedDict):
    """The columns of a row, by name."""

    columns: dict[str, int | bool | str]
    why: NotRequired[str]


class NewValue(TypedDict):
    """A value, and why it is set."""

    value: int | bool | str
    why: NotRequired[str]


class Now(TypedDict):
    """The current session and scene, in words; empty if there is none."""

    session: str
    scene: str


class Odds(TypedDict):
    """The exact chances; null if there are none to show."""

    odds: dict[str, Any] | None


class OddsPage(TypedDict):
    sections: list[dict[str, Any]]


class Offer(TypedDict):
    """A step that may be taken now, by this token. `form` describes its values; null if it has none."""

    act: str
    words: str
    form: dict[str, Any] | None


class Opener(TypedDict):
    """A kind of procedure that this token may open, and what that asks for."""

    system: str
    kind: str
    label: str
    form: dict[str, Any]


class Page(TypedDict):
    id: str
    name: str
    kind: str
    """person, place, faction or thing"""
    aliases: list[str]
    hidden: bool
    """Whether only GMs know of it."""
    character: Ref | None
    clock: Ref | None
    note: str
    """Markdown, in which [[links]] name other pages."""
    gm_note: NotRequired[str | None]
    """Only for GMs."""
    version: NotRequired[str | None]
    """For If-Match. Spectators don’t get it: they don’t write."""


class PageName(TypedDict):
    """A page of what is known. That of a character or a clock has its id."""

    id: str
    name: str
    kind: str
    """person, place, faction or thing"""
    aliases: list[str]
    hidden: bool
    """Whether only GMs know of it."""
    character: Ref | None
    clock: Ref | None


class Person(TypedDict):
    """A person at the table, by the number that its log knows them by."""

    member: int
    name: str


class Plausible(TypedDict):
    plausible: bool


class Problem(TypedDict):
    """What was refused, and why (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    """For whoever reads it: what to do."""
    errors: NotRequired[list[dict[str, Any]]]
    current: NotRequired[Any]
    """Of a 409: what it is now."""
    by: NotRequired[str]
    """Of a 409: who wrote that."""
    anyway: NotRequired[dict[str, Any]]
    """Of a 409: the field that does it all the same, for who may."""


class Procedure(TypedDict):
    """A procedure, which several people settle together in steps."""

    id: str
    system: str
    kind: str
    label: str
    reason: str
    opened_by: Person
    players: list[dict[str, Any]]
    waits: list[dict[str, Any]]
    over: bool
    step: str | None
    """The newest step, which a GM may take back."""
    state: dict[str, Any]
    described: dict[str, Any]
    offers: list[Offer]


class Purchase(TypedDict):
    """A purchase, and the values that it asks for, by name."""

    offer: str
    given: NotRequired[dict[str, str | int]]


class Ref(TypedDict):
    id: str
    name: str


class Request(TypedDict):
    """A roll that the GM asks for, or that a player has announced."""

    id: str
    system: str
    words: str
    reason: str
    audience: str
    announced: bool
    whose: Person | None
    character: Ref | None
    waits_for: list[Person]
    rolled: list[Person]
    terms: dict[str, Any]
    fields: dict[str, Any]
    """What it fills in of the roll’s fields."""


class RollFields(TypedDict):
    """The fields of rolls by some rules."""

    system: str
    label: str
    fields: dict[str, Any]
    """JSON Schema of what a roll takes."""
    examples: list[str]
    """Slash commands."""


class RollTable(TypedDict):
    """A table that GMs roll on."""

    id: str
    name: str
    dice: str
    """d4 to d100, 2d6, 3d6 or d66; empty for weights."""
    lines: str
    """As it was written, a result in each line."""


class RollTableOdds(TypedDict):
    id: str
    name: str
    dice: str
    """d4 to d100, 2d6, 3d6 or d66; empty for weights."""
    lines: str
    """As it was written, a result in each line."""
    rows: list[TableRow]
    results: list[TableResult]
    """Its texts with those of nested tables; empty where there are none, or too many."""
    missing: list[str]
    """Names in its lines that no table has."""


class Rolled(TypedDict):
    """A roll that was made, or one that was announced and waits for the GM (`request`)."""

    roll: NotRequired[str | None]
    request: NotRequired[str | None]
    procedure: NotRequired[str | None]
    client_seed: str
    client_seed_by: str
    """Who made that up: client or server."""
    event: NotRequired[Event | None]
    """What was told of it, as far as this token may see it."""


class Scales(TypedDict):
    """The Scales in use, and their unsettled Burns."""

    scales: list[dict[str, Any]]
    offers: list[dict[str, Any]]
    majors: list[dict[str, Any]]
    burns: list[dict[str, Any]]
    carried: list[dict[str, Any]]


class Scene(TypedDict):
    number: int
    title: str
    opened_at: str
    closed_at: str | None


class Session(TypedDict):
    id: int
    """Events can be searched by it."""
    number: int
    title: str
    started_at: str
    ended_at: str | None
    scenes: list[Scene]


class SessionDate(TypedDict):
    """A date to come, with the answers of those who play."""

    id: str
    at: str
    minutes: int
    zone: str
    """The time zone in which it was proposed."""
    set: bool
    """Whether a GM has set it."""
    answers: list[DateAnswer]
    version: NotRequired[str | None]
    """For If-Match, the same for all dates. Only GMs get it."""


class Sessions(TypedDict):
    items: list[Session]
    next: int | None
    """Send it as `before` to get the next page; null at the end."""


class SheetField(TypedDict):
    """One value of a sheet. `version` is for If-Match."""

    field: str
    label: str
    value: int | str | bool
    words: str
    visibility: str
    version: str


class SheetList(TypedDict):
    name: str
    label: str
    visibility: str
    rows: list[SheetRow]


class SheetRow(TypedDict):
    id: str
    version: str
    fields: list[SheetField]


class Statistics(TypedDict):
    choices: dict[str, dict[str, str]]
    """The values of each filter, with their names."""
    lines: list[str]
    rates: list[dict[str, Any]]
    faces: dict[str, Any] | None
    tables: list[dict[str, Any]]
    hand_lines: list[str]
    hand_faces: dict[str, Any] | None


class Storyline(TypedDict):
    id: str
    title: str
    whose: Person | None
    """Null if it belongs to everyone."""
    open: bool
    notes: NotRequired[str | None]
    """Only for GMs."""
    version: NotRequired[str | None]
    """For If-Match. Only GMs get it: they alone change storylines."""


class Stream(TypedDict):
    """A numbered line of events with one audience."""

    name: str
    seq: int
    hash: str
    """The hash of its last event; empty before the first."""


class TableResult(TypedDict):
    text: str
    exact: str
    """How likely it is, as a fraction."""


class TableRow(TypedDict):
    text: str
    exact: str
    """How likely it is, as a fraction."""
    numbers: str


class Operations:
    """What a program may ask for with its token. What is refused is raised as Refused (client.py).

    Whatever changes something takes a `key`: the same again, with the same content, gives the first answer again. Without one,
    the client makes one up for this call, and keeps it for as long as it has to try.
    """

    slug: str

    def _ask(
        self,
        method: str,
        path: str,
        named: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, object] | None = None,
        body: Body | None = None,
        if_match: str | None = None,
        key: UUID | None = None,
    ) -> Any:
        """Send a request to a path filled with `named`; return the JSON of the answer, or the bytes of other content."""
        raise NotImplementedError

    def campaigns(self) -> list[Campaign]:
        """List the campaigns this token opens. There is always exactly one."""
        answer: list[Campaign] = self._ask("GET", "/api/v1/campaigns")
        return answer

    def campaign(self) -> Campaign:
        """Get the campaign: its name and rules, whether play is paused, and who this token acts as."""
        answer: Campaign = self._ask("GET", "/api/v1/campaigns/{slug}", {"slug": self.slug})
        return answer

    def odds_of_system(self, system: str | UUID) -> OddsPage:
        """Get the exact odds of a game. `/odds/` lists the settings that the query takes. No token needed."""
        answer: OddsPage = self._ask("GET", "/api/v1/odds/{system}", {"system": system})
        return answer

    def members(self) -> list[Member]:
        """List the current members."""
        answer: list[Member] = self._ask("GET", "/api/v1/campaigns/{slug}/members", {"slug": self.slug})
        return answer

    def characters(self) -> list[CharacterCard]:
        """List the characters this token can see."""
        answer: list[CharacterCard] = self._ask("GET", "/api/v1/campaigns/{slug}/characters", {"slug": self.slug})
        return answer

    def character(self, character_id: str | UUID) -> Character:
        """Get a character with as much of its sheet as this token can see. Rows of lists have addresses such as
        `traits/4f2a…/dice`."""
        answer: Character = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def field(self, character_id: str | UUID, field: str | UUID) -> SheetField:
        """Get one value of a sheet. Its version is also the ETag."""
        answer: SheetField = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/fields/{field}",
            {"slug": self.slug, "character_id": character_id, "field": field},
        )
        return answer

    def set_field(
        self, character_id: str | UUID, field: str | UUID, body: Body, *, key: UUID | None = None, if_match: str
    ) -> SheetField:
        """Set one value of a sheet. `If-Match` is the version you last saw. If someone changed it since, 409
        returns the current value and who wrote it."""
        answer: SheetField = self._ask(
            "PATCH",
            "/api/v1/campaigns/{slug}/characters/{character_id}/fields/{field}",
            {"slug": self.slug, "character_id": character_id, "field": field},
            body=body,
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def add_row(self, character_id: str | UUID, rows: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Add a row to a list on a sheet."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/characters/{character_id}/lists/{rows}",
            {"slug": self.slug, "character_id": character_id, "rows": rows},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def remove_row(
        self, character_id: str | UUID, rows: str | UUID, row_id: str | UUID, *, key: UUID | None = None, if_match: str
    ) -> Done:
        """Remove a row from a list. `If-Match` is the version you last saw."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/characters/{character_id}/lists/{rows}/{row_id}",
            {"slug": self.slug, "character_id": character_id, "rows": rows, "row_id": row_id},
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def ledger(self, character_id: str | UUID) -> Ledger:
        """Get what a character has to spend and what it could buy. You must be able to read its sheet."""
        answer: Ledger = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/ledger",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def buy(self, character_id: str | UUID, body: Body, *, key: UUID | None = None) -> Ledger:
        """Buy one of the `offers`. `given` holds what the offer `asks` for. The sheet changes at the same moment."""
        answer: Ledger = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/characters/{character_id}/ledger",
            {"slug": self.slug, "character_id": character_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def give_xp(self, body: Body, *, key: UUID | None = None) -> Done:
        """Award XP (`amount`) to `characters`, by id, for a `reason`."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/xp", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def events(
        self,
        *,
        words: str | None = None,
        topic: str | None = None,
        outcome: str | None = None,
        who: str | None = None,
        character: str | None = None,
        session: str | None = None,
        scene: str | None = None,
        between: str | None = None,
        clock: str | None = None,
        storyline: str | None = None,
        system: str | None = None,
        order: str | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Events:
        """Search the log, newest first (or `order=oldest`). An event recorded in several streams is listed once.
        The filters are those of the log page; `after` is the `next` of the previous page."""
        answer: Events = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/events",
            {"slug": self.slug},
            query={
                "words": words,
                "topic": topic,
                "outcome": outcome,
                "who": who,
                "character": character,
                "session": session,
                "scene": scene,
                "between": between,
                "clock": clock,
                "storyline": storyline,
                "system": system,
                "order": order,
                "since": since,
                "until": until,
                "after": after,
                "limit": limit,
            },
        )
        return answer

    def export(
        self,
        *,
        words: str | None = None,
        topic: str | None = None,
        outcome: str | None = None,
        who: str | None = None,
        character: str | None = None,
        session: str | None = None,
        scene: str | None = None,
        between: str | None = None,
        clock: str | None = None,
        storyline: str | None = None,
        system: str | None = None,
        order: str | None = None,
        since: str | None = None,
        until: str | None = None,
        form: str | None = None,
    ) -> bytes:
        """Export the log, or the part that matches the filters, in one of the formats of the log page: `jsonl` for
        programs (with its proofs), `csv` for spreadsheets, `markdown`, or `page` for printing. It is sent as it
        is read."""
        answer: bytes = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/export",
            {"slug": self.slug},
            query={
                "words": words,
                "topic": topic,
                "outcome": outcome,
                "who": who,
                "character": character,
                "session": session,
                "scene": scene,
                "between": between,
                "clock": clock,
                "storyline": storyline,
                "system": system,
                "order": order,
                "since": since,
                "until": until,
                "form": form,
            },
        )
        return answer

    def say(self, body: Body, *, key: UUID | None = None) -> Event:
        """Say something at the table. `voice` is `player` to speak as yourself (the default), `character:` and an
        id to speak as your character, `narration` for GMs, or `whisper` to the members whose numbers are in
        `to`. The composer’s commands are refused."""
        answer: Event = self._ask(
            "POST", "/api/v1/campaigns/{slug}/lines", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def event(self, uid: str | UUID) -> Event:
        """Get one event, in the fullest version this token can see."""
        answer: Event = self._ask("GET", "/api/v1/campaigns/{slug}/events/{uid}", {"slug": self.slug, "uid": uid})
        return answer

    def undo_event(self, uid: str | UUID, *, key: UUID | None = None) -> Done:
        """Undo what an event tells, with all that followed: the last of a procedure, also of a finished one, of a
        clock, a sheet or a Scale. 409 says who has gone on since."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/events/{uid}/undo", {"slug": self.slug, "uid": uid}, key=key or uuid4()
        )
        return answer

    def streams(self) -> list[Stream]:
        """List the streams this token can read, with the number each has reached."""
        answer: list[Stream] = self._ask("GET", "/api/v1/campaigns/{slug}/streams", {"slug": self.slug})
        return answer

    def stream_events(self, stream: str | UUID, *, after: int | None = None, limit: int | None = None) -> Events:
        """List the events of one stream after the number `after`, oldest first."""
        answer: Events = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/streams/{stream}/events",
            {"slug": self.slug, "stream": stream},
            query={"after": after, "limit": limit},
        )
        return answer

    def stream_lines(self, stream: str | UUID, *, after: int | None = None, limit: int | None = None) -> Lines:
        """List the same events as lines of the export, from which hashes and dice can be checked. They are not
        drawn, so they cost the server little."""
        answer: Lines = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/streams/{stream}/lines",
            {"slug": self.slug, "stream": stream},
            query={"after": after, "limit": limit},
        )
        return answer

    def make_roll(self, body: Body, *, key: UUID | None = None) -> Rolled:
        """Roll, with the fields the rules take (`GET /rulesets`) or with a slash command in `text` and a
        `character`.  `request` answers a request from the GM. `announce` lets the GM set the roll first. `faces`
        are the results of real dice. Without a `client_seed` the server makes one and says so."""
        answer: Rolled = self._ask(
            "POST", "/api/v1/campaigns/{slug}/rolls", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def odds(self, body: Body) -> Odds:
        """Get the exact odds of a roll before making it. The fields are the same."""
        answer: Odds = self._ask("POST", "/api/v1/campaigns/{slug}/odds", {"slug": self.slug}, body=body)
        return answer

    def void(self, roll_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Void a roll and undo everything it set off."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/void",
            {"slug": self.slug, "roll_id": roll_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def correct(self, roll_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Read the same dice again with corrected terms. The rules say which terms can be corrected."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/correct",
            {"slug": self.slug, "roll_id": roll_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def reveal(self, roll_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Reveal a hidden roll to the whole table."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/reveal",
            {"slug": self.slug, "roll_id": roll_id},
            key=key or uuid4(),
        )
        return answer

    def requests(self) -> list[Request]:
        """List the open roll requests this token can see."""
        answer: list[Request] = self._ask("GET", "/api/v1/campaigns/{slug}/requests", {"slug": self.slug})
        return answer

    def ask_for(self, body: Body, *, key: UUID | None = None) -> Done:
        """Ask one `member`, or every player of these rules, for a roll. `reason` says what it is for and `audience`
        who sees it; the rest are the fields of the roll."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/requests", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def answer(self, request_id: str | UUID, body: Body, *, key: UUID | None = None) -> Rolled:
        """Roll what the GM asked for. You need not repeat what the request sets."""
        answer: Rolled = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/answer",
            {"slug": self.slug, "request_id": request_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def close(self, request_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Close a request."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/close",
            {"slug": self.slug, "request_id": request_id},
            key=key or uuid4(),
        )
        return answer

    def withdraw(self, request_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Withdraw a roll you announced."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/withdraw",
            {"slug": self.slug, "request_id": request_id},
            key=key or uuid4(),
        )
        return answer

    def kept_rolls(self, character_id: str | UUID) -> list[KeptRoll]:
        """List the saved and recent rolls of a character you play."""
        answer: list[KeptRoll] = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/rolls",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def roll_tables(self) -> list[RollTable]:
        """List the roll tables."""
        answer: list[RollTable] = self._ask("GET", "/api/v1/campaigns/{slug}/tables", {"slug": self.slug})
        return answer

    def roll_table(self, table_id: str | UUID) -> RollTableOdds:
        """Get a roll table with its exact odds."""
        answer: RollTableOdds = self._ask(
            "GET", "/api/v1/campaigns/{slug}/tables/{table_id}", {"slug": self.slug, "table_id": table_id}
        )
        return answer

    def roll_on_table(self, table_id: str | UUID, body: Body, *, key: UUID | None = None) -> Rolled:
        """Roll on a table and on those that its result names: for everyone, or with `audience` `gm` in secret."""
        answer: Rolled = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/tables/{table_id}/roll",
            {"slug": self.slug, "table_id": table_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def rulesets(self) -> list[RollFields]:
        """List the rules of this campaign: the fields their rolls take, as JSON Schema, and examples of slash
        commands."""
        answer: list[RollFields] = self._ask("GET", "/api/v1/campaigns/{slug}/rulesets", {"slug": self.slug})
        return answer

    def procedures(self) -> list[Procedure]:
        """List the open procedures this token can see, each with the steps it can take now."""
        answer: list[Procedure] = self._ask("GET", "/api/v1/campaigns/{slug}/procedures", {"slug": self.slug})
        return answer

    def open_procedure(self, body: Body, *, key: UUID | None = None) -> Procedure:
        """Open a procedure: its `system` and `kind`, a `reason`, and the fields of its kind."""
        answer: Procedure = self._ask(
            "POST", "/api/v1/campaigns/{slug}/procedures", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def procedure(self, procedure_id: str | UUID) -> Procedure:
        """Get one procedure. A finished one offers no steps."""
        answer: Procedure = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}",
            {"slug": self.slug, "procedure_id": procedure_id},
        )
        return answer

    def procedure_kinds(self) -> list[Opener]:
        """List what this token can open, with the fields each kind takes, as JSON Schema."""
        answer: list[Opener] = self._ask("GET", "/api/v1/campaigns/{slug}/procedure-kinds", {"slug": self.slug})
        return answer

    def take_step(self, procedure_id: str | UUID, body: Body, *, key: UUID | None = None) -> Procedure:
        """Take one step: `act` as it is offered, with the fields of its form. GMs send `override` to allow what a
        character’s state forbids. If the step is no longer offered, 409 says what happened."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/steps",
            {"slug": self.slug, "procedure_id": procedure_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def take_back(self, procedure_id: str | UUID, body: Body, *, key: UUID | None = None) -> Procedure:
        """Undo the newest step, if it is still the one you saw (`step`)."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/back",
            {"slug": self.slug, "procedure_id": procedure_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def close_procedure(self, procedure_id: str | UUID, *, key: UUID | None = None) -> Procedure:
        """End a procedure in its present state."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/close",
            {"slug": self.slug, "procedure_id": procedure_id},
            key=key or uuid4(),
        )
        return answer

    def clocks(self) -> list[Clock]:
        """List the clocks this token can see, including archived ones."""
        answer: list[Clock] = self._ask("GET", "/api/v1/campaigns/{slug}/clocks", {"slug": self.slug})
        return answer

    def make_clock(self, body: Body, *, key: UUID | None = None) -> Clock:
        """Create a clock. With `rival_name` and `rival_segments`, create a pair that race each other."""
        answer: Clock = self._ask(
            "POST", "/api/v1/campaigns/{slug}/clocks", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def clock(self, clock_id: str | UUID) -> Clock:
        """Get one clock."""
        answer: Clock = self._ask(
            "GET", "/api/v1/campaigns/{slug}/clocks/{clock_id}", {"slug": self.slug, "clock_id": clock_id}
        )
        return answer

    def change_clock(self, clock_id: str | UUID, body: Body, *, key: UUID | None = None, if_match: str) -> Clock:
        """Change a clock. Its ticks stay."""
        answer: Clock = self._ask(
            "PUT",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}",
            {"slug": self.slug, "clock_id": clock_id},
            body=body,
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def tick_clock(self, clock_id: str | UUID, body: Body, *, key: UUID | None = None) -> Clock:
        """Tick a clock; a negative number unticks it. GMs tick any clock, players their own and the crew’s."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/ticks",
            {"slug": self.slug, "clock_id": clock_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def archive_clock(self, clock_id: str | UUID, *, key: UUID | None = None) -> Clock:
        """Archive a clock. Its history stays."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/archive",
            {"slug": self.slug, "clock_id": clock_id},
            key=key or uuid4(),
        )
        return answer

    def restore_clock(self, clock_id: str | UUID, *, key: UUID | None = None) -> Clock:
        """Restore an archived clock."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/restore",
            {"slug": self.slug, "clock_id": clock_id},
            key=key or uuid4(),
        )
        return answer

    def sessions(self, *, before: int | None = None, limit: int | None = None) -> Sessions:
        """List the sessions with their scenes, newest first. `before` is the `next` of the previous page."""
        answer: Sessions = self._ask(
            "GET", "/api/v1/campaigns/{slug}/sessions", {"slug": self.slug}, query={"before": before, "limit": limit}
        )
        return answer

    def start_session(self, body: Body, *, key: UUID | None = None) -> Session:
        """Start a session."""
        answer: Session = self._ask(
            "POST", "/api/v1/campaigns/{slug}/sessions", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def end_session(self, *, key: UUID | None = None) -> Done:
        """End the current session and everything that ends with it. The seed of its dice is revealed."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/sessions/end", {"slug": self.slug}, key=key or uuid4()
        )
        return answer

    def open_scene(self, body: Body, *, key: UUID | None = None) -> Scene:
        """Start a scene in the current session. The scene before it ends."""
        answer: Scene = self._ask(
            "POST", "/api/v1/campaigns/{slug}/scenes", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def close_scene(self, *, key: UUID | None = None) -> Done:
        """End the current scene."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/scenes/close", {"slug": self.slug}, key=key or uuid4()
        )
        return answer

    def dates(self) -> list[SessionDate]:
        """List the dates to come for sessions, the next one first."""
        answer: list[SessionDate] = self._ask("GET", "/api/v1/campaigns/{slug}/dates", {"slug": self.slug})
        return answer

    def propose_dates(self, body: Body, *, key: UUID | None = None) -> Done:
        """Propose dates, or with `at_once` set them. Without `zone`, times without an offset are in the time zone
        of your account; `weeks` repeats each date `times` times, at the same hour there."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/dates", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def answer_date(self, date_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Say whether you can come on a date: `yes`, `maybe` or `no`."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/dates/{date_id}/answer",
            {"slug": self.slug, "date_id": date_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def set_date(self, date_id: str | UUID, *, key: UUID | None = None, if_match: str) -> Done:
        """Set a date. Everyone is told, and has it in their calendar."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/dates/{date_id}/set",
            {"slug": self.slug, "date_id": date_id},
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def cancel_date(self, date_id: str | UUID, *, key: UUID | None = None, if_match: str) -> Done:
        """Cancel a date that is set. It stays as a proposal."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/dates/{date_id}/set",
            {"slug": self.slug, "date_id": date_id},
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def withdraw_date(self, date_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Withdraw a proposal."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/dates/{date_id}",
            {"slug": self.slug, "date_id": date_id},
            key=key or uuid4(),
        )
        return answer

    def storylines(self) -> list[Storyline]:
        """List the storylines, including resolved ones."""
        answer: list[Storyline] = self._ask("GET", "/api/v1/campaigns/{slug}/storylines", {"slug": self.slug})
        return answer

    def add_storyline(self, body: Body, *, key: UUID | None = None) -> Storyline:
        """Create a storyline. `whose` is a member’s number; only GMs see `gm_notes`."""
        answer: Storyline = self._ask(
            "POST", "/api/v1/campaigns/{slug}/storylines", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def change_storyline(
        self, storyline_id: str | UUID, body: Body, *, key: UUID | None = None, if_match: str
    ) -> Storyline:
        """Change a storyline. `If-Match` is the version you last saw."""
        answer: Storyline = self._ask(
            "PUT",
            "/api/v1/campaigns/{slug}/storylines/{storyline_id}",
            {"slug": self.slug, "storyline_id": storyline_id},
            body=body,
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def resolve_storyline(self, storyline_id: str | UUID, *, key: UUID | None = None) -> Storyline:
        """Mark a storyline as resolved."""
        answer: Storyline = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/storylines/{storyline_id}/resolve",
            {"slug": self.slug, "storyline_id": storyline_id},
            key=key or uuid4(),
        )
        return answer

    def reopen_storyline(self, storyline_id: str | UUID, *, key: UUID | None = None) -> Storyline:
        """Reopen a resolved storyline."""
        answer: Storyline = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/storylines/{storyline_id}/reopen",
            {"slug": self.slug, "storyline_id": storyline_id},
            key=key or uuid4(),
        )
        return answer

    def handouts(self) -> list[Handout]:
        """List the handouts this token can see."""
        answer: list[Handout] = self._ask("GET", "/api/v1/campaigns/{slug}/handouts", {"slug": self.slug})
        return answer

    def keep_picture(self, uid: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Add the picture of a message to the handouts, or change its `title` there."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/events/{uid}/handout",
            {"slug": self.slug, "uid": uid},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def drop_picture(self, uid: str | UUID, *, key: UUID | None = None) -> Done:
        """Remove a picture from the handouts. The message and its picture stay."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/events/{uid}/handout",
            {"slug": self.slug, "uid": uid},
            key=key or uuid4(),
        )
        return answer

    def show_picture(self, uid: str | UUID, *, key: UUID | None = None) -> Done:
        """Show the picture of a message on the screens of everyone who can see the message. GMs show any picture,
        players their own."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/events/{uid}/show", {"slug": self.slug, "uid": uid}, key=key or uuid4()
        )
        return answer

    def picture(self, picture_id: str | UUID) -> bytes:
        """Get a picture that this token can see, as WebP."""
        answer: bytes = self._ask(
            "GET", "/api/v1/campaigns/{slug}/pictures/{picture_id}", {"slug": self.slug, "picture_id": picture_id}
        )
        return answer

    def pages(self) -> list[PageName]:
        """List the pages this token can see, by name. Characters and the clocks of factions have one by themselves."""
        answer: list[PageName] = self._ask("GET", "/api/v1/campaigns/{slug}/pages", {"slug": self.slug})
        return answer

    def make_page(self, body: Body, *, key: UUID | None = None) -> Page:
        """Make a page. `name` may end with its kind, and for GMs with “hidden”, as on the site: “The Gull, place,
        hidden”. Without a kind it is a thing."""
        answer: Page = self._ask(
            "POST", "/api/v1/campaigns/{slug}/pages", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def page(self, page_id: str | UUID) -> Page:
        """Get a page with its note and, for GMs, their part of it."""
        answer: Page = self._ask(
            "GET", "/api/v1/campaigns/{slug}/pages/{page_id}", {"slug": self.slug, "page_id": page_id}
        )
        return answer

    def write_page(self, page_id: str | UUID, body: Body, *, key: UUID | None = None, if_match: str) -> Page:
        """Write on a page; what isn’t sent stays. `aliases` are separated by commas, only GMs have `gm_note`, and
        the page of a character or a clock has its name and kind from there. If someone wrote there since, 409
        returns the page as it is now."""
        answer: Page = self._ask(
            "PATCH",
            "/api/v1/campaigns/{slug}/pages/{page_id}",
            {"slug": self.slug, "page_id": page_id},
            body=body,
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def remove_page(self, page_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Delete a page. Undoing the event brings it back."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/pages/{page_id}",
            {"slug": self.slug, "page_id": page_id},
            key=key or uuid4(),
        )
        return answer

    def tell_page(self, page_id: str | UUID, body: Body, *, key: UUID | None = None) -> Page:
        """Tell everyone a `paragraph` of the GM’s part, or without one all of it. It moves to the note."""
        answer: Page = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/pages/{page_id}/tell",
            {"slug": self.slug, "page_id": page_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def show_page(self, page_id: str | UUID, *, key: UUID | None = None) -> Page:
        """Show a page to everyone at the table, also a hidden one, with the NPC that it is about."""
        answer: Page = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/pages/{page_id}/show",
            {"slug": self.slug, "page_id": page_id},
            key=key or uuid4(),
        )
        return answer

    def hide_page(self, page_id: str | UUID, *, key: UUID | None = None) -> Page:
        """Hide a page from players. Those of characters and clocks are hidden with them."""
        answer: Page = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/pages/{page_id}/hide",
            {"slug": self.slug, "page_id": page_id},
            key=key or uuid4(),
        )
        return answer

    def statistics(
        self,
        *,
        player: str | None = None,
        character: str | None = None,
        trait: str | None = None,
        system: str | None = None,
        session: str | None = None,
    ) -> Statistics:
        """Get statistics of the rolls this token can see, filtered as on the page. `choices` lists the values of
        each filter."""
        answer: Statistics = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/statistics",
            {"slug": self.slug},
            query={"player": player, "character": character, "trait": trait, "system": system, "session": session},
        )
        return answer

    def scale(self) -> Scales:
        """Get the Scales in use, with Burns on offer or waiting for an effect, Major Burns waiting for their
        narration, and what Burns have left on characters."""
        answer: Scales = self._ask("GET", "/api/v1/campaigns/{slug}/scale", {"slug": self.slug})
        return answer

    def undo_scale(self, scale_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Undo the newest change to a Scale."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/scale/{scale_id}/undo",
            {"slug": self.slug, "scale_id": scale_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def take_burn(self, burn_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Take a Burn that is on offer: it fires."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/take",
            {"slug": self.slug, "burn_id": burn_id},
            key=key or uuid4(),
        )
        return answer

    def bank_burn(self, burn_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Keep it for later."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/bank",
            {"slug": self.slug, "burn_id": burn_id},
            key=key or uuid4(),
        )
        return answer

    def spend_burn(self, burn_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Let a banked Burn fire."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/spend",
            {"slug": self.slug, "burn_id": burn_id},
            key=key or uuid4(),
        )
        return answer

    def defer_burn(self, burn_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Put the narration of a Major Burn off."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/defer",
            {"slug": self.slug, "burn_id": burn_id},
            key=key or uuid4(),
        )
        return answer

    def see_burn(self, burn_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Say that one has had a Major Burn on screen."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/see",
            {"slug": self.slug, "burn_id": burn_id},
            key=key or uuid4(),
        )
        return answer

    def choose_burn(self, burn_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Choose the effect of a Burn."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/effect",
            {"slug": self.slug, "burn_id": burn_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def decide_burn(self, burn_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Decide whether a free activation that a player asks for is plausible."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/decision",
            {"slug": self.slug, "burn_id": burn_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def narrate_major_burn(self, burn_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Post the narration of a Major Burn."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/narration",
            {"slug": self.slug, "burn_id": burn_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def mark_burn(self, burn_id: str | UUID, oracle: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Mark on the sheet what a die of a Major Burn gives."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/burns/{burn_id}/oracles/{oracle}/mark",
            {"slug": self.slug, "burn_id": burn_id, "oracle": oracle},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def use_activation(self, character_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Use a free activation that a Burn left on a character."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/characters/{character_id}/activation",
            {"slug": self.slug, "character_id": character_id},
            body=body,
            key=key or uuid4(),
        )
        return answer
