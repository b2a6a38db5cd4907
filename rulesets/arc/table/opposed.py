"""Opposed checks (ARCO): two rolls that belong together, of which the second is read against the first and completes its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import Payload
from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import TABLE
from rolls.models import Audience, Roll, RollRequest
from rolls.table_rules import Again, Change, OddsContext, PreparedRoll, Requested, RollContext, Terms
from rules.procedures import called
from rulesets.arc.rules import check as rules
from rulesets.arc.settings import Settings
from rulesets.arc.table.ask import NAME, ArcInput, Kind
from rulesets.arc.table.check import SCORES, ScoredRoll, resolved, waits_words
from rulesets.arc.table.roll import SUCCESS, headline, result

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
    """Return the standing check that counters this one."""
    return Roll.objects.filter(event__parent=roll.event, kind=Kind.COUNTER, voided_at=None).first()


def _sees(by: Membership, roll: Roll) -> bool:
    return by.is_gm or (roll.event is not None and roll.event.stream.name in (TABLE, by.stream))
