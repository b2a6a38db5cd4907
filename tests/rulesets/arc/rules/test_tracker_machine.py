"""An event in turns, whatever anybody may try in whatever order."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from characters.sheets.steps import Put
from rolls.rules.effects import led
from rolls.rules.errors import RuleError
from rolls.rules.procedures import Act, Actor, Offer, Seen, SeenSheet
from rolls.rules.states import restored, stored
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules import tracker_checks as checks
from rulesets.arc.rules.tracker import Event, Mind, Side, Status
from rulesets.arc.rules.tracker_people import reads
from rulesets.arc.rules.turn import Declarant, declaration_order
from tests.depth import tries
from tests.rulesets.arc.rules.turns import DECLARED, GM, begun, reacted, rolled, someone, whole_turn

PLAYERS = [Actor(characters=frozenset({one})) for one in ("c0", "c1")]
OF_ONE = (
    acts.DECLARE, acts.DONE, acts.WAIT, acts.HOLD, acts.SKIP, acts.COME_IN, acts.GO_ON, acts.DROP, acts.WAIVE, acts.CHANGE
)  # fmt: skip
OF_ALL = (acts.TURN, acts.REACT, acts.OUTCOME, acts.JOIN, "end")
few = st.integers(1, 3)


class Anybody(RuleBasedStateMachine):
    """A GM and the players of c0 and c1 try whatever there is, for whomever, while sheets change and dice fall."""

    @initialize(apart=st.booleans(), scores=st.lists(few, min_size=4, max_size=4), faces=st.lists(few, max_size=6))
    def begin(self, apart, scores, faces):
        those = [
            someone(
                f"N{n}",
                som=som,
                character=f"c{n}",
                played=n < 2,
                side=Side.PARTY if n < 2 else Side.FOES,
                ambushed=n == 1,
            )
            for n, som in enumerate(scores)
        ]
        those.append(someone("Surprised", mind=Mind.SURPRISED))
        self.state: Event = begun(*those, faces=faces, apart=apart)
        self.sheets = {f"c{n}": som for n, som in enumerate(scores)}
        self.down: set[str] = set()
        self.acted: list[str] = []

    def seen(self):
        values = {"empathy": 4, "skills": [{"id": "p", "name": "Perception", "es": 4, "stat": "intellect"}]}
        sheets = {
            one: SeenSheet(
                name=f"N{one[1]}", system="arc", values=values | {"som": som, "unconscious": one in self.down}
            )
            for one, som in self.sheets.items()
        }
        return Seen(sheets=sheets)

    @rule(
        name=st.sampled_from((*OF_ONE, *OF_ONE, *OF_ALL, acts.CHECK, acts.NO_CHECK)),
        at=st.integers(0, 6),
        other=st.integers(0, 6),
        by=st.sampled_from([GM, GM, *PLAYERS]),
        to=st.sampled_from([*acts.CHANGES, "x"]),
        faces=st.lists(few, max_size=4),
    )
    def anything(self, name, at, other, by, to, faces):
        state = self.state
        keys = [one.key for one in state.participants] or ["1"]
        whom, second = keys[at % len(keys)], keys[other % len(keys)]
        if name in (acts.CHECK, acts.NO_CHECK):
            whom = list(checks.OCCASIONS)[at]
        values = {
            **DECLARED,
            "actions": 1,
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
        offered = Offer(name, whom) in acts.may(state, GM)
        try:
            done = led(acts.act(state, by, Act(name=name, whom=whom, values=values)))
        except RuleError as refused:
            assert refused.message and (not offered or name in (acts.CHANGE, acts.REACT, acts.JOIN))
            return
        assert offered, name
        if Offer(name, whom) not in acts.may(state, by):
            assert not by.is_gm
            return
        self._note(state, name, whom)
        self.state = rolled(done.state, *faces)
        for write in done.effects:
            for step in write.steps:
                if isinstance(step, Put):
                    self._falls(write.character, down=bool(step.to))

    def _falls(self, character, *, down):
        self.down = self.down | {character} if down else self.down - {character}

    def _note(self, before, name, whom):
        if name == acts.TURN:
            self.acted = []
        if name == acts.DECLARE:
            assert whom not in self.acted, "somebody has declared twice in a turn"
            self.acted.append(whom)
            ahead = before.participants[: [one.key for one in before.participants].index(whom)]
            one = before.found(whom)
            assert before.takes_part(one)
            if one.status is Status.TO_ACT:
                waits = [p for p in ahead if before.takes_part(p) and p.status is Status.TO_ACT]
                assert not waits, "somebody has declared before their turn"

    @rule(n=st.integers(0, 3), som=few, down=st.booleans(), faces=st.lists(few, max_size=4))
    def a_sheet_changes(self, n, som, down, faces):
        if f"c{n}" in self.sheets:
            self.sheets[f"c{n}"] = som
            self._falls(f"c{n}", down=down)
        self.state = rolled(reads(self.state, self.seen()), *faces)

    @precondition(lambda self: len(self.sheets) > 2)
    @rule(n=st.integers(0, 3))
    def somebody_is_out_of_play(self, n):
        before = {one.key for one in self.state.participants if one.character != f"c{n}"}
        self.sheets.pop(f"c{n}", None)
        self.state = rolled(reads(self.state, self.seen()))
        assert before >= {one.key for one in self.state.participants if one.character is None}

    @rule(faces=st.lists(st.integers(1, 10), min_size=12, max_size=12), taken_back=st.booleans())
    def checks_are_rolled(self, faces, taken_back):
        owed = [one for one in self.state.checks if one.held is None]
        state = reacted(self.state, *faces[: len(owed)])
        self.state = rolled(checks.told(state, [])) if taken_back else state

    @invariant()
    def the_order_is_that_of_the_scores(self):
        if not hasattr(self, "state") or self.state.moves:
            return
        there = [one for one in self.state.participants if self.state.takes_part(one)]
        order = declaration_order(Declarant(one.key, one.som, one.empathy, one.perception, one.rolls) for one in there)
        assert not order.roll_again
        ranks = [(one.som, one.empathy, one.perception, one.rolls) for one in there]
        assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)

    @invariant()
    def it_can_be_kept_and_nobody_is_lost(self):
        if not hasattr(self, "state"):
            return
        state = self.state
        assert restored(Event, stored(state)) == state
        assert len({one.key for one in state.participants}) == len(state.participants)
        assert not any(one.status is Status.ARRIVING for one in state.participants)
        assert acts.waiting(state)

    def teardown(self):
        """Wherever it stands, the turn can end, and all who are awake are in the next one."""
        if not hasattr(self, "state"):
            return
        _, ended = whole_turn(self.state)
        assert Offer(acts.TURN) in acts.may(ended, GM)
        begun_anew = rolled(led(acts.act(ended, GM, Act(name=acts.TURN))).state)
        assert {one.key for one in begun_anew.participants} == {one.key for one in self.state.participants}
        awake = {one.key for one in begun_anew.participants if not one.mind.is_down}
        assert {one.key for one in begun_anew.participants if begun_anew.takes_part(one)} == awake


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(max_examples=tries(40, 400), stateful_step_count=25, deadline=None)
