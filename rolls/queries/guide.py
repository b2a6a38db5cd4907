"""The rules as built, told in our words: what the pages under /rules/ show.

The TOML file of a ruleset holds the texts; its tables are sections, and theirs are rules. Figures that the rules know come from
the rules: tables and worked rolls from the ruleset's Guide, the defaults of settings from `decided.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Set
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rolls.guide import Contradiction, Mark, Rule, Section, Setting, System, Table
from rolls.registry import all_rules, setting_value_words, setting_words
from rolls.ruleset import Rules, Ruleset
from rolls.settings import groups


def setting(name: str) -> Setting:
    """Return the setting "<system>.<field>" with its default. KeyError or AttributeError for one that there is not."""
    system, _, field = name.partition(".")
    return Setting(name, setting_words(name), setting_value_words(name, getattr(groups()[system](), field)))


CREATION = "creation"
"""The name of the table of what new characters are made of, which every ruleset with a budget has."""


def guide() -> tuple[System, ...]:
    """Return all systems in the language that is active, read once in the life of a process for each."""
    return _guide(get_language() or settings.LANGUAGE_CODE)


@cache
def _guide(language: str) -> tuple[System, ...]:
    with translation.override(language):
        return tuple(system_of(rules) for rules in all_rules())


def system(slug: str) -> System | None:
    """Return the system of this name, None if there is none."""
    return next((page for page in guide() if page.slug == slug), None)


def system_of(of: Rules) -> System:
    """Read the guide of a ruleset, or of the Scale, in the active language as far as it is translated.

    Raises KeyError for an unknown table, setting or rule, and ValueError for a translation that does not fit.
    """
    book = book_at(of.guide, WORDS)
    sections = tuple(_section(of, key, value) for key, value in book.items() if isinstance(value, dict))
    rules = {rule.id: rule for section in sections for rule in section.rules}
    contradictions = tuple(
        Contradiction(
            entry["says"], entry["source"], entry["reading"], rules[entry["rule"]] if "rule" in entry else None
        )
        for entry in book.get("contradictions", ())
    )
    first_evening = tuple((entry["title"], entry["text"]) for entry in book.get("first_evening", ()))
    return System(of.name, book["name"], book["summary"], sections, contradictions, first_evening)


WORDS: Final = {"name", "summary", "title", "text", "says", "reading"}
"""The keys of a book that are translated; all others are only in its English file."""


def book_at(path: Path, translated: Set[str]) -> dict[str, Any]:
    """Return the content of a TOML file, translated by the file beside it for the active language (guide.de.toml) if
    there is one; only texts under the keys `translated` can be. Raises ValueError for a translation that does not fit.
    """
    book = tomllib.loads(path.read_text(encoding="utf-8"))
    words = path.with_suffix(f".{get_language()}{path.suffix}")
    if not words.exists():
        return book
    said: dict[str, Any] = _said(book, tomllib.loads(words.read_text(encoding="utf-8")), path.name, translated)
    return said


def _said(book: Any, words: Any, where: str, translated: Set[str]) -> Any:
    if isinstance(book, dict) and isinstance(words, dict):
        if strange := [
            key for key, value in words.items() if key not in book or (isinstance(value, str) and key not in translated)
        ]:
            raise ValueError(f"{where} has no text to translate called “{strange[0]}”.")
        return book | {key: _said(book[key], value, f"{where}, {key}", translated) for key, value in words.items()}
    if isinstance(book, list) and isinstance(words, list):
        if len(book) != len(words):
            raise ValueError(f"{where} has {len(book)} entries, and its translation {len(words)}.")
        return [_said(entry, said, where, translated) for entry, said in zip(book, words, strict=True)]
    if isinstance(book, str) and isinstance(words, str):
        return words
    raise ValueError(f"{where} and its translation have different forms.")


def _section(of: Rules, key: str, section: dict[str, Any]) -> Section:
    rules = tuple(_rule(of, f"{key}-{name}", value) for name, value in section.items() if isinstance(value, dict))
    return Section(key, section["title"], rules)


def _rule(of: Rules, key: str, rule: dict[str, Any]) -> Rule:
    return Rule(
        id=key,
        title=rule["title"],
        text=rule["text"],
        mark=Mark(rule["mark"]),
        source=rule.get("source", ""),
        setting=setting(rule["setting"]) if "setting" in rule else None,
        table=_table(of, rule["table"]) if "table" in rule else None,
        examples=tuple(of.guide_example(**example) for example in rule.get("examples", ())),
    )


def _table(of: Rules, name: str) -> Table:
    if name == CREATION and isinstance(of, Ruleset) and of.budget:
        budget = of.budget()
        rows = tuple((str(setting.words), str(getattr(budget, name))) for name, setting in budget.settings().items())
        return Table(_("Points to spend"), (_("Spent on"), _("Points")), rows)
    return of.guide_tables[name]()
