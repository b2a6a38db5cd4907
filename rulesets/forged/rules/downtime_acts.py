"""The acts of a downtime, and what each step does on sheets and clocks; and its dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Add, Put, Shift, Step
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext
from rules.acts import ActKey, Actor, Target, act, player_of, target_key
from rules.checked import restored, stored
from rules.effects import Effect, End, NewClock, StepResult, Tick, Write
from rules.errors import BlockedByState, NotPossible, OutOfRange, RuleError, whole, word
from rules.procedures import Act, Answer, Parties, ProcedureRules, RollPart, Values
from rulesets.forged.rules.action import PUSH_COST
from rulesets.forged.rules.blocks import FULL_STRESS, full_words
from rulesets.forged.rules.body import check_payment, lowest_rating
from rulesets.forged.rules.downtime import (
    COIN_PER_TIER,
    LONGEST_NAME,
    MOST_THERE,
    TRAINING_XP,
    Activity,
    Away,
    Crew,
    Downtime,
    DowntimeStage,
    Plan,
    Score,
    Scoundrel,
    Taken,
    Trouble,
    amount_of,
    check_harmed,
    healing_steps,
    heat_steps,
)
from rulesets.forged.rules.experience import BOXES, Track
from rulesets.forged.rules.roll import ORDER, Result
from rulesets.forged.settings import Settings

# Activities of a downtime: the choice, its cost, and the effect of an amount on sheets and clocks (public rules).


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
    now = replace(taken, amount=amount, bettered=taken.bettered + coin)
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


WRITE, ENTANGLE, CHOOSE, PRISON, END = "write", "entangle", "choose", "prison", "end"
TAKE, BETTER, DONE = "take", "better", "done"
TROUBLE, BRAG, LOST, CUT_OFF = "trouble", "brag", "lost", "cut_off"
OVERINDULGED: Final = (TROUBLE, BRAG, LOST, CUT_OFF)

BRAG_HEAT: Final = 2

SCORE = Reason("forged_score", gettext_lazy("a score"))
VICE_LEFT = Reason("forged_vice_left", gettext_lazy("a downtime without the vice"))
OVER = Reason("forged_overindulged", gettext_lazy("overindulging"))
PRISONED = Reason("forged_prison", gettext_lazy("someone went to prison"))


def own(state: Downtime, scoundrel: Scoundrel) -> Sequence[str]:
    """Return the steps of one's own that can be taken now: by the sheet, or, for readers without it, as they were told."""
    return (
        scoundrel.can
        if scoundrel.sheet is None
        else tuple(name for name, goes in THEIR_OWN.items() if goes(state, scoundrel))
    )


def _free(scoundrel: Scoundrel) -> bool:
    return not (scoundrel.over or scoundrel.away or scoundrel.done)


def _may_buy(paid_from: str) -> Callable[[Downtime, Scoundrel], bool]:
    def goes(state: Downtime, scoundrel: Scoundrel) -> bool:
        try:
            buy(state, scoundrel, paid_from)
        except RuleError:
            return False
        return _free(scoundrel)

    return goes


def _is_over(state: Downtime, scoundrel: Scoundrel) -> bool:
    return scoundrel.over


def _has_crew(state: Downtime, scoundrel: Scoundrel) -> bool:
    return scoundrel.over and state.crew is not None


THEIR_OWN: Final[Mapping[str, Callable[[Downtime, Scoundrel], bool]]] = {
    TROUBLE: _has_crew,
    BRAG: _has_crew,
    LOST: _is_over,
    CUT_OFF: _is_over,
    TAKE: lambda state, scoundrel: _free(scoundrel) and bool(state.left(scoundrel)),
    BUY_COIN: _may_buy("coin"),
    BUY_CREW: _may_buy("crew"),
    BUY_REP: _may_buy("rep"),
    BETTER: lambda state, scoundrel: _free(scoundrel) and bool(betterable(state, scoundrel)),
    DONE: lambda state, scoundrel: _free(scoundrel),
}
"""Steps of someone's own, and whether each would go now."""


