"""An attack, driven by random acts of random people: no illegal state, every stage can end, levels are marked once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from characters.sheets.steps import Shift
from rules.acts import Actor
from rules.checked import restored, stored
from rules.effects import led
from rules.errors import NotPossible, RuleError
from rules.procedures import Answer, RollPart
from rulesets.storyteller.rules import attack as rules
from rulesets.storyteller.rules.attack import Attack, AttackRules, AttackStage, Defence, Figures
from rulesets.storyteller.rules.contested import Side
from rulesets.storyteller.rules.damage import Body, Harm, Health
from tests.rolls.acts import take
from tests.uids import uid

GM, NOBODY = Actor(is_gm=True), Actor()
ANA, BEN = Actor(characters=frozenset({uid("a")})), Actor(characters=frozenset({uid("b")}))
RULES = AttackRules()
ATTACKER = Side(name="Ana", character=uid("a"), traits=("dexterity", "brawl"))
GUARD = Side(name="Ben", character=uid("b"), traits=("dexterity", "athletics"))
GUARDED = {"defence": Defence.DODGE, "guard": GUARD, "guard_willpower": False}


def declared(**given):
    figures = Figures(attack=5, strength=2, body=Body(stamina=2), health=Health(bashing=3, lethal=1))
    return RULES.start({"attack": ATTACKER, "target": "Ben", "character": uid("b"), "figures": figures} | given)


def after(state, by, name, whom="", **values):
    return take(RULES, state, by, name, whom, values=values)


def fallen(state, part, successes):
    result = "success" if successes else "failure"
    return led(RULES.on_roll(state, Answer(part=RollPart(part), outcome={"total": successes, "result": result})))


def test_a_whole_attack_marks_what_is_left():
    state = after(declared(dice=2, strength=True, harm=Harm.LETHAL), BEN, rules.DEFEND, "target", **GUARDED).state
    assert state.due == ("attack", "guard")
    state = fallen(fallen(state, "attack", 4).state, "guard", 1).state
    assert (state.stage, state.over, rules.rolls(state, "damage")[0].dice) == (AttackStage.HIT, 3, 2 + 2 + 2)
    state = fallen(after(state, ANA, rules.DAMAGE, "attacker").state, "damage", 4).state
    assert (state.stage, rules.rolls(state, "soak")[0].dice) == (AttackStage.SOAKING, 2)
    done = fallen(after(state, BEN, rules.SOAK, "target").state, "soak", 1)
    assert (done.state.stage, done.state.taken, done.state.beyond) == (AttackStage.DONE, 3, 0)
    assert [effect.steps for effect in done.effects] == [(Shift("lethal", 3),)]


def test_what_is_no_more_than_the_defence_misses():
    state = after(declared(), BEN, rules.DEFEND, "target", **GUARDED).state
    state = fallen(fallen(state, "guard", 2).state, "attack", 2).state
    assert state.stage is AttackStage.MISSED and RULES.is_over(state)


def test_what_nothing_soaks_is_marked_as_damage_falls():
    figures = Figures(attack=5, body=Body(mortal=True), health=Health())
    state = fallen(
        after(declared(figures=figures, harm=Harm.LETHAL), GM, rules.TAKE, "target").state, "attack", 1
    ).state
    done = fallen(after(state, ANA, rules.DAMAGE, "attacker").state, "damage", 1)
    assert (done.state.stage, done.state.taken) == (AttackStage.DONE, 1)
    assert done.effects


def test_players_know_no_figures_of_others():
    state = declared(open_b=False)
    known = RULES.shown(state)
    assert (known.figures.attack, known.figures.body, known.figures.health) == (5, Body(), None)
    secret = declared(open_b=False, figures=replace(state.figures, body=Body(stamina=5), health=Health(lethal=6)))
    assert RULES.shown(secret) == known
    attacker = RULES.shown(declared(open_a=False)).figures
    assert (attacker.attack, attacker.strength) == (0, 0)


@pytest.mark.parametrize("given", [{"dice": 31}, {"harm": "acid"}, {"target": ""}, {"character": uid("a")}])
def test_what_is_no_attack_is_refused(given):
    with pytest.raises(RuleError):
        declared(**given)


@given(st.integers(0, 6), st.integers(0, 6))
def test_only_what_is_over_hits(own, other):
    state = after(declared(), GM, rules.DEFEND, "target", **GUARDED).state
    state = fallen(fallen(state, "attack", own).state, "guard", other).state
    assert (state.stage is AttackStage.HIT) is (own > other)


class Attacks(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.state: Attack = declared(dice=2, harm=Harm.BASHING)
        self.written = 0

    def go(self, value) -> None:
        self.state = restored(Attack, stored(led(value).state))
        self.written += len(led(value).effects)

    @rule(
        who=st.sampled_from([GM, ANA, BEN, NOBODY]),
        name=st.sampled_from(["set", "defend", "take", "roll", "damage", "soak", "withdraw", "dance"]),
        whom=st.sampled_from(["", "attacker", "target"]),
        harm=st.sampled_from(list(Harm)),
    )
    def somebody_acts(self, who, name, whom, harm) -> None:
        values = {"set": {"harm": harm, "dice": 3}, "defend": GUARDED}.get(name, {})
        offered = {(one.name, one.whom) for one in RULES.available(self.state, who)}
        try:
            came = take(RULES, self.state, who, name, whom, values=values)
        except NotPossible:
            assert (name, whom) not in offered
            return
        if (name, whom) in offered:
            self.go(came)

    @precondition(lambda self: self.state.due)
    @rule(successes=st.integers(0, 9), at=st.integers(0, 1))
    def a_roll_falls(self, successes, at) -> None:
        part = self.state.due[min(at, len(self.state.due) - 1)]
        result = "success" if successes else "failure"
        self.go(RULES.on_roll(self.state, Answer(part=RollPart(part), outcome={"total": successes, "result": result})))

    @rule(part=st.sampled_from(["attack", "guard", "damage", "soak"]))
    def a_roll_that_nobody_waits_for_falls(self, part) -> None:
        if part not in self.state.due:
            assert (
                RULES.on_roll(self.state, Answer(part=RollPart(part), outcome={"total": 9, "result": "success"}))
                == self.state
            )

    @precondition(lambda self: self.state.due)
    @rule()
    def a_roll_is_voided(self) -> None:
        self.go(RULES.on_void(self.state, RollPart(self.state.due[0])))

    @invariant()
    def somebody_can_go_on_unless_it_is_over(self) -> None:
        can = bool(RULES.available(self.state, GM)) or bool(self.state.due)
        assert can is not RULES.is_over(self.state)
        assert bool(RULES.waiting(self.state)) is not RULES.is_over(self.state)
        assert not RULES.available(self.state, NOBODY)

    @invariant()
    def levels_are_marked_once_and_only_in_the_end(self) -> None:
        assert self.written <= 1
        assert (self.state.taken is not None) is (self.state.stage is AttackStage.DONE)


TestAttacks = Attacks.TestCase
