"""What may be done in a downtime, and what each step does on sheets and clocks; its dice are in downtime_rolls.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from characters.reasons import Reason
from characters.sheets.steps import Put, Shift
from rolls.rules.acts import Actor
from rolls.rules.effects import Effect, End, StepResult, Write
from rolls.rules.errors import NotPossible, RuleError
from rolls.rules.function_procedures import Act, AvailableAct
from rolls.rules.procedures import Values
from rulesets.forged.rules.downtime_activities import (
    BUYING,
    SOURCES,
    acquired,
    better,
    betterable,
    buy,
    not_now,
    stress_effects,
    take,
)
from rulesets.forged.rules.downtime_state import (
    MOST_THERE,
    Activity,
    Away,
    Crew,
    Downtime,
    Score,
    Scoundrel,
    Stage,
)
from rulesets.forged.rules.sheet_steps import heat_steps

WRITE, ENTANGLE, CHOOSE, PRISON, END = "write", "entangle", "choose", "prison", "end"
TAKE, BETTER, DONE = "take", "better", "done"
TROUBLE, BRAG, LOST, CUT_OFF = "trouble", "brag", "lost", "cut_off"
OVERINDULGED: Final = (TROUBLE, BRAG, LOST, CUT_OFF)
THEIR_OWN: Final = frozenset({TAKE, BETTER, DONE, *BUYING, *OVERINDULGED})
"""Steps of somebody's own, each of which says which one it is."""

BRAG_HEAT: Final = 2

SCORE = Reason("forged_score", "a score")
VICE_LEFT = Reason("forged_vice_left", "a downtime without the vice")
OVER = Reason("forged_overindulged", "overindulged")
PRISONED = Reason("forged_prison", "somebody went to prison")


def start(given: Values) -> Downtime:
    """`given`: `those` who take part (name, character), whether at `war`, the `crew` (a Crew or None), the `score` (a Score or
    None), and `boxes` of stress and `filling_counts`, as of the settings.

    Raises NotPossible for nobody, and for a score without a crew.
    """
    those = [Scoundrel(key=str(number), **one) for number, one in enumerate(given["those"], 1)]
    if not 1 <= len(those) <= MOST_THERE:
        message = "Nobody here has a forged sheet." if not those else f"At most {MOST_THERE} take part."
        raise NotPossible("characters", len(those), allowed=f"1 to {MOST_THERE}", message=message)
    crew: Crew | None = given["crew"]
    score: Score | None = given["score"]
    if score and crew is None:
        message = "No crew has a sheet at this table: choose that no score came before, or make one first."
        raise NotPossible("take", None, allowed="no score", message=message)
    stage = Stage.SCORE if score else Stage.ACTIVITIES
    more = {name: given[name] for name in ("war", "boxes", "filling_counts")}
    return Downtime(stage=stage, those=tuple(those), crew=crew, score=score, **more)


# Who may do what


def may(state: Downtime, who: Actor) -> Sequence[AvailableAct]:
    """Players choose for their own, GMs for all; what a score brings, entanglements and the end are the GM's."""
    if state.stage is Stage.SCORE:
        return [AvailableAct(WRITE)] if who.is_gm else []
    offers: list[AvailableAct] = []
    if state.stage is Stage.ACTIVITIES:
        for one in state.those:
            if who.plays(one.character):
                offers += [AvailableAct(name, one.whom) for name in own(state, one)]
        if who.is_gm:
            offers += _of_the_gm(state)
    return offers


def own(state: Downtime, one: Scoundrel) -> Sequence[str]:
    """The steps of somebody's own that would go now: by their sheet, or, where that is not told, as it was told of it."""
    return one.can if one.sheet is None else tuple(_own(state, one))


def _own(state: Downtime, one: Scoundrel) -> Iterator[str]:
    if one.over:
        yield from (name for name in OVERINDULGED if _goes(_settle_over, state, one, name))
        return
    if one.away or one.done:
        return
    yield from [TAKE] if state.left(one) else (name for name in BUYING if _goes(buy, state, one, name))
    if betterable(state, one):
        yield BETTER
    yield DONE


def _goes(do: Callable[[Downtime, Scoundrel, Act], object], state: Downtime, one: Scoundrel, name: str) -> bool:
    try:
        do(state, one, Act(name=name, whom=one.whom))
    except RuleError:
        return False
    return True


