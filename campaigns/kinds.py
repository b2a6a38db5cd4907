"""Kinds of events. Each is one EventKind value in the `events.py` of its app, and its name occurs nowhere else in Python:

    class Said(PayloadSchema):
        words: Text
        …

    SAID = EventKind("campaigns.said", topic=Topic.TALK, schema=Said, index=…, typed=typed("words"))
    work.record(SAID, payload, stream=…, subjects=[…])

Apps' kinds are collected when they are ready; a kind's name determines its template, templates/<app>/events/<what>.html. A
kind that is told like another is drawn by the other's template (`drawn_as`), which goes by `event.kind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar

from django.apps import apps
from django.conf import settings
from django.db.models import TextChoices
from django.dispatch import Signal
from django.utils import translation
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.schema import UNREADABLE, PayloadSchema, mistakes

# The signals by which apps above take part in what this one does.
#
# All are sent within the transaction, and a receiver that raises stops the operation. Receivers of those that ask return an
# answer (`answers`).


event_recorded = Signal()
"""Sent by its kind, with `work` and `event`, after an event is recorded; see `on_event`."""
words_erased = Signal()
"""Sent with `member` and `texts` (campaigns/services/erasing.py), to remove what they typed from rows outside the log."""
owners_asked = Signal()
"""Asks, of a `campaign`, for an iterable of its `Owner`s: retired and hidden ones too."""
endings_asked = Signal()
"""Asks, for a `viewer` and what a GM `closes`, for a sequence of `ExpiringItem`s that this viewer may know of."""
standing_asked = Signal()
"""Asks, of a `campaign`, for a `Standing` (campaigns/queries/standing.py) that compares rows with the log."""

R = TypeVar("R", bound=Callable[[Any, Any], None])


def answers(signal: Signal, sender: object, **asked: object) -> list[Any]:
    """Return the answers of a signal's receivers, in the order in which they were connected."""
    return [answer for _, answer in signal.send(sender=sender, **asked)]


def on_event(*kinds: str) -> Callable[[R], R]:
    """Call a function with the UnitOfWork and the Event after events of these kinds are recorded, in the same transaction.

    Its module has to be imported when its app is ready.
    """

    def connect(do: R) -> R:
        def receive(work: Any, event: Any, **named: object) -> None:
            do(work, event)

        for kind in kinds:
            event_recorded.connect(
                receive, sender=kind, weak=False, dispatch_uid=(do.__module__, do.__qualname__, kind)
            )
        return do

    return connect


Payload: TypeAlias = Mapping[str, Any]


class Topic(TextChoices):
    """The topic of an event, in words that a reader would use."""

    TALK = "talk", gettext_lazy("Talk")
    WHISPER = "whisper", gettext_lazy("Whispers")
    NARRATION = "narration", gettext_lazy("Narration")
    ROLL = "roll", gettext_lazy("Rolls")
    CLOCK = "clock", gettext_lazy("Clocks")
    SHEET = "sheet", gettext_lazy("Characters and sheets")
    PLAY = "play", gettext_lazy("Sessions, scenes and storylines")
    TABLE = "table", gettext_lazy("Campaign and people")


class LogOutcome(TextChoices):
    """The outcome of a roll, whatever the ruleset calls it."""

    CRITICAL = "critical", gettext_lazy("Critical success")
    SUCCESS = "success", gettext_lazy("Success")
    PARTIAL = "partial", gettext_lazy("Success at a price")
    FAILURE = "failure", gettext_lazy("Failure")
    BOTCH = "botch", gettext_lazy("Botch")
    STALEMATE = "stalemate", gettext_lazy("Stalemate")

    @property
    def is_success(self) -> bool:
        return self in (LogOutcome.CRITICAL, LogOutcome.SUCCESS, LogOutcome.PARTIAL)


@dataclass(frozen=True)
class Result:
    """A ruleset's name for a result of its rolls, and its outcome, by which the log finds it at any table."""

    words: str
    outcome: str


@dataclass(frozen=True)
class Indexed:
    """Search index entry of an event: `topic` is one of topics(), "" for that of its kind; `system` is the name of a
    ruleset, "" if none is involved; `outcome` is one of outcomes(); `words` are searched.
    """

    topic: str = ""
    system: str = ""
    outcome: str | None = None
    words: str = ""


