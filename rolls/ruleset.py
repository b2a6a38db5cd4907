"""A game, as the site sees it: a subclass of `Ruleset`, which its AppConfig registers once (apps.py, docs/rulesets.md)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from campaigns import rulesets
from campaigns.kinds import EventKind, LogOutcome, Result, outcomes
from campaigns.models import GameSession, Viewer
from campaigns.queries.play import ClosingAction, ExpiringItem
from campaigns.services.log import UnitOfWork
from campaigns.waiting import Pending
from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rolls.forms.base import CorrectionForm, RollForm, correction_of
from rolls.forms.odds import OddsForm
from rolls.guide import Example
from rolls.guide import Table as GuideTable
from rolls.odds import Section
from rolls.procedures import ProcedureKind
from rolls.settings import RollSettings, settings_in
from rolls.slash import SlashCommand
from rolls.table_rules import TableRules, Terms
from rules.checked import Checked
from rules.dice import D10
from rules.table import Sheet as SheetAsRow
from scale.counting import Countable, CountedRules, Gift

# Slots of pages in which rulesets show something of their own.
#
# A panel names a template and what that is given as `panel`. A page draws every panel of a slot in a loop:
#
# {% for panel in panels.side %}{% include panel.template with panel=panel.context %}{% endfor %}


class Slot(StrEnum):
    """The place of a panel."""

    HAND = "hand"
    """At the table, below the character at hand."""
    SIDE = "side"
    """At the table, below clocks and storylines."""
    SESSION_PART = "session_part"
    """On a session's page, in a column."""


class Panel:
    """The content of a slot. Panels of one class show parts of the same data, and share the result of `context`."""

    def __init__(self, slot: Slot, template: str) -> None:
        self.slot, self.template = slot, template

    def context(self, viewer: Viewer, session: GameSession | None) -> Mapping[str, Any] | None:
        """Return the template's `panel` for this viewer, and on a session's page for this session; None to leave the
        panel out.
        """
        return {}


@dataclass(frozen=True)
class Shown:
    """A panel as a page draws it."""

    template: str
    context: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SettingsGroup:
    """A campaign's choices: a class of settings with defaults, `words` for each of its fields, `help` for some.

    Fields are bools, ints, or tuples of ints, strings or Fractions. `entries` are the names of the places of a tuple
    that is a table, each of which is filled in by itself. `codes` are the words for those strings in a tuple that are
    ours, the others being typed by a table. The class raises a RuleError for impossible values (rules/checked.py).
    """

    kind: type[Checked]
    words: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)
    entries: Mapping[str, Sequence[str]] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class OddsPage:
    """Exact odds for everyone, at /odds/<name>/."""

    name: ClassVar[str]
    summary: ClassVar[str]
    examples: ClassVar[Sequence[tuple[str, str]]] = ()
    """Settings worth a look: (words, query)."""
    form: ClassVar[type[OddsForm]]
    """Checks the values in the address."""

    def sections(self, *args: Any, **asked: Any) -> Sequence[Section]:
        """Return the page's sections for a valid form."""
        raise NotImplementedError


class Expectation:
    """What a campaign's statistics need of a ruleset, for each roll by its kind and its terms."""

    resources: Sequence[str] = ()
    """The names of what `spent` counts, in the order of the page."""

    def judges(self, kind: str) -> bool:
        """Return whether rolls of this kind succeed or fail."""
        return True

    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float | None:
        """Return the chance of success, 0 to 1; None where the viewer may not know it, or where `chances` say it."""
        return None

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float] | None:
        """Return the chance of each of `results`; None where the viewer may not know them, or where only success is foretold."""
        return None

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        """Return how many faces its dice have."""
        return D10.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        """Return the names of the traits that were rolled, "" for dice by number alone. They are kept as keys, so they are asked
        for in English (rolls/queries/statistics/rolled.py); `trait_words` are what people read."""
        return ("",)

    def trait_words(self, trait: str) -> str:
        """Return a trait's name in the active language, by its English name. By default the name itself, as it may be typed."""
        return trait

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        """Return the points spent on a roll, by the names in `resources`; `stress` is that of its outcome, 0 if it has none."""
        return {}


