"""What a ruleset is: one value that holds a whole game, made of pure rules and of what they do at the table.

A ruleset is a Django app (docs/rulesets.md). Its `ruleset.py` makes a `Ruleset`, and its AppConfig registers it when it is ready
(registry.py). An `AddOn` has rules of its own and hooks into the rolls of several rulesets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from campaigns.kinds import EventKind, LogOutcome, Payload
from campaigns.models import Campaign, GameSession, Viewer
from campaigns.schema import Fields
from campaigns.services.log import UnitOfWork
from campaigns.waiting import Pending
from characters.advancement import Scheme
from characters.creation.budget import Budget
from characters.figures import Figures
from characters.sheets.sheet import Sheet
from characters.states import States
from rolls.forms.base import CorrectionForm, RollForm, correction_of
from rolls.forms.odds import OddsForm
from rolls.guide.content import Example
from rolls.guide.content import Table as GuideTable
from rolls.joining import RollHook
from rolls.models import Roll
from rolls.odds.shown import Section
from rolls.panels import Panel
from rolls.procedures import ProcedureKind
from rolls.rules.sheet_follows import SheetFollow
from rolls.settings import RollSettings
from rolls.slash import SlashCommand
from rolls.table_rules import TableRules, Terms


@dataclass(frozen=True, kw_only=True)
class SettingsGroup:
    """What a campaign may decide: a frozen dataclass of defaults, `words` for each of its fields, `help` for some.

    Fields are bools, ints, or tuples of ints, strings or Fractions. `entries` are the names of the places of a tuple that is a
    table, each of which is filled in by itself. The dataclass refuses with a RuleError what cannot be.
    """

    kind: type[Any]
    words: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)
    entries: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Guide:
    """The rules in our words: a TOML file, with the tables and worked examples that it names, drawn from the rules themselves."""

    path: Path
    tables: Mapping[str, Callable[[], GuideTable]] = field(default_factory=dict)
    example: Callable[..., Example] | None = None


@dataclass(frozen=True, kw_only=True)
class OddsPage:
    """Exact odds for everybody. `form` checks what stands in the address, and `sections` takes what it cleaned.

    `examples` are settings worth a look: (words, query).
    """

    name: str
    summary: str
    examples: Sequence[tuple[str, str]]
    form: type[OddsForm]
    sections: Callable[..., tuple[Section, ...]]


def _no_cost(terms: Terms, stress: int) -> Mapping[str, int]:
    return {}


def _every_kind(kind: str) -> bool:
    return True


def _nothing_waits(viewer: Viewer) -> Iterable[Pending]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What the statistics of a campaign ask of a ruleset.

    `succeeded` says of each result whether it is a success; left out, it is as the ruleset's `results` have it. Results that are
    not in it are no matter of success, nor are rolls of a kind that it does not judge. `chance` is that of success for the very
    terms of a roll, 0 to 1, None where the viewer may not know it. `sides` are the faces of its dice. `resources` names what
    `spent` counts, in the order of the page. `traits` names those of the roller by a roll's terms, "" for dice by number alone.
    """

    traits: Callable[[Terms], Iterable[str]]
    chance: Callable[[str, Terms, RollSettings, bool], float | None]
    sides: Callable[[str, Terms, RollSettings], int]
    succeeded: Mapping[str, bool] = field(default_factory=dict)
    judges: Callable[[str], bool] = _every_kind
    resources: Sequence[str] = ()
    spent: Callable[[Terms, int], Mapping[str, int]] = _no_cost


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a ruleset and an add-on have in common. `name` is kept in the database and in the log, for good."""

    name: str
    label: str
    guide: Guide
    short: str = ""
    """What it is called where there is little room: its label, unless it says so."""
    settings: SettingsGroup | None = None
    odds: OddsPage | None = None
    styles: tuple[str, ...] = ()
    """Static files of CSS that every page of a campaign loads."""
    panels: tuple[Panel, ...] = ()
    waiting: Callable[[Viewer], Iterable[Pending]] = _nothing_waits
    """What of theirs waits for somebody, beside procedures, requests and claims: the same that their events draw."""
    players_changed: Callable[[UnitOfWork], None] | None = None
    """Tells anew what of theirs goes by who plays whom, when somebody leaves or plays another character from now on."""
    order: int = 100
    """Where it stands among the others when people choose: the lowest first, then by name."""

    def __post_init__(self) -> None:
        if not self.short:
            object.__setattr__(self, "short", self.label)


@dataclass(frozen=True, kw_only=True)
class Ruleset(Rules):
    """A whole game at a glance.

    `about` are two sentences for GMs who choose what to play by: how it plays, and what it is good for.
    `sheets` are its characters' and, where it has such a thing, its crews'; `schemes`, `figures` and `states` are by their names.
    Templates are <name>/form.html, request.html and card.html; `live` is one for what a roll, or taking it back, changes on open
    pages beside its card. `results` are what it calls what comes of a roll, for the log's
    filters; one that is left out is found by no outcome. `procedures` are what several settle together, by their kinds. `follows`
    is what follows at once from a sheet that cannot stay as it is, by the sheets' names.
    Without a `correction` of its own, the terms that may be corrected are asked for with the fields of its `form`.
    """

    sheets: tuple[Sheet, ...]
    table: TableRules
    form: type[RollForm]
    results: Mapping[str, LogOutcome]
    expectation: Expectation
    correction: type[CorrectionForm] = CorrectionForm
    budget: type[Budget] | None = None
    schemes: Mapping[str, Scheme] = field(default_factory=dict)
    figures: Mapping[str, Figures] = field(default_factory=dict)
    states: Mapping[str, States] = field(default_factory=dict)
    slash: SlashCommand | None = None
    live: str = ""
    procedures: Mapping[str, ProcedureKind[Any]] = field(default_factory=dict)
    follows: Mapping[str, SheetFollow] = field(default_factory=dict)
    about: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.correction is CorrectionForm:
            object.__setattr__(self, "correction", correction_of(self.form, self.table.correctable))
        if not self.expectation.succeeded:
            succeeded = {result: outcome.is_success for result, outcome in self.results.items()}
            object.__setattr__(self, "expectation", replace(self.expectation, succeeded=succeeded))


@dataclass(frozen=True, kw_only=True)
class Columns:
    """A table of its own on the page of statistics.

    `reader` makes, once for some rolls, a function of a roll's id, its ruleset's name and its terms: the numbers that are counted
    of that roll, always as many, None for nothing. It may change only when the roll is taken back, corrected, or shown to all.
    `section` draws what was counted: (a character's name, the sums of the numbers of its rolls).
    """

    reader: Callable[[QuerySet[Roll], RollSettings], Callable[[UUID, str, Mapping[str, Any]], Sequence[float] | None]]
    section: Callable[[Sequence[tuple[str, Sequence[float]]]], Section | None]


def _says_all(told: Payload) -> Payload:
    return {}


def _needs_no_words(why: str, roll: Payload) -> str:
    return why


def _keeps_all(campaign: Campaign, now: RollSettings, then: RollSettings) -> Mapping[str, Any]:
    return {}


def _finds_nothing(campaign: Campaign) -> Iterable[str]:
    return ()


def _says_nothing(viewer: Viewer, session: GameSession) -> Iterable[tuple[str, list[str]]]:
    return ()


@dataclass(frozen=True, kw_only=True)
class AddOn(Rules):
    """Rules beside those of rulesets. `joins` says whether it plays along in a campaign that plays by these rulesets and has
    decided so.

    `hook` takes part in rolls. `live` is a template that the rolls' own events draw beside what they change themselves: it is
    given their `payload`, with what the add-on put into them. `on_card` is one that a ruleset's card draws below its dice.
    `settings_changed` does what follows when a campaign decides otherwise, and gives what is told with it; raises Blocked.
    `primer` is what somebody at a table for the first time should know of it, in a few sentences.
    `check` finds what is wrong with a campaign's log. `recap` gives headings with lines of Markdown, of what everybody may see;
    `moves` are kinds of events by which a table learns of a roll that it does not see. `schema` is that of what it tells with
    rolls, `settings_schema` with changes of settings; `copied` are the paths in it that repeat what somebody typed. `describe`
    gives the words and other drawing for what it tells, and `aside` a sentence for why it stays out of a roll (joining.Marks).
    """

    joins: Callable[[Sequence[str], RollSettings], bool]
    primer: str = ""
    hook: RollHook | None = None
    live: str = ""
    on_card: str = ""
    settings_changed: Callable[[Campaign, RollSettings, RollSettings], Mapping[str, Any]] = _keeps_all
    check: Callable[[Campaign], Iterable[str]] = _finds_nothing
    columns: Columns | None = None
    recap: Callable[[Viewer, GameSession], Iterable[tuple[str, list[str]]]] = _says_nothing
    moves: tuple[EventKind, ...] = ()
    schema: Fields = field(default_factory=dict)
    settings_schema: Fields = field(default_factory=dict)
    copied: tuple[str, ...] = ()
    describe: Callable[[Payload], Payload] = _says_all
    aside: Callable[[str, Payload], str] = _needs_no_words