def why_not(state: Downtime, who: Actor, wanted: AvailableAct) -> str:
    """What keeps somebody from a step of their own, or a GM from the end."""
    if state.stage is not Stage.ACTIVITIES or (wanted.name not in THEIR_OWN and (wanted.name != END or not who.is_gm)):
        return ""
    values = {"coin": 1, "paid_from": SOURCES[0]} if wanted.name == BETTER else {}
    theirs = [one.character for one in state.those if one.whom == wanted.whom]
    if wanted.name in THEIR_OWN and not any(map(who.plays, theirs)):
        return ""
    try:
        if wanted.name != TAKE:
            act(state, who, Act(name=wanted.name, whom=wanted.whom, values=values))
    except RuleError as error:
        return error.message
    return ""


def _of_the_gm(state: Downtime) -> Iterator[AvailableAct]:
    for number, trouble in enumerate(state.troubles):
        if trouble.chosen is None:
            named = enumerate(trouble.entries.entries)
            yield from (AvailableAct(CHOOSE, f"e{number}.{at}", (entry,)) for at, entry in named)
    if state.crew:
        yield from (AvailableAct(ENTANGLE, terms=(state.entangle,)), AvailableAct(PRISON))
    if not _over(state):
        yield AvailableAct(END)


# Steps


def act(state: Downtime, by: Actor, act: Act) -> Downtime | StepResult[Downtime]:
    if state.stage is Stage.ENDED:
        raise not_now(act.name, "This downtime is over.")
    if (state.stage is Stage.SCORE) != (act.name == WRITE):
        raise not_now(act.name, "Write down what the score brought first." if act.name != WRITE else "That is written.")
    if act.name in THEIR_OWN:
        one = state.theirs(act.whom)
        _is_there(one, act.name)
        return _step_of(act.name)(state, one, act)
    steps: Mapping[str, Callable[[Downtime, Act], Downtime | StepResult[Downtime]]] = {
        WRITE: _write,
        ENTANGLE: lambda now, _: replace(now, entangle=now.entangle + 1),
        CHOOSE: _choose,
        PRISON: _prison,
        END: _end,
    }
    if act.name not in steps:
        raise not_now(act.name, "That is no step of a downtime.")
    return steps[act.name](state, act)


def _step_of(name: str) -> Callable[[Downtime, Scoundrel, Act], Downtime | StepResult[Downtime]]:
    if name in BUYING:
        return buy
    return {TAKE: take, BETTER: better, DONE: _done}.get(name, _settle_over)


def _is_there(one: Scoundrel, name: str) -> None:
    if one.over != (name in OVERINDULGED):
        message = f"{one.name} has overindulged: say first what came of it." if one.over else "Nobody has overindulged."
        raise not_now(name, message)
    if one.away and not one.over:
        raise not_now(name, f"{one.name} is away.")
    if one.done:
        raise not_now(name, f"{one.name} is done with this downtime.")


def _write(state: Downtime, act: Act) -> StepResult[Downtime]:
    """Rep, coin and heat of the score; then the entanglement that follows is rolled."""
    crew, score = state.known_crew(), state.score
    if score is None:
        raise not_now(act.name, "There was no score.")
    steps = (Shift("rep", score.rep), Shift("coin", score.coin), *heat_steps(crew.heat, crew.wanted, score.heat))
    after = with_heat(replace(state, stage=Stage.ACTIVITIES, entangle=1), score.heat)
    ended = [End(procedure=one) for one in state.left_open]
    return StepResult(after, [Write(character=crew.id, steps=steps, why=SCORE), *_unloaded(state), *ended])


def _unloaded(state: Downtime) -> Iterator[Effect]:
    """The score is over: nobody's load is chosen any more, and nothing is carried."""
    for one in state.those:
        down = tuple(Put(f"items/{row}/carried", to=False) for row in one.known.carried)
        if one.away is not Away.LEFT and (one.known.load or down):
            yield Write(character=one.character, steps=(Put("load", ""), *down), why=SCORE)


def with_heat(state: Downtime, added: int) -> Downtime:
    """With the crew's heat as `heat_steps` writes it: what is rolled in the same breath goes by it."""
    crew = state.known_crew()
    changed = {"heat": crew.heat, "wanted": crew.wanted}
    for step in heat_steps(crew.heat, crew.wanted, added):
        if isinstance(step, Shift):
            changed[step.address] += step.by
    return replace(state, crew=replace(crew, heat=changed["heat"], wanted=changed["wanted"]))


