"""The rolls of VI-VIII-X: checks of a stat and a skill, against a threshold (ARCT) or another check (ARCO), and Reaction checks
(arc.txt, V.5, V.7 and V.8): what they are asked for with, how a GM's terms bind them, and what their cards say.

Totals and margins stay in the Roll and in GMs' payloads: with KS, die and adjustments, either betrays a US. So does the SOM of an
NPC, which neither its sheet nor the order of an event shows players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import Payload
from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
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
    RollKind,
    TableRules,
    Terms,
)
from rules.dice import D10, Faces, draw, mean
from rules.errors import RuleError
from rules.procedures import called
from rulesets.arc.odds import adjustments, reaction, threshold
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.check import FAILURE, SUCCESS, UNDECIDED, Reaction, Typed
from rulesets.arc.settings import Level, Settings
from rulesets.arc.sheet import SHEET, find_stat
from rulesets.arc.terms import (
    NAME,
    SCORES_KEPT,
    SET_BY_GM,
    ArcInput,
    Card,
    Kind,
    Named,
    RequestTerms,
    TakenBack,
    ask_of,
    at_field,
    check_words,
    chip_line,
    chip_words,
    hindrances,
    keep_out,
    named_traits,
    scores_of,
    som_of,
    stat_of,
    trained,
)

BOUND: Final = ("kind", "stat", "skill", "other", "level", "threshold")
"""The fields in which an answer's roll form must agree with the request."""
UNNAMED: Final = gettext_lazy("A check")
STAT_AND_SKILL: Final = 2


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
        chips = context.requested.get("chips") if context.request else [chip.written for chip in ask.chips]
        terms |= {"chips": chips} if chips else {}
        if versus := context.requested.get("versus"):
            terms |= {"versus": versus["name"], "acts": versus["acts"]}
            first = _other_side(context.request)
        elif self.kind is Kind.COUNTER or (self.paired and ask.against):
            first = _countered(by, ask.against)
        terms |= self._against(ask, first, settings) | {"kind": Kind.COUNTER.value if first else self.kind.value}
        die = rules.core_row(terms["es"], settings).die
        plan = PreparedRoll(kind=terms["kind"], terms=terms, count=1, die=die)
        if first is None:
            return plan
        terms = terms | {"against": side_of(first)}
        return replace(plan, terms=terms, audience=Audience(first.audience), parent=first.event)

    def _against(self, ask: ArcInput, first: Roll | None, settings: Settings) -> Terms:
        """Return the terms of what it has to exceed: its threshold, or the roll that it answers."""
        if not self.paired:
            usual = rules.threshold_of(ask.level, settings)
            return {"threshold": usual if ask.threshold is None else ask.threshold}
        return {"acting": {name: first.ask[name] for name in SCORES_KEPT} | {"face": first.faces[0]}} if first else {}

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        check = rules.resolve(ask_of(terms), faces, settings.of(Settings))
        moved, levels = check.adjustment, dict(zip(settings.of(Settings).thresholds, map(str, Level), strict=True))
        level = {"level": levels.get(terms["threshold"], "")} if "threshold" in terms else {}
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
            return {
                "kind_words": versus or _("opposed check"),
                "headline": pgettext("an opposed check", "Open"),
                "detail": waits_words(payload),
            }
        if payload.get("acts"):
            return {"kind_words": versus, "headline": headline(payload["outcome"]), "detail": versus}
        is_stopped = payload["outcome"] == SUCCESS
        return {
            "kind_words": versus or _("counters"),
            "headline": _("Countered") if is_stopped else _("Not countered"),
            "detail": _("the countered check fails") if is_stopped else _("the countered check succeeds"),
        }

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
        if not context.is_gm:
            keep_out(context.character, context.settings.of(Settings), acts=True)
            _must_be_open(context, ask)
        names = named(**ask.typed)
        with by_the_rules():
            stat, skill = named_traits(names.get("stat", ""), names.get("skill", ""))
        terms = replace(ask, stat=stat, skill=skill).asked(is_set=context.is_gm)
        if not (self.paired and ask.against and context.by):
            return Requested(terms=terms)
        first = _countered(context.by, ask.against)
        name = first.character.name if first.character else first.by.name
        against = {"roll": str(first.pk), "name": name, "kind": first.kind, "traits": first.ask["traits"]}
        return Requested(terms=terms | {"against": against}, audience=Audience(first.audience))

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
            if needed is None:
                return die_bar(es, settings)
            malus = percent(1 - threshold(es, 0, settings))
            line = _("{die}; malus {chance}").format(die=die_line(es, settings), chance=malus)
            return success_bar(threshold(es, needed, settings), line)
        except (Invalid, RuleError):
            return None

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


def waits_words(side: Mapping[str, Any]) -> str:
    """Return words for what an opposed check waits for."""
    if versus := side.get("versus"):
        return _("waiting for {name}’s check").format(name=called(versus))
    return _("waiting for a check that counters it")


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


def die_bar(es: int, settings: Settings) -> Odds:
    """Return the odds of the die alone, which give no one a US."""
    bonus = threshold(es, 0, settings)
    parts = [Part("bad", _("malus"), 1 - bonus), Part("good", _("bonus"), bonus)]
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
    if check is None or not (by.is_gm or (check.event and check.event.stream.name in (TABLE, by.stream))):
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


def result(success: bool) -> str:
    return SUCCESS if success else FAILURE


def headline(outcome: str) -> str:
    """Return the outcome of a roll as the end of its card shows it."""
    return _("Success") if outcome == SUCCESS else _("Failure")


def success_bar(chance: Fraction, *lines: str) -> Odds:
    """Return the odds of a roll that succeeds with this chance."""
    return bar([Part("bad", _("failure"), 1 - chance), Part("good", _("success"), chance)], dice=1, lines=lines)


# A Reaction check: a die against the state of mind decides whether a character acts as usual (arc.txt, V.8).


REACTION: Final = pgettext_lazy("a check of VI-VIII-X", "Reaction")


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
            "words": str(REACTION),
            "kind_words": _("reaction"),
            "headline": headline(payload["outcome"]),
            "detail": _("acts as usual") if success else _("loses the turn"),
            "dice": [{**die, "why": compared} for die in payload["dice"]],
        }

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        return [str(REACTION)]

    def again(self, roll: Roll) -> Again | None:
        return Again(words=str(REACTION), fields={"kind": self.kind.value})

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        if not context.is_gm:
            keep_out(context.character, context.settings.of(Settings), acts=False)
        return Requested(terms=ask.asked())

    def request_words(self, terms: Terms) -> str:
        return str(REACTION)

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
