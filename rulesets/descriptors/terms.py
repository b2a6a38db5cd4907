"""The terms of a roll of pool against pool: as they are typed or as a procedure fills them, as they are read for both sides, and
as they are kept; and the form that asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Self
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Invalid
from campaigns.models import Campaign, Viewer
from campaigns.schema import Name, Schema
from campaigns.text import signed
from characters.models import Character
from characters.queries.in_play import in_play
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import find, folded, traits
from languages.text import gettext_lazy, pgettext_lazy
from rolls import table_rules as base
from rolls.forms.asked import asks
from rolls.forms.base import RollForm
from rolls.queries.procedures import open_to
from rolls.table_rules import Terms
from rules import messages
from rules.acting import Text
from rules.dice import LARGEST_POOL
from rules.errors import RuleError
from rules.messages import Message, Words
from rulesets.descriptors.rules.contest import Falls, Fund, check_once, falls_on, fund_of, pay_for_roll, with_extra
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import LONGEST_NAME, SHEET

NAME: Final = "descriptors"

# A typed pool: "5", "Swordplay 3 + Old grudge 2", "swordplay + their fear of fire 2".
#
# A Descriptor without a number is looked up on a sheet. "their" marks one of the other side, which gains Will by it.


LONGEST_POOL: Final = 300
DIGITS: Final = 9  # more are too many dice in any case, and need not be read

RATED = re.compile(r"(?P<name>.*\S)\s+(?P<dice>[0-9]+)[dD]?")


def _their() -> str:
    """Return the word that says, before a Descriptor, that it is the other side's."""
    return pgettext("before a Descriptor of the other side", "their")


def _said_to_be_theirs(part: str) -> re.Match[str] | None:
    """Match that word and the space after it, in English or in the writer's language."""
    return re.match(rf"(?:their[s:]*|{re.escape(_their())}:?)\s+(?=\S)", part, re.IGNORECASE)


def rated(name: str, dice: int) -> Message:
    """Return words such as "Tied up 3D"."""
    return messages.gettext("{name} {dice}D", name=name, dice=dice)


def dice_words(count: int) -> Message:
    """Return "no dice", "1 die" or "2 dice"."""
    return messages.ngettext("{count} die", "{count} dice", count) if count else messages.gettext("no dice")


class Entry(Schema):
    """A Descriptor that is named in a pool. `theirs`: it is the other side's, used against them."""

    name: Name
    dice: int
    theirs: bool = False

    @property
    def called(self) -> str:
        return f"{_their()} {self.name}" if self.theirs else self.name

    @property
    def typed(self) -> str:
        return f"{self.called} {self.dice}"


class Pool(Schema):
    """What one side rolls, in rolls, requests, cards and procedures: Descriptors, and unnamed dice, which cost nothing. `extra`
    are dice added by Burns, or removed (below 0).
    """

    entries: list[Entry] = []
    unnamed: int = 0
    extra: int | None = None

    @property
    def own(self) -> int:
        """Return the dice without those of Burns."""
        return sum(entry.dice for entry in self.entries) + self.unnamed

    @property
    def dice(self) -> int:
        return with_extra(self.own, self.extra or 0)

    @property
    def gives(self) -> int:
        """Return the Will that the other side gains by this pool."""
        return sum(entry.theirs for entry in self.entries)

    @property
    def typed(self) -> str:
        """Return the pool in the spelling of the form, which can be read again without any sheet."""
        return self._joined(str(self.unnamed))

    @property
    def told(self) -> str:
        """Return words such as "Swordplay 3 + 2 dice", for a card."""
        return self._joined(str(dice_words(self.unnamed)))

    @property
    def burn(self) -> Words:
        """Return words such as "+1 from a Burn"; "" where none has put dice in."""
        return messages.gettext("{number} from a Burn", number=signed(self.extra)) if self.extra else ""

    def burnt(self, extra: int) -> Pool:
        """Return this pool with the dice that Burns put into it, or take from it."""
        return self.model_copy(update={"extra": extra if extra and self.own else None})

    def _joined(self, unnamed: str) -> str:
        named = [entry.typed for entry in self.entries]
        return " + ".join([*named, unnamed] if self.unnamed or not named else named)


def stored_pool(stored: Mapping[str, Any]) -> Pool:
    """Return the pool that `stored` was made of, which may have more beside it."""
    return Pool.model_validate(stored, extra="ignore")


def read_pool(field: str, text: str, own: Values | None, others: Values | None, settings: Settings) -> Pool:
    """Return the pool in `text`, of at most as many dice as the rules allow a side.

    `own` and `others` are the Descriptors sheets of this side and of the other, as far as the roller may read them.
    Raises Invalid at `field`.
    """
    if len(text) > LONGEST_POOL:
        raise Invalid(_("Write the pool in up to {count} characters.").format(count=LONGEST_POOL), field=field)
    if not text.strip():
        raise Invalid(_("Say what both sides roll: Descriptors, a number of dice, or 0 for none."), field=field)
    entries, unnamed = [], 0
    for part in (part.strip() for part in text.split("+")):
        if part.isascii() and part.isdigit():
            unnamed += _number(part)
        else:
            entries.append(_entry(field, part, own, others))
    pool = Pool(entries=entries, unnamed=unnamed)
    if not settings.fewest_dice <= pool.dice <= LARGEST_POOL:
        words = _("Each side rolls {fewest} to {most} dice.")
        raise Invalid(words.format(fewest=settings.fewest_dice, most=LARGEST_POOL), field=field)
    return pool