def _who_can(name: str) -> Callable[[Downtime], list[Target]]:
    """Return the targets of a step, each with the number of its scoundrel's next activity, so that none is taken twice."""

    def targets(state: Downtime) -> list[Target]:
        goes = THEIR_OWN[name]
        if state.stage is not DowntimeStage.ACTIVITIES:
            return []
        return [
            scoundrel.target
            for scoundrel in state.those
            if (name in scoundrel.can if scoundrel.sheet is None else goes(state, scoundrel))
        ]

    return targets


_owner = player_of(lambda state, key, at: state.found(key).character)


def _activities(state: Downtime) -> bool:
    return state.stage is DowntimeStage.ACTIVITIES


def _of_a_crew(state: Downtime) -> bool:
    return _activities(state) and state.crew is not None


def _entanglements(state: Downtime) -> list[Target]:
    """Return ("e", which of those that came, which of its entries) of each entanglement to pick from."""
    return [
        ("e", number, entry)
        for number, trouble in enumerate(state.troubles if _activities(state) else ())
        if trouble.chosen is None
        for entry in range(len(trouble.entries))
    ]


def _entry(state: Downtime, prefix: str, number: int, entry: int) -> tuple[str]:
    return (state.troubles[number].entries[entry],)


def overindulged(name: str) -> str:
    """Return the message that overindulging has to be settled first."""
    return _("{name} has overindulged. Choose what comes of it first.").format(name=name)


def _is_there(scoundrel: Scoundrel, name: str) -> None:
    if scoundrel.over != (name in OVERINDULGED):
        raise not_now(name, overindulged(scoundrel.name) if scoundrel.over else _("No one has overindulged."))
    if scoundrel.away and not scoundrel.over:
        raise not_now(name, _("{name} is away.").format(name=scoundrel.name))
    if scoundrel.done:
        raise not_now(name, _("{name} has finished this downtime.").format(name=scoundrel.name))


def _unloaded(state: Downtime) -> Iterator[Effect]:
    """Yield the writes that clear all loads, since the score is over."""
    for scoundrel in state.those:
        down = tuple(Put(f"items/{row}/carried", to=False) for row in scoundrel.known.carried)
        if scoundrel.away is not Away.LEFT and (scoundrel.known.load or down):
            yield Write(character=scoundrel.character, steps=(Put("load", ""), *down), why=SCORE)


def with_heat(state: Downtime, added: int) -> Downtime:
    """Return the state with the crew's heat as `heat_steps` writes it, for dice of the same step that depend on it."""
    crew = state.known_crew()
    changed = {"heat": crew.heat, "wanted": crew.wanted}
    for step in heat_steps(crew.heat, crew.wanted, added):
        if isinstance(step, Shift):
            changed[step.address] += step.by
    return replace(state, crew=replace(crew, heat=changed["heat"], wanted=changed["wanted"]))


def _no_more_over(state: Downtime, key: str) -> Downtime:
    return state.with_(key, lambda now: replace(now, over=False))


def _over(state: Downtime) -> list[str]:
    return [scoundrel.name for scoundrel in state.those if scoundrel.over and scoundrel.away is not Away.LEFT]


