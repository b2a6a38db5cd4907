"""The downtime at the table: the payoff of a score, entanglements, and everyone's activities until the next (public rules)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from languages.text import gettext_lazy, pgettext_lazy
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rolls.stage import Row, Staged
from rules.acts import AvailableAct, target_key
from rules.procedures import OPEN, Button, Snapshot, Values
from rulesets.forged.crew import MOST_COIN, REP
from rulesets.forged.procedures.downtime_forms import (
    ACTIVITIES,
    TRACKS,
    BetterForm,
    OpenDowntimeForm,
    PrisonForm,
    TakeForm,
    prepare,
    reads,
    shown,
)
from rulesets.forged.rules import downtime_acts as acts
from rulesets.forged.rules import downtime_acts as rolls
from rulesets.forged.rules.downtime import (
    ENTANGLEMENT_WORDS,
    HEAT_BOXES,
    Activity,
    Away,
    Downtime,
    DowntimeStage,
    Scoundrel,
    Taken,
)
from rulesets.forged.rules.downtime_acts import BUY_COIN, BUY_CREW, BUY_REP, DowntimeRules
from rulesets.forged.sheet import coins
from rulesets.forged.table.ask import ForgedInput, Kind

AWAY: Final = {
    Away.PRISON: gettext_lazy("in prison"),
    Away.LOST: gettext_lazy("gone for a while"),
    Away.LEFT: gettext_lazy("no longer in play"),
}
SENTENCES: Final = {
    4: gettext_lazy("It’s for life, or the gallows."),
    3: gettext_lazy("It takes a year or two."),
    2: gettext_lazy("It takes several months."),
    1: gettext_lazy("It takes a month or two."),
    0: gettext_lazy("It takes a few weeks."),
}
"""The length of a prison sentence, by the wanted level before it (public rules)."""
TRACK_WORDS: Final = dict(TRACKS)
BUTTONS: Final = {
    acts.WRITE: gettext_lazy("Record it"),
    acts.ENTANGLE: gettext_lazy("Roll an entanglement"),
    acts.PRISON: gettext_lazy("Send someone to prison…"),
    acts.END: gettext_lazy("End downtime"),
    acts.TAKE: gettext_lazy("Choose an activity"),
    acts.BETTER: gettext_lazy("Improve for coin"),
    acts.DONE: pgettext_lazy("downtime", "Done"),
    BUY_COIN: gettext_lazy("Buy one more: 1 coin"),
    BUY_CREW: gettext_lazy("Buy one more: 1 of the crew’s coin"),
    BUY_REP: gettext_lazy("Buy one more: 1 rep"),
    acts.TROUBLE: gettext_lazy("Trouble: an entanglement"),
    acts.BRAG: gettext_lazy("Loose talk: 2 heat"),
    acts.LOST: gettext_lazy("Gone for a while"),
    acts.CUT_OFF: gettext_lazy("Cut off by the purveyor"),
}


def _one(state: Downtime, name: str) -> Scoundrel | None:
    return next((scoundrel for scoundrel in state.those if scoundrel.name == name), None)


def _last(state: Downtime, name: str) -> Taken | None:
    scoundrel = _one(state, name)
    return scoundrel.taken[-1] if scoundrel and scoundrel.taken else None


def _trained(state: Downtime, whom: str) -> str:
    """Return the line for an activity without a roll; "" for others."""
    scoundrel, taken = _one(state, whom), _last(state, whom)
    if scoundrel is None or scoundrel.plan or taken is None or taken.what is not Activity.TRAIN:
        return ""
    return _("{name} trained: {gain}.").format(name=whom, gain=_amount(taken))


def _bettered(taken: Taken | None, whom: str) -> str:
    if taken is None:
        return ""
    return _("{name} paid {coin} in all for a better result: {gain}.").format(
        name=whom, coin=coins(taken.bettered), gain=_amount(taken)
    )


def _left_vice(state: Downtime) -> str:
    left = [scoundrel.name for scoundrel in state.those if not scoundrel.indulged and scoundrel.away is not Away.LEFT]
    return " " + _("Without their vice: {names}.").format(names=", ".join(left)) if left else ""


def _score_words(state: Downtime) -> str:
    score = state.score
    if score is None:
        return _("no score")
    return _("{rep} rep, {coin}, {heat} heat").format(rep=score.rep, coin=coins(score.coin), heat=score.heat)


def _law_words(state: Downtime) -> str:
    crew = state.crew
    if crew is None:
        return ""
    return _("Heat {heat} of {boxes}, wanted level {level}.").format(
        heat=crew.heat, boxes=HEAT_BOXES, level=crew.wanted
    )


def _amount(taken: Taken) -> str:
    words = {
        Activity.PROJECT: ngettext("{name}: {count} segment", "{name}: {count} segments", taken.amount),
        Activity.RECOVER: _("{count} on the healing clock"),
        Activity.HEAT: _("−{count} heat"),
        Activity.ACQUIRE: _("{name}, Tier {count}"),
        Activity.TRAIN: _("{name} +{count}"),
        Activity.VICE: _("{count} stress cleared"),
    }[taken.what]
    name = TRACK_WORDS.get(taken.name, taken.name) if taken.what is Activity.TRAIN else taken.name
    return words.format(name=name, count=taken.amount)


def _standing(state: Downtime, scoundrel: Scoundrel) -> str:
    """Return words for a scoundrel's state in downtime, such as "1 activity left"."""
    if scoundrel.away:
        return str(AWAY[scoundrel.away])
    if scoundrel.over:
        return _("overindulged")
    if scoundrel.done:
        return pgettext("downtime", "done")
    left = state.left(scoundrel)
    if not left:
        return _("no activities left")
    return ngettext("{count} activity left", "{count} activities left", left).format(count=left)


