"""A contest by random acts of random people: no choice is lost, nothing used twice, no Will made of nothing, and every stage can
end."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rules.checked import restored, stored
from rules.effects import Begin, Write
from rules.errors import RuleError
from rules.procedures import SheetSnapshot, Snapshot
from rulesets.descriptors.rules import contest_stage
from rulesets.descriptors.rules.contest_stage import Contest, ContestStage, Hit, Made
from rulesets.descriptors.rules.will import fund_of
from rulesets.descriptors.settings import Settings
from tests.rolls.acts import available, take
from tests.rulesets.descriptors.rules.test_contest_stage import CONTEST, GM, PLAYERS, A, B, fell

OWNERS = st.sampled_from([A, B, "scene"])
ACTS = [
    *("use", "take_out", "strike", "accept", "ready", "not_ready", "call_off"),
    *("make", "make_none", "cross", "injure", "bump", "shift"),
]


class Table(RuleBasedStateMachine):
    """Two players and a GM who press whatever comes to them; sheets change, and scenes end, beside it."""

    def __init__(self):
        super().__init__()
        self.rows = {who: {f"r{n}": (f"{who[0]}{n}", n) for n in (1, 2, 3)} for who in (A, B)}
        self.will = {A: 3, B: 2}
        self.flags = {A: {}, B: {}}
        self.lying = {"33333333-3333-3333-3333-333333333333": SimpleNamespace(name="Fire", dice=2)}
        self.there = {A, B}
        self.spent = self.gained = 0
        self.rolls = self.hits = self.made = 0
        self.first = sum(self.will.values())
        self.state = CONTEST.start({"sides": [self.side(A, "Abigail"), self.side(B, "Bob")], "decisions": Settings()})

    def values(self, who):
        rows = [
            {"id": key, "at": 0, "name": name, "dice": dice, "category": ""}
            for key, (name, dice) in self.rows[who].items()
        ]
        return {"will": self.will[who], "descriptors": rows, **self.flags[who]}

    def side(self, who, name):
        return {"name": name, "character": who, "fund": fund_of(self.values(who), Settings())}

    def seen(self):
        sheets = {
            who: SheetSnapshot(name=name, system="descriptors", values=self.values(who))
            for who, name in ((A, "Abigail"), (B, "Bob"))
            if who in self.there
        }
        return Snapshot(sheets=sheets, open={"scene_descriptor": list(self.lying.items())}, settings=Settings())

    def press(self, who, name, whom, values):
        """Act as the service does: read again, act, check the offer; then whatever follows."""
        state = CONTEST.reads(self.state, self.seen())
        try:
            after = take(CONTEST, state, who, name, whom, values=values)
        except RuleError:
            return
        if available(name, whom) not in CONTEST.available(state, who):
            return
        self.state = after.state
        for effect in after.effects:
            self.follow(effect)
        if contest_stage.ready(self.state):
            self.roll()

    def follow(self, effect):
        if isinstance(effect, Begin):
            self.made += 1
            return
        assert isinstance(effect, Write)
        self.hits += 1
        for step in effect.steps:
            if address := getattr(step, "address", ""):
                assert not self.flags[effect.character].get(address), "no box is crossed off twice"
                self.flags[effect.character][address] = True

    def roll(self):
        a, b = self.state.sides
        for mine, other in ((a, b), (b, a)):
            assert mine.costs <= self.will[mine.character], "nobody rolls on credit"
            self.will[mine.character] += other.gives - mine.costs
            self.spent += mine.costs
            self.gained += other.gives
        self.rolls += 1
        faces = [[(n * 7 + len(one.used) * 3) % 10 + 1 for n in range(one.pool)] for one in (a, b)]
        self.state = fell(self.state, *faces)

    @rule(
        who=st.sampled_from(["a", "b", "gm"]),
        name=st.sampled_from(ACTS),
        whom=st.sampled_from(["a", "b", "a1", "a2", "a3", "b1", "b2", "c", ""]),
        chips=st.lists(st.tuples(OWNERS, st.integers(1, 3)), max_size=2),
        word=st.sampled_from([None, {"name": "Word", "dice": 2, "theirs": False}]),
    )
    def somebody_acts(self, who, name, whom, chips, word):
        add = [self.pressed(*one) for one in chips]
        values = {"add": add, "words": word, "name": "Named", "words_": ""}
        if name == "shift":
            values = {"words": "The roof falls"}
        self.press(PLAYERS.get(who, GM), name, whom, values)

    def pressed(self, whose, number):
        if whose == "scene":
            key = "33333333-3333-3333-3333-333333333333"
            return {"source": f"scene/{key}", "name": "Fire", "dice": 2}
        name, dice = self.rows[whose].get(f"r{number}", ("gone", 1))
        return {"source": f"{whose}/descriptors/r{number}", "name": name, "dice": dice}

    @precondition(lambda self: not CONTEST.is_over(self.state))
    @rule(who=st.sampled_from(["a", "b", "gm"]), pick=st.integers(0, 30), chip=st.tuples(OWNERS, st.integers(1, 3)))
    def somebody_presses_what_is_shown(self, who, pick, chip):
        actor = PLAYERS.get(who, GM)
        shown = [one for one in CONTEST.available(self.state, actor) if one.name != "call_off"]
        if shown:
            offer = shown[pick % len(shown)]
            values = {"add": [self.pressed(*chip)], "name": "Named", "words": "It shifts"}
            values = values | ({"words": None} if offer.name == "use" else {})
            self.press(actor, offer.name, offer.whom, values)

    @rule(who=st.sampled_from([A, B]), number=st.integers(1, 3), dice=st.integers(0, 4))
    def a_sheet_changes(self, who, number, dice):
        if dice:
            self.rows[who][f"r{number}"] = (f"{who[0]}{number}", dice)
        else:
            self.rows[who].pop(f"r{number}", None)
        self.state = CONTEST.reads(self.state, self.seen())

    @rule(who=st.sampled_from([A, B]))
    def somebody_leaves_or_returns(self, who):
        self.there ^= {who}
        self.state = CONTEST.reads(self.state, self.seen())

    @rule()
    def the_scene_ends(self):
        self.lying.clear()
        self.state = CONTEST.at_scene_end(self.state)
        self.state = CONTEST.reads(self.state, self.seen())

    @precondition(lambda self: CONTEST.is_over(self.state))
    @rule()
    def it_is_over_for_good(self):
        assert not CONTEST.available(self.state, GM)

    @invariant()
    def will_is_conserved_up_to_costs_and_gains(self):
        assert sum(self.will.values()) == self.first - self.spent + self.gained
        assert min(self.will.values()) >= 0

    @invariant()
    def nothing_is_used_twice(self):
        placed = [one.source for whose in self.state.sides for one in whose.used if one.source]
        assert len(placed) == len(set(placed))
        keys = [one.key for whose in self.state.sides for one in whose.used]
        assert len(keys) == len(set(keys))

    @invariant()
    def no_choice_is_lost_or_made_twice(self):
        assert self.rolls <= 1 and self.hits <= 1 and self.made <= 1
        after = self.state.after
        if after is None:
            return
        assert (after.hit in (Hit.BOX, Hit.INJURY, Hit.BOTH)) == bool(self.hits)
        assert (after.made is Made.MADE) == bool(self.made)
        if self.state.stage is ContestStage.AFTER and not CONTEST.is_over(self.state):
            assert CONTEST.waiting(self.state), "whoever is open is waited for"

    @invariant()
    def a_gm_can_always_go_on(self):
        """Every stage can end."""
        if not CONTEST.is_over(self.state):
            assert CONTEST.available(self.state, GM)

    @invariant()
    def it_is_stored_as_it_is(self):
        assert restored(Contest, stored(self.state)) == self.state


Table.TestCase.settings = hypothesis_settings(stateful_step_count=40)
TestTable = Table.TestCase
