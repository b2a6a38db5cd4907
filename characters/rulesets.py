"""A ruleset's part for characters: its sheets, budgets, advancement, and what follows from a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from campaigns import rulesets
from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.text import listed
from characters.advancement import Scheme
from characters.creation import Budget, Pot
from characters.figures import Figure, Figures, State, States
from characters.models import Character
from characters.sheets.conversion import Conversion
from characters.sheets.sheet import Sheet, Values


class CharacterRules(rulesets.Rules):
    """The part of a ruleset that this app asks for. Mappings are by the names of its sheets."""

    sheets: tuple[Sheet, ...] = ()
    """The sheet of its characters, named as the ruleset, and that of its crews if it has them."""
    budget: type[Budget] | None = None
    """The budget for new characters. Without one there is no guided page: sheets are filled in freely."""
    schemes: Mapping[str, Scheme] = {}
    """What XP buy and what players may claim, by name."""
    figures: Mapping[str, Figures] = {}
    """Figures calculated from a sheet, by name."""
    states: Mapping[str, States] = {}
    """What changes of a sheet mean in play, by sheet."""

    def converted(self, file: Mapping[str, Any]) -> Conversion | None:
        """Return the character in another program's file, as far as a sheet can hold it; None for files of other kinds.

        The file is untrusted JSON up to 1 MB: read it with the functions of characters/sheets/conversion.py, and raise
        nothing.
        """
        return None


def installed() -> Iterator[CharacterRules]:
    return (cast(CharacterRules, rules) for rules in rulesets.RULESETS.values())


def converted(file: object) -> Conversion | None:
    """Return the character in a file of another program; None where no ruleset knows such files."""
    if not isinstance(file, Mapping):
        return None
    return next(filter(None, (rules.converted(file) for rules in installed())), None)


def budgets() -> dict[str, type[Budget]]:
    """Return the budgets of new characters, by ruleset: `budgets()[name]()` has our defaults, a campaign's own are in
    `budget_of`.
    """
    return {rules.name: rules.budget for rules in installed() if rules.budget}


def budget_words(name: str) -> str:
    """Return words for the budget setting "<ruleset>.<setting>"; its name if the ruleset is not installed any more."""
    ruleset, _, setting = name.partition(".")
    budget = budgets().get(ruleset)
    words = budget.settings().get(setting) if budget else None
    return str(words.words) if words else name


FiguresTold: TypeAlias = dict[str, Any]
"""{"name", "values"}, a figure in events."""


def figures_of(character: Character) -> list[FiguresTold]:
    """Return a character's derived figures as they are in events' payloads; [] if its rules have none."""
    figures = _figures_at(character.rules.name)
    derived = figures.derive(character.sheet, character.campaign) if figures else ()
    return [{"name": figure.name, "values": list(figure.values)} for figure in derived]


def drawn_figure(sheet: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a figure for templates: {"name", "label", "words", "template", "values", "caption", "value", "of"}, the last
    three as `Figures.bar` gives them; without words if its rules are not installed. `template` is "" unless the
    figure has its own.
    """
    shown = {"name": payload["name"], "values": payload["values"], "label": "", "words": "", "template": ""}
    figures = _figures_at(sheet)
    if figures is None:
        return shown | {"caption": "", "value": 0, "of": 0}
    figure = Figure(payload["name"], tuple(payload["values"]))
    label, words = figures.words(figure)
    caption, value, of = figures.bar(figure)
    template = figures.templates.get(figure.name, "")
    drawn = {"label": str(label), "words": str(words), "template": template}
    return shown | drawn | {"caption": caption, "value": value, "of": of}


def states_between(sheet: str, before: Values, after: Values) -> Sequence[State]:
    """Return the changes of state between two sheets' values; () if the rules have none."""
    states = _states_at(sheet)
    return states.derive(before, after) if states else ()


def state_words(sheet: str, codes: Sequence[Mapping[str, Any]]) -> str:
    """Return words for states' codes ({"code", "values"}), to follow a name; "" if the rules are not installed any more."""
    states = _states_at(sheet)
    words = [str(states.words(State(state["code"], tuple(state["values"])))) for state in codes] if states else []
    return listed(words)


def scheme_of(character: Character) -> Scheme:
    """Raises Invalid where no rules say how such a one comes on."""
    scheme = scheme_at(character.rules.name)
    if scheme is None:
        raise Invalid(_("These rules have no XP."))
    return scheme


def scheme_at(sheet: str) -> Scheme | None:
    """Return the scheme for a sheet's name; None if its rules are not installed any more."""
    return next((rules.schemes[sheet] for rules in installed() if sheet in rules.schemes), None)


def sheet_with(currencies: Mapping[str, str]) -> str:
    """Return the name of a sheet with currencies of these names and English labels; "" if there is none any more."""
    wanted = currencies.items()
    with override(settings.LANGUAGE_CODE):
        for rules in installed():
            for sheet, scheme in rules.schemes.items():
                if wanted and wanted <= {(name, str(known.label)) for name, known in scheme.currencies.items()}:
                    return sheet
    return ""


def tracks_of(character: Character) -> Sequence[tuple[str, str]]:
    """Return the currencies that an award may be in, as (name, label); [] if there is only one kind of XP."""
    scheme = scheme_at(character.rules.name)
    earning = (
        [(currency.name, str(currency.label)) for currency in scheme.currencies.values() if currency.earns]
        if scheme
        else []
    )
    return earning if len(earning) > 1 else ()


def _figures_at(sheet: str) -> Figures | None:
    return next((rules.figures[sheet] for rules in installed() if sheet in rules.figures), None)


def _states_at(sheet: str) -> States | None:
    return next((rules.states[sheet] for rules in installed() if sheet in rules.states), None)


CREATION: Final = "creation"


def budget_of(campaign: Campaign, system: str) -> Budget:
    """Return the budget of one of the campaign's systems. Settings that no longer exist are left out."""
    kind, chosen = budgets()[system], campaign.settings.get(CREATION, {}).get(system, {})
    known = {name: chosen[name] for name in kind.settings() if name in chosen}
    return kind(**known, **_ruled(campaign, system))


def has_budget(character: Character) -> bool:
    """Return whether it is of the kind that the guided page makes: a player's, by rules with a budget."""
    return character.rules.name in budgets() and not character.is_npc


def pots_of(character: Character) -> Sequence[Pot]:
    """Return the pots of a new character's budget with what is on this sheet; () for those without one."""
    if not has_budget(character):
        return ()
    return budget_of(character.campaign, character.rules.name).reckon(character.sheet).pots


def given(campaign: Campaign, systems: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return every setting of some systems as it is now: {system: {name: points}}."""
    budgets = {system: budget_of(campaign, system) for system in systems}
    return {system: {name: getattr(budget, name) for name in budget.settings()} for system, budget in budgets.items()}


def _ruled(campaign: Campaign, system: str) -> Mapping[str, Any]:
    """Return those of a budget's settings that the campaign's rules of rolls already decide."""
    rules = campaign.settings.get(system, {})
    return {name: rules[name] for name in budgets()[system].ruled if name in rules}
