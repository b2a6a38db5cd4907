"""What the Scale asks of a game: how its dice are counted, and what a result of the Scale does on its sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from campaigns import rulesets
from campaigns.models import Campaign
from characters.rulesets import CharacterRules
from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rules.tally import FallenDie, Read, Shifts, Tally, read
from scale.rules.scale import Settings, tally

BOTH: Final = "both"
"""Said by terms of two sides that play for the same table: whoever counts the dice of all who do counts both, and others take it
out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """What a result of the Scale gives a character, for better or worse.

    `code` names it. `name` and `words` are written on the sheet, in English: messages with the gettext context
    "condition", in which each reader gets them (Text.context). `face` is that of its d10, 0 if it takes none.
    """

    code: str
    name: str
    words: str = ""
    face: int = 0


class Countable:
    """A reading of action rolls' dice that lets the Scale count them; `settings` are a campaign's (RollSettings)."""

    usual: Mapping[str, Any]
    """Terms of some roll, as `shifts` takes them."""

    def no_action(self, kind: str) -> str:
        """Return in a few words what a kind of roll is that is no action roll, "" for one that is."""
        return ""

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        """Return the dice of a card, judged by the terms that the card names."""
        raise NotImplementedError

    def shifts(self, terms: dict[str, Any], tally: Tally) -> Shifts:
        """Return how likely each sum is for the terms of a roll."""
        raise NotImplementedError

    def wanted(self, settings: Any) -> bool:
        """Return whether a campaign has these dice counted; most rulesets leave that to the Scale."""
        return True

    def gives(self, gift: Gift, values: Values, settings: Any) -> Sequence[Step] | None:
        """Return the steps by which a sheet with these values takes a gift: () if nothing has to be done, None if it
        has no place for it.
        """
        return None


class CountedRules(CharacterRules):
    """The part of a ruleset that this app asks for (rolls.ruleset.Ruleset). `decided` is Campaign.settings."""

    @property
    def counted(self) -> Countable | None:
        """How its dice are counted, whatever a campaign decides; None if the Scale has no part in its rolls."""
        raise NotImplementedError

    def counts(self, decided: Mapping[str, Any]) -> bool:
        """Return whether a campaign has its dice counted."""
        raise NotImplementedError

    def gives(self, gift: Gift, values: Values, decided: Mapping[str, Any]) -> Sequence[Step] | None:
        """Return what `Countable.gives` gives in a campaign."""
        raise NotImplementedError


RULESETS = cast(dict[str, CountedRules], rulesets.RULESETS)


def countable(system: str) -> Countable | None:
    """Return how the dice of a ruleset are counted, whatever a campaign decides: for rolls that have moved a Scale already."""
    ruleset = RULESETS.get(system)
    return ruleset.counted if ruleset else None


def counted_in(names: Iterable[str], decided: Mapping[str, Any]) -> Iterator[Countable]:
    """Yield how dice are counted by those of some rulesets whose dice a campaign has counted."""
    for name in names:
        ruleset = RULESETS.get(name)
        if ruleset and ruleset.counted and ruleset.counts(decided):
            yield ruleset.counted


def joins(names: Iterable[str], decided: Mapping[str, Any]) -> bool:
    """Return whether any roll by these rulesets moves a Scale."""
    return any(True for _ in counted_in(names, decided))


def moves_scales(campaign: Campaign) -> bool:
    """Return whether a campaign has rules whose rolls move a Scale."""
    return joins(campaign.systems, campaign.settings)


def read_of(counted: Countable, outcome: Mapping[str, Any], settings: Settings) -> Read:
    """Return what a roll's dice give, by its terms and outcome or its card: those of both sides if both play for the
    table's shared Scale.
    """
    return read(counted.fallen(outcome), tally(settings), both=settings.shared)


def shifts_for(counted: Countable, terms: Mapping[str, Any], settings: Settings) -> Shifts:
    """Return how likely each sum of them is."""
    return counted.shifts({**terms} if settings.shared else {**terms, BOTH: False}, tally(settings))