def _choose(state: Downtime, act: Act) -> Downtime:
    number, _, entry = act.whom.partition(".")
    known = {f"e{at}": trouble for at, trouble in enumerate(state.troubles) if trouble.chosen is None}
    if number not in known or entry not in {str(at) for at in range(len(known[number].entries.entries))}:
        raise not_now(act.whom, "That entanglement is settled already.")
    chosen = replace(known[number], chosen=int(entry))
    troubles = tuple(chosen if f"e{at}" == number else one for at, one in enumerate(state.troubles))
    return replace(state, troubles=troubles)


def _settle_over(state: Downtime, one: Scoundrel, act: Act) -> Downtime | StepResult[Downtime]:
    """What comes of overindulging; the player picks."""
    settled = state.with_(one.key, lambda now: replace(now, over=False))
    if act.name == TROUBLE:
        state.known_crew()
        return replace(settled, entangle=settled.entangle + 1)
    if act.name == LOST:
        return replace(
            settled, those=tuple(replace(x, away=Away.LOST) if x.key == one.key else x for x in settled.those)
        )
    if act.name == CUT_OFF:
        return StepResult(settled, [Write(character=one.character, steps=(Put("vice_purveyor", ""),), why=OVER)])
    crew = state.known_crew()
    return StepResult(
        settled, [Write(character=crew.id, steps=heat_steps(crew.heat, crew.wanted, BRAG_HEAT), why=OVER)]
    )


def _done(state: Downtime, one: Scoundrel, act: Act) -> StepResult[Downtime]:
    return StepResult(state.with_(one.key, lambda now: replace(now, done=True)), _assets(one))


def _assets(one: Scoundrel) -> list[Effect]:
    """What they have acquired in a downtime that began when that was written only in the end."""
    return [acquired(one, got) for got in one.taken if got.what is Activity.ACQUIRE and not got.written]


def _prison(state: Downtime, act: Act) -> StepResult[Downtime]:
    """Somebody is locked up for the crew: the wanted level goes down by one, and the heat is gone."""
    crew, key = state.known_crew(), act.values["who"]
    if key and state.found(key).away:
        raise NotPossible("who", key, allowed="who is here", message=f"{state.found(key).name} is away already.")
    steps = (Shift("heat", -crew.heat), *((Shift("wanted", -1),) if crew.wanted else ()))
    after = state.with_(key, lambda now: replace(now, away=Away.PRISON)) if key else state
    return StepResult(after, [Write(character=crew.id, steps=steps, why=PRISONED)])


def _over(state: Downtime) -> list[str]:
    """Who has yet to say what came of overindulging."""
    return [one.name for one in state.those if one.over and one.away is not Away.LEFT]


def _end(state: Downtime, act: Act) -> StepResult[Downtime]:
    """The GM ends it: who has not indulged has stress for each trauma."""
    if pending := _over(state):
        raise not_now(act.name, f"{pending[0]} has overindulged: say first what came of it.")
    effects: list[Effect] = []
    for one in state.those:
        if one.away is Away.LEFT:
            continue
        effects += [] if one.done else _assets(one)
        if not one.indulged and one.known.traumas:
            effects += stress_effects(state, one, one.known.traumas, VICE_LEFT)
    return StepResult(replace(state, stage=Stage.ENDED), effects)


# Who is waited for


def waiting(state: Downtime) -> Sequence[tuple[str, str]]:
    if state.stage is Stage.SCORE:
        return [("", "to write down what the score brought")]
    if state.stage is Stage.ENDED:
        return []
    waits: list[tuple[str, str]] = []
    for one in state.those:
        if one.over:
            waits.append((one.whom, "to say what came of overindulging"))
        elif left := state.left(one):
            waits.append((one.whom, f"to choose {left} {'activity' if left == 1 else 'activities'}"))
    if any(trouble.chosen is None for trouble in state.troubles):
        waits.append(("", "to choose the entanglement"))
    return waits or [("", "to end the downtime")]


def is_over(state: Downtime) -> bool:
    return state.stage is Stage.ENDED


def played(state: Downtime) -> list[str]:
    """The characters in it, and the crew."""
    return [*(one.character for one in state.those), *([state.crew.id] if state.crew else [])]
