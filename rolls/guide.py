"""The parts of the guide: systems, their sections, and rules that name their source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from languages.text import gettext_lazy


class Mark(StrEnum):
    """Where a rule comes from."""

    STATED = "stated"
    DERIVED = "derived"
    PUBLIC = "public"
    DECISION = "decision"

    @property
    def words(self) -> str:
        return str(MARK_WORDS[self][0])

    @property
    def meaning(self) -> str:
        return str(MARK_WORDS[self][1])


MARK_WORDS: Final = {
    Mark.STATED: (gettext_lazy("stated"), gettext_lazy("The source text says so.")),
    Mark.DERIVED: (
        gettext_lazy("derived"),
        gettext_lazy("It follows from the source text or its worked examples."),
    ),
    Mark.PUBLIC: (
        gettext_lazy("from the game’s public text"),
        gettext_lazy("The source text is silent or its table is missing, so we use the game’s own public text."),
    ),
    Mark.DECISION: (gettext_lazy("our decision"), gettext_lazy("No text settles it, so we did.")),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A campaign's choice. `name` is "<system>.<field>"; `default` is in words."""

    name: str
    words: str
    default: str


@dataclass(frozen=True, slots=True)
class Table:
    """Figures of the rules; the first cell of a row is its heading."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A die as rolls/_dice.html draws it. `given`: what the Scale (`given_to`) reads from it, None for nothing."""

    face: int
    role: str
    why: str
    given: int | None = None
    given_to: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A worked roll: pools of dice with so many `sides`, each under its name ("" for the only one), and its result."""

    asked: str
    pools: tuple[tuple[str, tuple[Die, ...]], ...]
    came: str
    sides: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule in our words. `id` is its anchor; `source` is empty for decisions that no line of a text leads to."""

    id: str
    title: str
    text: str
    mark: Mark
    source: str = ""
    setting: Setting | None = None
    table: Table | None = None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction in a text or between two, and how it is read; `rule` is the resulting rule, if there is one."""

    says: str
    source: str
    reading: str
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class System:
    """`first_evening` are (title, text) for those who have never played it."""

    slug: str
    name: str
    summary: str
    sections: tuple[Section, ...]
    contradictions: tuple[Contradiction, ...]
    first_evening: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for section in self.sections for rule in section.rules)