class DowntimeRules(ProcedureRules[Downtime]):
    """The acts of a downtime: players choose for their own scoundrels, GMs for all; payoff, entanglements and the end
    are the GM's.
    """

    state = Downtime

    def start(self, given: Values) -> Downtime:
        """Begin a downtime. `given` are `those` who take part (name, character), whether at `war`, the `crew` and the `score`
        (each may be None), and `boxes` of stress and `filling_counts`, as of the settings.

        Raises NotPossible for no one, and for a score without a crew.
        """
        scoundrels = [Scoundrel(key=str(number), **scoundrel) for number, scoundrel in enumerate(given["those"], 1)]
        if not 1 <= len(scoundrels) <= MOST_THERE:
            message = (
                _("At most {most} characters can take part.").format(most=MOST_THERE)
                if scoundrels
                else _("No character in this campaign has a Forged in the Dark sheet.")
            )
            raise NotPossible("characters", len(scoundrels), allowed=f"1 to {MOST_THERE}", message=message)
        crew: Crew | None = given["crew"]
        score: Score | None = given["score"]
        if score and crew is None:
            message = _(
                "There’s no crew sheet in this campaign yet. Create one first, or choose that there was no score."
            )
            raise NotPossible("take", None, allowed="no score", message=message)
        stage = DowntimeStage.SCORE if score else DowntimeStage.ACTIVITIES
        more = {name: given[name] for name in ("war", "boxes", "filling_counts")}
        return Downtime(stage=stage, those=tuple(scoundrels), crew=crew, score=score, **more)

    @act(when=lambda state: state.stage is DowntimeStage.SCORE)
    def write(self, state: Downtime, step: Act) -> StepResult[Downtime]:
        """Write rep, coin and heat of the score, after which the entanglement that follows is rolled."""
        crew, score = state.known_crew(), state.score
        if score is None:
            raise not_now(WRITE, _("There was no score."))
        steps = (Shift("rep", score.rep), Shift("coin", score.coin), *heat_steps(crew.heat, crew.wanted, score.heat))
        after = with_heat(replace(state, stage=DowntimeStage.ACTIVITIES, entangle=1), score.heat)
        ended = [End(procedure=id) for id in state.left_open]
        return StepResult(after, [Write(character=crew.id, steps=steps, why=SCORE), *_unloaded(state), *ended])

    @act(TAKE, by=_owner, each=_who_can(TAKE), asks=True)
    def take_activity(self, state: Downtime, step: Act, key: str, at: int) -> Downtime | StepResult[Downtime]:
        return take(state, state.found(key), step)

    @act(by=_owner, each=_who_can(BUY_COIN), tried=False)
    def buy_coin(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        return buy(state, state.found(key), "coin")

    @act(by=_owner, each=_who_can(BUY_CREW), tried=False)
    def buy_crew(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        return buy(state, state.found(key), "crew")

    @act(by=_owner, each=_who_can(BUY_REP), tried=False)
    def buy_rep(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        return buy(state, state.found(key), "rep")

    @act(by=_owner, each=_who_can(BETTER), asks=True)
    def better(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        return better(state, state.found(key), step.values)

    @act(by=_owner, each=_who_can(DONE), tried=False)
    def done(self, state: Downtime, step: Act, key: str, at: int) -> Downtime:
        return state.with_(key, lambda now: replace(now, done=True))

    @act(by=_owner, each=_who_can(TROUBLE), tried=False)
    def trouble(self, state: Downtime, step: Act, key: str, at: int) -> Downtime:
        """Add an entanglement, the player's choice after overindulging."""
        return replace(_no_more_over(state, key), entangle=state.entangle + 1)

    @act(by=_owner, each=_who_can(BRAG), tried=False)
    def brag(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        crew = state.known_crew()
        heat = Write(character=crew.id, steps=heat_steps(crew.heat, crew.wanted, BRAG_HEAT), why=OVER)
        return StepResult(_no_more_over(state, key), [heat])

    @act(by=_owner, each=_who_can(LOST), tried=False)
    def lost(self, state: Downtime, step: Act, key: str, at: int) -> Downtime:
        settled = _no_more_over(state, key)
        scoundrels = (
            replace(scoundrel, away=Away.LOST) if scoundrel.key == key else scoundrel for scoundrel in settled.those
        )
        return replace(settled, those=tuple(scoundrels))

    @act(by=_owner, each=_who_can(CUT_OFF), tried=False)
    def cut_off(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        write = Write(character=state.found(key).character, steps=(Put("vice_purveyor", ""),), why=OVER)
        return StepResult(_no_more_over(state, key), [write])

    @act(each=_entanglements, terms=_entry)
    def choose(self, state: Downtime, step: Act, prefix: str, number: int, entry: int) -> Downtime:
        chosen = replace(state.troubles[number], chosen=entry)
        return replace(
            state, troubles=tuple(chosen if at == number else trouble for at, trouble in enumerate(state.troubles))
        )

    @act(when=_of_a_crew, terms=lambda state: (state.entangle,))
    def entangle(self, state: Downtime, step: Act) -> Downtime:
        return replace(state, entangle=state.entangle + 1)

    @act(when=_of_a_crew, asks=True)
    def prison(self, state: Downtime, step: Act) -> StepResult[Downtime]:
        """Lock someone up for the crew: the wanted level goes down by one, and the heat is gone."""
        crew, key = state.known_crew(), step.values["who"]
        if key and state.found(key).away:
            message = _("{name} is away already.").format(name=state.found(key).name)
            raise NotPossible("who", key, allowed="who is here", message=message)
        steps = (Shift("heat", -crew.heat), *((Shift("wanted", -1),) if crew.wanted else ()))
        after = state.with_(key, lambda now: replace(now, away=Away.PRISON)) if key else state
        return StepResult(after, [Write(character=crew.id, steps=steps, why=PRISONED)])

    @act(when=_activities)
    def end(self, state: Downtime, step: Act) -> StepResult[Downtime]:
        """End the downtime: who has not indulged has stress for each trauma."""
        if pending := _over(state):
            raise not_now(END, overindulged(pending[0]))
        effects: list[Effect] = []
        for scoundrel in state.those:
            if scoundrel.away is Away.LEFT:
                continue
            if not scoundrel.indulged and scoundrel.known.traumas:
                effects += stress_effects(state, scoundrel, scoundrel.known.traumas, VICE_LEFT)
        return StepResult(replace(state, stage=DowntimeStage.ENDED), effects)

    def why_not(self, state: Downtime, who: Actor, key: ActKey) -> str:
        """Return why the actor cannot take this step, also for a step of their own that is not offered to anyone."""
        scoundrel = next((scoundrel for scoundrel in state.those if target_key(scoundrel.target) == key.target), None)
        if (
            scoundrel is None
            or key.name not in THEIR_OWN
            or not who.plays(scoundrel.character)
            or not _activities(state)
        ):
            return super().why_not(state, who, key)
        try:
            _is_there(scoundrel, key.name)
            if key.name not in (TAKE, BETTER, DONE):
                getattr(self, key.name)(state, Act(name=key.name, by=who), *scoundrel.target)
            if key.name == BETTER:
                better(state, scoundrel, {"coin": 1, "paid_from": SOURCES[0]})
        except RuleError as error:
            return error.message
        return ""

    def waiting(self, state: Downtime) -> Sequence[tuple[str, str]]:
        if state.stage is DowntimeStage.SCORE:
            return [("", _("to record what the score brought"))]
        if state.stage is DowntimeStage.ENDED:
            return []
        waits: list[tuple[str, str]] = []
        for scoundrel in state.those:
            if scoundrel.over:
                waits.append((scoundrel.key, _("to choose what comes of overindulging")))
            elif left := state.left(scoundrel):
                words = ngettext("to choose {count} activity", "to choose {count} activities", left)
                waits.append((scoundrel.key, words.format(count=left)))
        if any(trouble.chosen is None for trouble in state.troubles):
            waits.append(("", _("to choose the entanglement")))
        return waits or [("", _("to end the downtime"))]

    def is_over(self, state: Downtime) -> bool:
        return state.stage is DowntimeStage.ENDED

    def parties(self, state: Downtime) -> Parties:
        """Return the characters in it, and the crew."""
        those = {scoundrel.key: (scoundrel.name, scoundrel.character) for scoundrel in state.those}
        return those | ({state.crew.id: ("", state.crew.id)} if state.crew else {})

    def on_roll(self, state: Downtime, answer: Answer) -> StepResult[Downtime]:
        return fell(state, answer)

    def on_void(self, state: Downtime, part: RollPart) -> Downtime:
        return voided(state, part)
