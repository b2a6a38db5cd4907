"""An event in turns in one line: who takes part, with which dice, and what they do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, cycle
from typing import Any

from rules.acts import Actor
from rules.procedures import Answer, RollPart
from rules.table import Held, Table
from rulesets.arc.procedures.tracker import Tracker
from rulesets.arc.rules.tracker import OCCASIONS, Participant, Status
from rulesets.arc.settings import DEFAULTS, Settings
from rulesets.arc.sheet import Person
from tests.uids import uid

GM = Actor(is_gm=True)
CARRIES_NOTHING = {"base_movement": 8, "size": "medium", "carried": [], "build": 5, "control": 5}
PERCEIVES = {"id": "p", "name": "Perception", "es": 4, "stat": "intellect"}


def someone(name: str, som: int = 5, **more: Any) -> dict[str, Any]:
    """Return nameless ones as the form reads them: two actions, 8 m."""
    scores = {"som": som, "empathy": 4, "perception": 4, "es": 5, "control": 5}
    return {"name": name, "many": 1, "ally": False, "size": "medium", "burden": "none", "how": "aware"} | scores | more


def person(name: str, som: int = 5, *, skills: Iterable[dict[str, Any]] = (PERCEIVES,), **more: Any) -> Person:
    """Return a character who is played, with an Empathy and a Perception of 4."""
    values = Held(CARRIES_NOTHING | {"skills": [*skills]})
    return Person(id=uid(name), name=name, som=som, empathy=4, values=values, **more)


class Fight:
    """An event in turns on a table; faces that are not given fall as 1 to 10 in turn."""

    def __init__(
        self,
        *those: dict[str, Any] | Person,
        faces: Iterable[int] = (),
        apart: bool = False,
        ambush: str = "",
        settings: Settings = DEFAULTS,
        **how: str,
    ) -> None:
        self.row, people = Tracker(id="fight"), [one for one in those if isinstance(one, Person)]
        source = chain(faces, cycle(range(1, 11)))
        self.table = Table([self.row, *people], settings=settings, faces=source)
        takes_part = [f"{how.get(one.name, 'aware')}:{one.id}" for one in people]
        lines = [one for one in those if not isinstance(one, Person)]
        self.said = self.do("open", takes_part=takes_part, lines=lines, apart=apart, ambush=ambush)

    def do(self, name: str, whom: str = "", /, *more: str, by: Actor = GM, override: bool = False, **given: Any) -> str:
        """Take an act for the participant with this name, if this person may. Return its line; `against` and so on are names."""
        row, table = self.row, self.table
        table.by, table.override, table.told, act = by, override, [], row.acts[name]
        target = act.target(row, table, [self.key(whom), *more] if whom else [])
        assert target is not None and act.by(row, by, *target), "It is not offered."
        if name in ("declare", "go_on"):
            given = {"words": "strikes"} | given
        for field in {"against", "whom", "before", "target"} & given.keys():
            named = given[field]
            given[field] = [*map(self.key, named)] if isinstance(named, list) else self.key(named)
        asked = {one.name: one.read(given.get(one.name), row, table, target) for one in act.asks}
        line = row.take(table, act, target, asked)
        self.settle()
        return " ".join(map(str, filter(None, (line, *table.told))))

    def settle(self) -> str:
        """Let what follows from the sheets happen. Return what is told of that alone."""
        told = len(self.table.told)
        self.row.settle(self.table)
        self.table.settle()
        return " ".join(map(str, self.table.told[told:]))

    def key(self, name: str) -> str:
        return next((one.key for one in self.row.participants if one.name == name), name)

    def of(self, name: str) -> Participant:
        return self.row.found(self.key(name))

    def react(self, *faces: int) -> None:
        """Let these faces fall for the Reaction checks that are owed, in order."""
        row, stand = self.row, []
        for check, face in zip([one for one in row.checks if one.held is None], faces, strict=True):
            result = {"result": "success" if face <= (row.found(check.key).som or 0) else "failure"}
            if check.made:
                row.on_roll(self.table, check.part, result)
            else:
                stand.append(Answer(part=RollPart(check.part), outcome=result))
        row.on_answers(self.table, stand)
        self.settle()

    @property
    def names(self) -> list[str]:
        """Return the names of those who declare in this turn, first to last."""
        return [one.name for one in self.row.participants if self.row.takes_part(one)]

    @property
    def now(self) -> str:
        return self.row.current.name if self.row.current else ""

    @property
    def arisen(self) -> dict[str, list[str]]:
        """Return the occasions that have come up, and for whom."""
        return {one.occasion: sorted(self.row.found(key).name for key in one.whom) for one in self.row.arisen}

    def offers(self, *members: Actor) -> set[str]:
        """Return what may be done: by GMs, or by a member."""
        offers = self.row.offers(self.table, dict(enumerate(members)))
        those = (one for one in offers if not members or one.members)
        return {
            ".".join([one.act.name, *(self.called(str(one.available.target[0])) for _ in one.target)]) for one in those
        }

    def called(self, key: str) -> str:
        return key if key in OCCASIONS else self.row.party(self.table, key)[0]

    def whole_turn(self) -> list[str]:
        """Let everyone declare and act, one after the other. Return who acted, in order."""
        acted = []
        while owed := [one for one in self.row.checks if one.held is None]:
            self.do("waive", self.row.found(owed[0].key).name)
        while one := self.row.current:
            if one.status is Status.DECLARED:
                self.do("done", one.name)
            else:
                acted.append(one.name)
                self.do("declare", one.name, override=True)
        return acted
