"""Activities of a downtime: the choice, its cost, and the effect of an amount on sheets and clocks (public rules)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Add, Put, Shift, Step
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext
from rules.checked import restored, stored
from rules.effects import Effect, NewClock, StepResult, Tick, Write
from rules.errors import BlockedByState, NotPossible, OutOfRange, RuleError, whole, word
from rules.procedures import Act, Answer, RollPart, Values
from rulesets.forged.rules.action import PUSH_COST
from rulesets.forged.rules.action_before import FULL_STRESS, full_words
from rulesets.forged.rules.body import check_payment, lowest_rating
from rulesets.forged.rules.downtime import COIN_PER_TIER, TRAINING_XP, Activity, amount_of
from rulesets.forged.rules.downtime_state import (
    LONGEST_NAME,
    Downtime,
    DowntimeStage,
    Plan,
    Scoundrel,
    Taken,
    Trouble,
    check_harmed,
    healing_steps,
    heat_steps,
)
from rulesets.forged.rules.experience import BOXES, Track
from rulesets.forged.rules.roll import ORDER, Result
from rulesets.forged.settings import Settings

BUY_COIN, BUY_CREW, BUY_REP = "buy_coin", "buy_crew", "buy_rep"
MOST_COIN: Final = 40
SOURCES: Final = ("coin", "crew")

ACTIVITY = Reason("forged_activity", gettext_lazy("a downtime activity"))
PUSHED = Reason("forged_downtime_push", gettext_lazy("a push in downtime"))
BOUGHT = Reason("forged_bought_activity", gettext_lazy("one more activity"))
ASSET = Reason("forged_asset", gettext_lazy("acquired in downtime"))
BETTERED = Reason("forged_bettered", gettext_lazy("coin for a better result"))


def take(state: Downtime, scoundrel: Scoundrel, step: Act) -> Downtime | StepResult[Downtime]:
    """Begin an activity. `values` are `what`, and as it needs them `action`, `friend`, `push`, `clock`, `segments`, `name`,
    `healer`, `track`."""
    what = word("kind", step.values["what"], Activity)
    if what is Activity.TRAIN:
        return _train(state, scoundrel, step.values["track"])
    plan = _planned(state, scoundrel, what, step.values)
    if plan.push and not step.override:
        _has_room(state, scoundrel)
    return state.with_(scoundrel.key, lambda now: replace(now, plan=plan))


def possible(state: Downtime, scoundrel: Scoundrel) -> list[Activity]:
    """Return the activities that someone can take now."""
    open_now = {
        Activity.VICE: not scoundrel.indulged,
        Activity.RECOVER: bool(scoundrel.known.harms),
        Activity.HEAT: state.crew is not None and state.crew.heat > 0,
        Activity.PROJECT: True,
        Activity.ACQUIRE: state.crew is not None,
        Activity.TRAIN: bool(trainable(scoundrel)),
    }
    return [what for what, can in open_now.items() if can]


def trainable(scoundrel: Scoundrel) -> list[str]:
    """Return the xp tracks that someone can train: with a box that is free, each once in a downtime."""
    trained = {taken.name for taken in scoundrel.taken if taken.what is Activity.TRAIN}
    return [
        track.name
        for track in scoundrel.known.tracks
        if track.number < _boxes(track.name) and track.name not in trained
    ]


def _boxes(track: str) -> int:
    return BOXES[Track.PLAYBOOK if track == "playbook_xp" else Track.ATTRIBUTE]


def _planned(state: Downtime, scoundrel: Scoundrel, what: Activity, given: Values) -> Plan:
    friend, push = bool(given["friend"]), bool(given["push"])
    match what:
        case Activity.VICE:
            if scoundrel.indulged:
                message = _("{name} has already indulged in this downtime.").format(name=scoundrel.name)
                raise NotPossible("what", what, allowed="once", message=message)
            return Plan(
                what=what, rating=lowest_rating({rated.name: rated.number for rated in scoundrel.known.actions})
            )
        case Activity.ACQUIRE:
            name = _named(given["name"], "thing", _("Say what you acquire."))
            return Plan(what=what, rating=state.known_crew().tier, friend=friend, push=push, name=name)
        case Activity.RECOVER:
            check_harmed(scoundrel.known)
            healer = given["healer"]
            rating = state.found(healer).known.rated("tinker") if healer else state.crew.tier if state.crew else 0
            return Plan(what=what, rating=rating, action="tinker" if healer else "", friend=friend, push=push)
        case Activity.HEAT if not state.known_crew().heat:
            raise NotPossible("kind", what, allowed="heat to reduce", message=_("The crew has no heat to reduce."))
    if given["action"] not in {rated.name for rated in scoundrel.known.actions}:
        message = _("Choose an action to roll.")
        raise NotPossible("action", given["action"], allowed="an action", message=message)
    plan = Plan(
        what=what, rating=scoundrel.known.rated(given["action"]), action=given["action"], friend=friend, push=push
    )
    if what is Activity.HEAT:
        return plan
    name = _named(given["name"], "project", _("Choose a clock for the project, or name a new one."))
    return replace(plan, clock=given["clock"], name=name, segments=given["segments"])


def _train(state: Downtime, scoundrel: Scoundrel, track: str) -> StepResult[Downtime]:
    """Mark one xp on a track that is not full, each once in a downtime."""
    marks = {rated.name: rated.number for rated in scoundrel.known.tracks}
    if track not in marks:
        raise NotPossible("track", track, allowed=", ".join(marks), message=_("Choose what to train."))
    if marks[track] >= _boxes(track):
        raise NotPossible(
            "track", track, allowed="a free box", message=_("That track is full. Take its advance first.")
        )
    if any(taken.what is Activity.TRAIN and taken.name == track for taken in scoundrel.taken):
        message = _("You can train each track once in a downtime. Choose another.")
        raise NotPossible("track", track, allowed="another", message=message)
    taken = Taken(what=Activity.TRAIN, amount=TRAINING_XP, name=track)
    after = state.with_(scoundrel.key, lambda now: replace(now, taken=(*now.taken, taken)))
    return StepResult(after, [Write(character=scoundrel.character, steps=(Shift(track, TRAINING_XP),), why=ACTIVITY)])


def buy(state: Downtime, scoundrel: Scoundrel, paid_from: str) -> StepResult[Downtime]:
    """Buy one more activity, out of their own coin, the crew's, or its rep."""
    if state.left(scoundrel):
        raise not_now("buy", _("{name} has an activity left. Take that first.").format(name=scoundrel.name))
    paid = _paid(state, scoundrel, paid_from, 1, BOUGHT)
    return StepResult(state.with_(scoundrel.key, lambda now: replace(now, bought=now.bought + 1)), [paid])


