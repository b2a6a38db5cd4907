"""The rolls of VI-VIII-X: checks of a stat and a skill, against a threshold (ARCT) or another check (ARCO), and Reaction checks
(arc.txt, V.5, V.7 and V.8): their input, what they are asked for with, and how a GM's terms bind them.

Scores are never part of a request: the KS and the ES are the sheet's, and no player may read the US, which is read here and
nowhere before. Totals and margins stay in the Roll and in GMs' payloads: with KS, die and adjustments, either betrays a US. So
does the SOM of an NPC, which neither its sheet nor the order of an event shows players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Final, TypeAlias
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import Payload
from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.text import signed
from characters.models import Character
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls.models import Audience, Roll, RollRequest
from rolls.odds import Part, bar, percent, shift
from rolls.services.roll_context import as_requested, by_the_rules, named
from rolls.settings import RollSettings
from rolls.table_rules import (
    Again,
    Change,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    RollInput,
    RollKind,
    TableRules,
    Terms,
)
from rules.dice import D10, Faces, draw, mean
from rules.errors import Block, RuleError, whole, word
from rules.messages import Words, joined, worded
from rules.procedures import called
from rules.table import Refused
from rulesets.arc import sheet
from rulesets.arc.figures import decimal
from rulesets.arc.odds import adjustments, reaction, threshold
from rulesets.arc.payloads import Card, RequestTerms, TakenBack
from rulesets.arc.rows import Person
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import IMMOBILE, UNCONSCIOUS
from rulesets.arc.rules.check import FAILURE, LARGEST_OTHER, MOOD_WORDS, SUCCESS, UNDECIDED, Chip, Reaction, Typed
from rulesets.arc.settings import SCORES, THRESHOLDS, Level, Settings
from rulesets.arc.sheet import SHEET, find_stat

BOUND: Final = ("kind", "stat", "skill", "other", "level", "threshold")
"""The fields in which an answer's roll form must agree with the request."""
UNNAMED: Final = gettext_lazy("A check")
STAT_AND_SKILL: Final = 2


SET_BY_GM: Final = gettext_lazy("Only the GM sets this. Leave it unchanged.")
CHIP_WORDS: Final = {"size": gettext_lazy("size")} | MOOD_WORDS


def chip_words(chip: Mapping[str, Any]) -> Words:
    """Return the words for an adjustment, as terms and cards keep it: with a typed `word`, or with a `code` of ours."""
    return worded(CHIP_WORDS[chip["code"]]) if chip.get("code") else chip["word"]


def chip_line(chip: Mapping[str, Any]) -> Words:
    """Return words such as "rain −1"."""
    return joined(" ", (chip_words(chip), signed(chip["value"])))


NAME = "arc"

Named: TypeAlias = Mapping[str, str]
"""A trait as rolls keep it: its `code`, which is its address on the sheet, and the `name` of one that its sheet alone has."""


class Kind(StrEnum):
    """The kinds of rolls; a COUNTER is an opposed check that answers one (ARCO). The roll form has OPPOSED beside the check that
    the table settles, since that is told to everyone: only a roll keeps both sides from the rest of the table."""

    CHECK = "check"
    OPPOSED = "opposed"
    COUNTER = "counter"
    REACTION = "reaction"


@dataclass(frozen=True, kw_only=True)
class ArcInput(RollInput):
    """A check of a `stat` and a `skill` of the sheet, or of typed scores: `ks` with the `us` that only a GM knows, `es`.

    `kind` is "check" (against `threshold`, 0 to 100, else that of `level`), "opposed" (which waits to be countered, or
    counters the roll `against`) or "reaction" (of the typed `som`, else the sheet's). `other` is the sum of all other
    adjustments, -100 to +100, of which `chips` names the parts.
    """

    system: ClassVar[str] = NAME

    kind: str = Kind.CHECK.value
    stat: str = ""
    skill: str = ""
    ks: int | None = None
    us: int | None = None
    es: int | None = None
    other: int = 0
    chips: tuple[Chip, ...] = ()
    level: str = Level.AVERAGE.value
    threshold: int | None = None
    som: int | None = None
    against: UUID | None = None

    @property
    def typed(self) -> dict[str, str]:
        """Return what was typed for the stat and the skill, scores as well."""
        stat = self.stat if self.ks is None else str(self.ks)
        return {"stat": stat, "skill": self.skill if self.es is None else str(self.es)}


