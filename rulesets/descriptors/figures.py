"""Figures of a Descriptors sheet, the meaning of its changes, and how it grows by Keys, XP and Advances (descriptors.txt, Keys
and Advances)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from campaigns.text import signed
from characters.advancement import (
    Balance,
    ClaimKind,
    Currency,
    Earned,
    Given,
    Granted,
    Offer,
    Purchase,
    SettledClaim,
    Standing,
    Told,
    Wording,
)
from characters.figures import Figure, Figures, State, States
from characters.sheets.fields import Choice, Field, RowGone
from characters.sheets.sheet import STATE, Values
from characters.sheets.steps import Add, Put, Step, Take
from languages.text import gettext_lazy
from rolls.settings import roll_settings
from rules.errors import RuleError
from rulesets.descriptors.rules import keys
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE, Change, cost
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import DESCRIPTORS, KEYS, MOST_DICE, SHEET, power_box, track


class DescriptorsFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return how they are, Advances that can be spent, XP towards the next (descriptors.txt, "Every 5 XP is an Advance"),
        and boxes crossed off.
        """
        xp = SHEET.number(values, "xp")
        earned, towards = divmod(xp, XP_PER_ADVANCE)
        power = track(values)
        return [
            Figure(STATE, (_is_out(values), len(SHEET.rows(values, "injuries")))),
            Figure("power", (len(power.crossed), power.boxes)),
            Figure("advances", (earned - SHEET.number(values, "advances_spent"),)),
            Figure("towards", (towards,)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        number = int(figure.values[0])
        if figure.name == STATE:
            out, injuries = figure.values
            if out:
                return "", _("Out of the scene")
            hurt = ngettext("{count} Injury", "{count} Injuries", int(injuries)).format(count=injuries)
            return "", hurt if injuries else _("Unhurt")
        if figure.name == "power":
            words = _("{count} of {boxes} crossed off").format(count=number, boxes=figure.values[1])
            return pgettext("descriptors", "Power"), words
        if figure.name == "advances":
            return _("Advances to spend"), signed(number) if number < 0 else str(number)
        return _("Towards the next"), _("{count} of {most} XP").format(count=number, most=XP_PER_ADVANCE)

    def bar(self, figure: Figure) -> tuple[str, int, int]:
        """Return the crossed boxes of the Power track, out of those there are."""
        if figure.name != "power":
            return "", 0, 0
        crossed, boxes = map(int, figure.values)
        return f"{pgettext('descriptors', 'Power')} {crossed}/{boxes}", crossed, boxes


def _refreshed(before: Values, after: Values) -> State | None:
    """Return the state after a Refreshment Scene, which frees the track and fills Will; one value alone is no more than a
    correction."""
    was, now = track(before), track(after)
    start, will = SHEET.number(after, "start_will"), SHEET.number(after, "will")
    filled, returned = SHEET.number(before, "will") < start <= will, _is_out(before) and not _is_out(after)
    if filled + returned + len(was.crossed) < 2 or will < start or now.crossed or _is_out(after):
        return None
    return State("refreshed", (will,), ("will", "out_of_scene", *map(power_box, was.crossed)))


def _crossed(before: Values, after: Values) -> Iterator[State]:
    boxes = sorted(track(after).crossed - track(before).crossed)
    # A box that was crossed all along and is one of the track again was not crossed off now.
    boxes = [box for box in boxes if not SHEET.value(before, power_box(box))]
    if boxes:
        yield State("crossed", tuple(boxes), tuple(map(power_box, boxes)))


def _injured(before: Values, after: Values) -> Iterator[State]:
    known_ids = {row["id"] for row in SHEET.rows(before, "injuries")}
    for row in SHEET.rows(after, "injuries"):
        if row["id"] not in known_ids:
            yield State("injured", (row["name"], row["dice"]), ("injuries",))


def _out(before: Values, after: Values) -> Iterator[State]:
    if _is_out(after) and not _is_out(before):
        spent = SHEET.number(after, "will") == 0
        yield State("out_of_scene", (spent,), ("out_of_scene",))
    elif _is_out(before) and not _is_out(after):
        yield State("back", (), ("out_of_scene",))


def _is_out(values: Values) -> bool:
    return bool(SHEET.value(values, "out_of_scene"))


class DescriptorsStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        if refreshed := _refreshed(before, after):
            return [refreshed]
        return [*_crossed(before, after), *_injured(before, after), *_out(before, after)]

    def words(self, state: State) -> str:
        if state.code == "refreshed":
            return _("is refreshed: Will {will}, Power track clear").format(will=state.values[0])
        if state.code == "crossed":
            boxes = ", ".join(map(str, state.values))
            words = ngettext("crosses off Power box {boxes}", "crosses off Power boxes {boxes}", len(state.values))
            return words.format(boxes=boxes)
        if state.code == "injured":
            name, dice = state.values
            return _("takes an Injury: {name}, {dice}D").format(name=name, dice=dice)
        if state.code == "back":
            return _("is back in the scene")
        return _("is out of the scene, with no Will left") if state.values[0] else _("is out of the scene")


# Players' claims by the Descriptors rules: that a Key came up (descriptors.txt). Everything else is settled at the table now.


KEY, LEVEL = "key", "level"

LEVEL_WORDS = {
    keys.Level.INVOLVED: gettext_lazy("{name}: it was part of the scene"),
    keys.Level.CHALLENGED: gettext_lazy("{name}: it was a great challenge"),
    keys.Level.PROGRESSES: gettext_lazy("{name}: it moved on"),
    keys.Level.EXPRESSED: gettext_lazy("{name}: it showed"),
    keys.Level.AT_A_PRICE: gettext_lazy("{name}: it was followed at a price"),
    keys.Level.BUYOFF: gettext_lazy("{name}: it’s bought off and goes"),
}


def _level_words(level: keys.Level, name: str) -> str:
    return LEVEL_WORDS[level].format(name=name)


class CameUp(Schema):
    name: Name
    level: Code


class KeyClaim:
    """A Key came up in the scene: XP for how it was met; a Key that is bought off is removed."""

    label = gettext_lazy("A Key came up")
    wording = Wording(CameUp, lambda payload: _level_words(keys.Level(payload["level"]), payload["name"]))

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        levels = tuple(
            (f"{row['id']}/{level}", _("{words} ({xp} XP)").format(words=_level_words(level, row["name"]), xp=xp))
            for row in SHEET.rows(standing.values, "keys")
            for level, xp in keys.XP[keys.KeyKind(row["framework"])].items()
        )
        return (Choice(LEVEL, _("What happened"), choices=levels, default=levels[0][0]),) if levels else ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        row_id, __, said = str(given[LEVEL]).partition("/")
        row, level, _xp = _came_up(standing, row_id, said)
        before = [keys.Level(claimed[LEVEL]) for claimed in earlier if claimed[KEY] == row_id]
        try:
            keys.check_level(level, before, roll_settings(standing.campaign).of(Settings))
        except RuleError as error:
            raise Invalid(error.message) from None
        return {KEY: row_id, LEVEL: said}, {"name": row["name"], "level": level.value}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        _row, level, xp = _came_up(standing, kept[KEY], kept[LEVEL])
        return Granted((Take("keys", kept[KEY]),) if level is keys.Level.BUYOFF else (), xp, "xp")

    def at_once(self, campaign: Campaign) -> bool:
        return not roll_settings(campaign).of(Settings).gm_confirms_xp


def _came_up(standing: Standing, row_id: str, said: str) -> tuple[Values, keys.Level, int]:
    """Return the row of a Key, what happened to it and the XP of that."""
    try:
        row = SHEET.row(standing.values, "keys", row_id)
        level = keys.Level(said)
        return row, level, keys.xp_of(keys.KeyKind(row["framework"]), level)
    except RowGone:
        raise Invalid(_("That Key is no longer on the sheet.")) from None
    except RuleError as error:
        raise Invalid(error.message) from None


class Hit(Schema):
    successes: int
    instead: bool


class Recovered(Schema):
    name: Name
    dice: int
    successes: int


class Refreshed(Schema):
    other: Name | None = None


class Kept(Schema):
    name: Name
    dice: int


def _hit(payload: Told) -> str:
    count = payload["successes"]
    if payload["instead"]:
        words = ngettext(
            "Hit with {count} success, an Injury instead", "Hit with {count} successes, an Injury instead", count
        )
    else:
        words = ngettext("Hit with {count} success", "Hit with {count} successes", count)
    return words.format(count=count)


def _recovery(payload: Told) -> str:
    name, dice, left = payload["name"], payload["dice"], max(0, payload["dice"] - payload["successes"])
    if not payload["successes"]:
        return _("Recovery: {name} stays as it is").format(name=name)
    words = _("Recovery: {name} {dice}D, now {left}D") if left else _("Recovery: {name} {dice}D, gone")
    return words.format(name=name, dice=dice, left=left)


def _refreshment(payload: Told) -> str:
    other = payload["other"] or _("someone")
    return _("A Refreshment Scene with {name}; the GM may make things worse once in return").format(name=other)


RETIRED: Final[Mapping[str, ClaimKind]] = MappingProxyType(
    {
        "hit": SettledClaim(gettext_lazy("A roll was lost"), Wording(Hit, _hit)),
        "recovery": SettledClaim(gettext_lazy("A recovery roll was made"), Wording(Recovered, _recovery)),
        "refreshment": SettledClaim(gettext_lazy("A Refreshment Scene was played"), Wording(Refreshed, _refreshment)),
        "keep": SettledClaim(
            gettext_lazy("Something stuck became permanent"),
            Wording(Kept, lambda payload: _("{name} {dice}D is permanent now").format(**payload)),
        ),
    }
)


XP = "xp"
SPENT = "advances_spent"
PASSING = ("injuries", "stuck")
"""Rows that Advances change where a campaign says so (descriptors.txt has no word on them)."""
RATED = ("descriptors", *PASSING)


class Raised(Schema):
    name: Name
    dice: int
    to: int


class Called(Schema):
    name: Name


RATING = Wording(Raised, lambda payload: _("{name} {dice}D to {to}D").format(**payload))
PURCHASES: Mapping[str, Wording] = MappingProxyType(
    {
        "raise": RATING,
        "lower": RATING,
        "retire": Wording(Called, lambda payload: _("{name}: 1D to Background").format(**payload)),
        "promote": Wording(Called, lambda payload: _("{name}: Background to 1D").format(**payload)),
        "new": Wording(Called, lambda payload: _("New Descriptor, 1D: {name}").format(**payload)),
        "key": Wording(Called, lambda payload: _("New Key: {name}").format(**payload)),
    }
)


class DescriptorsScheme:
    """XP earn Advances, Advances change the character. An offer's name says what it changes: "raise/<row>/<dice>"."""

    currencies: Mapping[str, Currency] = MappingProxyType(
        {
            XP: Currency(
                XP,
                gettext_lazy("Advances"),
                lambda amount: npgettext("what is spent", "Advance", "Advances", amount),
                gettext_lazy("{} of {} XP towards the next"),
                earns=gettext_lazy("XP"),
            )
        }
    )
    purchases = PURCHASES
    claims: Mapping[str, ClaimKind] = MappingProxyType({"key": KeyClaim(), **RETIRED})

    def balances(self, standing: Standing) -> Sequence[Balance]:
        earned, towards = divmod(SHEET.number(standing.values, XP), XP_PER_ADVANCE)
        left = earned - SHEET.number(standing.values, SPENT)
        return [Balance(XP, left, (towards, XP_PER_ADVANCE))]

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        return Earned((Put(XP, SHEET.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        values = standing.values
        offers = [offer for row in SHEET.rows(values, "descriptors") for offer in _of_descriptor(row)]
        for rows in PASSING if roll_settings(standing.campaign).of(Settings).advances_change_temporary else ():
            offers += [offer for row in SHEET.rows(values, rows) for offer in _raised_or_lowered(row)]
        for row in SHEET.rows(values, "background"):
            words = PURCHASES["promote"].words({"name": row["name"]})
            offers.append(Offer(f"promote/{row['id']}", words, XP, cost(Change.PROMOTE)))
        name, _dice, category = DESCRIPTORS.columns
        offers.append(Offer("new", _("New Descriptor, 1D"), XP, cost(Change.NEW), (name, category)))
        offers.append(Offer("key", _("New Key"), XP, cost(Change.NEW_KEY), KEYS.columns))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        if offer.cost is None:
            raise Invalid(_("This has no price."))
        paid = Put(SPENT, SHEET.number(standing.values, SPENT) + offer.cost, counts=True)
        kind, payload, steps = _bought(standing.values, offer.name, given)
        return Purchase(XP, offer.cost, kind, payload, (*steps, paid))


def _of_descriptor(row: Values) -> list[Offer]:
    offers, name, dice = _raised_or_lowered(row), row["name"], row["dice"]
    if dice > 1:
        return offers
    words = PURCHASES["retire"].words({"name": name})
    return [*offers, Offer(f"retire/{row['id']}/{dice}", words, XP, cost(Change.RETIRE))]


def _raised_or_lowered(row: Values) -> list[Offer]:
    """Return a die more, and one fewer where that leaves one."""
    dice, offers = row["dice"], []
    for change, to in ((Change.RAISE, dice + 1), (Change.LOWER, dice - 1)):
        if 1 <= to <= MOST_DICE:
            words = RATING.words({"name": row["name"], "dice": dice, "to": to})
            offers.append(Offer(f"{change}/{row['id']}/{dice}", words, XP, cost(change, dice)))
    return offers


def _bought(values: Values, name: str, given: Given) -> tuple[str, Told, tuple[Step, ...]]:
    """Return the kind of change that an offer of this name sells, its words for the ledger, and what it does on the sheet."""
    what, row_id, dice = (*name.split("/"), "", "")[:3]
    if what in (Change.RAISE, Change.LOWER):
        rows = next(rows for rows in RATED if any(row["id"] == row_id for row in SHEET.rows(values, rows)))
        to = int(dice) + (1 if what == Change.RAISE else -1)
        named = SHEET.row(values, rows, row_id)["name"]
        return what, {"name": named, "dice": int(dice), "to": to}, (Put(f"{rows}/{row_id}/dice", to),)
    if what in ("retire", "promote"):
        rows = "descriptors" if what == "retire" else "background"
        called = {"name": SHEET.row(values, rows, row_id)["name"]}
        becomes = Add("background", called) if what == "retire" else Add("descriptors", called | {"dice": 1})
        return what, called, (Take(rows, row_id), becomes)
    return what, {"name": given["name"]}, (Add("keys" if what == "key" else "descriptors", given),)