def _entry(field: str, part: str, own: Values | None, others: Values | None) -> Entry:
    # A Descriptor's own name may begin with "their" or end in a number; then the sheet knows.
    theirs = None if _is_called(own, part) else _said_to_be_theirs(part)
    name, values = (part[theirs.end() :], others) if theirs else (part, own)
    rated = RATED.fullmatch(name)
    if rated is None or _is_called(values, name):
        return _looked_up(field, name, values, bool(theirs))
    dice = _number(rated["dice"])
    _check(field, rated["name"], dice)
    return Entry(name=rated["name"], dice=dice, theirs=bool(theirs))


def _looked_up(field: str, name: str, values: Values | None, theirs: bool) -> Entry:
    if values is None:
        _check(field, name, 1)
        raise Invalid(_("Add its dice, as in “{name} 3”.").format(name=name), field=field)
    try:
        trait = find(SHEET, name, values)
    except SheetError as error:
        raise Invalid(_("{problem} Or add its dice.").format(problem=error.message), field=field) from None
    return Entry(name=trait.label, dice=trait.rating, theirs=theirs)


def _check(field: str, name: str, dice: int) -> None:
    """Refuse text that is not a Descriptor's name with its dice; "Luck -3" and "-3" are no Descriptors of 3 dice."""
    if not any(letter.isalpha() for letter in name) or name[-1] in "-\N{MINUS SIGN}":
        raise Invalid(_("Write a Descriptor as its name and its dice, such as “Swordplay 3”."), field=field)
    if len(name) > LONGEST_NAME:
        raise Invalid(_("A Descriptor’s name has up to {count} characters.").format(count=LONGEST_NAME), field=field)
    if not 1 <= dice <= LARGEST_POOL:
        raise Invalid(_("A Descriptor has 1 to {count} dice.").format(count=LARGEST_POOL), field=field)


def _is_called(values: Values | None, name: str) -> bool:
    return values is not None and any(folded(trait.label) == folded(name) for trait in traits(SHEET, values))


def _number(digits: str) -> int:
    return int(digits[:DIGITS])


@dataclass(frozen=True, kw_only=True)
class DescriptorsInput(base.RollInput):
    """The input of a roll: `pool` and `against` are the two sides' pools, as `read_pool` reads them.

    `versus` says who the other side is: a character that the roller knows, or other words. A procedure
    gives both `pools` as they were filled, and the `opponent`; of a `recovery` nothing follows but that an Injury shrinks.
    """

    system: ClassVar[str] = NAME

    pool: Annotated[str, Text(LONGEST_POOL), pgettext_lazy("verb", "Roll")] = ""
    against: Annotated[str, Text(LONGEST_POOL), gettext_lazy("Against")] = ""
    versus: Annotated[str, Text(LONGEST_NAME), gettext_lazy("Who or what")] = ""
    pools: tuple[Pool, Pool] | None = None
    opponent: UUID | None = None
    recovery: bool = False


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The two sides with their pools. `opens`: the roller may read the opponent's sheet, and have it pay."""

    mine: Character | None
    opponent: Character | None
    opens: bool
    versus: str
    a: Pool
    b: Pool

    @property
    def both(self) -> bool:
        """Return whether both are player characters."""
        return all(who is not None and not who.is_npc for who in (self.mine, self.opponent))

    def terms(self, settings: Settings, **more: bool | None) -> ContestTerms:
        """Return the terms of the roll: a side whose sheet the roller may not write in only pays in words. Raises Invalid for a
        Descriptor that is used twice, and at the pool of a side without enough Will."""
        if settings.once_per_roll:
            own = [(not entry.theirs, entry.name) for entry in self.a.entries]
            with _refused_at("pool"):
                check_once([*own, *((entry.theirs, entry.name) for entry in self.b.entries)])
        with _refused_at("pool", self.mine):
            a = SideTerms.of(self.a, self.b, descriptors_of(self.mine), settings)
        with _refused_at("against", self.opponent if self.opens else None):
            b = SideTerms.of(self.b, self.a, descriptors_of(self.opponent), settings, opens=self.opens)
        opponent = str(self.opponent.pk) if self.opponent else None
        return ContestTerms(a=a, b=b, versus=self.versus, opponent=opponent, **more)


@contextmanager
def _refused_at(field: str, whose: Character | None = None) -> Iterator[None]:
    try:
        yield
    except RuleError as error:
        message = _("{name}: {problem}").format(name=whose.name, problem=error.message) if whose else error.message
        raise Invalid(message, field=field) from error


