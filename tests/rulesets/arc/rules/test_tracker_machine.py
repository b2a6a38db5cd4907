"""An event in turns, whatever anybody may try in whatever order."""

from __future__ import annotations

from itertools import chain, cycle

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.acts import Actor
from rules.errors import RuleError
from rulesets.arc.procedures.tracker import CHANGES, LEAVES, Tracker
from rulesets.arc.rules.tracker import CORNERED, OCCASIONS, Mind, Side, Status
from rulesets.arc.settings import DEFAULTS
from rulesets.arc.sheet import Person
from tests.rulesets.arc.rules.turns import GM, Fight, person, someone
from tests.uids import uid

PLAYERS = [Actor(characters=frozenset({uid(f"N{n}")})) for n in range(2)]
HAD = (Status.DONE, Status.SKIPPED, Status.HOLDING, Status.NEXT_TURN)
"""The statuses of those who take part when a turn ends."""

few = st.integers(1, 3)
faces = st.lists(few, max_size=6)


class Anybody(RuleBasedStateMachine):
    """A GM and the players of N0 and N1 try whatever there is, for whomever, while sheets change and dice fall."""

    fight: Fight | None = None

    @initialize(apart=st.booleans(), scores=st.lists(few, min_size=4, max_size=4), fall=faces)
    def begin(self, apart, scores, fall):
        people = [person(f"N{n}", som, is_played=n < 2) for n, som in enumerate(scores)]
        surprised = someone("Surprised", how="surprised")
        self.fight = Fight(*people, surprised, faces=fall, apart=apart, N1="ambushed")
        self.acted, self.passed = [], set()

    def fall(self, fall):
        self.fight.table._faces = chain(fall, cycle(range(1, 11)))

    def there(self):
        return {one.key for one in self.fight.row.participants}

    @rule(
        name=st.sampled_from([*Tracker.acts.keys() - {"open", "land", "nothing"}, "declare", "declare", "done"]),
        at=st.integers(0, 6),
        other=st.integers(0, 6),
        by=st.sampled_from([GM, GM, *PLAYERS]),
        to=st.sampled_from([*CHANGES, "x"]),
        ambush=st.sampled_from(["", *Side]),
        done=st.booleans(),
        fall=faces,
    )
    def anything(self, name, at, other, by, to, ambush, done, fall):
        fight, before = self.fight, self.fight.row.model_copy(deep=True)
        names = [one.name for one in before.participants] or ["nobody"]
        whom, second = names[at % len(names)], names[other % len(names)]
        if name in ("check", "no_check"):
            whom = [*OCCASIONS][at]
        elif name in ("turn", "outcome", "react", "join"):
            whom = ""
        given = {
            "declare": {"done": done, "against": [second] if second != whom else []},
            "attack": {"target": second},
            "change": {"to": to} | ({"before": second} if second != whom else {}),
            "react": {"whom": [second], "occasion": CORNERED},
            "outcome": {"words": "a blow", "whom": second, "som": at - 3, "becomes": "unconscious" if at == 2 else ""},
            "join": {"lines": [someone(f"M{before.number}", at % 3 + 1)], "ambush": ambush},
        }
        self.fall(fall)
        key = fight.key(whom)
        people = [one.model_copy(deep=True) for one in fight.table.all(Person)]
        offered = before.acts[name].target(before, fight.table, [key] if key else []) is not None
        try:
            fight.do(name, whom, by=by, **given.get(name, {}))
        except (RuleError, AssertionError) as refused:
            assert isinstance(refused, AssertionError) or refused.message
            assert not offered or not by.is_gm or name in ("change", "react", "join", "declare", "attack")
            fight.row = before
            for row in (before, *people):
                fight.table._hold(row)
            return
        assert offered, name
        self.note(before, name, next((one for one in before.participants if one.key == key), None))
        was, now = {one.key for one in before.participants}, self.there()
        left = name == "change" and to == LEAVES
        assert (len(now - was), len(was - now)) == (name == "join", left), "somebody is lost"

    def note(self, before, name, who):
        if name == "turn":
            there = [one for one in before.participants if before.takes_part(one)]
            assert all(one.status in HAD for one in there), "a turn has ended before somebody had theirs"
            had = {one.key for one in there if one.status in (Status.DONE, Status.SKIPPED)}
            assert had <= {*self.acted, *self.passed}, "somebody was passed over"
            self.acted, self.passed = [], set()
        if name in ("wait", "skip"):
            self.passed.add(who.key)
        if name in ("declare", "go_on"):
            assert who.key not in self.acted, "somebody has declared twice in a turn"
            self.acted.append(who.key)
        if name == "declare":
            assert before.takes_part(who) and not before.pending(who)

    @rule(n=st.integers(0, 3), som=few, down=st.booleans(), fall=faces)
    def a_sheet_changes(self, n, som, down, fall):
        self.fall(fall)
        there, who = self.there(), self.fight.table.get(Person, uid(f"N{n}"))
        who.som, who.unconscious = som, down
        self.fight.settle()
        assert self.there() == there

    @precondition(lambda self: sum(one.in_play for one in self.fight.table.all(Person)) > 2)
    @rule(n=st.integers(0, 3), dies=st.booleans(), fall=faces)
    def somebody_dies_or_leaves_play(self, n, dies, fall):
        self.fall(fall)
        who = self.fight.table.get(Person, uid(f"N{n}"))
        who.dead, who.in_play = dies or who.dead, False
        left = {one.key for one in self.fight.row.participants if one.character != who.id or who.dead}
        self.fight.settle()
        assert self.there() == left
        assert all(one.mind is Mind.DEAD for one in self.fight.row.participants if one.character == who.id)

    @rule(fall=st.lists(st.integers(1, 10), min_size=12, max_size=12), taken_back=st.booleans())
    def checks_are_rolled(self, fall, taken_back):
        owed = [one for one in self.fight.row.checks if one.held is None]
        self.fight.react(*fall[: len(owed)])
        if taken_back:
            self.fight.row.on_answers(self.fight.table, [])

    @invariant()
    def the_order_is_that_of_the_scores(self):
        if self.fight is None or self.fight.row.moves:
            return
        row = self.fight.row
        ranks = [(*one.scores, one.rolls) for one in row.participants if row.takes_part(one)]
        assert not row.equals(DEFAULTS)
        assert ranks == sorted(ranks) and len(set(map(str, ranks))) == len(ranks)

    @invariant()
    def who_is_unaware_or_has_failed_a_check_waits_and_every_check_is_somebodys(self):
        if self.fight is None:
            return
        row, keys = self.fight.row, self.there()
        assert {one.key for one in row.checks} | {key for one in row.arisen for key in one.whom} <= keys
        failed = {one.key for one in row.checks if one.held is False}
        unaware = {one.key for one in row.participants if one.mind is not Mind.AWARE}
        assert {one.key for one in row.participants if row.takes_part(one)} == keys - failed - unaware
        assert not any(one.held is None and row.found(one.key).mind.is_down for one in row.checks)

    @invariant()
    def it_can_be_kept_and_somebody_is_waited_for(self):
        if self.fight is None:
            return
        row = self.fight.row
        assert Tracker.model_validate(row.model_dump(mode="json")) == row
        assert not any(one.status is Status.ARRIVING for one in row.participants)
        assert row.waits(self.fight.table)

    def teardown(self):
        """Wherever it stands, the turn can end, and all who are awake are in the next one."""
        if self.fight is None:
            return
        there = self.there()
        self.fight.whole_turn()
        self.fight.do("turn")
        row = self.fight.row
        assert self.there() == there
        assert {one.key for one in row.participants if row.takes_part(one)} == {
            one.key for one in row.participants if not one.mind.is_down
        }


TestAnybody = Anybody.TestCase
