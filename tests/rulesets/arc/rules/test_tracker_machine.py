"""An event in turns, whatever anybody may try in whatever order."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from characters.sheets.steps import Put
from rules.acts import Actor
from rules.checked import restored, stored
from rules.errors import RuleError
from rules.procedures import SheetSnapshot, Snapshot
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import Event, Mind, Side, Status, equals
from rulesets.arc.rules.tracker_acts import reads
from tests.rolls.acts import available, take
from tests.rulesets.arc.rules.turns import DECLARED, GM, TRACKER, begun, reacted, rolled, someone, whole_turn
from tests.uids import uid

NAMES = {uid(f"c{n}"): f"N{n}" for n in range(4)}
PLAYERS = [Actor(characters=frozenset({one})) for one in (uid("c0"), uid("c1"))]
OF_ONE = (
    acts.DECLARE, acts.DONE, acts.WAIT, acts.HOLD, acts.SKIP, acts.COME_IN, acts.GO_ON, acts.DROP, acts.WAIVE, acts.CHANGE
)  # fmt: skip
OF_ALL = (acts.TURN, acts.REACT, acts.OUTCOME, acts.JOIN, "end")
HAD = (Status.DONE, Status.SKIPPED, Status.HOLDING, Status.NEXT_TURN)
"""The statuses of those who take part when a turn ends."""

few = st.integers(1, 3)


class Anybody(RuleBasedStateMachine):
    """A GM and the players of c0 and c1 try whatever there is, for whomever, while sheets change and dice fall."""

    @initialize(apart=st.booleans(), scores=st.lists(few, min_size=4, max_size=4), faces=st.lists(few, max_size=6))
    def begin(self, apart, scores, faces):
        those = [
            someone(
                f"N{n}",
                som=som,
                character=uid(f"c{n}"),
                played=n < 2,
                side=Side.PARTY if n < 2 else Side.FOES,
                ambushed=n == 1,
            )
            for n, som in enumerate(scores)
        ]
        those.append(someone("Surprised", mind=Mind.SURPRISED))
        self.state: Event = begun(*those, faces=faces, apart=apart)
        self.sheets = {uid(f"c{n}"): som for n, som in enumerate(scores)}
        self.down: set[str] = set()
        self.dead: set[str] = set()
        self.acted: list[str] = []
        self.passed: set[str] = set()

    def seen(self):
        values = {"empathy": 4, "skills": [{"id": "p", "name": "Perception", "es": 4, "stat": "intellect"}]}
        sheets = {
            character: SheetSnapshot(
                name=NAMES[character],
                system="arc",
                values=values | {"som": som, "unconscious": character in self.down},
            )
            for character, som in self.sheets.items()
        }
        return Snapshot(sheets=sheets, dead=frozenset(self.dead))

    @rule(
        name=st.sampled_from((*OF_ONE, *OF_ONE, *OF_ALL, acts.CHECK, acts.NO_CHECK)),
        at=st.integers(0, 6),
        other=st.integers(0, 6),
        by=st.sampled_from([GM, GM, *PLAYERS]),
        to=st.sampled_from([*acts.CHANGES, "x"]),
        ambush=st.sampled_from(["", *Side]),
        done=st.booleans(),
        faces=st.lists(few, max_size=4),
    )
    def anything(self, name, at, other, by, to, ambush, done, faces):
        state = self.state
        keys = [one.key for one in state.participants] or ["1"]
        whom, second = keys[at % len(keys)], keys[other % len(keys)]
        if name in (acts.CHECK, acts.NO_CHECK):
            whom = list(checks.OCCASIONS)[at]
        values = {
            **DECLARED,
            "actions": 1,
            "done": done,
            "ambush": ambush,
            "against": (second,) if second != whom else (),
            "to": to,
            "before": second,
            "occasion": checks.CORNERED,
            "whom": [second] if name == acts.REACT else second,
            "som": at - 3,
            "becomes": "unconscious" if at == 2 else "",
            "those": [someone(f"M{state.number}", som=at % 3 + 1)],
        }
        whom = "" if name in OF_ALL else whom
        offered = available(name, whom) in TRACKER.available(state, GM)
        try:
            after = take(TRACKER, state, by, name, whom, values=values)
        except RuleError as refused:
            assert refused.message and (not offered or name in (acts.CHANGE, acts.REACT, acts.JOIN))
            return
        assert offered, name
        if available(name, whom) not in TRACKER.available(state, by):
            assert not by.is_gm
            return
        self._note(state, name, whom)
        self.state = rolled(after.state, *faces)
        self._nobody_is_lost(state, name, whom, to)
        for write in after.effects:
            for step in write.steps:
                if isinstance(step, Put):
                    self._falls(write.character, down=bool(step.to))

    def _falls(self, character, *, down):
        self.down = self.down | {character} if down else self.down - {character}

    def _note(self, before, name, whom):
        if name == acts.TURN:
            there = [one for one in before.participants if before.takes_part(one)]
            assert all(one.status in HAD for one in there), "a turn has ended before somebody had theirs"
            had = {one.key for one in there if one.status in (Status.DONE, Status.SKIPPED)}
            assert had <= {*self.acted, *self.passed}, "somebody was passed over"
            self.acted, self.passed = [], set()
        if name in (acts.WAIT, acts.SKIP):
            self.passed.add(whom)
        if name == acts.GO_ON:
            assert before.found(whom).mind is Mind.SURPRISED and whom not in self.acted
            self.acted.append(whom)
        if name == acts.DECLARE:
            assert whom not in self.acted, "somebody has declared twice in a turn"
            self.acted.append(whom)
            ahead = before.participants[: [one.key for one in before.participants].index(whom)]
            one = before.found(whom)
            assert before.takes_part(one) and not before.pending(whom)
            if one.status is Status.TO_ACT:
                waits = [p for p in ahead if before.takes_part(p) and p.status is Status.TO_ACT]
                assert not waits, "somebody has declared before their turn"

    def _nobody_is_lost(self, before, name, whom, to):
        was, now = ({one.key for one in state.participants} for state in (before, self.state))
        if name == acts.JOIN:
            assert now > was and len(now - was) == 1
        elif name == acts.CHANGE and to == acts.LEAVES:
            assert now == was - {whom}
        else:
            assert now == was

    @rule(n=st.integers(0, 3), som=few, down=st.booleans(), faces=st.lists(few, max_size=4))
    def a_sheet_changes(self, n, som, down, faces):
        before = self.state
        if uid(f"c{n}") in self.sheets:
            self.sheets[uid(f"c{n}")] = som
            self._falls(uid(f"c{n}"), down=down)
        self.state = rolled(reads(before, self.seen()), *faces)
        self._nobody_is_lost(before, "", "", "")

    @precondition(lambda self: len(self.sheets) > 2)
    @rule(n=st.integers(0, 3), faces=st.lists(few, max_size=4))
    def a_character_dies(self, n, faces):
        before = self.state
        if self.sheets.pop(uid(f"c{n}"), None):
            self.dead.add(uid(f"c{n}"))
        self.state = rolled(reads(before, self.seen()), *faces)
        self._nobody_is_lost(before, "", "", "")
        assert all(one.mind is Mind.DEAD for one in self.state.participants if one.character in self.dead)

    @precondition(lambda self: len(self.sheets) > 2)
    @rule(n=st.integers(0, 3))
    def somebody_is_out_of_play(self, n):
        left = {one.key for one in self.state.participants if one.character != uid(f"c{n}")}
        self.sheets.pop(uid(f"c{n}"), None)
        self.dead.discard(uid(f"c{n}"))
        self.state = rolled(reads(self.state, self.seen()))
        assert {one.key for one in self.state.participants} == left

    @rule(faces=st.lists(st.integers(1, 10), min_size=12, max_size=12), taken_back=st.booleans())
    def checks_are_rolled(self, faces, taken_back):
        owed = [one for one in self.state.checks if one.held is None]
        state = reacted(self.state, *faces[: len(owed)])
        self.state = rolled(TRACKER.on_answers(state, [])) if taken_back else state

    @invariant()
    def the_order_is_that_of_the_scores(self):
        if not hasattr(self, "state") or self.state.moves:
            return
        there = [one for one in self.state.participants if self.state.takes_part(one)]
        assert not equals(self.state)
        ranks = [(one.som, one.empathy, one.perception, one.rolls) for one in there]
        assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)

    @invariant()
    def who_is_unaware_or_has_failed_a_check_waits_and_every_check_is_somebodys(self):
        if not hasattr(self, "state"):
            return
        state = self.state
        keys = {one.key for one in state.participants}
        assert {one.key for one in state.checks} | {key for one in state.arisen for key in one.whom} <= keys
        failed = {one.key for one in state.checks if one.held is False}
        unaware = {one.key for one in state.participants if one.mind is not Mind.AWARE}
        assert {one.key for one in state.participants if state.takes_part(one)} == keys - failed - unaware
        assert not any(one.held is None and state.found(one.key).mind.is_down for one in state.checks)

    @invariant()
    def it_can_be_kept_and_nobody_is_lost(self):
        if not hasattr(self, "state"):
            return
        state = self.state
        assert restored(Event, stored(state)) == state
        assert len({one.key for one in state.participants}) == len(state.participants)
        assert not any(one.status is Status.ARRIVING for one in state.participants)
        assert TRACKER.waiting(state)

    def teardown(self):
        """Wherever it stands, the turn can end, and all who are awake are in the next one."""
        if not hasattr(self, "state"):
            return
        _, ended = whole_turn(self.state)
        assert available(acts.TURN) in TRACKER.available(ended, GM)
        begun_anew = rolled(take(TRACKER, ended, GM, acts.TURN).state)
        assert {one.key for one in begun_anew.participants} == {one.key for one in self.state.participants}
        awake = {one.key for one in begun_anew.participants if not one.mind.is_down}
        assert {one.key for one in begun_anew.participants if begun_anew.takes_part(one)} == awake


TestAnybody = Anybody.TestCase