def _paid(state: Downtime, scoundrel: Scoundrel, paid_from: str, much: int, why: Reason) -> Write:
    """Return the payment from a scoundrel's coin, or the crew's coin or rep. Raises NotPossible if there is not enough."""
    crew = state.known_crew() if paid_from != "coin" else None
    have = {"coin": scoundrel.known.coin} if crew is None else {"crew": crew.coin, "rep": crew.rep}
    if have[paid_from] < much:
        whose = scoundrel.name if crew is None else crew.name
        message = (
            _("{name} has {count} rep, which isn’t enough.")
            if paid_from == "rep"
            else ngettext(
                "{name} has {count} coin, which isn’t enough.",
                "{name} has {count} coin, which isn’t enough.",
                have[paid_from],
            )
        ).format(name=whose, count=have[paid_from])
        raise NotPossible("paid_from", paid_from, allowed=f"{much} or more", message=message)
    address = "rep" if paid_from == "rep" else "coin"
    return Write(character=crew.id if crew else scoundrel.character, steps=(Shift(address, -much),), why=why)


def better(state: Downtime, scoundrel: Scoundrel, values: Values) -> StepResult[Downtime]:
    """Spend coin after the roll: each is one result better; beyond a critical 2 are a Tier more of an asset."""
    if not scoundrel.taken or not can_be_better(scoundrel.taken[-1]):
        raise not_now("better", _("The last activity can’t be improved."))
    taken, coin = scoundrel.taken[-1], whole("coin", values["coin"], 1, MOST_COIN)
    result = taken.result or Result.BAD
    if taken.what is not Activity.ACQUIRE:
        most = len(ORDER) - 1 - ORDER.index(result) - taken.bettered
        if coin > most:
            raise OutOfRange("coin", coin, 1, most)
    amount = amount_of(taken.what, result, coin=taken.bettered + coin, tier=taken.rating)
    if amount == taken.amount:
        message = _("That changes nothing: another Tier costs {coin} coin.").format(coin=COIN_PER_TIER)
        raise NotPossible("coin", coin, allowed=str(coin + 1), message=message)
    _can_still_count(state, scoundrel, taken)
    now = replace(taken, amount=amount, bettered=taken.bettered + coin, written=taken.what is Activity.ACQUIRE)
    paid = _paid(state, scoundrel, values["paid_from"], coin, BETTERED)
    more = [*amount_effects(state, scoundrel, now, amount - taken.amount), *_renamed(scoundrel, taken, now)]
    return StepResult(
        state.with_(scoundrel.key, lambda them: replace(them, taken=(*them.taken[:-1], now))), [paid, *more]
    )


