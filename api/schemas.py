"""The schemas of answers. A ruleset's own values (a card, a state, terms) are objects of its own."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field

Object = dict[str, Any]


class Person(Schema):
    """A person at the table, by the number that its log knows them by."""

    member: int
    name: str


class Ref(Schema):
    id: str
    name: str


class Member(Person):
    role: str = Field(description="gm, player or spectator")


class Me(Member):
    writes: bool = Field(description="Whether this token may change anything.")


class Now(Schema):
    """The current session and scene, in words; empty if there is none."""

    session: str
    scene: str


class Campaign(Schema):
    slug: str
    name: str
    pitch: str
    systems: list[str] = Field(description="The rulesets that it plays by.")
    rules: list[str] = Field(description="The same, and the Scale where it joins them, as far as they are installed.")
    archived: bool
    paused: str = Field(description="The message shown while play is paused; empty otherwise.")
    next_session_at: str | None
    now: Now
    me: Me


class Event(Schema):
    """One thing that happened, as one stream has it."""

    uid: str = Field(description="The same in every stream that tells of it.")
    stream: str
    seq: int
    prev: str = Field(description="The hash of the event before it in its stream; empty for the first.")
    hash: str
    at: str
    kind: str
    topic: str
    system: str
    outcome: str | None
    by: Person | None
    session: int | None
    scene: int | None
    parent: str | None = Field(description="The uid of the event this one corrects.")
    text: str = Field(description="The line of the log, as text; empty for what only moves a display.")
    payload: Object = Field(description="What it says: codes, numbers and names, and the words for them.")


class Events(Schema):
    items: list[Event]
    next: str | None = Field(description="Send it as `after` to get the next page; null at the end.")


class Lines(Schema):
    items: list[Object] = Field(description="Lines of the export (docs/fairdice.md).")
    next: str | None = Field(description="Send it as `after` to get the next page; null at the end.")


class Stream(Schema):
    """A numbered line of events with one audience."""

    name: str
    seq: int
    hash: str = Field(description="The hash of its last event; empty before the first.")


class Done(Schema):
    """The result of an operation. Its events come by the stream of events."""

    id: str | None = None


class KeptRoll(Schema):
    """A roll offered for a character."""

    id: str | None = Field(None, description="Set for a saved roll; null for a recent one.")
    words: str
    system: str
    fields: Object = Field(description="What goes into the roll’s fields.")


class Rolled(Schema):
    """A roll that was made, or one that was announced and waits for the GM (`request`)."""

    roll: str | None = None
    request: str | None = None
    procedure: str | None = None
    client_seed: str
    client_seed_by: str = Field(description="Who made that up: client or server.")
    event: Event | None = Field(None, description="What was told of it, as far as this token may see it.")


class RollFields(Schema):
    """The fields of rolls by some rules."""

    system: str
    label: str
    fields: Object = Field(description="JSON Schema of what a roll takes.")
    examples: list[str] = Field(description="Slash commands.")


class Clock(Schema):
    id: str
    name: str
    kind: str
    segments: int
    filled: int | None = Field(description="Null where its progress is hidden.")
    full: bool
    visibility: str
    owner: Object
    rival: Ref | None
    after: Ref | None
    archived: bool
    version: str | None = Field(None, description="For If-Match. Only GMs get it: they alone change clocks.")


class Scene(Schema):
    number: int
    title: str
    opened_at: str
    closed_at: str | None


class Session(Schema):
    id: int = Field(description="Events can be searched by it.")
    number: int
    title: str
    started_at: str
    ended_at: str | None
    scenes: list[Scene]


class Sessions(Schema):
    items: list[Session]
    next: int | None = Field(description="Send it as `before` to get the next page; null at the end.")


class Storyline(Schema):
    id: str
    title: str
    whose: Person | None = Field(description="Null if it belongs to everyone.")
    open: bool
    notes: str | None = Field(None, description="Only for GMs.")
    version: str | None = Field(None, description="For If-Match. Only GMs get it: they alone change storylines.")


class DateAnswer(Schema):
    member: Person
    answer: str = Field(description="yes, maybe or no")


class SessionDate(Schema):
    """A date to come, with the answers of those who play."""

    id: str
    at: str
    minutes: int
    zone: str = Field(description="The time zone in which it was proposed.")
    set: bool = Field(description="Whether a GM has set it.")
    answers: list[DateAnswer]
    version: str | None = Field(None, description="For If-Match, the same for all dates. Only GMs get it.")


class Handout(Schema):
    id: str
    event: str = Field(description="The uid of the line that it came with.")
    title: str
    alt: str
    width: int
    height: int
    picture: str = Field(description="The address of the picture, below this API.")


class PageName(Ref):
    """A page of what is known. That of a character or a clock has its id."""

    kind: str = Field(description="person, place, faction or thing")
    aliases: list[str]
    hidden: bool = Field(description="Whether only GMs know of it.")
    character: Ref | None
    clock: Ref | None


class Page(PageName):
    note: str = Field(description="Markdown, in which [[links]] name other pages.")
    gm_note: str | None = Field(None, description="Only for GMs.")
    version: str | None = Field(None, description="For If-Match. Spectators don’t get it: they don’t write.")


class RollTable(Ref):
    """A table that GMs roll on."""

    dice: str = Field(description="d4 to d100, 2d6, 3d6 or d66; empty for weights.")
    lines: str = Field(description="As it was written, a result in each line.")


class TableResult(Schema):
    text: str
    exact: str = Field(description="How likely it is, as a fraction.")


class TableRow(TableResult):
    numbers: str


class RollTableOdds(RollTable):
    rows: list[TableRow]
    results: list[TableResult] = Field(
        description="Its texts with those of nested tables; empty where there are none, or too many."
    )
    missing: list[str] = Field(description="Names in its lines that no table has.")


class SheetField(Schema):
    """One value of a sheet. `version` is for If-Match."""

    field: str
    label: str
    value: int | str | bool
    words: str
    visibility: str
    version: str


class SheetRow(Schema):
    id: str
    version: str
    fields: list[SheetField]


class SheetList(Schema):
    name: str
    label: str
    visibility: str
    rows: list[SheetRow]


class CharacterCard(Schema):
    id: str
    name: str
    concept: str
    system: str
    whose: Person | None
    also: list[Person]
    crew: bool
    shown: bool
    state: str
    mine: bool = Field(description="Whether this token may roll and speak for it.")


class Character(CharacterCard):
    fields: list[SheetField]
    lists: list[SheetList]


class LedgerEntry(Schema):
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


class Balance(Schema):
    """How much there is of a currency."""

    currency: str
    label: str
    have: int
    words: str


class Ask(Schema):
    """A value that a purchase asks for."""

    name: str
    label: str
    choices: dict[str, str] | None = Field(description="The values there are to choose from, with their words.")


class Advance(Schema):
    """Something that can be bought. `cost` is null where who buys says it."""

    offer: str
    words: str
    currency: str
    cost: int | None
    asks: list[Ask]


class Ledger(Schema):
    balances: list[Balance]
    entries: list[LedgerEntry] = Field(description="The newest first, a hundred at most.")
    claims: list[Object] = Field(description="What is claimed and waits for the GM.")
    offers: list[Advance]


class Request(Schema):
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
    terms: Object
    fields: Object = Field(description="What it fills in of the roll’s fields.")


class Offer(Schema):
    """A step that may be taken now, by this token. `form` describes its values; null if it has none."""

    act: str
    words: str
    form: Object | None


class Procedure(Schema):
    """A procedure, which several people settle together in steps."""

    id: str
    system: str
    kind: str
    label: str
    reason: str
    opened_by: Person
    players: list[Object]
    waits: list[Object]
    over: bool
    step: str | None = Field(description="The newest step, which a GM may take back.")
    state: Object
    described: Object
    offers: list[Offer]


class Opener(Schema):
    """A kind of procedure that this token may open, and what that asks for."""

    system: str
    kind: str
    label: str
    form: Object


class Statistics(Schema):
    choices: dict[str, dict[str, str]] = Field(description="The values of each filter, with their names.")
    lines: list[str]
    rates: list[Object]
    faces: Object | None
    tables: list[Object]
    hand_lines: list[str]
    hand_faces: Object | None


class Odds(Schema):
    """The exact chances; null if there are none to show."""

    odds: Object | None


class OddsPage(Schema):
    sections: list[Object]