class TextCategory(Enum):
    """The sort of a text. An erased one is compared with copies of its own sort: a reason is not looked for among the texts
    of sheets."""

    TALK = "talk"
    NOTE = "note"
    SHEET = "sheet"


class Part(Enum):
    """The place of an event on the card of the thing that it belongs to, such as a procedure (UnitOfWork.card)."""

    HEAD = "head"
    """It says how the thing stands: the newest is drawn by `head` of its template, its line is a step."""
    ROW = "row"
    """Its line lies open on the card."""
    STEP = "step"
    """Its line is folded away."""


@dataclass(frozen=True)
class Changed:
    """What an event has changed, as its card adds it up from several: `what`, known by the same key each time, from `before` to
    `after`."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True)
class JsonPath:
    """Where a payload holds a text: `path` leads there, by keys and by numbers of entries ("*": every one of a dict or list)."""

    path: tuple[str, ...]
    sort: TextCategory = TextCategory.NOTE


Typed: TypeAlias = Callable[[Payload], Iterable[tuple[JsonPath, Any]]]
"""The texts that were typed with an event, each with the person, as payloads name one, who typed it."""


def typed(*keys: str, whose: str = "by", sort: TextCategory = TextCategory.NOTE) -> Typed:
    """Say that one person typed these texts; keys such as "words" or "rows.*.words"."""
    places = [JsonPath(tuple(key.split(".")), sort) for key in keys]
    return lambda payload: [(place, payload.get(whose)) for place in places]


def copied(*keys: str, sort: TextCategory = TextCategory.NOTE) -> tuple[JsonPath, ...]:
    """Return paths of texts that an event repeats, whoever typed them."""
    return tuple(JsonPath(tuple(key.split(".")), sort) for key in keys)


Upgrade: TypeAlias = Callable[[Payload], Payload]
"""Turns a payload of one version into that of the next. It is pure and leaves newer payloads unchanged."""


class EventKind(str):
    """A kind of events. It is its own name, which never changes: logs are kept.

    `schema` is the type of the payload (campaigns/schema.py): a class derived from PayloadSchema, which has `by`.
    `index` reads an event's index entry from one stream's version, so that the index of a stream knows no more than its
    readers do. `typed` and `copied` say what erasing removes. `describe` gives the site's own words for a payload's
    codes; templates draw them, and they are searched. A kind that is `always_exported` is complete even in a part of a
    log, because others cannot be checked without it. Events of a `nameless` kind do not say who acted. `part` is the event's
    place on a card; without one it is always a line of its own. `changed` says what it has changed, from its described
    payload: `chip` of its template draws that on the card. What is `beside` the story is shown to those who want everything.

    Payloads of older versions are stored as they were written, as hashes bind them; `upgrades`, the oldest first, turn
    them into this version's whenever they are read. Everything else here uses the upgraded payload.
    """

    def __new__(
        cls,
        name: str,
        *,
        topic: str,
        schema: Any = PayloadSchema,
        index: Callable[[Payload], Indexed] | None = None,
        typed: Typed | None = None,
        copied: tuple[JsonPath, ...] | Callable[[], tuple[JsonPath, ...]] = (),
        describe: Callable[[Payload], Payload] | None = None,
        always_exported: bool = False,
        nameless: bool = False,
        upgrades: tuple[Upgrade, ...] = (),
        drawn_as: str = "",
        part: Part | None = None,
        changed: Callable[[Payload], Changed | None] | None = None,
        beside: bool = False,
    ) -> EventKind:
        kind = super().__new__(cls, name)
        kind.topic, kind.schema, kind.typed, kind._copied = topic, schema, typed, copied
        kind._index, kind._describe, kind.always_exported = index, describe, always_exported
        kind.nameless, kind._upgrades, kind._drawn_as = nameless, upgrades, drawn_as or name
        kind.part, kind.changed, kind.beside = part, changed, beside
        return kind

    def __reduce__(self) -> tuple[Callable[[str], EventKind], tuple[str]]:
        # A query copies its filter values.
        return kind_of, (str(self),)

    topic: str
    schema: Any
    typed: Typed | None
    _copied: tuple[JsonPath, ...] | Callable[[], tuple[JsonPath, ...]]
    always_exported: bool
    nameless: bool
    part: Part | None
    changed: Callable[[Payload], Changed | None] | None
    beside: bool
    _index: Callable[[Payload], Indexed] | None
    _describe: Callable[[Payload], Payload] | None
    _upgrades: tuple[Upgrade, ...]
    _drawn_as: str

    @property
    def template(self) -> str:
        """Return the path of the template: of "rolls.roll_made" rolls/events/roll_made.html."""
        app, what = self._drawn_as.split(".")
        return f"{app}/events/{what}.html"

    def today(self, stored: dict[str, Any]) -> dict[str, Any]:
        """Return a stored payload in this version's form. A payload that cannot be upgraded is returned as it is."""
        if not self._upgrades:
            return stored
        payload: Payload = stored
        try:
            for upgrade in self._upgrades:
                payload = upgrade(payload)
        except UNREADABLE:
            return stored
        return dict(payload)

    def reads(self, payload: Payload) -> bool:
        """Return whether a payload can be shown, found and drawn, whoever wrote it."""
        try:
            if self.mistakes(payload):
                return False
            described = self.described(payload)
            self._entry(described)
        except UNREADABLE:
            return False
        return bool(described)

    @property
    def copied(self) -> tuple[JsonPath, ...]:
        return self._copied() if callable(self._copied) else self._copied

    def check(self, payload: Payload) -> None:
        """Raise ValueError for a payload that says less or more than events of this kind say."""
        if paths := mistakes(self.schema, payload, closed=True):
            raise ValueError(f"The payload of {self} is not as its schema says at: {', '.join(paths)}")

    def mistakes(self, payload: Payload) -> list[str]:
        """Return the paths at which a payload from elsewhere lacks a field of the schema, or has another type there."""
        return mistakes(self.schema, payload, closed=False)

    def described(self, payload: Payload) -> dict[str, Any]:
        """Return the payload with words for its codes."""
        return {**payload, **(self._describe(payload) if self._describe else {})}

    def indexed(self, payload: Payload) -> Indexed:
        """Return the index entry of an event with this payload. Raises KeyError for an unknown outcome.

        Its words are in the site's own language, whoever acts, as only one is stored.
        """
        with translation.override(settings.LANGUAGE_CODE):
            return self._entry(self.described(payload) if self._index else {})

    def _entry(self, described: dict[str, Any]) -> Indexed:
        entry = self._index(described) if self._index else Indexed()
        if entry.outcome is not None and entry.outcome not in outcomes():
            raise KeyError(entry.outcome)
        return replace(entry, topic=entry.topic or self.topic)


