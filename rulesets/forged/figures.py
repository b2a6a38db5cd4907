"""What follows from a forged sheet by the rules (attributes, trauma, what else can be carried), what a change of it means, and
how it grows: xp tracks of the three attributes, of the playbook and of a crew (public rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
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
from characters.sheets.fields import Choice, Field, Flag, Text
from characters.sheets.sheet import STATE, Sheet, Values
from characters.sheets.steps import Add, Put, Step
from languages.text import gettext_lazy
from rolls.settings import roll_settings
from rules.errors import RuleError, whole
from rulesets.forged import sheet as forged
from rulesets.forged.procedures.experience import CREW_TRACK, PLAYBOOK, TRACKS
from rulesets.forged.rules import DEFAULTS, HIGHEST_RATING, MOST_TRAUMAS, Settings
from rulesets.forged.rules.action import FATAL, HARM_SLOTS, harm_row
from rulesets.forged.rules.downtime import MOST_ITEMS, Load
from rulesets.forged.sheet import (
    ACTIONS,
    ARMOR,
    ATTRIBUTE_LABELS,
    LOADS,
    SHEET,
    TRAUMA_LABELS,
    XP_BOXES,
    attribute,
    coins,
    harm,
    harm_rows,
    heat,
    trauma_of,
    traumas,
)


def _slots_words(carried: int, most: int) -> str:
    """Return words such as "2 of 5 free"; without a chosen load, the number carried."""
    if not most:
        return _("{count} carried, no load chosen").format(count=carried)
    if carried <= most:
        return _("{free} of {most} free").format(free=most - carried, most=most)
    return _("{over} over the limit of {most}").format(over=carried - most, most=most)


def _traumas(conditions: Sequence[object]) -> str:
    return ", ".join(str(TRAUMA_LABELS[str(condition)]) for condition in conditions)


class ForgedFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Return the worst harm's level with the codes of trauma, the ratings of the attributes (forged.txt, Resistance Roll),
        these codes, and how many slots of the chosen load are taken.
        """
        carried = sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])
        chosen = str(SHEET.value(values, "load"))
        worst = max((level for level, names in harm(values).items() if names), default=0)
        return [
            Figure(STATE, (worst, *traumas(values))),
            *(Figure(name, (attribute(values, name),)) for name in ACTIONS),
            Figure("trauma", traumas(values)),
            Figure("slots", (carried, MOST_ITEMS[Load(chosen)] if chosen else 0)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == STATE:
            worst, *conditions = figure.values
            hurt = _("Level {level} harm").format(level=worst) if worst else ""
            trauma = _("Trauma") if len(conditions) > 1 else _traumas(conditions)
            return "", ", ".join(filter(None, (hurt, trauma))) or _("Unhurt")
        if figure.name == "trauma":
            return _("Trauma"), _traumas(figure.values) or pgettext("trauma", "none")
        if figure.name == "slots":
            return pgettext("carried", "Load"), _slots_words(*map(int, figure.values))
        return str(ATTRIBUTE_LABELS[figure.name]), str(figure.values[0])


def _harm(before: Values, after: Values) -> Iterator[State]:
    """Yield harm that is new, or of another level now; what only went has its own line."""
    was, rows = harm(before), (*map(harm_rows, HARM_SLOTS), "healing")
    old = {name: level for level, names in was.items() for name in names}
    for level, names in sorted(harm(after).items(), reverse=True):
        for name in (Counter(names) - Counter(was[level])).elements():
            yield State("eased" if old.get(name, 0) > level else "harm", (level, name), rows)


def _trauma(before: Values, after: Values) -> Iterator[State]:
    conditions = [trauma for trauma in traumas(after) if trauma not in traumas(before)]
    if conditions:
        full = len(traumas(after)) >= MOST_TRAUMAS
        yield State("trauma", (full, *conditions), ("stress", *map(trauma_of, conditions)))


def _load(before: Values, after: Values) -> Iterator[State]:
    """Yield the state that armour is whole again and items are put down, when a load was chosen."""
    load = str(SHEET.value(after, "load"))
    if load != SHEET.value(before, "load"):
        yield State("load", (load,), ("load", "items", *ARMOR))


class ForgedStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_harm(before, after), *_trauma(before, after), *_load(before, after)]

    def words(self, state: State) -> str:
        if state.code == "load":
            load = str(state.values[0])
            if not load:
                return _("puts down what they carried")
            return _("chooses a load: {load}").format(load=dict(LOADS)[load])
        if state.code == "trauma":
            last, *conditions = state.values
            words = _("suffers their last trauma: {conditions}") if last else _("suffers trauma: {conditions}")
            return words.format(conditions=_traumas(conditions))
        if state.code == "full_stress":  # told until the trauma began by itself
            return _("marked the last stress box: a trauma is due")
        level, name = state.values
        words = (
            _("takes level {level} harm: {harm}")
            if state.code == "harm"
            else _("recovers: {harm} is now level {level}")
        )
        return words.format(level=level, harm=name)


class CrewStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        level = heat(after)[1]
        return [State("wanted", (level,), ("wanted", "heat"))] if level > heat(before)[1] else []

    def words(self, state: State) -> str:
        return _("are now wanted, level {level}").format(level=state.values[0])


# How it grows
#
# A player's claims by the forged rules: harm that happened away from the table (public rules). Other former claims are
# settled by procedures now.


GROUP: Final = "group"
"""The reason for marking stress other than by a flashback."""


def harm_words(payload: Told) -> str:
    words = _("Level {level} harm: {name}")
    if payload["row"] == FATAL:
        words = _("Level {level} harm: {name}, fatal")
    elif payload["row"] > payload["level"]:
        words = _("Level {level} harm: {name}, moved up to level {row} since lower rows are full")
    return words.format(level=payload["level"], name=payload["name"], row=payload["row"])


def recovery_words(payload: Told) -> str:
    words = _("Recovery: {ticks} on the healing clock")
    if payload["down"]:
        words = ngettext(
            "Recovery: {ticks} on the healing clock, all harm down {count} level",
            "Recovery: {ticks} on the healing clock, all harm down {count} levels",
            payload["down"],
        )
    return words.format(ticks=payload["ticks"], count=payload["down"])


def vice_words(payload: Told) -> str:
    words = _("Vice not indulged: stress {before} to {after}")
    if payload["indulged"]:
        words = _("Vice indulged: stress {before} to {after}")
    if payload["over"]:
        words = _("Vice overindulged: stress {before} to {after}")
    return words.format(before=payload["before"], after=payload["after"])


LEVELS = (
    ("1", gettext_lazy("1, lesser harm")),
    ("2", gettext_lazy("2, moderate harm")),
    ("3", gettext_lazy("3, severe harm")),
    (str(FATAL), gettext_lazy("4, fatal")),
)


class Harm(Schema):
    level: int
    name: Name
    row: int


class Trauma(Schema):
    trauma: Code
    retired: bool


class Recovery(Schema):
    ticks: int
    down: int


class Vice(Schema):
    indulged: bool
    over: bool
    before: int
    after: int


class Stress(Schema):
    why: Code
    stress: int


class Heat(Schema):
    added: int
    heat: int
    wanted: int | None = None


class Payoff(Schema):
    rep: int
    coin: int


class HarmClaim:
    """A harm goes into its row, or into the next one where that is full; it empties the healing clock."""

    label = gettext_lazy("Harm taken")
    wording = Wording(Harm, harm_words)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("level", gettext_lazy("Level"), choices=LEVELS, default="2"),
            Text("name", gettext_lazy("What it is"), longest=80, required=True),
            Flag("fatal", gettext_lazy("It may be fatal")),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        level = int(given["level"])
        row = harm_row(rows_of(standing.values), level)
        if row == FATAL and not given.get("fatal"):
            message = _("No harm row is free, so this would be fatal. Tick “It may be fatal” to confirm.")
            raise Invalid(message, field="fatal")
        return dict(given), {"level": level, "name": given["name"], "row": row}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        row = harm_row(rows_of(standing.values), int(kept["level"]))
        if row == FATAL:
            return Granted()
        return Granted((Add(forged.harm_rows(row), {"name": kept["name"]}), Put("healing", 0)))

    def at_once(self, campaign: Campaign) -> bool:
        return True


OF_SCOUNDRELS: Mapping[str, ClaimKind] = {
    "trauma": SettledClaim(
        gettext_lazy("The stress track is full"),
        Wording(
            Trauma,
            lambda payload: (
                _("Last trauma: {trauma}. They retire.")
                if payload["retired"]
                else _("Trauma: {trauma}. Stress cleared.")
            ).format(trauma=forged.TRAUMA_LABELS.get(payload["trauma"], payload["trauma"])),
        ),
    ),
    "harm": HarmClaim(),
    "recovery": SettledClaim(gettext_lazy("Treatment"), Wording(Recovery, recovery_words)),
    "vice": SettledClaim(
        gettext_lazy("Downtime, with or without the vice"),
        Wording(Vice, vice_words),
    ),
    "stress": SettledClaim(
        gettext_lazy("Stress for a group action or flashback"),
        Wording(
            Stress,
            lambda payload: (
                _("{count} stress for a group action")
                if payload["why"] == GROUP
                else _("{count} stress for a flashback")
            ).format(count=payload["stress"]),
        ),
    ),
}
OF_CREWS: Mapping[str, ClaimKind] = {
    "heat": SettledClaim(
        gettext_lazy("Heat from a score"),
        Wording(
            Heat,
            lambda payload: (
                _("{added} heat, now {heat}")
                if payload["wanted"] is None
                else _("{added} heat, now {heat}; wanted level {wanted}")
            ).format(**payload),
        ),
    ),
    "payoff": SettledClaim(
        gettext_lazy("Payoff of a score"),
        Wording(Payoff, lambda payload: _("{rep} rep, {coin}").format(rep=payload["rep"], coin=coins(payload["coin"]))),
    ),
}


def rows_of(values: Values) -> Mapping[int, int]:
    """Return how many harms are in each row."""
    return {level: len(names) for level, names in forged.harm(values).items()}


ABILITY = (
    Text("name", gettext_lazy("Which ability"), required=True),
    Text("words", gettext_lazy("What it does"), longest=1000),
)
UPGRADES = (
    Text("first", gettext_lazy("First upgrade"), required=True),
    Text("second", gettext_lazy("Second upgrade"), required=True),
)


AN_ABILITY, TWO_UPGRADES = gettext_lazy("A special ability"), gettext_lazy("Two upgrades")


class Ability(Schema):
    name: Name


class Upgrades(Schema):
    first: Name
    second: Name


class Dot(Schema):
    action: Code
    dots: int


BOUGHT_ABILITY = Wording(Ability, lambda payload: f"{AN_ABILITY}: {payload['name']}")
BOUGHT_UPGRADES = Wording(Upgrades, lambda payload: f"{TWO_UPGRADES}: {payload['first']}, {payload['second']}")
BOUGHT_DOT = Wording(
    Dot,
    lambda payload: _("{action} {before} to {after}").format(
        action=forged.called(payload["action"]), before=payload["dots"], after=payload["dots"] + 1
    ),
)


MOST_XP_AT_ONCE: Final = 100


def mark(boxes: int, marks: int, xp: int, settings: Settings = DEFAULTS) -> tuple[int, int]:
    """Mark `xp` (0 to 100) on a track of so many boxes with `marks`. Return the advances, for which a full one empties, and its
    marks then.

    The surplus starts the track again, and may fill it again; or is lost if the campaign has it so.
    """
    after = whole("marks", marks, 0, boxes - 1) + whole("xp", xp, 0, MOST_XP_AT_ONCE)
    return divmod(after if settings.xp_rolls_over else min(after, boxes), boxes)


class _Tracks:
    """Tracks that fill and empty for an advance. One filled by hand counts as an advance too."""

    sheet: Sheet
    tracks: tuple[str, ...]
    claims: Mapping[str, ClaimKind]
    purchases: Mapping[str, Wording]

    def __init__(self) -> None:
        self.currencies: Mapping[str, Currency] = {
            name: Currency(
                name,
                self.sheet.field(name).label,
                lambda amount: npgettext("what is spent", "advance", "advances", amount),
                gettext_lazy("{} of {} marked"),
                earns=gettext_lazy("XP"),
            )
            for name in self.tracks
        }

    def balances(self, standing: Standing) -> Sequence[Balance]:
        return [self._balance(standing, name) for name in self.tracks]

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        boxes, marks = XP_BOXES[currency], self.sheet.number(standing.values, currency)
        full = int(marks == boxes)
        try:
            advances, left = mark(boxes, 0 if full else marks, amount, roll_settings(standing.campaign).of(Settings))
        except RuleError as error:
            raise Invalid(error.message, field="amount") from None
        return Earned((Put(currency, left),), advances + full)

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        """Take an advance that the ledger owes, or else empty the full track."""
        kind, told, steps = self.bought(offer, given)
        owed = standing.owed.get(offer.currency, 0) > 0
        left = () if owed else (Put(offer.currency, 0),)
        return Purchase(offer.currency, 1, kind, told, (*steps, *left), int(owed))

    def bought(self, offer: Offer, given: Given) -> tuple[str, Told, tuple[Step, ...]]:
        """Return the kind of a purchase, what the ledger keeps of it, and its steps: those of an ability, unless overridden."""
        return "ability", {"name": given["name"]}, (Add("abilities", given),)

    def _balance(self, standing: Standing, name: str) -> Balance:
        marks, boxes = self.sheet.number(standing.values, name), XP_BOXES[name]
        have = standing.owed.get(name, 0) + int(marks == boxes)
        return Balance(name, have, (marks, boxes))


class ForgedScheme(_Tracks):
    """The advancement of Forged: an attribute's track buys a dot in one of its actions, the playbook's a special ability."""

    purchases: Mapping[str, Wording] = MappingProxyType({"ability": BOUGHT_ABILITY, "dot": BOUGHT_DOT})
    claims = OF_SCOUNDRELS
    sheet = SHEET
    tracks = TRACKS

    def offers(self, standing: Standing) -> Sequence[Offer]:
        offers = [Offer("ability", AN_ABILITY, PLAYBOOK, 1, ABILITY)]
        for theirs, actions in forged.ACTIONS.items():
            for action in actions:
                dots = self.sheet.number(standing.values, action)
                if dots < HIGHEST_RATING:
                    words = BOUGHT_DOT.words({"action": action, "dots": dots})
                    name = f"{theirs}/{action}/{dots}"
                    offers.append(Offer(name, words, forged.xp_of(theirs), 1))
        return offers

    def bought(self, offer: Offer, given: Given) -> tuple[str, Told, tuple[Step, ...]]:
        if offer.name == "ability":
            return super().bought(offer, given)
        _attribute, action, dots = offer.name.split("/")
        return "dot", {"action": action, "dots": int(dots)}, (Put(action, int(dots) + 1),)


class CrewScheme(_Tracks):
    """A crew's track buys a special ability, or two upgrades."""

    purchases: Mapping[str, Wording] = MappingProxyType({"ability": BOUGHT_ABILITY, "upgrades": BOUGHT_UPGRADES})
    claims = OF_CREWS
    sheet = forged.CREW
    tracks = (CREW_TRACK,)

    def offers(self, standing: Standing) -> Sequence[Offer]:
        return [
            Offer("ability", AN_ABILITY, CREW_TRACK, 1, ABILITY),
            Offer("upgrades", TWO_UPGRADES, CREW_TRACK, 1, UPGRADES),
        ]

    def bought(self, offer: Offer, given: Given) -> tuple[str, Told, tuple[Step, ...]]:
        if offer.name == "ability":
            return super().bought(offer, given)
        payload = {which: given[which] for which in ("first", "second")}
        return "upgrades", payload, tuple(Add("upgrades", {"name": name}) for name in payload.values())
