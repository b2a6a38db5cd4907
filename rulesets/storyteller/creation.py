"""The budget of a Storyteller character. The text has none: these are the figures in common use, and ours.

Attributes and Abilities are given by group: whichever group most is spent in has the largest share. What goes beyond a share, and
what goes beyond the most that an Ability has at the start, is paid in freebie points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters.creation import Budget, Pot, Reckoning, Section, points
from characters.sheets.sheet import Values
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext
from rulesets.storyteller.sheet import ABILITIES, ATTRIBUTE_MAXIMUM, ATTRIBUTES, GROUPS, SHEET, VIRTUES

FREEBIES = "freebies"
_VIRTUES = tuple(field.name for group in SHEET.groups if group.name == "virtues" for field in group.fields)


def _names(group: str) -> tuple[str, ...]:
    """Return the fields of a group, its rows apart."""
    return tuple(name for name in SHEET.fields if SHEET.group_of(name) == group)


@dataclass(frozen=True, kw_only=True)
class StorytellerBudget(Budget):
    """Points and prices. All are whole numbers from 0."""

    sheet = SHEET

    attributes_first: int = points(7, gettext_lazy("Attributes: dots in the primary group"))
    attributes_second: int = points(5, gettext_lazy("Attributes: dots in the secondary group"))
    attributes_third: int = points(3, gettext_lazy("Attributes: dots in the tertiary group"))
    abilities_first: int = points(13, gettext_lazy("Abilities: dots in the primary group"))
    abilities_second: int = points(9, gettext_lazy("Abilities: dots in the secondary group"))
    abilities_third: int = points(5, gettext_lazy("Abilities: dots in the tertiary group"))
    ability_most: int = points(3, gettext_lazy("Most dots in an Ability before freebie points"), most=ATTRIBUTE_MAXIMUM)
    powers: int = points(3, gettext_lazy("Dots of Disciplines and other powers"))
    backgrounds: int = points(5, gettext_lazy("Dots of Backgrounds"))
    virtues: int = points(7, gettext_lazy("Dots of Virtues, beyond the free one in each"))
    freebies: int = points(15, gettext_lazy("Freebie points"))
    attribute_price: int = points(5, gettext_lazy("Freebie points for a dot of an Attribute"))
    ability_price: int = points(2, gettext_lazy("Freebie points for a dot of an Ability"))
    power_price: int = points(7, gettext_lazy("Freebie points for a dot of a power"))
    background_price: int = points(1, gettext_lazy("Freebie points for a dot of a Background"))
    virtue_price: int = points(2, gettext_lazy("Freebie points for a dot of a Virtue"))
    humanity_price: int = points(2, gettext_lazy("Freebie points for a dot of Humanity or Path"))
    willpower_price: int = points(1, gettext_lazy("Freebie points for a dot of Willpower"))

    def sections(self) -> Sequence[Section]:
        rated = ("name", "rating")
        given = (self.attributes_first, self.attributes_second, self.attributes_third)
        taught = (self.abilities_first, self.abilities_second, self.abilities_third)
        return (
            Section("identity", _("Identity"), _names("identity")),
            *(self._group(group, _shares(given)) for group in ATTRIBUTES),
            *(self._group(group, _shares(taught), rows=f"own_{group}") for group in ABILITIES),
            Section("powers", _("Disciplines and other powers"), (), "powers", rated, first=True),
            Section("backgrounds", _("Backgrounds"), (), "backgrounds", rated, most=ATTRIBUTE_MAXIMUM),
            Section("virtues", _("Virtues"), _VIRTUES),
            Section(
                FREEBIES,
                _("Freebie points"),
                ("willpower", "humanity"),
                blank=True,
                words=_(
                    "For dots beyond the budget. Left blank, Willpower equals {courage}, and Humanity or Path equals "
                    "{conscience} + {control}."
                ).format(conscience=_(VIRTUES[0]), control=_(VIRTUES[1]), courage=_(VIRTUES[2])),
            ),
        )

    def _group(self, group: str, words: str, rows: str = "") -> Section:
        columns = ("name", "rating") if rows else ()
        return Section(
            group,
            str(GROUPS[group]),
            _names(group),
            rows,
            columns,
            most=ATTRIBUTE_MAXIMUM,
            words=words,
            begins=1,
            first=group in ("physical", "talents"),
        )

    def completed(self, values: Values) -> dict[str, Any]:
        begun = self._beginnings(values)
        willpower = values.get("willpower", begun["willpower"])
        return {**begun, **values, "willpower_now": willpower}

    def reckon(self, values: Values) -> Reckoning:
        given = (self.attributes_first, self.attributes_second, self.attributes_third)
        taught = (self.abilities_first, self.abilities_second, self.abilities_third)
        dots = {group: self.bought(values, _names(group)) for group in ATTRIBUTES}
        pots = _ranked(dots, given, self.attribute_price)
        kept, above = self._abilities(values)
        pots += _ranked(kept, taught, self.ability_price, above)
        pots += [
            self._pot("powers", _("Powers"), self.powers, self._rated(values, "powers"), self.power_price),
            self._pot(
                "backgrounds",
                _("Backgrounds"),
                self.backgrounds,
                self._rated(values, "backgrounds"),
                self.background_price,
            ),
            self._pot("virtues", _("Virtues"), self.virtues, self.bought(values, _VIRTUES), self.virtue_price),
        ]
        price = dict.fromkeys(ATTRIBUTES, self.attribute_price) | dict.fromkeys(ABILITIES, self.ability_price)
        price |= {"powers": self.power_price, "backgrounds": self.background_price, "virtues": self.virtue_price}
        spent = sum(pot.over * price[pot.name] for pot in pots) + self._traits(values)
        freebies = Pot(FREEBIES, _("Freebie points"), self.freebies, spent)
        return Reckoning((*pots, freebies), self._faults(values, pots, freebies))

    def _pot(self, name: str, label: str, of: int, spent: int, price: int) -> Pot:
        return Pot(name, label, of, spent, note=_paid(max(0, spent - of) * price))

    def _rated(self, values: Values, rows: str) -> int:
        return sum(self.in_rows(values, rows, "rating"))

    def _abilities(self, values: Values) -> tuple[dict[str, int], dict[str, int]]:
        """Return the dots of each group that come out of its share, and those beyond the most of an Ability at the start."""
        kept, above = {}, {}
        for group in ABILITIES:
            dots = [self.number(values, name) for name in _names(group)] + self.in_rows(
                values, f"own_{group}", "rating"
            )
            kept[group] = sum(min(rating, self.ability_most) for rating in dots)
            above[group] = sum(dots) - kept[group]
        return kept, above

    def _beginnings(self, values: Values) -> dict[str, int]:
        """Return the starting values of Willpower and Humanity, before points are spent on them."""
        conscience, control, courage = (self.number(values, name) for name in _VIRTUES)
        return {"willpower": courage, "humanity": min(10, conscience + control)}

    def _traits(self, values: Values) -> int:
        begun = self._beginnings(values)
        prices = {"willpower": self.willpower_price, "humanity": self.humanity_price}
        return sum(max(0, int(values.get(name, begun[name])) - begun[name]) * prices[name] for name in begun)

    def _faults(self, values: Values, pots: Sequence[Pot], freebies: Pot) -> dict[str, str]:
        faults = {
            name: _("{trait} starts at {count} because of the Virtues. Raise it, or leave it blank.").format(
                trait=SHEET.field(name).label, count=least
            )
            for name, least in self._beginnings(values).items()
            if int(values.get(name, least)) < least
        }
        if freebies.over:
            faults[FREEBIES] = ngettext(
                "{count} freebie point too many: {spent} of {total} spent. Remove dots where you’re over budget.",
                "{count} freebie points too many: {spent} of {total} spent. Remove dots where you’re over budget.",
                freebies.over,
            ).format(count=freebies.over, spent=freebies.spent, total=freebies.of)
            faults |= {pot.name: _over_budget(pot) for pot in pots if pot.over}
        return faults


def _ranked(dots: dict[str, int], shares: Sequence[int], price: int, above: dict[str, int] | None = None) -> list[Pot]:
    """Return a pot for each group: the largest share for the group with most dots. Shares do not pay for `above`."""
    order = sorted(dots, key=lambda group: -dots[group])
    share = dict(zip(order, sorted(shares, reverse=True), strict=True))
    beside = above or dict.fromkeys(dots, 0)
    paid = {group: max(0, dots[group] - share[group]) + beside[group] for group in dots}
    return [
        Pot(group, str(GROUPS[group]), share[group], dots[group], beside[group], _paid(paid[group] * price))
        for group in dots
    ]


def _paid(freebies: int) -> str:
    if not freebies:
        return ""
    return ngettext("paid with {count} freebie point", "paid with {count} freebie points", freebies).format(
        count=freebies
    )


def _over_budget(pot: Pot) -> str:
    return ngettext(
        "{count} dot over budget, and not enough freebie points.",
        "{count} dots over budget, and not enough freebie points.",
        pot.over,
    ).format(count=pot.over)


def _shares(shares: Sequence[int]) -> str:
    first, second, third = sorted(shares, reverse=True)
    return _("{first} dots for your primary group, {second} for the secondary, {third} for the tertiary.").format(
        first=first, second=second, third=third
    )