SCORES_KEPT: Final = ("ks", "us", "es", "other")


def request_terms(
    kind: str, *, stat: str, skill: str, other: int, chips: Sequence[Mapping[str, Any]], **against: Any
) -> dict[str, Any]:
    """Return the terms of a request, by a GM or by the procedure of a check: what is left to who rolls is left out."""
    said = {"stat": stat, "skill": skill, "chips": [*chips]}
    return {"kind": str(kind), "other": other} | {name: value for name, value in said.items() if value} | against


def named_traits(stat: str, skill: str, values: Values | None = None, *, at: str = "") -> tuple[str, str]:
    """Return the code of a stat and the name of a skill, "" for what is left open. A skill of these values implies its stat.
    Raises Refused for scores and Invalid for what is not there, at the field of this name behind `at`."""
    stat, skill = stat.strip(), skill.strip()
    for field, typed in (("stat", stat), ("skill", skill)):
        if typed.lstrip("+-").isdigit():
            message = _("Enter a name or leave it blank. Scores come from the sheet, or from the GM who rolls.")
            raise Refused(message, f"{at}{field}")
    if values is not None and skill:
        with at_field(f"{at}skill"):
            row = sheet.find_skill(values, skill)
        stat, skill = stat or sheet.stat_of_skill(values, row), row.label
    if stat:
        with at_field(f"{at}stat"):
            stat = sheet.find_stat({}, stat).name
    return stat, skill


def check_words(stat: str, skill: str) -> Words:
    """Return words such as "Control + Tamper" for a stat by its code and a skill; "" for neither."""
    words: list[Words] = [
        *([worded(sheet.STAT_WORDS[stat])] if stat else []),
        *([skill[:1].upper() + skill[1:]] if skill else []),
    ]
    return joined(" + ", words) if words else ""


def scores_of(character: Character | None, ask: ArcInput, *, for_gm: bool) -> dict[str, Any]:
    """Return the `traits` of a check, the stat before the skill, and all its scores, the US among them. Raises Invalid, without
    a score in it."""
    if ask.us is not None and not for_gm:
        raise Invalid(_("Only the GM knows an Unknown Stat. Leave it blank."), field="us")
    if ask.es is not None and not for_gm:
        raise Invalid(_("Only the GM rolls a typed skill score. Choose a skill of your character."), field="skill")
    stats: list[Named] = []
    es, skills = trained(character, ask)
    if ask.ks is not None:
        if not for_gm:
            raise Invalid(_("Only the GM rolls a typed Known Stat. Choose a stat of your character."), field="stat")
        if ask.us is None:
            raise Invalid(_("A typed Known Stat also needs its Unknown Stat."), field="us")
        ks, us = ask.ks, ask.us
    else:
        stat = stat_of(character, ask)
        assert character is not None  # noqa: S101  # or it had no sheet
        ks, us, stats = stat.rating, sheet.unknown(character.sheet, character.secret, stat), [{"code": stat.name}]
        us = us if ask.us is None else ask.us
    with by_the_rules():
        asked = rules.Ask(ks=ks, us=us, es=es, other=ask.other)
    return {"traits": [*stats, *skills]} | {name: getattr(asked, name) for name in SCORES_KEPT}


def trained(character: Character | None, ask: ArcInput) -> tuple[int, list[Named]]:
    """Return the ES, and the skill ([] if typed). It uses no one else's secrets. Raises Invalid."""
    if ask.es is not None:
        with by_the_rules():
            return whole("es", ask.es, *SCORES), []
    if not ask.skill:
        raise Invalid(_("Choose a skill from the sheet, or type a skill score from 1 to 10."), field="skill")
    with at_field("skill"):
        skill = sheet.find_skill(_sheet(character, "skill"), ask.skill)
    return skill.rating, [{"code": skill.name, "name": skill.label}]


