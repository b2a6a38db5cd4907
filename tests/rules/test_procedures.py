"""Procedures as classes: which acts there are, who is offered what, and how acts, parts and undos are written down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from rolls.procedures import ProcedureForm, ProcedureKind
from rules.acts import ActKey, Actor, AvailableAct, act, anyone, player_of
from rules.errors import Block, BlockedByState, NotPossible
from rules.procedures import OPEN, ProcedureRules, RollPart
from tests.rolls.acts import available, take

GM, ANA, NOBODY = Actor(is_gm=True), Actor(characters=frozenset({"ana"})), Actor()
TIRED = Block("test_tired", "tired")


@dataclass(frozen=True)
class Gate:
    open: bool = False
    tired: bool = False
    pushed: int = 0


class Pushing(ProcedureRules[Gate]):
    @act(
        by=player_of(lambda state, who, hand: who),
        each=lambda state: [("ana", "left"), ("ana", "right")],
        blocks=lambda state, who, hand: (TIRED, "Ana is tired.") if state.tired else None,
        terms=lambda state, who, hand: (state.pushed,),
    )
    def push(self, state, step, who, hand):
        if state.pushed == 2:
            raise NotPossible("push", who, allowed="two pushes", message="It moves no further.")
        return replace(state, pushed=state.pushed + 1)


class Gates(Pushing):
    state = Gate

    @act(by=anyone, when=lambda state: not state.open)
    def knock(self, state, step):
        return state

    @act("open", when=lambda state: not state.open, tried=False)
    def unbar(self, state, step):
        raise NotPossible("open", None, allowed="a key", message="It takes a key.")


RULES = Gates()


def test_acts_are_those_of_its_bases_and_then_its_own():
    assert list(RULES.acts) == ["push", "knock", "open"]
    assert RULES.is_open_to_all("knock") and not RULES.is_open_to_all("open")


def test_everybody_is_offered_what_is_theirs():
    left, right = available("push", ("ana", "left")), available("push", ("ana", "right"))
    assert RULES.available(Gate(), ANA) == [left, right, available("knock")]
    assert RULES.available(Gate(), NOBODY) == [available("knock")]
    assert RULES.available(Gate(), GM) == [left, right, available("knock"), available("open")]
    assert RULES.available(Gate(open=True), NOBODY) == []


def test_a_step_that_would_be_refused_is_not_offered_unless_its_refusal_is_to_be_said():
    done = Gate(pushed=2)
    assert available("push", ("ana", "left")) not in RULES.available(done, ANA)
    assert RULES.why_not(done, ANA, ActKey("push", "ana.left")) == "It moves no further."
    assert RULES.why_not(done, NOBODY, ActKey("push", "ana.left")) == ""
    assert RULES.why_not(done, ANA, ActKey("push", "ben.left")) == RULES.why_not(done, ANA, ActKey("x")) == ""
    with pytest.raises(NotPossible, match="It takes a key"):
        take(RULES, Gate(), GM, "open")


def test_what_a_state_forbids_is_a_gms_to_allow():
    tired = Gate(tired=True)
    assert available("push", ("ana", "left")) in RULES.available(tired, GM)
    assert available("push", ("ana", "left")) not in RULES.available(tired, ANA)
    assert RULES.why_not(tired, ANA, ActKey("push", "ana.left")) == "Ana is tired."
    with pytest.raises(BlockedByState):
        take(RULES, tired, GM, "push", ("ana", "left"))
    assert take(RULES, tired, GM, "push", ("ana", "left"), override=True).state.pushed == 1


@pytest.mark.parametrize(("name", "target"), [("x", ""), ("push", "ana"), ("push", ("ben", "left")), ("knock", "ana")])
def test_what_does_not_stand_is_refused(name, target):
    with pytest.raises(NotPossible, match="any more"):
        take(RULES, Gate(), GM, name, target)


def test_an_offer_is_found_by_what_its_button_sends():
    found = RULES.find(Gate(pushed=1), ANA, ActKey.parse("push:ana.left"))
    assert found == AvailableAct("push", ("ana", "left")) and found.terms == (1,)
    assert ActKey.parse(str(found.key)) == found.key
    assert found.key.mark != RULES.find(Gate(), ANA, ActKey("push", "ana.left")).key.mark
    assert RULES.find(Gate(), NOBODY, ActKey("push", "ana.left")) is None


@pytest.mark.parametrize("sent", ["", "Push", "push:", "push:a b", "push~0f", "push!", "push:ana~0f3c96b1e2x"])
def test_what_no_button_sends_is_no_act(sent):
    with pytest.raises(ValueError):
        ActKey.parse(sent)


@pytest.mark.parametrize(
    ("kept", "part"),
    [
        ("resist.c1", RollPart("resist", "c1")),
        ("a.2", RollPart("a", "2")),
        ("1.0", RollPart("1", "0")),
        ("check3", RollPart("check3")),
    ],
)
def test_the_parts_of_rolls_are_read_as_they_are_kept(kept, part):
    assert RollPart.parse(kept) == part == RollPart.parse(str(part))


def test_an_act_whose_method_hides_a_rule_is_refused_as_the_class_is_made():
    with pytest.raises(TypeError, match="take hides a rule"):

        class Wrong(ProcedureRules[Gate]):
            @act()
            def take(self, state, step):
                return state


def test_an_act_says_by_a_function_who_may_take_it():
    with pytest.raises(TypeError, match="`by` of an act is `gm`, `anyone`, `player_of"):
        act(by="gm")


def test_forms_are_those_of_the_acts_that_ask():
    class Asking(Gates, ProcedureKind[Gate]):
        forms = {OPEN: ProcedureForm, "knock": ProcedureForm}

    with pytest.raises(TypeError, match="knock"):
        Asking()