_kinds: dict[str, EventKind] = {}


def collect() -> None:
    """Register the kinds in the `events` of every app; called once all models are loaded."""
    for app in apps.get_app_configs():
        if find_spec(f"{app.name}.events"):
            register(vars(import_module(f"{app.name}.events")).values())


def register(values: Iterable[object]) -> None:
    """Know those of these values that are kinds. Raises ValueError for a second one of the same name."""
    for kind in values:
        if isinstance(kind, EventKind) and _kinds.setdefault(kind, kind) is not kind:
            raise ValueError(f"There are two kinds of event called {kind}.")


def kinds() -> Mapping[str, EventKind]:
    """Return all kinds by name."""
    return _kinds


def kind_of(name: str) -> EventKind:
    """Return the kind of this name; if its app is no longer installed, a plain one of the topic Table."""
    return _kinds.get(name) or EventKind(name, topic=Topic.TABLE)


def topics() -> Mapping[str, str]:
    """Return all topics by name, in the order offered; those of rules follow rolls, from which they come."""
    choices = [(name, str(words)) for name, words in Topic.choices]
    place = [name for name, _ in choices].index(Topic.ROLL) + 1
    further = [choice for rules in rulesets.every() for choice in rules.topics.items()]
    return dict([*choices[:place], *further, *choices[place:]])


def outcomes() -> Mapping[str, str]:
    """Return all outcomes by name with their words."""
    further = (choice for rules in rulesets.every() for choice in rules.outcomes.items())
    return dict([*((name, str(words)) for name, words in LogOutcome.choices), *further])


def result_words(system: str, outcome: str, result: object) -> str:
    """Return a ruleset's name for a roll's result; the name of its outcome if there is none, or it is not installed."""
    rules = rulesets.RULESETS.get(system)
    called = rules.log_outcomes().get(outcome, {}) if rules else {}
    return str(called.get(str(result)) or outcomes()[outcome])