def som_of(character: Character | None, ask: ArcInput) -> int:
    """Return the state of mind, typed or the sheet's. Raises Invalid."""
    with by_the_rules():
        if ask.som is not None:
            return whole("som", ask.som, *SCORES)
        if character is None or character.system != NAME:
            raise Invalid(_("Type the state of mind: there’s no sheet to read it from."), field="som")
        return sheet.SHEET.number(character.sheet, "som")


def threshold_of(ask: ArcInput, settings: Settings) -> int:
    """Return the typed threshold, else that of the level. Raises Invalid."""
    with by_the_rules():
        if ask.threshold is not None:
            return whole("threshold", ask.threshold, *THRESHOLDS)
        return rules.threshold_of(ask.level, settings)


def stat_of(character: Character | None, ask: ArcInput) -> Trait:
    """Return the stat by name, with its KS. Raises Invalid."""
    if not ask.stat:
        raise Invalid(_("Choose a stat from the sheet."), field="stat")
    with at_field("stat"):
        return sheet.find_stat(_sheet(character, "stat"), ask.stat)


def hindrances(character: Character | Person | None, settings: Settings, *, acts: bool) -> Iterator[tuple[Block, str]]:
    """Yield what keeps a character from rolling: being unconscious; and from a roll in which they act, too much weight
    (arc.txt, V.4, V.6)."""
    if character is None or character.system != NAME:
        return
    if sheet.SHEET.value(character.values, "unconscious"):
        yield UNCONSCIOUS, _("{name} is unconscious and can’t take part.").format(name=character.name)
    if acts and not (borne := sheet.body(character.values).load(settings)).may_act:
        words = _(
            "{name} is carrying {weight} kg, more than the {most} kg they can bear, and can’t act. Put something down first."
        )
        weight, most = number_format(decimal(borne.weight)), number_format(decimal(borne.bearable))
        yield IMMOBILE, words.format(name=character.name, weight=weight, most=most)


def keep_out(character: Character | Person | None, settings: Settings, *, acts: bool) -> None:
    """Raise Blocked for who cannot roll: nothing is announced for them."""
    for _block, words in hindrances(character, settings, acts=acts):
        raise Blocked(words, field="character")


def _sheet(character: Character | None, field: str) -> Values:
    if character is None:
        raise Invalid(_("Choose a character with a VI-VIII-X sheet, or ask the GM to roll."), field=field)
    if character.system != NAME:
        message = _("{name} has no VI-VIII-X sheet. Ask the GM to roll.").format(name=character.name)
        raise Invalid(message, field=field)
    return character.sheet


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Refuse at this field of the form what the sheet refuses inside."""
    try:
        yield
    except SheetError as error:
        raise Invalid(error.message, field=field) from error


class ArcRoll(RollKind):
    """A roll of one die."""

    schema = Card
    kind: Kind
    paired = False
    """Whether it is only shown, corrected and voided together with another roll."""

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        """Return the names of the traits in a roll; without traits, the name of the roll itself."""
        raise NotImplementedError

    def card(self, roll: Roll) -> dict[str, Any]:
        return super().card(roll) | {"paired": self.paired}

    def request_fields(self, terms: Terms) -> Terms:
        fields = {name: value for name, value in terms.items() if name not in ("chips", "versus")}
        chips = terms.get("chips", ())
        if chips and all("word" in chip for chip in chips):
            fields["other"] = ", ".join(str(chip_line(chip)) for chip in chips)
        if "stat" in terms:
            fields["stat"] = str(SHEET.fields[terms["stat"]].label)
        if "against" in terms:
            fields["against"] = terms["against"]["roll"]
        return fields

    def bound(self, context: RollContext, ask: ArcInput) -> ArcInput:
        """Return the input with the GM's terms in it. Raises Conflict, and Invalid for a counter to another check than
        the GM asked for, which would have other viewers.
        """
        if context.request is None:
            return ask
        asked = self.request_fields(context.request.terms) | {"other": context.requested.get("other", 0)}
        against = asked.get("against")
        terms: Terms = {name: asked[name] for name in BOUND if name in context.requested}
        if terms["kind"] == Kind.OPPOSED and ask.against is not None and str(ask.against) != against:
            message = _(
                "The GM asked for a different check. Dismiss that request, then counter this one from its card."
            )
            raise Invalid(message, field="against")
        if "stat" in terms and ask.stat:
            with at_field("stat"):
                ask = replace(ask, stat=find_stat({}, ask.stat).label)
        return replace(as_requested(ask, terms), against=UUID(against) if against else ask.against)

    def check_able(self, context: RollContext) -> None:
        """Raise BlockedByState for who cannot roll now (arc.txt, V.4, V.6), unless a GM allows it."""
        settings, acts = context.settings.of(Settings), self.kind is not Kind.REACTION
        for block, words in hindrances(context.character, settings, acts=acts):
            context.block(block, words)


def trait_names(traits: Iterable[Named]) -> list[str]:
    """Return the labels of a sheet's traits."""
    return [str(trait.get("name") or SHEET.fields[trait["code"]].label) for trait in traits]


