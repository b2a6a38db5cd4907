"""The acts of a downtime, and what each step does on sheets and clocks; its dice are in downtime_activities.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from characters.reasons import Reason
from characters.sheets.steps import Put, Shift
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext
from rules.acts import ActKey, Actor, Target, act, player_of, target_key
from rules.effects import Effect, End, StepResult, Write
from rules.errors import NotPossible, RuleError
from rules.procedures import Act, Answer, Parties, ProcedureRules, RollPart, Values
from rulesets.forged.rules import downtime_activities
from rulesets.forged.rules.downtime import Activity
from rulesets.forged.rules.downtime_activities import (
    BUY_COIN,
    BUY_CREW,
    BUY_REP,
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
    Away,
    Crew,
    Downtime,
    DowntimeStage,
    Score,
    Scoundrel,
    heat_steps,
)

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


def _assets(scoundrel: Scoundrel) -> list[Effect]:
    """Return the assets acquired in a downtime from when they were written only at its end."""
    return [acquired(scoundrel, got) for got in scoundrel.taken if got.what is Activity.ACQUIRE and not got.written]


def _over(state: Downtime) -> list[str]:
    """Return the names of those who have yet to choose a consequence of overindulging."""
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
    def done(self, state: Downtime, step: Act, key: str, at: int) -> StepResult[Downtime]:
        scoundrel = state.found(key)
        return StepResult(state.with_(key, lambda now: replace(now, done=True)), _assets(scoundrel))

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
            effects += [] if scoundrel.done else _assets(scoundrel)
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
        return downtime_activities.fell(state, answer)

    def on_void(self, state: Downtime, part: RollPart) -> Downtime:
        return downtime_activities.voided(state, part)
