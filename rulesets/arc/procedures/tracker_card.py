"""An event in turns as it is seen, and what is said of it. Its acts are in procedures/tracker.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import PrivateAttr

from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.stage import Mark, Row, Staged, Turn
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import REREAD, Button
from rules.table import Table
from rulesets.arc.procedures.check import RESULTS
from rulesets.arc.rules.check import FAILURE, MIND, SUCCESS
from rulesets.arc.rules.tracker import (
    OCCASIONS,
    Begun,
    Fought,
    Mind,
    Outcome,
    Participant,
    Status,
    Turns,
    ties_words,
)
from rulesets.arc.settings import SCORES
from rulesets.arc.sheet import Person
from rulesets.arc.terms import Kind

STATUS: Final = {
    Status.HOLDING: gettext_lazy("holding"),
    Status.COMING_IN: gettext_lazy("coming in now"),
    Status.DONE: gettext_lazy("has acted"),
    Status.SKIPPED: gettext_lazy("skipped this turn"),
    Status.NEXT_TURN: gettext_lazy("acts from next turn"),
}
MINDS: Final = {Mind.UNCONSCIOUS: gettext_lazy("unconscious"), Mind.DEAD: gettext_lazy("dead")}


class SeenTurns(Turns):
    """An event in turns with its card and its sentences."""

    _before: Mapping[str, Any] = PrivateAttr(default_factory=dict)
    """The state in an event of 0.2, which had what came of its step."""

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        begin, end = self.seconds
        words = gettext_lazy("Turn {number} · seconds {begin} to {end}")
        if self.apart:
            words = gettext_lazy("Turn {number} · seconds {begin} to {end} · everyone declares, then everyone acts")
        return Staged(
            above=worded(words, number=self.nth, begin=begin, end=end),
            turns=[self._place_seen(one, table, buttons) for one in self.participants],
            rows=list(self._rows(buttons)),
            rows_head=_("This turn"),
            acts=[button for button in buttons if not button.target],
        )

    def stands(self, table: Table) -> Words:
        return joined(". ", (self._turn_words(), self._next()))

    def about(self, who: Participant | None = None) -> Mapping[str, Words]:
        """Return what sentences may say of a participant, and of the turn."""
        own = {"name": who.name, "action": self._declared(who)} if who else {}
        return own | {"next": self._next(), "turn": self._turn_words(), "order": self._order_words()}

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        kept = {name: value for name, value in state.items() if name in cls.model_fields}
        told = cls.model_validate(kept | {"nth": state["turn"]})
        told._before = state
        return Table([told])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        ties = [[(die["name"], die["face"]) for die in tie["fell"]] for tie in self._before["ties"]]
        fell = ties_words(ties) if ties else ""
        return joined(" ", filter(None, (self._sentence_before(table, act, whom, tied=bool(ties)), fell)))

    def _sentence_before(self, table: Table, act: str, whom: str, *, tied: bool) -> Words:
        who = next((one for one in self.participants if one.name == whom), None)
        if act == "declare" and who:
            return self._declared_line(who)
        if act == "change":
            return self._changed_line(whom, who)
        if act == "turn":
            landed = [Outcome.model_validate(one) for one in self._before["landed"]]
            return self._turn_line(self._ended_line(landed, self.nth - 1))
        if act in ("react", "check"):
            return self._checks_line()
        if act in ("outcome", "land") and self.outcomes:
            return self._noted_line(self.outcomes[-1])
        if act == REREAD:
            changed = self._before["resorted"] or tied
            return _("The order changed: {order}.", order=self._order_words()) if changed else ""
        if act in ("nothing", "resolve"):
            return ""
        if act in self.acts and self.acts[act].says:
            return self.acts[act].line(self, table, {**self.about(who), "name": whom})
        return self.stands(table)

    def _turn_words(self) -> Message:
        begin, end = self.seconds
        return _("Turn {number} (seconds {begin} to {end})", number=self.nth, begin=begin, end=end)

    def _next(self) -> Message:
        if self.current is None:
            return _("Everyone has acted, is holding or is waiting.")
        if self.current.status is Status.DECLARED:
            return _("{name} acts next.", name=self.current.name)
        return _("{name} declares next.", name=self.current.name)

    def _order_words(self) -> Words:
        declare = ", ".join(one.name for one in self.participants if self.takes_part(one))
        waits = ", ".join(one.name for one in self.participants if not self.takes_part(one))
        order = declare or _("no one declares")
        return _("{order}; from next turn: {names}", order=order, names=waits) if waits else order

    def _declared_line(self, who: Participant) -> Words:
        if who.status is Status.DONE:
            return worded(gettext_lazy("{name} declared: {action}. {next}"), **self.about(who))
        return worded(gettext_lazy("{name} declared: {action}."), **self.about(who))

    def _changed_line(self, name: str, who: Participant | None) -> Words:
        """Return the sentence about a participant whose place or state of mind has changed; None has left."""
        if who is None:
            return _("{name} left. {next}", name=name, next=self._next())
        if who.mind is Mind.SURPRISED:
            dropped = who.begun is Begun.DROPPED
            return _("{name} came to.", name=name) if dropped else _("{name} was surprised.", name=name)
        if who.mind is Mind.UNCONSCIOUS:
            return _("{name} fell unconscious. {next}", name=name, next=self._next())
        if who.mind is Mind.DEAD:
            return _("{name} died. {next}", name=name, next=self._next())
        return _("{name} changed places. The order: {order}.", name=name, order=self._order_words())

    def _ended_line(self, landed: Sequence[Outcome], number: int) -> Words:
        if landed:
            outcomes = joined(". ", map(self._outcome_words, landed))
            return _("Turn {number} ended: {outcomes}.", number=number, outcomes=outcomes)
        return _("Turn {number} ended.", number=number)

    def _turn_line(self, ended: Words) -> Words:
        return joined(" ", (ended, worded(gettext_lazy("{turn}: {order}."), **self.about())))

    def _noted_line(self, outcome: Outcome) -> Words:
        return _("Noted for the end of the turn: {outcome}.", outcome=self._outcome_words(outcome))

    def _checks_line(self) -> Words:
        """Return the checks that were asked for last, and who succeeds without a die."""
        if not self.checks:
            return _("No one was there to react.")
        last = [check for check in self.checks if check.occasion == self.checks[-1].occasion]
        names = ", ".join(self.found(check.key).name for check in last)
        asked = _("Reaction check for {names} ({occasion}).", names=names, occasion=worded(OCCASIONS[last[0].occasion]))
        sure = ", ".join(self.found(check.key).name for check in last if check.made and check.held)
        if not sure:
            return asked
        always = _("Success without a roll, with a state of mind of {highest}: {names}.", highest=SCORES[1], names=sure)
        return joined(" ", (asked, always))

    def _outcome_words(self, outcome: Outcome) -> Words:
        """Return words such as "the net falls; Silas: state of mind −2, unconscious"."""
        more = [_("state of mind {change}", change=signed(outcome.som))] if outcome.som else []
        more += [worded(MINDS[outcome.becomes])] if outcome.becomes else []
        whom = self.names([outcome.whom])
        more += [_("only the GM sees how")] if whom and not (outcome.words or more) else []
        concerning = joined(": ", (whom, joined(", ", more))) if more and whom else whom
        return joined("; ", filter(None, (outcome.words, concerning)))

    def _declared(self, who: Participant) -> Words:
        """Return words such as "two attacks (2 actions, 4 m, against the guard)"."""
        if not who.has_declared:
            return ""
        more: list[Words] = [ngettext("{count} action", "{count} actions", who.actions)]
        if who.defences:
            left = who.defences - who.defended
            words = ngettext(
                "{left} of {count} defence left", "{left} of {count} defences left", who.defences, left=left
            )
            more.append(words)
        more += [f"{who.moves} m"] if who.moves else []
        more += [_("against {name}", name=self.names(who.against))] if who.against else []
        return joined("", (who.words or worded(gettext_lazy("attack")), " (", joined(", ", more), ")"))

    def _place_seen(self, one: Participant, table: Table, buttons: Sequence[Button]) -> Turn:
        figures: list[Words] = []
        who, own = table.find(Person, one.character or ""), [button for button in buttons if button.whom == one.key]
        mind = one.som or (who.som if who and who.shared else None)
        state: list[Words] = [] if one.played else [_("NPC")]
        state += [worded(MIND[mind - 1])] if mind and not one.mind.is_down else []
        if one.som:
            scores = {"som": one.som, "empathy": one.empathy, "perception": one.perception}
            figures.append(_("State of mind {som}, Empathy {empathy}, Perception {perception}", **scores))
        if one.rolls:
            figures.append(_("d10: {faces}", faces=", ".join(map(str, one.rolls))))
        return Turn(
            name=one.name,
            character=one.character or "",
            words=joined("; ", filter(None, (one.reach_words, *self._state_words(one)))),
            value=str(one.som or ""),
            title=joined(", ", figures),
            lines=[joined(" · ", state)] if state else [],
            status=one.status.value if self.takes_part(one) else "waits",
            current=one is self.current,
            buttons=[button for button in own if not button.on_card],
            prepares=[button for button in own if button.on_card],
            acts_for=one.name if one.played else "",
            rolls=Kind.CHECK.value,
        )

    def _state_words(self, one: Participant) -> Iterator[Words]:
        if one.begun is Begun.GOES_ON:
            yield _("surprised, carrying on with what they began")
        elif one.mind is Mind.SURPRISED:
            yield _("surprised, acts from next turn")
        elif one.mind is not Mind.AWARE:
            yield worded(MINDS[one.mind])
        elif self.lost(one):
            yield _("lost this turn")
        elif one.status is Status.DONE and not self.has_acted(one):
            yield _("does nothing this turn")
        elif one.status in STATUS:
            yield worded(STATUS[one.status])
        for check in self.checks:
            if check.key == one.key:
                yield _check_words(one, worded(OCCASIONS[check.occasion]), held=check.held)

    def _mark(self, check: Fought) -> Mark:
        look = {SUCCESS: "good", FAILURE: "trouble"}.get(check.result, "")
        return Mark(worded(RESULTS[check.result]) if check.result else _("in progress"), look)

    def _rows(self, buttons: Sequence[Button]) -> Iterator[Row]:
        """Yield the occasions of Reaction checks that have arisen, what was declared in this turn with the checks of it and, for
        those who won one, what may come of it, then the outcomes at the end of the turn."""
        for arisen in self.arisen:
            occasion = worded(OCCASIONS[arisen.occasion])
            yield Row(
                whose=capital(occasion),
                words=_("Reaction check for {names}?", names=self.names(arisen.whom)),
                look="trouble",
                buttons=[button for button in buttons if button.whom == arisen.occasion],
                about=occasion,
            )
        for one in self.participants:
            checks: list[Fought | None] = [check for check in self.checked_now if check.who == one.key]
            for check in checks or [None] * one.has_declared:
                yield Row(
                    whose=one.name,
                    character=one.character or "",
                    words="",
                    detail=self._declared(one) or _("made a check"),
                    lines=[_("What happens at the end of the turn?")] if check in self.won else (),
                    marks=[self._mark(check)] if check else (),
                    buttons=[button for button in buttons if check and button.whom == check.id],
                )
        for place, outcome in enumerate(self.outcomes):
            yield Row(whose="" if place else _("At the end of this turn"), words=self._outcome_words(outcome))


def _check_words(one: Participant, occasion: Words, *, held: bool | None) -> Words:
    if held is not None:
        words = gettext_lazy("Reaction check ({occasion}): success")
        words = words if held else gettext_lazy("Reaction check ({occasion}): failure")
    elif one.som:
        words = gettext_lazy("Reaction check ({occasion}): {chances} in {all} to succeed")
    else:
        words = gettext_lazy("Reaction check ({occasion})")
    return worded(words, occasion=occasion, chances=one.som, all=SCORES[1])