class CheckRoll(ArcRoll):
    """A check against a threshold; an opposed one, which waits for the check that counters it, or is one side of two that roll in
    any order where the table settles it; or the COUNTER, the second of two, which completes the card of the first."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.paired = kind, kind is not Kind.CHECK

    # A roll

    def prepare(self, context: RollContext, ask: ArcInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, for scores that the roller cannot know and for a player's check that
        no GM has asked for; Conflict where the GM has asked for something else."""
        ask = self.bound(context, ask)
        self.check_able(context)
        settings, first = context.settings.of(Settings), None
        character, by = context.character, context.work.by
        if context.request is None and not by.is_gm:
            # A player who can choose the number to exceed, or type in one die after the other against the same threshold, finds a
            # US within a few rolls. So a GM sets every check with a US, which reveals one result at that threshold and no more.
            message = _("Only the GM sets the difficulty. Announce the check, then roll it when the GM asks.")
            raise Invalid(message, field="kind")
        terms = scores_of(character, ask, for_gm=by.is_gm)
        chips = _chips(ask) if context.request is None else context.requested.get("chips")
        terms |= {"chips": chips} if chips else {}
        if versus := context.requested.get("versus"):
            terms |= {"versus": versus["name"], "acts": versus["acts"]}
            first = _other_side(context.request)
        elif self.kind is Kind.COUNTER or (self.paired and ask.against):
            first = _countered(by, ask.against)
        terms |= self._against(ask, first, settings) | {"kind": Kind.COUNTER.value if first else self.kind.value}
        die = rules.core_row(terms["es"], settings).die
        if first is None:
            return PreparedRoll(kind=terms["kind"], terms=terms, count=1, die=die)
        return PreparedRoll(
            kind=terms["kind"],
            terms=terms | {"against": side_of(first)},
            count=1,
            die=die,
            audience=Audience(first.audience),
            parent=first.event,
        )

    def _against(self, ask: ArcInput, first: Roll | None, settings: Settings) -> Terms:
        """Return the terms of what it has to exceed: its threshold, or the roll that it answers."""
        if not self.paired:
            return {"threshold": threshold_of(ask, settings)}
        return {"acting": {name: first.ask[name] for name in SCORES_KEPT} | {"face": first.faces[0]}} if first else {}

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        check = rules.resolve(ask_of(terms), faces, settings.of(Settings))
        moved, level = check.adjustment, {}
        if "threshold" in terms:
            levels = dict(zip(settings.of(Settings).thresholds, Level, strict=True))
            level = {"level": levels[terms["threshold"]].value if terms["threshold"] in levels else ""}
        outcome = {
            "dice": [{"face": moved.face, "sides": moved.die.sides, "role": moved.role.value}],
            "adjustment": moved.value,
            "total": check.total,
            "result": UNDECIDED if check.margin is None else result(check.success),
            "margin": check.margin,
        }
        return Outcome(faces=(moved.face,), outcome=outcome | level)

    def held(self, roll: Roll, change: Change) -> None:
        """Raise Blocked: two checks that belong together are seen together, and voided last one first."""
        if not self.paired:
            return
        if change is Change.SHOW:
            raise Blocked(_("An opposed check can’t be shown to more people."))
        if change is Change.CORRECT:
            raise Blocked(_("An opposed check has no threshold to correct. Void it and roll again."))
        if _counter_of(roll):
            raise Blocked(_("This check was countered. Void the check that counters it first."))

    # Its descriptions

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        """Return the parts of the total, and how far it was from what it had to exceed."""
        kept = roll.ask | roll.outcome
        return {"numbers": {name: kept[name] for name in ("ks", "us", "other", "adjustment", "total", "margin")}}

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return the check that waits again, or that waits no more."""
        if self.kind is Kind.COUNTER:
            return {"reopened": roll.ask["against"]}
        return {"ended": side_of(roll)} if self.paired else {}

    def describe(self, payload: Payload) -> Payload:
        sides = {**payload, **payload.get("back", {})}
        added = signed(payload["adjustment"])
        return {
            "words": self.words(payload),
            **{name: self._side(sides[name]) for name in ("against", "reopened", "ended") if sides.get(name)},
            "chips": [{**chip, "words": str(chip_words(chip))} for chip in payload.get("chips", ())],
            "dice": [{**die, "why": f"{added}, {rules.why(payload['es'], die['face'])}"} for die in payload["dice"]],
            **self._ended(payload),
        }

    def _ended(self, payload: Payload) -> dict[str, str]:
        """Return the words for its kind, and the `headline` and the `detail` of its card."""
        versus = versus_words(payload["versus"], acts=payload["acts"]) if payload.get("versus") else ""
        if self.kind is Kind.CHECK:
            return {
                "kind_words": _("check"),
                "headline": headline(payload["outcome"]),
                "detail": _("threshold {number}").format(number=payload["threshold"]),
                "level_words": Level(payload["level"]).words if payload["level"] else "",
            }
        if self.kind is Kind.OPPOSED:
            open_words = pgettext("an opposed check", "Open")
            return {
                "kind_words": versus or _("opposed check"),
                "headline": open_words,
                "detail": waits_words(payload),
            }
        kind_words = versus or _("counters")
        if payload.get("acts"):
            return {"kind_words": kind_words, "headline": headline(payload["outcome"]), "detail": versus}
        if payload["outcome"] == SUCCESS:
            return {
                "kind_words": kind_words,
                "headline": _("Countered"),
                "detail": _("the countered check fails"),
            }
        return {"kind_words": kind_words, "headline": _("Not countered"), "detail": _("the countered check succeeds")}

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        return trait_names(terms["traits"]) or [str(UNNAMED)]

    def words(self, terms: Mapping[str, Any]) -> str:
        """Return the name of a roll, by its terms or its card's payload: "Control + Tamper"."""
        return " + ".join(self.trait_names(terms))

    def _side(self, side: Mapping[str, Any]) -> dict[str, Any]:
        return {**side, "words": self.words(side), "detail": waits_words(side)}

    def again(self, roll: Roll) -> Again | None:
        """Return the roll form's values for a check of the sheet, without the GM's terms; None if it has no stat and skill."""
        names = trait_names(roll.ask["traits"])
        if self.kind is Kind.COUNTER or len(names) != STAT_AND_SKILL:
            return None
        fields = {"kind": roll.kind, "stat": names[0], "skill": names[1], "other": roll.ask["other"]}
        return Again(words=" + ".join(names), fields=fields)

    # Before the dice fall

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        """Return the request. A player announces a stat and a skill of the sheet; the rest is the GM's."""
        if self.kind is Kind.COUNTER:
            raise Invalid(_("Ask for a check, an opposed check or a reaction."), field="kind")
        against: Terms = {}
        with by_the_rules():
            other = whole("other", ask.other, -LARGEST_OTHER, LARGEST_OTHER)
            if not context.is_gm:
                keep_out(context.character, context.settings.of(Settings), acts=True)
                _must_be_open(context, ask)
            names = named(**ask.typed)
            stat, skill = named_traits(names.get("stat", ""), names.get("skill", ""))
            if context.is_gm and not self.paired:
                if ask.threshold is not None:
                    whole("threshold", ask.threshold, *THRESHOLDS)
                against = {"level": word("level", ask.level, Level).value, "threshold": ask.threshold}
        audience = None
        if self.paired and ask.against and context.by:
            first = _countered(context.by, ask.against)
            name = first.character.name if first.character else first.by.name
            against = {
                "against": {"roll": str(first.pk), "name": name} | {"kind": first.kind, "traits": first.ask["traits"]}
            }
            audience = Audience(first.audience)
        terms = request_terms(self.kind, stat=stat, skill=skill, other=other, chips=_chips(ask), **against)
        return Requested(terms=terms, audience=audience)

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Control + Tamper, average threshold, other −2"."""
        what = check_words(terms.get("stat", ""), terms.get("skill", "")) or UNNAMED
        chips = [str(chip_line(chip)) for chip in terms.get("chips", ())]
        if terms["other"] and not chips:
            chips = [_("other {change}").format(change=signed(terms["other"]))]
        return ", ".join(filter(None, [str(what), self._set_words(terms), *chips]))

    def _set_words(self, terms: Terms) -> str:
        """Return words for what a request is rolled against; "" for an announced check that is not set yet."""
        if versus := terms.get("versus"):
            return versus_words(versus["name"], acts=versus["acts"])
        if against := terms.get("against"):
            return _("counters {name}, {check}").format(name=against["name"], check=self.words(against))
        if self.paired or "level" not in terms:
            return _("opposed") if self.paired else ""
        if terms["threshold"] is None:
            return _("{level} threshold").format(level=Level(terms["level"]).words)
        return _("threshold {number}").format(number=terms["threshold"])

    def whole(self, terms: Terms) -> bool:
        return "stat" in terms and "skill" in terms

    def announces(self, ask: ArcInput) -> tuple[str, Mapping[str, Any]] | None:
        """Return the procedure in which the table settles a check; None for a counter, which is seen by those who see
        the first roll.
        """
        if ask.against is not None or self.kind is Kind.COUNTER:
            return None
        if ask.us is not None:
            raise Invalid(str(SET_BY_GM), field="us")
        hard = {"level": ask.level, "threshold": ask.threshold, "opposed": self.paired}
        return "check", {"character": ask.character, "other": Typed(ask.other, ask.chips)} | ask.typed | hard

    def preview(self, context: OddsContext, ask: ArcInput) -> Odds | None:
        """Return the odds, None while something is missing.

        A player's come from the die alone: the chance of success, like the total, would give the US away. It is the GM's.
        """
        settings = context.settings.of(Settings)
        try:
            es, _skill = trained(context.character, ask)
            needed = self._needed(context, ask) if context.is_gm else None
            if needed is not None:
                malus = percent(_malus(es, settings))
                line = _("{die}; malus {chance}").format(die=die_line(es, settings), chance=malus)
                return success_bar(threshold(es, needed, settings), line)
        except (Invalid, RuleError):
            return None
        return die_bar(es, settings)

    def _needed(self, context: OddsContext, ask: ArcInput) -> int | None:
        """Return the number that the ES adjustment has to exceed; None if the other side has not rolled, or scores are
        missing.
        """
        try:
            terms = scores_of(context.character, ask, for_gm=True)
        except Invalid:
            return None
        first = None
        if self.paired and ask.against:
            there = Roll.objects.filter(campaign=context.campaign, system=NAME, kind=Kind.OPPOSED)
            first = there.filter(pk=ask.against).first()
        return ask_of(terms | self._against(ask, first, context.settings.of(Settings))).needed