def betterable(state: Downtime, scoundrel: Scoundrel) -> list[str]:
    """Return the sources from which a scoundrel can pay to improve their last activity."""
    if not scoundrel.taken or not can_be_better(scoundrel.taken[-1]):
        return []
    return [
        source
        for source in SOURCES
        if any(_goes(state, scoundrel, coin, source) for coin in range(1, COIN_PER_TIER + 1))
    ]


def _goes(state: Downtime, scoundrel: Scoundrel, coin: int, source: str) -> bool:
    try:
        better(state, scoundrel, {"coin": coin, "paid_from": source})
    except RuleError:
        return False
    return True


def _can_still_count(state: Downtime, scoundrel: Scoundrel, taken: Taken) -> None:
    """Raise NotPossible where coin buys nothing: no harm to heal, no heat to reduce, no room on the clock."""
    if taken.what is Activity.PROJECT and taken.clock not in state.clocks:
        message = _("This project’s clock is full, or no longer on the table.")
        raise NotPossible("coin", 1, allowed="none", message=message)
    if taken.what is Activity.RECOVER:
        check_harmed(scoundrel.known)
    if taken.what is Activity.HEAT and not state.known_crew().heat:
        raise NotPossible("coin", 1, allowed="none", message=_("The crew has no heat left to reduce."))


def acquired(scoundrel: Scoundrel, taken: Taken) -> Write:
    """Return the write that adds an asset to their items."""
    return Write(character=scoundrel.character, steps=(Add("items", {"name": taken.asset}),), why=ASSET)


def _renamed(scoundrel: Scoundrel, before: Taken, now: Taken) -> list[Effect]:
    """Return an asset of a higher Tier: the row that it has, unless someone has changed it since."""
    if now.what is not Activity.ACQUIRE:
        return []
    row = next((thing.row for thing in scoundrel.known.items if thing.name == before.asset), None)
    step: Step = Put(f"items/{row}/name", now.asset) if row else Add("items", {"name": now.asset})
    return [Write(character=scoundrel.character, steps=(step,), why=ASSET)]


def amount_effects(state: Downtime, scoundrel: Scoundrel, taken: Taken, amount: int) -> list[Effect]:
    """Return the effects of an activity's amount: on the healing clock, the heat, or the clock of a project."""
    match taken.what:
        case Activity.RECOVER if scoundrel.known.harms:
            return [Write(character=scoundrel.character, steps=healing_steps(scoundrel.known, amount), why=ACTIVITY)]
        case Activity.HEAT if state.crew and state.crew.heat:
            crew = state.crew
            return [Write(character=crew.id, steps=heat_steps(crew.heat, crew.wanted, -amount), why=ACTIVITY)]
        case Activity.PROJECT:
            return [Tick(clock=taken.clock, ticks=amount)]
    return []


def can_be_better(taken: Taken) -> bool:
    return taken.result is not None and (
        taken.what is Activity.ACQUIRE or ORDER.index(taken.result) + taken.bettered < len(ORDER) - 1
    )


def stress_effects(state: Downtime, scoundrel: Scoundrel, stress: int, why: Reason) -> list[Effect]:
    """Mark stress, up to the last box, which brings a trauma (full_tracks.py)."""
    return [Write(character=scoundrel.character, steps=(Shift("stress", stress, most=state.boxes),), why=why)]


def _has_room(state: Downtime, scoundrel: Scoundrel) -> None:
    if scoundrel.known.stress >= state.boxes:
        raise BlockedByState(FULL_STRESS, full_words(scoundrel.name))
    settings = Settings(boxes=state.boxes, filling_stress_counts=state.filling_counts)
    check_payment(scoundrel.known.stress, PUSH_COST, settings)


def _named(name: str, field: str, message: str) -> str:
    words = " ".join(name.split())
    if not 1 <= len(words) <= LONGEST_NAME:
        raise NotPossible(field, words, allowed=f"1 to {LONGEST_NAME} letters", message=message)
    return words


