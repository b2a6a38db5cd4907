"""The downtime at the table: what a score has brought, entanglements, and what everybody does until the next (public rules)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final
from uuid import UUID

from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rolls.rules.acts import AvailableAct, target_key
from rolls.rules.procedures import OPEN, Button, Snapshot, Values
from rolls.stage import Row, Staged
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
from rulesets.forged.rules import downtime_activities as rolls
from rulesets.forged.rules import downtime_acts as acts
from rulesets.forged.rules.downtime import HEAT_BOXES
from rulesets.forged.rules.downtime_activities import BUY_COIN, BUY_CREW, BUY_REP
from rulesets.forged.rules.downtime_acts import DowntimeRules
from rulesets.forged.rules.downtime_state import Activity, Away, Downtime, DowntimeStage, Scoundrel, Taken
from rulesets.forged.table.ask import ForgedInput, Kind

AWAY: Final = {Away.PRISON: "in prison", Away.LOST: "gone for a while", Away.LEFT: "not in play any more"}
SENTENCES: Final = {
    4: "for life, or to be hanged",
    3: "a year or two",
    2: "some months",
    1: "a month or two",
    0: "some weeks",
}
"""How long prison takes, by the wanted level before it (public rules)."""
TRACK_WORDS: Final = {name: words[:1].lower() + words[1:] for name, words in TRACKS}
BUTTONS: Final = {
    acts.WRITE: "Write it down",
    acts.ENTANGLE: "Roll an entanglement",
    acts.PRISON: "Somebody goes to prison",
    acts.END: "End the downtime",
    acts.TAKE: "Choose an activity",
    acts.BETTER: "Better for coin",
    acts.DONE: "Done",
    BUY_COIN: "One more for 1 coin",
    BUY_CREW: "One more for 1 of the crew’s coin",
    BUY_REP: "One more for 1 rep",
    acts.TROUBLE: "Trouble: an entanglement",
    acts.BRAG: "Loose talk: 2 heat",
    acts.LOST: "Gone for a while",
    acts.CUT_OFF: "Cut off by the purveyor",
}


def _one(state: Downtime, name: str) -> Scoundrel | None:
    return next((scoundrel for scoundrel in state.those if scoundrel.name == name), None)


def _last(state: Downtime, name: str) -> Taken | None:
    scoundrel = _one(state, name)
    return scoundrel.taken[-1] if scoundrel and scoundrel.taken else None


def _trained(state: Downtime, whom: str) -> str:
    """Return what has no roll to tell of it."""
    scoundrel, taken = _one(state, whom), _last(state, whom)
    if scoundrel is None or scoundrel.plan or taken is None or taken.what is not Activity.TRAIN:
        return ""
    return f"trains {whom}: {taken.amount} xp in {TRACK_WORDS[taken.name]}"


def _bettered(taken: Taken | None) -> str:
    return f"pays {taken.bettered} coin in all for more: {_amount(taken)}" if taken else ""


def _left_vice(state: Downtime) -> str:
    left = [scoundrel.name for scoundrel in state.those if not scoundrel.indulged and scoundrel.away is not Away.LEFT]
    return f"; without their vice: {', '.join(left)}" if left else ""


def _score_words(state: Downtime) -> str:
    score = state.score
    return f"{score.rep} rep, {score.coin} coin, {score.heat} heat" if score else "no score"


def _law_words(state: Downtime) -> str:
    crew = state.crew
    return f"Heat {crew.heat} of {HEAT_BOXES}, wanted level {crew.wanted}" if crew else ""


def _amount(taken: Taken) -> str:
    many = "" if taken.amount == 1 else "s"
    return {
        Activity.PROJECT: f"{taken.name}: {taken.amount} segment{many}",
        Activity.RECOVER: f"{taken.amount} on the healing clock",
        Activity.HEAT: f"{taken.amount} heat less",
        Activity.ACQUIRE: f"{taken.name}, Tier {taken.amount}",
        Activity.TRAIN: f"{taken.amount} xp in {TRACK_WORDS.get(taken.name, taken.name)}",
        Activity.VICE: f"{taken.amount} stress cleared",
    }[taken.what]


def _standing(state: Downtime, scoundrel: Scoundrel) -> str:
    """Return where somebody stands, such as "1 activity left"."""
    if scoundrel.away:
        return AWAY[scoundrel.away]
    left = state.left(scoundrel)
    words = "overindulged" if scoundrel.over else "done" if scoundrel.done else ""
    return words or f"{left or 'no'} {'activity' if left == 1 else 'activities'} left"


def _notes(state: Downtime) -> Iterator[str]:
    """Yield what of the score the crew's sheet has no room for, before it is written; then how the law sees the crew."""
    crew, score = state.crew, state.score
    if state.stage is not DowntimeStage.SCORE:
        if crew:
            yield f"{_law_words(state)}{'. At war: one activity each' if state.war else ''}"
    elif crew and score:
        over = {"rep": crew.rep + score.rep - REP, "coin": crew.coin + score.coin - MOST_COIN}
        if no_room := ", ".join(f"{much} {what}" for what, much in over.items() if much > 0):
            yield f"The crew’s sheet has no room for {no_room}: share that out by hand."