def ask_of(terms: Terms) -> rules.Ask:
    """Return the check that a roll's terms are of, with what it has to exceed."""
    scores, acting = {name: terms[name] for name in SCORES_KEPT}, terms.get("acting")
    if acting is None:
        return rules.Ask(**scores, threshold=terms.get("threshold"))
    total = ask_of(acting).before_the_die + rules.value_of(acting["es"], acting["face"])
    return rules.Ask(**scores, first=total, counters=not terms.get("acts"))


def waits_words(side: Mapping[str, Any]) -> str:
    """Return words for what an opposed check waits for."""
    if versus := side.get("versus"):
        return _("waiting for {name}’s check").format(name=called(versus))
    return _("waiting for a check that counters it")


def _chips(ask: ArcInput) -> list[dict[str, Any]]:
    return [{"word": chip.word.strip(), "value": chip.value} for chip in ask.chips]


def _must_be_open(context: OddsContext, ask: ArcInput) -> None:
    """Raise Invalid for what a player cannot announce: scores other than the sheet's, or what the GM sets."""
    set_by_gm = {
        "us": ask.us is not None,
        "other": ask.other != 0 or bool(ask.chips),
        "threshold": ask.threshold is not None,
        "level": ask.level != Level.AVERAGE,
    }
    for field, is_set in set_by_gm.items():
        if is_set:
            raise Invalid(str(SET_BY_GM), field=field)
    if ask.ks is None and ask.es is None:  # or named_traits refuses them
        stat_of(context.character, ask)
        trained(context.character, ask)


