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
    """Something to be said with what is bought."""

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
    """The same and the add-ons that join them, as far as they are installed."""
    archived: bool
    paused: str
    """What everybody reads while play is paused; empty while it goes on."""
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
    """For If-Match; GMs alone write clocks anew."""


class Done(TypedDict):
    """What came of it. The events that tell of it come by the stream of events."""

    id: NotRequired[str | None]


class Event(TypedDict):
    """One thing that happened, as one stream tells of it."""

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
    """The uid of the event that this one puts right."""
    text: str
    """The line of the log, as text; empty for what only moves a display."""
    payload: dict[str, Any]
    """What it says: codes, numbers and names, and the words for them."""
    proof: NotRequired[dict[str, Any] | None]
    """Its line of the export (docs/fairdice.md), where that was asked for."""


class Events(TypedDict):
    items: list[Event]
    next: str | None
    """What `after` is for the next page; null at the end."""


class Filters(TypedDict):
    """Those of the log’s page."""

    words: NotRequired[str]
    topic: NotRequired[str]
    outcome: NotRequired[str]
    who: NotRequired[str]
    character: NotRequired[str]
    session: NotRequired[str]
    scene: NotRequired[str]
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
    """A roll that is at hand for a character."""

    id: NotRequired[str | None]
    """Of one that was saved; null for one that was made lately."""
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
    """What `after` is for the next page; null at the end."""


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
    """What is being played, in words; empty where nothing is."""

    session: str
    scene: str


class Odds(TypedDict):
    """The exact chances; null where there are none to show."""

    odds: dict[str, Any] | None


class OddsPage(TypedDict):
    sections: list[dict[str, Any]]


class Offer(TypedDict):
    """A step that may be taken now, by this token. `form` says what it asks for; null where it asks for
    nothing."""

    act: str
    words: str
    form: dict[str, Any] | None


class Opener(TypedDict):
    """A kind of procedure that this token may open, and what that asks for."""

    system: str
    kind: str
    label: str
    form: dict[str, Any]


class Person(TypedDict):
    """Somebody at the table, by the number that its log knows them by."""

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
    """What several people settle together in steps."""

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
    """What is bought, and what it asks for, by name."""

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
    """What rolls by some rules are made with."""

    system: str
    label: str
    fields: dict[str, Any]
    """JSON Schema of what a roll takes."""
    examples: list[str]
    """Slash commands."""


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
    """The Scales in use, and what is unsettled on them."""

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
    """By which events are looked for."""
    number: int
    title: str
    started_at: str
    ended_at: str | None
    scenes: list[Scene]


class Sessions(TypedDict):
    items: list[Session]
    next: int | None
    """What `before` is for the next page; null at the end."""


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
    """Null for everybody’s."""
    open: bool
    notes: NotRequired[str | None]
    """For GMs alone."""
    version: NotRequired[str | None]
    """For If-Match; GMs alone write storylines."""