def _rows(state: Downtime, buttons: Sequence[Button]) -> Iterator[Row]:
    """Yield the entanglements, of which the buttons say the entries where two are to choose from, then everybody."""
    picks = [button for button in buttons if button.name == acts.CHOOSE]
    for number, trouble in enumerate(state.troubles):
        own = [pick for pick in picks if pick.target[1] == number]
        yield Row(whose="Entanglement", words=trouble.words or "one of two", look="trouble", buttons=own)
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


class DowntimeProcedure(DowntimeRules, ProcedureKind[Downtime]):
    label = "Downtime"
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
                above="Downtime",
                title=f"The score: {_score_words(state)}" if scored else "",
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
            "sentence": SENTENCES[state.crew.wanted] if state.crew else "",
        }

    def button_words(self, state: Downtime, available: AvailableAct) -> str:
        if available.name != acts.CHOOSE:
            return BUTTONS[available.name]
        _, number, entry = available.target
        words: str = state.troubles[number].entries.entries[entry]
        return words[:1].upper() + words[1:]

    def primary(self, state: Downtime, available: AvailableAct) -> bool:
        return available.name == acts.WRITE

    def said(self, state: Downtime, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act; a roll has its own card."""
        words: dict[str, Callable[[], str]] = {
            OPEN: lambda: (
                f"begins a downtime{' at war' if state.war else ''}: "
                f"{', '.join(scoundrel.name for scoundrel in state.those)}"
            ),
            acts.WRITE: lambda: f"writes down the score: {_score_words(state)}. {_law_words(state)}",
            acts.CHOOSE: lambda: (
                f"chooses the entanglement: {'; '.join(filter(None, (t.words for t in state.troubles)))}"
            ),
            acts.TAKE: lambda: _trained(state, whom),
            acts.BETTER: lambda: _bettered(_last(state, whom)),
            acts.DONE: lambda: f"ends the downtime of {whom}",
            acts.PRISON: lambda: f"lets somebody go to prison for the crew. {_law_words(state)}",
            acts.END: lambda: f"ends the downtime{_left_vice(state)}",
            BUY_COIN: lambda: f"buys {whom} one more activity for 1 coin",
            BUY_CREW: lambda: f"buys {whom} one more activity for 1 coin of the crew",
            BUY_REP: lambda: f"buys {whom} one more activity for 1 rep",
            acts.TROUBLE: lambda: f"{whom} has overindulged, and trouble comes of it",
            acts.BRAG: lambda: f"{whom} has overindulged and talked: {acts.BRAG_HEAT} heat",
            acts.LOST: lambda: f"{whom} has overindulged and is gone for a while",
            acts.CUT_OFF: lambda: f"{whom} has overindulged, and the purveyor sells to them no more",
        }
        return words[name]() if name in words else ""