def _malus(es: int, settings: Settings) -> Fraction:
    return sum((chance for value, chance in adjustments(es, settings).items() if value < 0), Fraction())


def die_bar(es: int, settings: Settings) -> Odds:
    """Return the odds of the die alone, which give no one a US."""
    malus = _malus(es, settings)
    parts = [Part("bad", _("malus"), malus), Part("good", _("bonus"), 1 - malus)]
    return bar(parts, dice=1, lines=[die_line(es, settings)])


def die_line(es: int, settings: Settings) -> str:
    """Return words such as "d8: −3 to +5, +1.1 on average"."""
    row = rules.core_row(es, settings)
    average = mean(adjustments(es, settings))
    return _("{die}: {lowest} to {highest}, {average} on average").format(
        die=rules.die_words(row.die), lowest=signed(row.lowest), highest=signed(row.highest), average=shift(average)
    )


def versus_words(name: str, *, acts: bool) -> str:
    """Return the words of a side about its opponent: "against Vesper" for the acting side, "counters Vesper" for the other."""
    return (_("against {name}") if acts else _("counters {name}")).format(name=called(name))


def side_of(roll: Roll) -> dict[str, Any]:
    """Return the check that a counter answers, for the counter's payload."""
    return {
        "roll": str(roll.pk),
        "uid": str(roll.event.uid) if roll.event else "",
        "who": person(roll.by),
        "character": roll.character.ref if roll.character else None,
        "kind": roll.kind,
        "traits": roll.ask["traits"],
    } | ({"versus": roll.ask["versus"]} if "versus" in roll.ask else {})


