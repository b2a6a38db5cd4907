"""Which rulesets there are. Each registers once, when its app is ready; nothing else in the project lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import cast

from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.errors import Invalid, InvalidForm
from campaigns.models import Campaign
from characters import sheets
from rolls.models import Roll
from rolls.procedures import ProcedureKind
from rolls.ruleset import Rules, Ruleset
from rolls.scale import THE_SCALE
from rolls.settings import RollSettings, roll_settings
from rolls.slash import SlashCommand
from rolls.table_rules import RollKind, TableRules

RULESETS = cast(dict[str, Ruleset], rulesets.RULESETS)
LEFT_OUT: dict[str, str] = {}
"""Packages of others with which something is wrong, and what: the site runs without them."""


def register(rules: Ruleset) -> None:
    """Register a ruleset."""
    rulesets.put(RULESETS, rules)
    # Again, since lists of sheets follow the order of the choices.
    sheets.register(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets)


def withdraw(rules: Ruleset) -> None:
    """Remove a registered ruleset again, because it is faulty."""
    rulesets.RULESETS.pop(rules.name, None)
    sheets.register(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets)


def all_rules() -> list[Rules]:
    """Return the rulesets and the Scale, as the pages about rules list them."""
    return [*RULESETS.values(), THE_SCALE]


def rules_of(campaign: Campaign) -> list[Rules]:
    """Return a campaign's installed rulesets, and the Scale where it joins them."""
    return rules_with(campaign.systems, roll_settings(campaign))


def rules_with(names: Iterable[str], settings: RollSettings) -> list[Rules]:
    """Return the same of one that plays by these rulesets and has decided so."""
    wanted = set(names)
    played = [name for name in RULESETS if name in wanted]
    joins = any(counted.wanted(settings) for name in played if (counted := RULESETS[name].counted))
    return [*(RULESETS[name] for name in played), *([THE_SCALE] if joins else [])]


def commands_of(names: Iterable[str]) -> dict[str, SlashCommand]:
    """Return the slash commands of those of some rulesets that are installed and have one, in the order in which people
    choose."""
    played = set(names)
    return {name: ruleset.slash for name, ruleset in RULESETS.items() if ruleset.slash and name in played}


def rules_called(name: str) -> Rules | None:
    return THE_SCALE if name == THE_SCALE.name else RULESETS.get(name)


def played(campaign: Campaign, name: str) -> Ruleset:
    """Return the ruleset of this name. Raises Invalid for one that the campaign does not play by, or that is not installed."""
    if name not in RULESETS or name not in campaign.systems:
        raise Invalid(_("This campaign doesn’t use these rules."), field="system")
    return RULESETS[name]


@contextmanager
def in_game(name: str) -> Iterator[None]:
    """Raise what is refused inside with the name of the game before its words, and before its fields as in a form of several
    games ("<game>-<field>")."""
    try:
        yield
    except (Invalid, InvalidForm) as refused:
        said = RULESETS[name].short if name in RULESETS else name
        raise InvalidForm(
            {
                f"{name}-{field}": [f"{said}: {message}" for message in messages]
                for field, messages in refused.errors.items()
            }
        ) from None


def no_longer_installed(name: str) -> str:
    """Return the message for rules of this name that are missing."""
    return _("The rules called “{name}” are no longer installed here.").format(name=name)


def table_of(name: str) -> TableRules:
    """Return a ruleset's roll rules. Raises Invalid if it is not installed any more."""
    if name not in RULESETS:
        raise Invalid(no_longer_installed(name))
    return RULESETS[name].table


def kind_of(roll: Roll) -> RollKind:
    """Return the rules of the kind of roll that this is. Raises Invalid where its ruleset is not installed any more."""
    return table_of(roll.system).kind(roll.kind)


def procedure_called(system: str, kind: str) -> ProcedureKind | None:
    """Return a kind of procedure of an installed ruleset."""
    ruleset = RULESETS.get(system)
    return ruleset.procedures.get(kind) if ruleset else None


def procedures_of(names: Iterable[str]) -> list[tuple[str, str, ProcedureKind]]:
    """Return (system, kind, rules) of all procedures of these rulesets, as far as they are installed."""
    there = [ruleset for name, ruleset in RULESETS.items() if name in set(names)]
    return [(ruleset.name, kind, rules) for ruleset in there for kind, rules in ruleset.procedures.items()]


def setting_words(name: str) -> str:
    """Return the words for the setting "<rules>.<field>"; its name if those rules are not installed any more."""
    rules, _, field = name.partition(".")
    known = rules_called(rules)
    return str(known.settings.words.get(field, name)) if known and known.settings else name


def setting_value_words(name: str, value: object) -> str:
    """Return the value of the setting "<rules>.<field>" as it is read: yes or no, a number, a list."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, (list, tuple)):
        return ", ".join(setting_value_words(name, item) for item in value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    rules, field = name.split(".", 1)
    known = rules_called(rules)
    codes = known.settings.codes.get(field, {}) if known and known.settings else {}
    return str(codes.get(str(value), value))