def _notes(state: Downtime) -> Iterator[str]:
    """Yield what of the score the crew's sheet has no room for, before it is written; then how the law sees the crew."""
    crew, score = state.crew, state.score
    if state.stage is not DowntimeStage.SCORE:
        if crew:
            yield _law_words(state)
        if crew and state.war:
            yield _("At war: one activity each.")
    elif crew and score:
        rep, coin = crew.rep + score.rep - REP, crew.coin + score.coin - MOST_COIN
        over = [_("{count} rep").format(count=rep)] * (rep > 0) + [coins(coin)] * (coin > 0)
        if no_room := ", ".join(over):
            yield _("The crew’s sheet has no room for {figures}. Share that out by hand.").format(figures=no_room)


def _rows(state: Downtime, buttons: Sequence[Button]) -> Iterator[Row]:
    """Yield the entanglements, of which the buttons say the entries where two are to choose from, then everyone."""
    picks = [button for button in buttons if button.name == acts.CHOOSE]
    for number, trouble in enumerate(state.troubles):
        own = [pick for pick in picks if pick.target[1] == number]
        words = str(ENTANGLEMENT_WORDS[trouble.entry]) if trouble.entry else _("one of two")
        yield Row(whose=_("Entanglement"), words=words, look="trouble", buttons=own)
    for scoundrel in state.those:
        yield Row(
            whose=scoundrel.name,
            character=scoundrel.character or "",
            words="",
            detail=_standing(state, scoundrel),
            lines=[f"{ACTIVITIES[taken.what]}: {_amount(taken)}" for taken in scoundrel.taken],
            look="settled" if scoundrel.away else "",
            buttons=[b for b in buttons if b.name in acts.THEIR_OWN and b.target == scoundrel.target],
            about=scoundrel.name,
            acts_for=scoundrel.name,
        )