def _countered(by: Membership, against: UUID | None) -> Roll:
    """Return the check that `by` is to counter, with its event.

    Raises Invalid if none is named, NotFound if it is no opposed check or they may not see it, and Blocked if it was
    countered or voided.
    """
    if against is None:
        raise Invalid(_("Choose the check it counters."), field="against")
    checks = Roll.objects.select_related("event__stream", "character", "by__user")
    check = checks.filter(campaign=by.campaign_id, system=NAME, kind=Kind.OPPOSED, pk=against).first()
    if check is None or not _sees(by, check):
        raise NotFound
    if check.voided_at:
        raise Blocked(_("That check was voided."))
    if "versus" in check.ask:
        message = _("{name} counters that check. It’s settled on its own card.")
        raise Blocked(message.format(name=check.ask["versus"]))
    if _counter_of(check):
        raise Blocked(_("That check has already been countered."))
    return check


def _other_side(request: RollRequest | None) -> Roll | None:
    """Return the other side's standing roll of a check that the table settles, with its event."""
    assert request is not None  # noqa: S101  # or nobody would be on its other side
    rolls = Roll.objects.select_related("event__stream", "character", "by__user")
    standing = rolls.filter(request__procedure=request.procedure_id, voided_at=None)
    return standing.exclude(request__part=request.part).order_by("at").last()


def _counter_of(roll: Roll) -> Roll | None:
    return Roll.objects.filter(event__parent=roll.event, kind=Kind.COUNTER, voided_at=None).first()