class Stream(TypedDict):
    """A numbered line of events with one audience."""

    name: str
    seq: int
    hash: str
    """Of its last event; empty before the first."""


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
        """Send a request to a path with `named` in its places; return the JSON of the answer, or the bytes of what is none."""
        raise NotImplementedError

    def campaigns(self) -> list[Campaign]:
        """The campaigns that this token opens: one."""
        answer: list[Campaign] = self._ask("GET", "/api/v1/campaigns")
        return answer

    def campaign(self) -> Campaign:
        """What it is called and plays by, and whether play is paused; and as whom the token looks at it."""
        answer: Campaign = self._ask("GET", "/api/v1/campaigns/{slug}", {"slug": self.slug})
        return answer

    def odds_of_system(self, system: str | UUID) -> OddsPage:
        """The page of exact odds of some rules (`/odds/` lists its settings), with its settings in the query. It
        needs no token."""
        answer: OddsPage = self._ask("GET", "/api/v1/odds/{system}", {"system": system})
        return answer

    def members(self) -> list[Member]:
        """Who belongs to it now."""
        answer: list[Member] = self._ask("GET", "/api/v1/campaigns/{slug}/members", {"slug": self.slug})
        return answer

    def characters(self) -> list[CharacterCard]:
        """The characters of whom this token may know."""
        answer: list[CharacterCard] = self._ask("GET", "/api/v1/campaigns/{slug}/characters", {"slug": self.slug})
        return answer

    def character(self, character_id: str | UUID) -> Character:
        """One of them with its sheet, as far as this token may see it: fields, and lists of rows whose fields have
        addresses such as `traits/4f2a…/dice`."""
        answer: Character = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def field(self, character_id: str | UUID, field: str | UUID) -> SheetField:
        """One value of a sheet. Its version is also the ETag."""
        answer: SheetField = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/fields/{field}",
            {"slug": self.slug, "character_id": character_id, "field": field},
        )
        return answer

    def set_field(
        self, character_id: str | UUID, field: str | UUID, body: Body, *, key: UUID | None = None, if_match: str
    ) -> SheetField:
        """Set one value, if it still is what was seen: `If-Match` is its version. Where somebody else was faster,
        409 brings what it is now, and who wrote that."""
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
        """A row more in a list of a sheet."""
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
        """Take a row off a list, if it still is what was seen: `If-Match` is its version."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/characters/{character_id}/lists/{rows}/{row_id}",
            {"slug": self.slug, "character_id": character_id, "rows": rows, "row_id": row_id},
            if_match=if_match,
            key=key or uuid4(),
        )
        return answer

    def ledger(self, character_id: str | UUID) -> Ledger:
        """What a character has to spend and what it could be spent on, for those who may read its sheet."""
        answer: Ledger = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/ledger",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def buy(self, character_id: str | UUID, body: Body, *, key: UUID | None = None) -> Ledger:
        """Buy one of the `offers`, with what it `asks` for in `given`. The sheet is written in the same moment."""
        answer: Ledger = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/characters/{character_id}/ledger",
            {"slug": self.slug, "character_id": character_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def give_xp(self, body: Body, *, key: UUID | None = None) -> Done:
        """Give XP (`amount`) to some `characters`, by their ids, for a `reason`."""
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
        clock: str | None = None,
        storyline: str | None = None,
        system: str | None = None,
        order: str | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Events:
        """The log, the newest first (with `order=oldest` the other way), as far as the token may see it. What is
        told in several streams comes once. The filters are those of the log’s page; `after` is the uid of the
        event to go on from."""
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
        clock: str | None = None,
        storyline: str | None = None,
        system: str | None = None,
        order: str | None = None,
        since: str | None = None,
        until: str | None = None,
        form: str | None = None,
    ) -> bytes:
        """The log to take away, all of it or what fits the filters, in one of the forms that its page has: `jsonl`
        for programs, with what proves it, `csv` for tables, `markdown`, and a `page` for paper. It is sent as it
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
        """Say something at the table. `voice` is how: `player`, as oneself, which it is unless it is said;
        `character:` and the id of one’s character; `narration`, as a GM does; or `whisper`, `to` members by
        their numbers."""
        answer: Event = self._ask(
            "POST", "/api/v1/campaigns/{slug}/lines", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def event(self, uid: str | UUID) -> Event:
        """One event, in its fullest telling."""
        answer: Event = self._ask("GET", "/api/v1/campaigns/{slug}/events/{uid}", {"slug": self.slug, "uid": uid})
        return answer

    def streams(self) -> list[Stream]:
        """The streams that the token may read, and where each stands."""
        answer: list[Stream] = self._ask("GET", "/api/v1/campaigns/{slug}/streams", {"slug": self.slug})
        return answer

    def stream_events(
        self, stream: str | UUID, *, after: int | None = None, limit: int | None = None, proof: bool | None = None
    ) -> Events:
        """The events of one stream that come after the number `after`, the oldest first. With `proof` each has its
        line of the export, by which its hash can be checked."""
        answer: Events = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/streams/{stream}/events",
            {"slug": self.slug, "stream": stream},
            query={"after": after, "limit": limit, "proof": proof},
        )
        return answer

    def stream_lines(self, stream: str | UUID, *, after: int | None = None, limit: int | None = None) -> Lines:
        """The same as lines of the export, by which hashes and dice are checked, and nothing beside: they are not
        drawn, and so cost the server little."""
        answer: Lines = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/streams/{stream}/lines",
            {"slug": self.slug, "stream": stream},
            query={"after": after, "limit": limit},
        )
        return answer

    def make_roll(self, body: Body, *, key: UUID | None = None) -> Rolled:
        """Roll, by the fields that the rules have for it (`GET /rulesets`), or by a slash command as the composer
        takes it (`text`, and with it `character`). With `request` it answers what a GM asked for; with
        `announce` it is told to the GM, who sets it first. `faces` are those of dice that fell on a real table.
        Without a `client_seed` the server makes one up and says so."""
        answer: Rolled = self._ask(
            "POST", "/api/v1/campaigns/{slug}/rolls", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def odds(self, body: Body) -> Odds:
        """The exact chances of a roll before it is made, by the same fields."""
        answer: Odds = self._ask("POST", "/api/v1/campaigns/{slug}/odds", {"slug": self.slug}, body=body)
        return answer

    def void(self, roll_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Take a roll back with all that it set off."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/void",
            {"slug": self.slug, "roll_id": roll_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def correct(self, roll_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Read the same dice again by what should have been asked; which terms may be put right, the rules say."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/correct",
            {"slug": self.slug, "roll_id": roll_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def reveal(self, roll_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Show a hidden roll to the whole table."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/rolls/{roll_id}/reveal",
            {"slug": self.slug, "roll_id": roll_id},
            key=key or uuid4(),
        )
        return answer

    def requests(self) -> list[Request]:
        """The rolls that are asked for now, as far as this token is told of them."""
        answer: list[Request] = self._ask("GET", "/api/v1/campaigns/{slug}/requests", {"slug": self.slug})
        return answer

    def ask_for(self, body: Body, *, key: UUID | None = None) -> Done:
        """Ask one member (`member`) for a roll, or every player: `reason` says what for, `audience` for whose eyes;
        what it is and how hard, the fields of the roll."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/requests", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def answer(self, request_id: str | UUID, body: Body, *, key: UUID | None = None) -> Rolled:
        """Roll what a GM asked for. What the request has set need not be said again."""
        answer: Rolled = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/answer",
            {"slug": self.slug, "request_id": request_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def close(self, request_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Ask for it no longer."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/close",
            {"slug": self.slug, "request_id": request_id},
            key=key or uuid4(),
        )
        return answer

    def withdraw(self, request_id: str | UUID, *, key: UUID | None = None) -> Done:
        """Take back what one has announced."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/requests/{request_id}/withdraw",
            {"slug": self.slug, "request_id": request_id},
            key=key or uuid4(),
        )
        return answer

    def kept_rolls(self, character_id: str | UUID) -> list[KeptRoll]:
        """The rolls that are at hand for a character of one’s own: those that were saved, and the last that were
        made."""
        answer: list[KeptRoll] = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/characters/{character_id}/rolls",
            {"slug": self.slug, "character_id": character_id},
        )
        return answer

    def rulesets(self) -> list[RollFields]:
        """What rolls by each of the rules of this campaign are made with, as JSON Schema, and examples of slash
        commands."""
        answer: list[RollFields] = self._ask("GET", "/api/v1/campaigns/{slug}/rulesets", {"slug": self.slug})
        return answer

    def procedures(self) -> list[Procedure]:
        """All that are under way, as far as this token may know of them, each with the steps that it may take now."""
        answer: list[Procedure] = self._ask("GET", "/api/v1/campaigns/{slug}/procedures", {"slug": self.slug})
        return answer

    def open_procedure(self, body: Body, *, key: UUID | None = None) -> Procedure:
        """Open one: its `system` and `kind`, what it is about (`reason`), and the fields that its kind asks for."""
        answer: Procedure = self._ask(
            "POST", "/api/v1/campaigns/{slug}/procedures", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def procedure(self, procedure_id: str | UUID) -> Procedure:
        """One of them; one that is over has no more steps."""
        answer: Procedure = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}",
            {"slug": self.slug, "procedure_id": procedure_id},
        )
        return answer

    def procedure_kinds(self) -> list[Opener]:
        """What this token may open, and what that asks for, as JSON Schema."""
        answer: list[Opener] = self._ask("GET", "/api/v1/campaigns/{slug}/procedure-kinds", {"slug": self.slug})
        return answer

    def take_step(self, procedure_id: str | UUID, body: Body, *, key: UUID | None = None) -> Procedure:
        """Take one step: `act` as the offer has it (or `override`, by which a GM allows what somebody’s state
        forbids), and the fields that its form asks for. Where the offer does not stand any more, 409 says what
        became of it."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/steps",
            {"slug": self.slug, "procedure_id": procedure_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def take_back(self, procedure_id: str | UUID, body: Body, *, key: UUID | None = None) -> Procedure:
        """Take the newest step back, if it still is the one that was seen (`step`)."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/back",
            {"slug": self.slug, "procedure_id": procedure_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def close_procedure(self, procedure_id: str | UUID, *, key: UUID | None = None) -> Procedure:
        """End it as it stands."""
        answer: Procedure = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/procedures/{procedure_id}/close",
            {"slug": self.slug, "procedure_id": procedure_id},
            key=key or uuid4(),
        )
        return answer

    def clocks(self) -> list[Clock]:
        """The clocks of which this token may know, archived ones too."""
        answer: list[Clock] = self._ask("GET", "/api/v1/campaigns/{slug}/clocks", {"slug": self.slug})
        return answer

    def make_clock(self, body: Body, *, key: UUID | None = None) -> Clock:
        """A new clock, or with `rival_name` and `rival_segments` the two of a racing pair."""
        answer: Clock = self._ask(
            "POST", "/api/v1/campaigns/{slug}/clocks", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def clock(self, clock_id: str | UUID) -> Clock:
        """Clock."""
        answer: Clock = self._ask(
            "GET", "/api/v1/campaigns/{slug}/clocks/{clock_id}", {"slug": self.slug, "clock_id": clock_id}
        )
        return answer

    def change_clock(self, clock_id: str | UUID, body: Body, *, key: UUID | None = None, if_match: str) -> Clock:
        """Write a clock anew; its ticks stay."""
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
        """Tick it, or untick it with a number below 0. GMs tick every clock, players their own and the crew’s."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/ticks",
            {"slug": self.slug, "clock_id": clock_id},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def archive_clock(self, clock_id: str | UUID, *, key: UUID | None = None) -> Clock:
        """Take it off the table. Its history stays."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/archive",
            {"slug": self.slug, "clock_id": clock_id},
            key=key or uuid4(),
        )
        return answer

    def restore_clock(self, clock_id: str | UUID, *, key: UUID | None = None) -> Clock:
        """Put an archived one back."""
        answer: Clock = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/clocks/{clock_id}/restore",
            {"slug": self.slug, "clock_id": clock_id},
            key=key or uuid4(),
        )
        return answer

    def sessions(self, *, before: int | None = None, limit: int | None = None) -> Sessions:
        """The sessions with their scenes, the newest first; `before` is the number of the session to go on from."""
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
        """End the session that is open, and what would end with it. The seed of its dice is told."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/sessions/end", {"slug": self.slug}, key=key or uuid4()
        )
        return answer

    def open_scene(self, body: Body, *, key: UUID | None = None) -> Scene:
        """Start a scene in the session that is open; the one before it ends."""
        answer: Scene = self._ask(
            "POST", "/api/v1/campaigns/{slug}/scenes", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def close_scene(self, *, key: UUID | None = None) -> Done:
        """End the scene that is open."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/scenes/close", {"slug": self.slug}, key=key or uuid4()
        )
        return answer

    def storylines(self) -> list[Storyline]:
        """The threads of the story, resolved ones too."""
        answer: list[Storyline] = self._ask("GET", "/api/v1/campaigns/{slug}/storylines", {"slug": self.slug})
        return answer

    def add_storyline(self, body: Body, *, key: UUID | None = None) -> Storyline:
        """A new one; `whose` is the number of a member, `gm_notes` are for GMs."""
        answer: Storyline = self._ask(
            "POST", "/api/v1/campaigns/{slug}/storylines", {"slug": self.slug}, body=body, key=key or uuid4()
        )
        return answer

    def change_storyline(
        self, storyline_id: str | UUID, body: Body, *, key: UUID | None = None, if_match: str
    ) -> Storyline:
        """Write it anew."""
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
        """It has come to its end."""
        answer: Storyline = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/storylines/{storyline_id}/resolve",
            {"slug": self.slug, "storyline_id": storyline_id},
            key=key or uuid4(),
        )
        return answer

    def reopen_storyline(self, storyline_id: str | UUID, *, key: UUID | None = None) -> Storyline:
        """It goes on."""
        answer: Storyline = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/storylines/{storyline_id}/reopen",
            {"slug": self.slug, "storyline_id": storyline_id},
            key=key or uuid4(),
        )
        return answer

    def handouts(self) -> list[Handout]:
        """The pictures that stay on the list, as far as this token may see them."""
        answer: list[Handout] = self._ask("GET", "/api/v1/campaigns/{slug}/handouts", {"slug": self.slug})
        return answer

    def keep_picture(self, uid: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Put the picture of a line on the list of handouts, or give it another `title` there."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/events/{uid}/handout",
            {"slug": self.slug, "uid": uid},
            body=body,
            key=key or uuid4(),
        )
        return answer

    def drop_picture(self, uid: str | UUID, *, key: UUID | None = None) -> Done:
        """Take it off the list; the line and its picture stay."""
        answer: Done = self._ask(
            "DELETE",
            "/api/v1/campaigns/{slug}/events/{uid}/handout",
            {"slug": self.slug, "uid": uid},
            key=key or uuid4(),
        )
        return answer

    def show_picture(self, uid: str | UUID, *, key: UUID | None = None) -> Done:
        """Put the picture of a line on every screen of those who may see the line: a GM any, a player their own."""
        answer: Done = self._ask(
            "POST", "/api/v1/campaigns/{slug}/events/{uid}/show", {"slug": self.slug, "uid": uid}, key=key or uuid4()
        )
        return answer

    def picture(self, picture_id: str | UUID) -> bytes:
        """A picture of a line that this token may see, as WebP."""
        answer: bytes = self._ask(
            "GET", "/api/v1/campaigns/{slug}/pictures/{picture_id}", {"slug": self.slug, "picture_id": picture_id}
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
        """What came of the rolls that this token may see, of all or of those that fit each filter. `choices` says
        what there is."""
        answer: Statistics = self._ask(
            "GET",
            "/api/v1/campaigns/{slug}/statistics",
            {"slug": self.slug},
            query={"player": player, "character": character, "trait": trait, "system": system, "session": session},
        )
        return answer

    def scale(self) -> Scales:
        """The Scales in use; the Burns that are on offer or wait for their effect, the Major Burns that are not
        narrated, and the list of those that lie there; and what Burns have left on characters."""
        answer: Scales = self._ask("GET", "/api/v1/campaigns/{slug}/scale", {"slug": self.slug})
        return answer

    def undo_scale(self, scale_id: str | UUID, body: Body, *, key: UUID | None = None) -> Done:
        """Take back the newest thing that happened to a Scale."""
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
        """Say what a fired Burn does."""
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
        """Tell the table what a Major Burn brings."""
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
        """Use a free activation that a Burn has left on a character."""
        answer: Done = self._ask(
            "POST",
            "/api/v1/campaigns/{slug}/characters/{character_id}/activation",
            {"slug": self.slug, "character_id": character_id},
            body=body,
            key=key or uuid4(),
        )
        return answer