class SideTerms(Pool):
    """What one side rolls and pays, as a roll keeps it, and but for the sheet a card tells it. `pays`: a sheet pays it; `out`: it
    takes its last point, and its owner leaves the scene; `boxes` is the length of the Power track, 0 without a sheet, and
    `crossed` the boxes crossed off. Rolls of 0.1 kept no `crossed`, and of `out` only whether it `left` the scene by that."""

    spent: int = 0
    gained: int = 0
    pays: bool = False
    out: bool = False
    boxes: int = 0
    crossed: list[int] | None = None
    left: bool | None = None

    @classmethod
    def of(cls, pool: Pool, opposing: Pool, sheet: Values | None, settings: Settings, *, opens: bool = True) -> Self:
        """Return a pool with what it costs and gains whoever has this `sheet`; where the roll does not open that, only in words.
        Raises a RuleError."""
        fund = fund_of(sheet, settings) if sheet is not None else Fund(will=None, boxes=0)
        will = fund.will if opens else None
        paid = pay_for_roll(will, invoked=len(pool.entries), used_against=opposing.gives, settings=settings)
        return cls(
            entries=pool.entries,
            unnamed=pool.unnamed,
            extra=pool.extra,
            spent=paid.spent,
            gained=paid.gained,
            pays=paid.before is not None and bool(paid.spent or paid.gained),
            out=paid.out_after_roll and bool(paid.spent),
            boxes=fund.boxes,
            crossed=[*fund.crossed],
        )

    @property
    def kept(self) -> Terms:
        return self.model_dump(mode="json", exclude_none=True) | {"dice": self.dice}

    def falls(self, successes: int, settings: Settings) -> Falls | None:
        """Return the hit on who has lost, by their Power track; None without a sheet."""
        if not self.boxes:
            return None
        return falls_on(Fund(will=None, boxes=self.boxes, crossed=tuple(self.crossed or ())), successes, settings)


class ContestTerms(Schema):
    """The terms of a roll of pool against pool. `opponent` is only an id, so that the card shows the character's current name;
    `versus` names one who is no character. Of a `recovery` nothing follows but that an Injury shrinks; `both` sides are player
    characters; `bound`: a procedure makes it.
    """

    a: SideTerms
    b: SideTerms
    versus: str | None = None
    opponent: str | None = None
    recovery: bool | None = None
    both: bool | None = None
    bound: bool | None = None

    @classmethod
    def of(cls, terms: Terms) -> Self:
        """Return those that a roll keeps."""
        return cls.model_validate(terms, extra="ignore")

    @property
    def kept(self) -> Terms:
        """Return them as a roll keeps them."""
        said = self.model_dump(include={"recovery", "both", "bound"}, exclude_none=True)
        return {"versus": self.versus, "opponent": self.opponent, "a": self.a.kept, "b": self.b.kept} | said


def sides_of(
    campaign: Campaign, mine: Character | None, ask: DescriptorsInput, settings: Settings, *, is_gm: bool
) -> Sides:
    """Read both pools. Raises Invalid at the field that is at fault."""
    versus = ask.versus.strip()
    if len(versus) > LONGEST_NAME:
        raise Invalid(_("Say who it is in up to {count} characters.").format(count=LONGEST_NAME), field="versus")
    opponent = _opponent(campaign, mine, versus, is_gm=is_gm)
    owner = mine.owner_id if mine else None
    opens = opponent is not None and (is_gm or (owner is not None and owner == opponent.owner_id))
    own, others = descriptors_of(mine), descriptors_of(opponent) if opens else None
    return Sides(
        mine=mine,
        opponent=opponent,
        opens=opens,
        versus="" if opponent else versus,
        a=read_pool("pool", ask.pool, own, others, settings),
        b=read_pool("against", ask.against, others, own, settings),
    )


def descriptors_of(character: Character | None) -> Values | None:
    """Return the sheet of a character of these rules; None for those who have none."""
    return character.values if character is not None and character.rules is SHEET else None


def _opponent(campaign: Campaign, mine: Character | None, versus: str, *, is_gm: bool) -> Character | None:
    """Return the one character of this name that a member may know, which is no hidden NPC for players; None if there are
    several, or none."""
    if not versus:
        return None
    known = Character.objects.active().filter(campaign=campaign) if is_gm else Character.objects.known_to_all(campaign)
    called_so = known.filter(name__iexact=versus).select_related("owner__user").order_by()
    others = [character for character in called_so if character != mine]
    return others[0] if len(others) == 1 else None


@asks(DescriptorsInput)
class DescriptorsForm(RollForm):
    """`pool` and `against` are numbers of dice, or Descriptors joined by plus signs; `versus` says whose the second one is."""

    roll_input = DescriptorsInput

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the names of possible opponents, and the Scene Descriptors of this scene."""
        return {
            "fields": cls.base_fields,
            "faces": _("yours, then theirs: 9 7 5 6 4"),
            "known": [other.name for other in in_play(viewer) if hand is None or other != hand["character"]],
            "scene": [
                f"{one.state['name']} {one.state['dice']}"
                for one in open_to(viewer)
                if (one.system, one.kind) == (NAME, "scene_descriptor")
            ],
        }

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Leave out characters that players do not know, because requests are shown to players."""
        return cls.shown(viewer, None) | {"known": [other.name for other in in_play(viewer) if not other.is_hidden]}