def _sees(by: Membership, roll: Roll) -> bool:
    return by.is_gm or (roll.event is not None and roll.event.stream.name in (TABLE, by.stream))


def result(success: bool) -> str:
    return SUCCESS if success else FAILURE


def headline(outcome: str) -> str:
    """Return the outcome of a roll as the end of its card shows it."""
    return _("Success") if outcome == SUCCESS else _("Failure")


def success_bar(chance: Fraction, *lines: str) -> Odds:
    """Return the odds of a roll that succeeds with this chance."""
    return bar([Part("bad", _("failure"), 1 - chance), Part("good", _("success"), chance)], dice=1, lines=lines)


# A Reaction check: a die against the state of mind decides whether a character acts as usual (arc.txt, V.8).


def _called() -> str:
    return pgettext("a check of VI-VIII-X", "Reaction")


class ReactionRoll(ArcRoll):
    kind = Kind.REACTION

    def prepare(self, context: RollContext, ask: ArcInput) -> PreparedRoll:
        ask = self.bound(context, ask)
        self.check_able(context)
        terms = {"kind": self.kind.value, "som": som_of(context.character, ask), "secret": _is_secret(context)}
        return PreparedRoll(kind=self.kind.value, terms=terms, count=1, die=D10)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        read = Reaction(terms["som"], *draw(1, D10, faces))
        die = {"face": read.face, "sides": D10.sides, "role": result(read.success)}
        return Outcome(faces=(read.face,), outcome={"result": result(read.success), "dice": [die]})

    def card(self, roll: Roll) -> dict[str, Any]:
        secret = {"som"} if _was_secret(roll) else set()
        return {name: value for name, value in super().card(roll).items() if name not in secret}

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        return {"som": roll.ask["som"]} if _was_secret(roll) else {}

    def describe(self, payload: Payload) -> Payload:
        success = payload["outcome"] == SUCCESS
        compared = _compared(payload.get("som"), success=success)
        return {
            "words": _called(),
            "kind_words": _("reaction"),
            "headline": headline(payload["outcome"]),
            "detail": _("acts as usual") if success else _("loses the turn"),
            "dice": [{**die, "why": compared} for die in payload["dice"]],
        }

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        return [_called()]

    def again(self, roll: Roll) -> Again | None:
        return Again(words=_called(), fields={"kind": self.kind.value})

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        if not context.is_gm:
            keep_out(context.character, context.settings.of(Settings), acts=False)
        return Requested(terms={"kind": self.kind.value})

    def request_words(self, terms: Terms) -> str:
        return _called()

    def whole(self, terms: Terms) -> bool:
        return True

    def preview(self, context: OddsContext, ask: ArcInput) -> Odds | None:
        """Return the chance of acting as usual; None while there is no SOM."""
        try:
            return success_bar(reaction(som_of(context.character, ask)))
        except (Invalid, RuleError):
            return None


def _compared(som: int | None, *, success: bool) -> str:
    """Return words comparing the die with the state of mind. For NPCs only GMs get it; for others it is None."""
    if not som:
        return _("not above the state of mind") if success else _("above the state of mind")
    words = _("not above the state of mind of {score}") if success else _("above the state of mind of {score}")
    return words.format(score=som)


def _is_secret(context: RollContext) -> bool:
    """Return whether players may not know the SOM: that of an NPC whose sheet they cannot read, or of a nameless one."""
    character = context.character
    if character is not None:
        return character.is_npc and not character.opened
    by_a_procedure = context.request is not None and context.request.procedure_id is not None
    return by_a_procedure or context.work.by.is_gm


def _was_secret(roll: Roll) -> bool:
    """Return whether the SOM of a roll is a secret. For older rolls, which do not say, an NPC's is."""
    character = roll.character
    return bool(roll.ask.get("secret", character is None or (character.is_npc and not character.opened)))


KINDS: Mapping[str, ArcRoll] = {
    **{kind.value: CheckRoll(kind) for kind in (Kind.CHECK, Kind.OPPOSED, Kind.COUNTER)},
    Kind.REACTION.value: ReactionRoll(),
}


class ArcTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    correctable = ("threshold",)
    kinds = KINDS