SAID: Final = {
    acts.DONE: gettext_lazy("{name} finished the downtime."),
    BUY_COIN: gettext_lazy("{name} bought one more activity for 1 coin."),
    BUY_CREW: gettext_lazy("{name} bought one more activity for 1 of the crew’s coin."),
    BUY_REP: gettext_lazy("{name} bought one more activity for 1 rep."),
    acts.TROUBLE: gettext_lazy("{name} overindulged, and trouble came of it."),
    acts.BRAG: gettext_lazy("{name} overindulged and talked too much: 2 heat."),
    acts.LOST: gettext_lazy("{name} overindulged and is gone for a while."),
    acts.CUT_OFF: gettext_lazy("{name} overindulged, and the purveyor cut them off."),
}
"""The sentences of the log that name nothing but who it was."""


class DowntimeProcedure(DowntimeRules, ProcedureKind[Downtime]):
    label = gettext_lazy("Downtime")
    forms: ClassVar = {OPEN: OpenDowntimeForm, acts.TAKE: TakeForm, acts.BETTER: BetterForm, acts.PRISON: PrisonForm}
    sees_clocks = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def reads(self, state: Downtime, seen: Snapshot) -> Downtime:
        return reads(state, seen)

    def shown(self, state: Downtime) -> Downtime:
        return shown(state)

    def next_roll(self, state: Downtime) -> NextRoll | None:
        """Return the dice that are due, as a roll of fortune that settles something."""
        due = rolls.due(state)
        if due is None:
            return None
        ask = ForgedInput(
            kind=Kind.FORTUNE.value,
            character=UUID(due.character) if due.character else None,
            trait=due.trait,
            advantages=due.bonus,
            settles=due.settles,
            keeps=due.keeps,
        )
        return NextRoll(part=due.part, ask=ask)

    def describe(self, state: Downtime, buttons: Sequence[Button]) -> Values:
        """Return the `staged` card, and what its forms ask with: the `people`, and the `sentence` of a prison."""
        scored = state.stage is DowntimeStage.SCORE
        return {
            "staged": Staged(
                above=_("Downtime"),
                title=_("Score: {gains}").format(gains=_score_words(state)) if scored else "",
                notes=list(_notes(state)),
                rows=[] if scored else list(_rows(state, buttons)),
                acts=[button for button in buttons if button.name not in (*acts.THEIR_OWN, acts.CHOOSE)],
            ),
            "people": [
                {
                    "key": scoundrel.key,
                    "name": scoundrel.name,
                    "whom": target_key(scoundrel.target),
                    "character": scoundrel.character,
                    "left": state.left(scoundrel),
                    "words": _standing(state, scoundrel),
                    "away": bool(scoundrel.away),
                }
                for scoundrel in state.those
            ],
            "sentence": str(SENTENCES[state.crew.wanted]) if state.crew else "",
        }

    def button_words(self, state: Downtime, available: AvailableAct) -> str:
        if available.name != acts.CHOOSE:
            return str(BUTTONS[available.name])
        number, entry = available.target[1:]
        return str(ENTANGLEMENT_WORDS[state.troubles[number].entries[entry]])

    def primary(self, state: Downtime, available: AvailableAct) -> bool:
        return available.name == acts.WRITE

    def said(self, state: Downtime, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act; a roll has its own card."""
        words: dict[str, Callable[[], str]] = {
            OPEN: lambda: (
                _("Downtime began, at war: {names}.") if state.war else _("Downtime began: {names}.")
            ).format(names=", ".join(scoundrel.name for scoundrel in state.those)),
            acts.WRITE: lambda: " ".join(
                [_("The score brought {gains}.").format(gains=_score_words(state)), _law_words(state)]
            ),
            acts.CHOOSE: lambda: _("The entanglement was chosen: {entries}.").format(
                entries="; ".join(str(ENTANGLEMENT_WORDS[trouble.entry]) for trouble in state.troubles if trouble.entry)
            ),
            acts.TAKE: lambda: _trained(state, whom),
            acts.BETTER: lambda: _bettered(_last(state, whom), whom),
            acts.PRISON: lambda: " ".join([_("Someone went to prison for the crew."), _law_words(state)]),
            acts.END: lambda: _("Downtime ended.") + _left_vice(state),
        }
        if name in SAID:
            return SAID[name].format(name=whom)
        return words[name]() if name in words else ""