class Rules(rulesets.Rules):
    """The common base of rulesets and the Scale, for the pages that list rules (and see campaigns/rulesets.py)."""

    settings: SettingsGroup | None = None
    odds: OddsPage | None = None
    guide_tables: Mapping[str, Callable[[], GuideTable]] = {}
    """The tables that guide.toml names, drawn from the rules themselves."""
    styles: tuple[str, ...] = ()
    """Static files of CSS that every page of a campaign loads."""
    live: str = ""
    """A template for what a roll, or taking it back, changes on open pages beside its card: given the `payload` of the event."""
    panels: tuple[Panel, ...] = ()
    """The panels that it shows in named places of pages."""
    dice_events: Mapping[EventKind, str] = {}
    """Its own kinds of events about dice with a proof; for dice that a roll caused, with the name from which their id
    is derived from the roll's, else "".
    """

    @property
    def guide(self) -> Path:
        """Return the file with the rules in our words: guide.toml beside the module of the class."""
        return Path(inspect.getfile(type(self))).with_name("guide.toml")

    @property
    def tonight(self) -> Path:
        """Return the file of a first evening that is ready to play, tonight.toml beside the guide; not all rules bring one."""
        return self.guide.with_name("tonight.toml")

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        """Return a worked roll of the guide, made by the rules from the values in guide.toml."""
        raise NotImplementedError

    def waiting(self, viewer: Viewer) -> Iterable[Pending]:
        """Return open tasks of these rules beside procedures, requests and claims: the same as their events draw."""
        return ()

    def endings(self, viewer: Viewer, closes: ClosingAction) -> Sequence[ExpiringItem]:
        """Return items of these rules, beside procedures, that end with a scene or session: listed before a GM closes it."""
        return ()

    def players_changed(self, work: UnitOfWork) -> None:
        """Tell again what depends on who plays whom, after somebody left or plays another character."""


class Ruleset(CountedRules, Rules):
    """A whole game. Templates are <name>/form.html, request.html and card.html.

    A game says at least `name`, `label`, `sheets`, `table`, `form` and `results`.
    """

    table: TableRules
    """Its rules for rolls."""
    form: type[RollForm]
    correction: type[CorrectionForm] = CorrectionForm
    """The form in which a GM corrects terms: has the fields of `form`, unless a ruleset sets its own."""
    results: Mapping[str, str | Result]
    """The results of its rolls, for the filters of the log and the statistics: what each is to the log, a LogOutcome or one of
    `outcomes`, or a Result that says what this game calls it. One that is left out is found by no outcome."""
    successes: Mapping[str, bool] = {}
    """Whether each result is a success, for the statistics; taken from `results` unless set. Results that are not in it
    are neither success nor failure.
    """
    expectation: Expectation = Expectation()
    slash: SlashCommand | None = None
    procedures: Mapping[str, ProcedureKind] = {}
    """Its procedures, which several people settle together, by kind."""
    rows: Sequence[type[SheetAsRow]] = ()
    """The rows of those of its sheets (rules/table.py) of which something follows at once, whoever writes there (`settle`)."""

    @property
    def counted(self) -> Countable | None:
        return self.table.counted

    def counts(self, decided: Mapping[str, Any]) -> bool:
        return self.counted is not None and self.counted.wanted(settings_in(decided))

    def gives(self, gift: Gift, values: Values, decided: Mapping[str, Any]) -> Sequence[Step] | None:
        return self.counted.gives(gift, values, settings_in(decided)) if self.counted else None

    def __init__(self) -> None:
        super().__init__()
        if self.correction is CorrectionForm:
            self.correction = correction_of(self.form, self.table.correctable)
        if not self.successes:
            known = {name: self.outcome_of(name) for name in self.results}
            self.successes = {
                name: LogOutcome(one).is_success for name, one in known.items() if one in LogOutcome.values
            }

    def outcome_of(self, result: str) -> str | None:
        """Return the log's outcome for a result; None if the log's filter has none for it."""
        named = self.results.get(result)
        return named.outcome if isinstance(named, Result) else named

    def result_words(self) -> dict[str, str]:
        """Return the names of its results, in their order."""
        words = outcomes()
        return {
            name: str(result.words if isinstance(result, Result) else words.get(result, name))
            for name, result in self.results.items()
        }

    def expected(
        self, kind: str, terms: Terms, settings: RollSettings, *, for_gm: bool
    ) -> tuple[float | None, Mapping[str, float] | None]:
        """Return the chance of success of a roll, and those of each of its results, as far as the viewer may know them."""
        chances = self.expectation.chances(kind, terms, settings, for_gm)
        if chances is None:
            return self.expectation.chance(kind, terms, settings, for_gm), None
        return sum(chance for name, chance in chances.items() if self.successes.get(name)), chances

    @property
    def tells_results(self) -> bool:
        """Return whether its results are more than success and failure, or have names of their own."""
        return len(self.results) > 2 or any(isinstance(result, Result) for result in self.results.values())

    def log_outcomes(self) -> Mapping[str, Mapping[str, str]]:
        found: dict[str, dict[str, str]] = {outcome: {} for outcome in self.outcomes}
        for name, words in self.result_words().items():
            found.setdefault(self.outcome_of(name) or "", {})[name] = words
        return found
