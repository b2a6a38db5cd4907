"""Checks of a stat and a skill, and those against a threshold (ARCT; arc.txt, V.7 and V.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import Payload
from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.models import Audience, Roll, RollRequest
from rolls.odds import Part, bar, percent, shift
from rolls.services.roll_context import by_the_rules, named
from rolls.settings import RollSettings
from rolls.table_rules import Again, Change, Odds, OddsContext, Outcome, PreparedRoll, Requested, RollContext, Terms
from rules.dice import D10, Faces, draw, mean
from rules.errors import RuleError, whole, word
from rules.procedures import called
from rulesets.arc import sheet
from rulesets.arc.odds import adjustments, reaction, threshold
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import IMMOBILE
from rulesets.arc.rules.check import HUGE, LARGEST_OTHER, MOOD_WORDS, Chip, Reaction, counted
from rulesets.arc.settings import THRESHOLDS, Level, Settings
from rulesets.arc.table.ask import (
    NAME,
    ArcInput,
    Kind,
    Typed,
    at_field,
    immobile_words,
    keep_from_acting,
    keep_out,
    scores_of,
    som_of,
    stat_of,
    threshold_of,
    trained,
)
from rulesets.arc.table.roll import SUCCESS, ArcRoll, headline, result, success_bar, trait_names

SCORES: Final = ("ks", "us", "es", "other")
SET_BY_GM: Final = gettext_lazy("Only the GM sets this. Leave it unchanged.")
UNNAMED: Final = gettext_lazy("A check")
STAT_AND_SKILL: Final = 2
CHIP_CODES: Final = {"size": gettext_lazy("size")} | MOOD_WORDS


class ScoredRoll(ArcRoll):
    """A check of two scores and one die, whatever it has to exceed."""

    paired: ClassVar[bool] = False
    """Whether it is only shown, corrected and voided together with another roll."""

    def planned(self, context: RollContext, ask: ArcInput, terms: Terms) -> PreparedRoll:
        """Return the roll, of which the scores are in its terms by now."""
        raise NotImplementedError

    def compared(self, terms: Terms, check: rules.Check, settings: Settings) -> Mapping[str, Any]:
        """Return the outcome beside the die: its `result` and its `margin`, which is None while it is open."""
        raise NotImplementedError

    def ended(self, payload: Payload) -> dict[str, str]:
        """Return the `headline` and the `detail` of its card."""
        raise NotImplementedError

    def kind_words(self, payload: Payload) -> str:
        raise NotImplementedError

    def exceeded(self, context: OddsContext, ask: ArcInput) -> int | None:
        """Return the total that it has to exceed, for a GM; None where the other side has not rolled."""
        raise NotImplementedError

    def set_terms(self, context: OddsContext, ask: ArcInput) -> Requested:
        """Return the part of a request's terms that it is rolled against."""
        raise NotImplementedError

    def set_words(self, terms: Terms) -> list[str]:
        """Return words for what a request is rolled against; [] for an announced check that is not set yet."""
        raise NotImplementedError

    # A roll

    def prepare(self, context: RollContext, ask: ArcInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, for scores that the roller cannot know and for a player's check that
        no GM has asked for; Conflict where the GM has asked for something else."""
        ask = self.bound(context, ask)
        self.check_able(context)
        _must_be_asked(context)
        scores = scores_of(context.character, ask, for_gm=context.work.by.is_gm)
        terms = {"traits": scores.traits} | {name: getattr(scores.asked, name) for name in SCORES}
        return self.planned(context, ask, terms | _chips_of(context, ask))

    def check_able(self, context: RollContext) -> None:
        """Raise BlockedByState also for a character who carries more than they can bear (arc.txt, V.4)."""
        super().check_able(context)
        character = context.character
        if character and (words := immobile_words(character, context.settings.of(Settings))):
            context.block(IMMOBILE, words)

    def plan(self, context: RollContext, terms: Terms) -> PreparedRoll:
        """Return the roll of the die of its ES."""
        die = rules.core_row(terms["es"], context.settings.of(Settings)).die
        return PreparedRoll(kind=self.kind.value, terms=terms | {"kind": self.kind.value}, count=1, die=die)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        check = resolved(terms, faces, settings.of(Settings))
        moved = check.adjustment
        die = {"face": moved.face, "sides": moved.die.sides, "role": moved.role.value}
        outcome = {"dice": [die], "adjustment": moved.value, "total": check.total}
        compared = self.compared(terms, check, settings.of(Settings))
        return Outcome(faces=(moved.face,), outcome={**outcome, **compared})

    # Its descriptions

    def card(self, roll: Roll) -> dict[str, Any]:
        ask, outcome = roll.ask, roll.outcome
        # For a check that is settled together: whether this side acts, and against whom.
        kept = {name: ask[name] for name in ("traits", "es", "other", "chips", "versus", "acts") if name in ask}
        return {"dice": outcome["dice"], "paired": self.paired, "adjustment": outcome["adjustment"], **kept}

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        """Return the parts of the total, and how far it was from what it had to exceed."""
        numbers = {name: roll.ask[name] for name in ("ks", "us", "other")}
        return {"numbers": numbers | {name: roll.outcome[name] for name in ("adjustment", "total", "margin")}}

    def describe(self, payload: Payload) -> Payload:
        sides = {**payload, **payload.get("back", {})}
        added = signed(payload["adjustment"])
        return {
            "words": self.words(payload),
            "kind_words": self.kind_words(payload),
            **{name: self._side(sides[name]) for name in ("against", "reopened", "ended") if sides.get(name)},
            "chips": chip_words(payload.get("chips", ())),
            "dice": [{**die, "why": f"{added}, {rules.why(payload['es'], die['face'])}"} for die in payload["dice"]],
            **self.ended(payload),
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
        if len(names) != STAT_AND_SKILL:
            return None
        fields = {"kind": roll.kind, "stat": names[0], "skill": names[1], "other": roll.ask["other"]}
        return Again(words=" + ".join(names), fields=fields)

    # Before the dice fall

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        """Return the request. A player announces a stat and a skill of the sheet; the rest is the GM's."""
        with by_the_rules():
            other = whole("other", ask.other, -LARGEST_OTHER, LARGEST_OTHER)
        if not context.is_gm:
            keep_from_acting(context.character, context.settings.of(Settings))
            _must_be_open(context, ask)
        terms = {"kind": self.kind.value} | _named(ask) | {"other": other} | _chips(ask)
        against = self.set_terms(context, ask)
        return Requested(terms=terms | against.terms, audience=against.audience)

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Control + Tamper, average threshold, other −2"."""
        skill = terms.get("skill", "")
        names = [*trait_names([{"code": terms["stat"]}] if "stat" in terms else []), skill[:1].upper() + skill[1:]]
        chips = [f"{chip['words']} {signed(chip['value'])}" for chip in chip_words(terms.get("chips", ()))]
        if terms["other"] and not chips:
            chips = [_("other {change}").format(change=signed(terms["other"]))]
        return ", ".join([" + ".join(filter(None, names)) or str(UNNAMED), *self.set_words(terms), *chips])

    def whole(self, terms: Terms) -> bool:
        return "stat" in terms and "skill" in terms

    def announces(self, ask: ArcInput) -> tuple[str, Mapping[str, Any]] | None:
        """Return the procedure in which the table settles a check; None for a counter, which is seen by those who see
        the first roll.
        """
        if ask.against is not None:
            return None
        if ask.us is not None:
            raise Invalid(str(SET_BY_GM), field="us")
        chips = tuple(Chip(word=word, value=value, special=abs(value) > HUGE) for word, value in ask.chips)
        return "check", {
            "character": ask.character,
            "name": "",
            "stat": ask.stat if ask.ks is None else str(ask.ks),
            "skill": ask.skill if ask.es is None else str(ask.es),
            "other": Typed(ask.other, chips),
            "opposed": self.paired,
            "level": ask.level,
            "threshold": ask.threshold,
            "against": None,
            "against_name": "",
            "against_stat": "",
            "against_skill": "",
            "fight": False,
        }

    def preview(self, context: OddsContext, ask: ArcInput) -> Odds | None:
        """Return the odds, None while something is missing.

        A player's come from the die alone: the chance of success, like the total, would give the US away. It is the GM's.
        """
        settings = context.settings.of(Settings)
        try:
            es, _named_skill = trained(context.character, ask)
            malus = sum((chance for value, chance in adjustments(es, settings).items() if value < 0), Fraction())
            needed = self._needed(context, ask) if context.is_gm else None
            if needed is not None:
                line = _("{die}; malus {chance}").format(die=_die_words(es, settings), chance=percent(malus))
                return success_bar(threshold(es, needed, settings), line)
        except (Invalid, RuleError):
            return None
        parts = [Part("bad", _("malus"), malus), Part("good", _("bonus"), 1 - malus)]
        return bar(parts, dice=1, lines=[_die_words(es, settings)])

    def _needed(self, context: OddsContext, ask: ArcInput) -> int | None:
        """Return the number that the ES adjustment has to exceed; None if the other side has not rolled, or scores are
        missing.
        """
        try:
            before = scores_of(context.character, ask, for_gm=True).asked.before_the_die
        except Invalid:
            return None
        exceeded = self.exceeded(context, ask)
        return None if exceeded is None else exceeded - before


class CheckRoll(ScoredRoll):
    """A check against a threshold."""

    kind = Kind.CHECK

    def planned(self, context: RollContext, ask: ArcInput, terms: Terms) -> PreparedRoll:
        return self.plan(context, terms | {"threshold": threshold_of(ask, context.settings.of(Settings))})

    def compared(self, terms: Terms, check: rules.Check, settings: Settings) -> Mapping[str, Any]:
        margin = rules.past_threshold(check, terms["threshold"])
        level = dict(zip(settings.thresholds, Level, strict=True)).get(terms["threshold"])
        return {"result": result(margin > 0), "margin": margin, "level": level.value if level else ""}

    def card(self, roll: Roll) -> dict[str, Any]:
        return super().card(roll) | {"threshold": roll.ask["threshold"], "level": roll.outcome["level"]}

    def kind_words(self, payload: Payload) -> str:
        return _("check")

    def ended(self, payload: Payload) -> dict[str, str]:
        return {
            "headline": headline(payload["outcome"]),
            "detail": _("threshold {number}").format(number=payload["threshold"]),
            "level_words": Level(payload["level"]).words if payload["level"] else "",
        }

    def exceeded(self, context: OddsContext, ask: ArcInput) -> int | None:
        return threshold_of(ask, context.settings.of(Settings))

    def set_terms(self, context: OddsContext, ask: ArcInput) -> Requested:
        if not context.is_gm:
            return Requested(terms={})
        with by_the_rules():
            if ask.threshold is not None:
                whole("threshold", ask.threshold, *THRESHOLDS)
            return Requested(terms={"level": word("level", ask.level, Level).value, "threshold": ask.threshold})

    def set_words(self, terms: Terms) -> list[str]:
        if "level" not in terms:
            return []
        given = terms["threshold"]
        if given is None:
            return [_("{level} threshold").format(level=Level(terms["level"]).words)]
        return [_("threshold {number}").format(number=given)]


def resolved(terms: Terms, faces: Faces, settings: Settings) -> rules.Check:
    """Return the check of the scores in the terms."""
    return rules.resolve(rules.Ask(**{name: terms[name] for name in SCORES}), faces, settings)


def waits_words(side: Mapping[str, Any]) -> str:
    """Return words for what an opposed check waits for."""
    if versus := side.get("versus"):
        return _("waiting for {name}’s check").format(name=called(versus))
    return _("waiting for a check that counters it")


def chip_words(chips: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the other adjustments, each with its `words`."""
    return [{**chip, "words": chip.get("word") or str(CHIP_CODES[chip["code"]])} for chip in chips]


def _chips_of(context: RollContext, ask: ArcInput) -> Terms:
    """Return the other adjustments that a roll keeps: the GM's from its request, else those typed."""
    if context.request is None:
        return _chips(ask)
    chips = context.requested.get("chips")
    return {"chips": chips} if chips else {}


def _chips(ask: ArcInput) -> Terms:
    """Return the chips that were typed. Raises Invalid for those that are none, or that are not what `other` counts."""
    try:
        chips = [Chip(word=word, value=value, special=abs(value) > HUGE) for word, value in ask.chips]
        total = counted(chips)
    except RuleError as error:
        raise Invalid(error.message, field="other") from error
    if chips and total != ask.other:
        raise Invalid(_("The total doesn’t match the adjustments. Enter them again."), field="other")
    return {"chips": [{"word": chip.word.strip(), "value": chip.value} for chip in chips]} if chips else {}


def _must_be_asked(context: RollContext) -> None:
    """Raise Invalid for a check that a player sets themselves.

    A player who can choose the number to exceed, or type in one die after the other against the same threshold, finds a US
    within a few rolls. So a GM sets every check with a US, which then reveals one result at that threshold and no more.
    """
    if context.request is None and not context.work.by.is_gm:
        message = _("Only the GM sets the difficulty. Announce the check, then roll it when the GM asks.")
        raise Invalid(message, field="kind")


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
    if ask.ks is None and ask.es is None:  # or _named refuses them
        stat_of(context.character, ask)
        trained(context.character, ask)


def _named(ask: ArcInput) -> Terms:
    """Return the stat by its code, which every sheet has, and the skill as the GM calls it, since skills are each sheet's own."""
    for field, typed in (("stat", ask.ks), ("skill", ask.es)):
        if typed is not None:
            raise Invalid(
                _("Enter a name, or leave it blank for the player to choose. Scores come from the sheet."), field=field
            )
    names = named(stat=ask.stat, skill=ask.skill)
    if "stat" in names:
        with at_field("stat"):
            names["stat"] = sheet.find_stat({}, names["stat"]).name
    return names


def _die_words(es: int, settings: Settings) -> str:
    row = rules.core_row(es, settings)
    average = mean(adjustments(es, settings))
    return _("{die}: {lowest} to {highest}, {average} on average").format(
        die=rules.die_words(row.die), lowest=signed(row.lowest), highest=signed(row.highest), average=shift(average)
    )


# Opposed checks (ARCO): two rolls that belong together, of which the second is read against the first and completes its card.


OPEN = "open"


class OpposedRoll(ScoredRoll):
    """A check that waits for the one that counters it; or one side of two that roll in any order, where the table settles it."""

    kind = Kind.OPPOSED
    paired = True

    def planned(self, context: RollContext, ask: ArcInput, terms: Terms) -> PreparedRoll:
        if "versus" in context.requested:
            versus = context.requested["versus"]
            terms |= {"versus": versus["name"], "acts": versus["acts"]}
            first = _other_side(context.request)
            return self.plan(context, terms) if first is None else COUNTER.plan_after(context, first, terms)
        return self.plan(context, terms) if ask.against is None else COUNTER.planned(context, ask, terms)

    def compared(self, terms: Terms, check: rules.Check, settings: Settings) -> Mapping[str, Any]:
        return {"result": OPEN, "margin": None}

    def held(self, roll: Roll, change: Change) -> None:
        """Raise Blocked: two checks that belong together are seen together, and voided last one first."""
        if change is Change.SHOW:
            raise Blocked(_("An opposed check can’t be shown to more people."))
        if change is Change.CORRECT:
            raise Blocked(_("An opposed check has no threshold to correct. Void it and roll again."))
        if _counter_of(roll):
            raise Blocked(_("This check was countered. Void the check that counters it first."))

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return the check that waits no more."""
        return {"ended": side_of(roll)}

    def kind_words(self, payload: Payload) -> str:
        if payload.get("versus"):
            return versus_words(payload["versus"], acts=payload["acts"])
        return _("opposed check")

    def ended(self, payload: Payload) -> dict[str, str]:
        return {"headline": pgettext("an opposed check", "Open"), "detail": waits_words(payload)}

    def exceeded(self, context: OddsContext, ask: ArcInput) -> int | None:
        if ask.against is None:
            return None
        first = Roll.objects.filter(campaign=context.campaign, system=NAME, kind=Kind.OPPOSED, pk=ask.against).first()
        # Who counters wins a tie, so a point less is to be exceeded.
        return None if first is None else first.outcome["total"] - 1

    def set_terms(self, context: OddsContext, ask: ArcInput) -> Requested:
        """Return the check that it counters, for the eyes that see that one, if any. Raises what `_countered` raises."""
        if ask.against is None or context.by is None:
            return Requested(terms={})
        first = _countered(context.by, ask.against)
        name = first.character.name if first.character else first.by.name
        against = {"roll": str(first.pk), "name": name, "kind": first.kind, "traits": first.ask["traits"]}
        return Requested(terms={"against": against}, audience=Audience(first.audience))

    def set_words(self, terms: Terms) -> list[str]:
        if versus := terms.get("versus"):
            return [versus_words(versus["name"], acts=versus["acts"])]
        if against := terms.get("against"):
            return [_("counters {name}, {check}").format(name=against["name"], check=self.words(against))]
        return [_("opposed")]


class CounterRoll(OpposedRoll):
    """The second roll of two, which is asked for as an opposed check that names the one it answers."""

    kind = Kind.COUNTER

    def planned(self, context: RollContext, ask: ArcInput, terms: Terms) -> PreparedRoll:
        return self.plan_after(context, _countered(context.work.by, ask.against), terms)

    def plan_after(self, context: RollContext, first: Roll, terms: Terms) -> PreparedRoll:
        """Return the roll that answers `first`; exactly those who see that one see it."""
        acting = {name: first.ask[name] for name in SCORES} | {"face": first.faces[0]}
        planned = self.plan(context, terms | {"against": side_of(first), "acting": acting})
        return replace(planned, audience=Audience(first.audience), parent=first.event)

    def compared(self, terms: Terms, check: rules.Check, settings: Settings) -> Mapping[str, Any]:
        """Compare it with the first roll, `acting`; but where this is the side that `acts`, the first one counters. The
        acting side needs the higher result; a tie fails (arc.txt, V.8).
        """
        first = resolved(terms["acting"], iter([terms["acting"]["face"]]), settings)
        margin = check.total - first.total
        return {"result": result(margin > 0 if terms.get("acts") else margin >= 0), "margin": margin}

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return the check that waits again."""
        return {"reopened": roll.ask["against"]}

    def card(self, roll: Roll) -> dict[str, Any]:
        return super().card(roll) | {"against": roll.ask["against"]}

    def kind_words(self, payload: Payload) -> str:
        return super().kind_words(payload) if payload.get("versus") else _("counters")

    def ended(self, payload: Payload) -> dict[str, str]:
        if payload.get("acts"):
            return {
                "headline": headline(payload["outcome"]),
                "detail": versus_words(payload["versus"], acts=True),
            }
        if payload["outcome"] == SUCCESS:
            return {"headline": _("Countered"), "detail": _("the countered check fails")}
        return {"headline": _("Not countered"), "detail": _("the countered check succeeds")}

    def again(self, roll: Roll) -> Again | None:
        return None

    def request(self, context: OddsContext, ask: ArcInput) -> Requested:
        raise Invalid(_("Ask for a check, an opposed check or a reaction."), field="kind")

    def announces(self, ask: ArcInput) -> tuple[str, Mapping[str, Any]] | None:
        return None


COUNTER = CounterRoll()


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
        payload = {"dice": roll.outcome["dice"], "paired": False}
        return payload if _was_secret(roll) else payload | {"som": roll.ask["som"]}

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
            keep_out(context.character)
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
