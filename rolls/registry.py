"""Which rulesets and add-ons there are. Each registers once, when its app is ready; nothing else in the project lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain
from typing import Any, cast

from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.errors import Invalid, InvalidForm
from campaigns.models import Campaign
from characters import sheets
from rolls.models import Roll
from rolls.procedures import ProcedureKind
from rolls.ruleset import AddOn, Rules, Ruleset
from rolls.settings import RollSettings, roll_settings
from rolls.slash import SlashCommand
from rolls.table_rules import RollKind, TableRules

RULESETS = cast(dict[str, Ruleset], rulesets.RULESETS)
ADD_ONS = cast(dict[str, AddOn], rulesets.ADD_ONS)
LEFT_OUT: dict[str, str] = {}
"""Packages of others with which something is wrong, and what: the site runs without them."""


def register(rules: Rules) -> None:
    """Register a ruleset or an add-on."""
    if isinstance(rules, AddOn):
        rulesets.put(ADD_ONS, rules)
    elif isinstance(rules, Ruleset):
        rulesets.put(RULESETS, rules)
        # Again, since lists of sheets follow the order of the choices.
        sheets.register(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets)


def withdraw(rules: Rules) -> None:
    """Remove registered rules again, because they are faulty."""
    rulesets.RULESETS.pop(rules.name, None)
    rulesets.ADD_ONS.pop(rules.name, None)
    sheets.register(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets)


def all_rules() -> list[Rules]:
    """Add-ons after the rulesets, as the pages about rules list them."""
    return list(chain(RULESETS.values(), ADD_ONS.values()))


def rules_of(campaign: Campaign) -> list[Rules]:
    """Return a campaign's installed rulesets, and the add-ons that join them."""
    return rules_with(campaign.systems, roll_settings(campaign))


def rules_with(names: Iterable[str], settings: RollSettings) -> list[Rules]:
    """Return the same of one that plays by these rulesets and has decided so."""
    wanted = set(names)
    played = [name for name in RULESETS if name in wanted]
    joining = (add_on for add_on in ADD_ONS.values() if add_on.joins(played, settings))
    return [*(RULESETS[name] for name in played), *joining]


def commands_of(names: Iterable[str]) -> dict[str, SlashCommand]:
    """Return the slash commands of those of some rulesets that are installed and have one, in the order in which people
    choose."""
    played = set(names)
    return {name: ruleset.slash for name, ruleset in RULESETS.items() if ruleset.slash and name in played}


def rules_called(name: str) -> Rules | None:
    return RULESETS.get(name) or ADD_ONS.get(name)


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


def procedure_called(system: str, kind: str) -> ProcedureKind[Any] | None:
    """Return a kind of procedure of an installed ruleset."""
    ruleset = RULESETS.get(system)
    return ruleset.procedures.get(kind) if ruleset else None


def procedures_of(names: Iterable[str]) -> list[tuple[str, str, ProcedureKind[Any]]]:
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


def primers(add_ons: Iterable[Rules]) -> list[tuple[str, str, str]]:
    """Return (label, introduction for newcomers, name) of the add-ons among these rules that have an introduction."""
    return [
        (add_on.label, add_on.primer, add_on.name) for add_on in add_ons if isinstance(add_on, AddOn) and add_on.primer
    ]
