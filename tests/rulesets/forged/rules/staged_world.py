"""A table without a database, at which staged actions are played by their rules alone: sheets, tokens, traumas, clocks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from characters.sheets.steps import Add, Put, Shift, Take
from rules.acts import Actor, AvailableAct
from rules.effects import Begin, Effect, End, NewClock, Retire, StepResult, Tick, Write
from rules.procedures import Answer, RollPart, SheetSnapshot, Snapshot
from rules.table import Table
from rulesets.forged.procedures.trauma import Trauma
from rulesets.forged.rows import Scoundrel
from rulesets.forged.rules import action_follows, full_tracks
from rulesets.forged.rules.action import desperate_xp
from rulesets.forged.rules.action_follows import Carried, CarriedRules
from rulesets.forged.rules.action_state import Action, Participant
from rulesets.forged.rules.body import resist_cost
from rulesets.forged.rules.roll import Result, resolve
from rulesets.forged.rules.staged_action import StagedActionRules, crew_of, person_of
from rulesets.forged.settings import DEFAULTS
from rulesets.forged.sheet import TRAUMAS, trauma_of
from tests.rolls.acts import take

CLOCK = "clock"
GM = Actor(is_gm=True)
ACTION, CARRIED = StagedActionRules(), CarriedRules()
RATS = {"id": f"{1:032x}", "at": 1, "name": "The Rats", "kind": "gang", "quality": 2, "state": "fine", "words": ""}
RING = {"id": f"{2:032x}", "at": 1, "name": "Ring", "load": 0, "carried": False}
SLOTS = {"harm_1": 2, "harm_2": 2, "harm_3": 1}


@dataclass
class World:
    """Three of them, a crew, one action at a time; `ids` number what begins."""

    sheets: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {
            name: {
                "prowl": rating,
                "stress": 6,
                "armor_boxes": rating,
                "special_boxes": 1,
                "coin": 2,
                "items": [dict(RING)],
            }
            for rating, name in enumerate("abc")
        }
    )
    crew: dict[str, Any] = field(default_factory=lambda: {"heat": 7, "wanted": 1, "cohorts": [dict(RATS)]})
    retired: set[str] = field(default_factory=set)
    """Those out of play, the dead among them."""
    tokens: dict[str, Carried] = field(default_factory=dict)
    traumas: dict[str, Trauma] = field(default_factory=dict)
    ticked: int = 0
    clocks: set[str] = field(default_factory=lambda: {CLOCK})
    """The running clocks."""
    made: int = 0
    """New clocks of consequences."""
    state: Action | None = None
    ids: Any = field(default_factory=count)

    def seen(self) -> Snapshot:
        there = {
            name: SheetSnapshot(name=name, system="forged", values=values)
            for name, values in self.sheets.items()
            if name not in self.retired
        }
        crew = SheetSnapshot(name="crew", system="forged", values=self.crew)
        return Snapshot(
            sheets=there | {"crew": crew},
            open={"setup": list(self.tokens.items()), "trauma": list(self.traumas.items())},
            settings=DEFAULTS,
            clocks=frozenset(self.clocks),
        )

    def begin(self, acting: str, **given: Any) -> Action:
        there = [name for name in self.sheets if name not in self.retired]
        people = tuple(person_of(name, name, self.sheets[name], DEFAULTS) for name in there)
        participants = (Participant(character=acting, rating=self.sheets[acting]["prowl"]),)
        fixed = {
            "action": "prowl",
            "attribute": "prowess",
            "settings": DEFAULTS,
            "crew": crew_of("crew", "crew", self.crew),
        }
        self.state = ACTION.start({**fixed, "people": people, "participants": participants, **given})
        return self.state

    def offers(self, who: Actor) -> list[AvailableAct]:
        self.reread()
        return ACTION.available(self.state, who)

    def reread(self) -> None:
        """Read again until nothing follows any more: without full stress no trauma is due."""
        seen = self.seen()
        self.traumas = {one: it for one, it in self.traumas.items() if self.choosing(it)}
        self.tokens = {one: now for one, it in self.tokens.items() if not (now := CARRIED.reads(it, seen)).gone}
        self.state = ACTION.reads(self.state, self.seen())

    def act(self, who: Actor, name: str, whom: Any, faces: Any, /, **step: Any) -> None:
        """Take one step, with the dice that fall. Raises a RuleError."""
        self.reread()
        self._done(take(ACTION, self.state, who, name, whom, **step))
        while not ACTION.is_over(self.state):
            if self.state.resisting:
                self._resistance(faces)
            elif participant := action_follows.to_roll(self.state):
                self._roll(participant, faces)
            else:
                break

    def choose(self, id: str, whom: str) -> None:
        trauma, table = self.traumas[id], self._table()
        trauma.choose(table, table.get(Scoundrel, whom.split(".")[0]), whom.split(".")[1])
        for row, before, after in table.changes():
            self.sheets[row.id] |= {name: value for name, value in after.items() if value != before[name]}
            self.retired |= set() if row.in_play else {row.id}
        self.reread()

    def choosing(self, trauma: Trauma) -> list[Scoundrel]:
        """Return those who have a trauma to choose."""
        return trauma.choosing(self._table())

    def _table(self) -> Table:
        known = {"stress", *map(trauma_of, TRAUMAS)}
        return Table(
            [
                Scoundrel(
                    id=name, in_play=name not in self.retired, **{one: sheet[one] for one in known & sheet.keys()}
                )
                for name, sheet in self.sheets.items()
            ],
            settings=DEFAULTS,
        )

    def _done(self, after: StepResult[Action]) -> None:
        self.state = after.state
        self._do(after.effects)

    def _roll(self, participant: Participant, faces: Any) -> None:
        state = self.state
        outcome = resolve(state.pool(participant), faces)
        if participant.cohort:
            kept = {"result": outcome.result.name.lower()}
            self._done(ACTION.on_roll(state, Answer(part=action_follows.part_of(participant), outcome=kept)))
            return
        built = state.built(participant, critical=outcome.result is Result.CRITICAL)
        bad = outcome.result is Result.BAD
        pushed = participant.stress
        costs = (
            [self._pays(participant.character, pushed), self._pays(participant.helper, 1)] if participant.helper else []
        )
        costs = costs or [self._pays(participant.character, pushed)]
        kept = {
            "result": outcome.result.name.lower(),
            "position": state.in_position.value,
            "effect": state.built(participant).level.effect.value,
            "ticks": 0 if bad else built.level.ticks,
            "xp": desperate_xp(state.in_position),
        }
        answer = Answer(
            part=action_follows.part_of(participant), outcome=kept, terms={"stress": pushed, "costs": costs}
        )
        self._done(ACTION.on_roll(state, answer))

    def _resistance(self, faces: Any) -> None:
        one = self.state.inflicted_as(self.state.resisting)
        stress = resist_cost(resolve(self.state.resisting_pool(one), faces))
        self._pays(one.whom, 2 * one.push)
        answer = Answer(part=RollPart("resist", one.key), outcome={}, terms={"costs": [self._pays(one.whom, stress)]})
        self._done(ACTION.on_roll(self.state, answer))

    def _pays(self, character: str, stress: int) -> dict[str, Any]:
        """Mark stress as the writes of a roll do (rulesets/forged/table/roll.py)."""
        sheet = self.sheets[character]
        before = sheet["stress"]
        sheet["stress"] = max(0, min(9, before + stress))
        return {"payer": character, "full": stress > 0 and sheet["stress"] == 9 and before < 9}

    def _do(self, effects: Any) -> None:
        for effect in effects:
            self._one(effect)
        self._follow()

    def archive(self) -> None:
        """Archive the clock, or restore it."""
        self.clocks ^= {CLOCK}
        self.reread()

    def mark(self, whose: str, address: str, to: int) -> None:
        """Change a value on a sheet by hand."""
        (self.crew if whose == "crew" else self.sheets[whose])[address] = to
        self._follow()
        self.reread()

    def _follow(self) -> None:
        """Apply what follows from full tracks, as after every operation."""
        there, seen = {**self.sheets, "crew": self.crew}, self.seen()
        for name, follow in full_tracks.FOLLOWS.items():
            those = [who for who in there if (who == "crew") == (name == "crew") and who in seen.sheets]
            due = {who: seen.sheets[who] for who in those if follow.due(there[who], DEFAULTS)}
            for effect in follow.effects(replace(seen, sheets=due)) if due else ():
                self._one(effect)

    def _one(self, effect: Effect) -> None:
        match effect:
            case Write(character=character, steps=steps):
                sheet = self.crew if character == "crew" else self.sheets[character]
                for step in steps:
                    self._step(sheet, step)
            case NewClock(clock=clock, segments=segments, filled=filled, kind=kind):
                assert 2 <= segments <= 12 and 0 <= filled < segments
                self.clocks.add(clock)
                self.made += kind == "danger"
            case Tick(ticks=ticks, clock=clock):
                assert clock in self.clocks, "no tick is lost on a clock that is not there"
                self.ticked += ticks if clock == CLOCK else 0
            case Begin(kind="setup", given=given):
                self.tokens[f"t{next(self.ids)}"] = CARRIED.start(given)
            case Begin(kind="trauma", given=given):
                self.traumas[f"b{next(self.ids)}"] = Trauma(**given)
            case End(procedure=id):
                assert self.tokens.pop(id), "a token is used up once"
            case Retire(character=character):
                self.retired.add(character)

    def _step(self, sheet: dict[str, Any], step: Any) -> None:
        match step:
            case Put(address=address, to=to):
                sheet[address] = to
            case Shift(address=address, by=by, most=most):
                there = sheet.get(address, 0)
                sheet[address] = max(0, there + by if most is None else min(there + by, max(there, most)))
            case Take(rows=rows, row_id=row):
                assert any(one["id"] == row for one in sheet[rows]), "what is taken is there"
                sheet[rows] = [one for one in sheet[rows] if one["id"] != row]
            case Add(rows=rows, given=given):
                held = sheet.setdefault(rows, [])
                assert len(held) < SLOTS[rows], "a row takes no more than it has places for"
                held.append({"id": f"{next(self.ids):032x}", "at": len(held) + 1, **given})