def not_now(name: str, message: str) -> NotPossible:
    return NotPossible("act", name, allowed="what is shown", message=message)


ENTANGLEMENT: Final = "entanglement"
KEPT: Final = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Dice to be rolled: for which `part`, for whom (None: no one), what they settle, how many, and the terms that the
    roll keeps.
    """

    part: RollPart
    settles: str
    trait: int
    bonus: int = 0
    character: str | None = None
    keeps: Mapping[str, Any] = field(default_factory=dict)


def due(state: Downtime) -> Due | None:
    """Return the dice that are due: activities that were chosen, then entanglements by the wanted level, read by the heat."""
    if state.stage is not DowntimeStage.ACTIVITIES:
        return None
    for scoundrel in state.those:
        if plan := scoundrel.plan:
            bonus = int(plan.friend) + int(plan.push)
            keeps = {**stored(plan), "by": scoundrel.key}
            return Due(
                part=RollPart(scoundrel.key, str(scoundrel.at)),
                settles=plan.what.value,
                trait=plan.rating,
                bonus=bonus,
                character=scoundrel.character,
                keeps=keeps,
            )
    if state.entangle and state.crew:
        part = RollPart("e", str(len(state.troubles)))
        return Due(part=part, settles=ENTANGLEMENT, trait=state.crew.wanted, keeps={"heat": state.crew.heat})
    return None


def fell(state: Downtime, answer: Answer) -> StepResult[Downtime]:
    """Count a roll by its own terms alone, so that it may be counted again when a roll before it is voided."""
    result, keeps = Result[answer.outcome["result"].upper()], answer.terms["keeps"]
    if answer.terms["settles"] == ENTANGLEMENT:
        return StepResult(_entangled(state, result, keeps["heat"]))
    face = next(die["face"] for die in answer.outcome["dice"] if die["role"] == KEPT)
    plan, scoundrel = restored(Plan, keeps), state.found(keeps["by"])
    if plan.what is Activity.VICE:
        return _indulged(state, scoundrel, face)
    amount = amount_of(plan.what, result, tier=plan.rating if plan.what is Activity.ACQUIRE else 0)
    taken = Taken(what=plan.what, amount=amount, result=result, name=plan.name, clock=plan.clock, rating=plan.rating)
    effects: list[Effect] = stress_effects(state, scoundrel, PUSH_COST, PUSHED) if plan.push else []
    if plan.segments:
        effects.append(
            NewClock(
                clock=plan.clock, name=plan.name, segments=plan.segments, kind="project", character=scoundrel.character
            )
        )
    effects += amount_effects(state, scoundrel, taken, amount)
    if plan.what is Activity.ACQUIRE:
        taken = replace(taken, written=True)
        effects.append(acquired(scoundrel, taken))
    return StepResult(_with_taken(state, scoundrel, taken), effects)


def _entangled(state: Downtime, result: Result, heat: int) -> Downtime:
    """Let an entanglement come; where it has two entries, the GM picks."""
    trouble = Trouble(heat=min(heat, 8), result=result)
    if len(trouble.entries) == 1:
        trouble = replace(trouble, chosen=0)
    return replace(state, entangle=max(0, state.entangle - 1), troubles=(*state.troubles, trouble))


def _indulged(state: Downtime, scoundrel: Scoundrel, face: int) -> StepResult[Downtime]:
    """Clear as much stress as the die says; a die above what was marked overindulges (public rules, Vice)."""
    stress = min(scoundrel.known.stress, state.boxes)
    cleared = min(stress, face)
    after = _with_taken(state, scoundrel, Taken(what=Activity.VICE, amount=cleared))
    if face > stress:
        scoundrels = (replace(them, over=True) if them.key == scoundrel.key else them for them in after.those)
        after = replace(after, those=tuple(scoundrels))
    write = Write(character=scoundrel.character, steps=(Shift("stress", -cleared),), why=ACTIVITY)
    return StepResult(after, [write] if cleared else [])


def _with_taken(state: Downtime, scoundrel: Scoundrel, taken: Taken) -> Downtime:
    return state.with_(scoundrel.key, lambda now: replace(now, plan=None, taken=(*now.taken, taken)))


def voided(state: Downtime, part: RollPart) -> Downtime:
    """Forget a roll that was voided: its activity is free again; an entanglement is the GM's to roll again, or to let be."""
    if part.name == "e":
        return replace(state, entangle=0)
    return state.with_(part.name, lambda now: replace(now, plan=None))
