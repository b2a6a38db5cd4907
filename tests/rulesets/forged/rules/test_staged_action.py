"""Staged actions on a table of plain objects: what each act does, and, with random steps of random people, that no state is
illegal, nothing is settled twice, and every stage can end."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from rules.acting import Offer, Roll, key_of
from rules.acts import Actor
from rules.errors import BlockedByState, RuleError
from rules.table import A_GM, Clock, Table
from rulesets.forged.procedures.action import StagedAction
from rulesets.forged.procedures.action_card import hit
from rulesets.forged.procedures.action_state import TAKEN
from rulesets.forged.procedures.score import Carried, Gives
from rulesets.forged.rows import Cohort, Crew, Item, Scoundrel, Trauma
from rulesets.forged.rules import DEFAULTS, resolve
from rulesets.forged.rules.action import EFFECTS, POSITIONS, Attribute, Effect, Fate, Position, Resisting, Stage
from rulesets.forged.terms import Kind

A, B, C = (str(UUID(int=number << 100)) for number in (1, 2, 3))  # parts of rolls are named by how they begin
PEOPLE = [A_GM, *(Actor(characters=frozenset({id})) for id in (A, B, C))]
UNSEEN = "canary"
ENDS = (
    "take_it",
    "take_fatal",
    "finish",
    "spare",
    "fall_back",
    "nobody_follows",
    "move_its_ticks",
    "move_ticks",
    "withdraw",
    "roll",
    "fare",  # which can be said again for as long as the action is open
)
"""The acts with which a GM ends any action: the first that is there."""
STEPS = 25


class Game:
    """Three scoundrels with prowl 0, 1 and 2 and some stress, their crew and its gang, two NPCs of whom players know one, a
    clock, and an action of the first."""

    def __init__(self, **given: Any) -> None:
        self.ids = itertools.count()
        people = [
            Scoundrel(
                id=id,
                name=f"{name} name",
                stress=6,
                coin=2,
                armor_boxes=dots,
                special_boxes=1,
                items={"ring": Item(name="Ring", load=0)},
                values={"prowl": dots, "finesse": 1},
            )
            for dots, (id, name) in enumerate(((A, "A"), (B, "B"), (C, "C")))
        ]
        crew = Crew(id="crew", name="The Wick", heat=7, wanted=1, cohorts={"rats": Cohort(name="The Rats", quality=2)})
        npcs = [Scoundrel(id=id, name=f"{id} name", is_played=False, hidden=id == UNSEEN) for id in ("vesk", UNSEEN)]
        self.action = StagedAction(id="action")
        clock = Clock(id="clock", name="Alarm", segments=12)
        self.table = Table([self.action, *people, *npcs, crew, clock], settings=DEFAULTS)
        self.action.take(
            self.table, self.action.acts["open"], (), {"character": self.who(A), "action": "prowl"} | given
        )

    def who(self, id: str) -> Scoundrel:
        return self.table.get(Scoundrel, id)

    def offers(self, who: Actor) -> list[Offer]:
        self.settle()
        there = self.action.offers(self.table, {1: who})
        return [one for one in there if who.is_gm or one.members]

    def press(self, who: Actor, name: str, key: str = "", *fell: int, override: bool = False, **asked: Any) -> str:
        """Take an act, with the dice that fall. A refusal changes nothing."""
        return self.take(who, name, key, iter(fell), override=override, **asked)

    def take(
        self, who: Actor, name: str, key: str, faces: Iterator[int], *, override: bool = False, **asked: Any
    ) -> str:
        self.settle()
        self.table.by, self.table.override = who, override
        act = self.action.acts[name]
        target = act.target(self.action, self.table, key.split(".") if key else [])
        if target is None or self.action.over:
            raise RuleError("act", name, allowed="what is offered", message="Not now.")
        trial = self.table.trial()
        trial.override = override
        self.action.take(trial, act, target, asked)
        line = str(self.action.take(self.table, act, target, asked))
        self.settle()
        while not self.action.over and (roll := self.action.next_roll(self.table)):
            outcome = self.fall(roll, faces)
            self.action.on_roll(self.table, roll.part, outcome)
            self.settle()
        return line

    def fall(self, roll: Roll, faces: Iterator[int]) -> dict[str, Any]:
        """Let dice fall as the roll's own terms read them, with what they cost."""
        ask, settings = roll.ask, self.table.settings
        outcome = resolve(ask.pool(settings), faces)
        result: dict[str, Any] = ask.result(outcome, settings)
        if ask.character:
            self.pay(str(ask.character), ask.stress + result.get("stress", 0))
        if ask.kind == Kind.ACTION and ask.helper:
            self.pay(ask.helper, 1)
        return result | {"result": outcome.result.name.lower()}

    def pay(self, id: str, stress: int) -> None:
        self.who(id).stress = max(0, min(9, self.who(id).stress + stress))

    def settle(self) -> None:
        """Do what follows, and let begin what begins."""
        self.action.settle(self.table)
        self.table.settle()
        begun, self.table.begun = self.table.begun, []
        for kind, with_ in begun:
            row = kind(id=f"begun{next(self.ids)}")
            self.table._hold(row)
            row.open(self.table, **with_)
        for crew in self.table.all(Crew):
            crew.mark_heat(0)
        choosing = {one.id for trauma in self.table.all(Trauma) for one in trauma.choosing(self.table)}
        if full := [
            one.id for one in self.table.all(Scoundrel) if one.stress >= 9 and one.in_play and one.id not in choosing
        ]:
            self.table._hold(Trauma(id=f"begun{next(self.ids)}", those=full))

    def traumas(self) -> list[tuple[Trauma, Scoundrel]]:
        there = (trauma for trauma in self.table.all(Trauma) if not trauma.over)
        return [(trauma, who) for trauma in there for who in trauma.choosing(self.table)]


SET: dict[str, Any] = {"position": Position.RISKY, "base": Effect.GREAT}


def said(data: DataObject, game: Game, name: str) -> dict[str, Any]:
    """Return values for an act's form, valid or not."""
    clocks = [None, *(clock for clock in game.table.all(Clock) if clock.id == "clock" and not clock.hidden)]
    new = {"new_clock": "Sirens", "segments": 4, "filled": data.draw(st.sampled_from([0, 2, 4]))}
    clock = data.draw(st.sampled_from([{"clock": one} for one in clocks] + [new]))
    factor = st.integers(-1, 1)
    match name:
        case "set":
            return {
                "position": data.draw(st.sampled_from(POSITIONS)),
                "base": data.draw(st.sampled_from(EFFECTS)),
                **{one: data.draw(factor) for one in ("potency", "quality", "scale")},
                "why": data.draw(st.sampled_from(["", "a charm"])),
                "ability": data.draw(st.integers(0, 2)),
                "more": data.draw(st.sampled_from([0, 0, 1, -1, 7])),
                "spared_2": data.draw(st.booleans()),
                "clock": data.draw(st.sampled_from(clocks)),
            }
        case "inflict":
            return {
                "code": data.draw(st.sampled_from(game.action.choices)),
                "price": data.draw(st.booleans()),
                "words": data.draw(st.sampled_from(["Cut", "Cut", "Cut", ""])),
                "heat": data.draw(st.booleans()),
                "size": data.draw(st.sampled_from([0, 0, 5])),
                "attribute": Attribute.PROWESS,
                "resisting": data.draw(st.sampled_from(Resisting)),
                "by": data.draw(st.integers(1, 2)),
                "whom": data.draw(st.sampled_from([None, *hit(game.action, game.table)])),
                **clock,
            }
        case "more_dice":
            why = data.draw(st.sampled_from(["", "a charm"]))
            return {"push": data.draw(st.booleans()), "more": data.draw(factor), "why": why}
        case "take_fatal":
            return {"fate": data.draw(st.sampled_from(Fate))}
        case "offer":
            words, item = (
                data.draw(st.sampled_from(["", "a witness"])),
                data.draw(st.sampled_from(["", "ring", "sword"])),
            )
            return {"words": words, "coin": data.draw(st.integers(0, 3)), "item": item}
        case "move_ticks" | "move_its_ticks":
            return clock if clock.get("filled") != 4 else {"clock": clocks[-1]}
        case "face_others":
            return {
                "others": data.draw(st.sampled_from(["Guard", "Guard, two dogs", ",", "a,b,c,d,e,f,g,h,i,j,k,l,m"]))
            }
        case "set_up":
            return {"gives": data.draw(st.sampled_from([Gives.EFFECT, Gives.POSITION]))}
    return {}


def faces(data: DataObject) -> Iterator[int]:
    return (data.draw(st.integers(1, 6)) for _ in itertools.count())


def check(game: Game, settled: dict[str, Any]) -> None:
    """Check what holds after every step, on sheets and on the card."""
    game.settle()
    broken = {who.id for _, who in game.traumas()}
    for who in game.table.all(Scoundrel):
        assert 0 <= who.stress <= 9 and 0 <= who.coin <= 2
        assert (who.stress == 9 and who.in_play) == (who.id in broken)
        assert all(len(who.harms(level)) <= most for level, most in ((1, 2), (2, 2), (3, 1)))
    for crew in game.table.all(Crew):
        assert 0 <= crew.heat <= 8 and crew.wanted <= 4
    for one in game.action.consequences:
        known = settled.setdefault(one.id, one.model_copy()) if one.became else one
        assert (one.became, one.severity, one.row) == (known.became, known.severity, known.row)
    made = [clock for clock in game.table.all(Clock) if clock.kind == "danger"]
    assert len(made) == len([one for one in game.action.consequences if one.segments and one.became == TAKEN])
    for roller in game.action.rollers:
        assert 0 <= game.action.pool(game.table, roller).rolled <= 9
        game.action.built(game.table, roller)
    assert game.action.over or list(game.action.waits(game.table)) is not None
    game.action.card(game.table, ())


def beside(data: DataObject, game: Game) -> None:
    """Do something beside the action: mark a track by hand, hide a clock, or choose a trauma."""
    if there := game.traumas():
        trauma, who = data.draw(st.sampled_from(there))
        trauma.choose(
            game.table, who, next(one for one in ("cold", "soft", "vicious", "haunted") if one not in who.traumas)
        )
    elif data.draw(st.integers(0, 3)) == 0:
        clock = game.table.get(Clock, "clock")
        clock.hidden = not clock.hidden
    elif left := [who for who in game.table.all(Scoundrel) if who.in_play]:
        data.draw(st.sampled_from(left)).stress = data.draw(st.integers(0, 9))


def random_step(data: DataObject, game: Game) -> None:
    if data.draw(st.integers(0, 5)) == 0:
        beside(data, game)
        return
    who = data.draw(st.sampled_from(PEOPLE))
    offers = game.offers(who)
    if not offers:
        return
    # By name first: a push may have many targets.
    name = data.draw(st.sampled_from(sorted({one.act.name for one in offers})))
    offer = data.draw(st.sampled_from([one for one in offers if one.act.name == name]))
    before, key = game.action.model_dump(), ".".join(map(key_of, offer.target))
    try:
        game.take(who, name, key, faces(data), **said(data, game, name))
    except BlockedByState:
        assert who.is_gm or offer.act.asks, "what a state forbids is a GM's to allow; a form says so once it is sent"
        assert game.action.model_dump() == before
    except RuleError:
        assert offer.act.asks and game.action.model_dump() == before, (
            "what is offered is refused only for what a form says"
        )


def set_out(data: DataObject, game: Game) -> None:
    """Bring the action to where it is announced, set, or rolled, which random steps alone would rarely do."""
    steps = data.draw(st.integers(0, 2))
    if steps:
        game.take(A_GM, "set", "", faces(data), **said(data, game, "set") | {"more": 0})
    if steps == 2:
        if game.action.group:
            game.press(A_GM, "join", B)
            if data.draw(st.booleans()):
                game.press(A_GM, "bring", "rats")
        for one in [one for one in game.action.rollers if not one.cohort]:
            game.take(A_GM, "roll", one.id, faces(data), override=True)


def to_the_end(data: DataObject, game: Game) -> None:
    """Finish the action as a GM alone, whatever is still open."""
    for _ in range(60):
        while game.traumas():
            beside(data, game)
            game.settle()
        if game.action.over:
            return
        offers = game.offers(A_GM)
        offer = next(one for name in ENDS for one in offers if one.act.name == name)
        asked = said(data, game, offer.act.name) if offer.act.asks else {}
        game.take(A_GM, offer.act.name, ".".join(map(key_of, offer.target)), faces(data), override=True, **asked)
    raise AssertionError(f"It does not end: {game.action.stage}")


@pytest.mark.parametrize("group", [False, True])
@given(data=st.data())
def test_whatever_anybody_does_nothing_is_illegal_and_every_stage_can_end(group: bool, data: DataObject) -> None:
    game, settled = Game(group=group, setup=data.draw(st.booleans())), dict[str, Any]()
    set_out(data, game)
    for _ in range(STEPS):
        if game.action.over:
            break
        random_step(data, game)
        check(game, settled)
    to_the_end(data, game)
    check(game, settled)
    assert game.action.stage in (Stage.DONE, Stage.WITHDRAWN) and all(one.became for one in game.action.consequences)
    with pytest.raises(RuleError):
        game.press(A_GM, "finish")


@given(rolled=st.lists(st.integers(1, 6), min_size=2, max_size=2))
def test_effect_ticks_what_the_roll_and_the_gm_let_it(rolled: list[int]) -> None:
    game = Game()
    clock = game.table.get(Clock, "clock")
    game.press(A_GM, "set", **SET, clock=clock)
    game.press(A_GM, "roll", A, *rolled)
    assert any(one.act.name == "grant" for one in game.offers(A_GM)) == (min(rolled) <= 3)
    if not game.action.over:
        game.press(A_GM, "finish")
    assert clock.filled == (3 if min(rolled) >= 4 else 0)


@pytest.mark.parametrize(("rolled", "ticks"), [((4, 4), "3 ticks on Alarm"), ((1, 2), "")])
def test_before_the_dice_a_card_says_which_clock_it_ticks_and_after_them_only_how_far(
    rolled: tuple[int, ...], ticks: str
) -> None:
    game = Game()
    game.press(A_GM, "set", **SET, clock=game.table.get(Clock, "clock"))
    assert "Ticks Alarm." in map(str, game.action.card(game.table, ()).notes)
    game.press(A_GM, "roll", A, *rolled)
    card = game.action.card(game.table, ())
    assert "Ticks Alarm." not in map(str, card.notes) and str(card.outcome_words) == ticks


@pytest.mark.parametrize("state", [lambda who: who.suffer(3, "Broken leg"), lambda who: setattr(who, "stress", 9)])
def test_what_a_state_forbids_a_gm_may_allow(state: Callable[[Scoundrel], None]) -> None:
    game = Game()
    game.press(A_GM, "set", **SET)
    state(game.who(A))
    with pytest.raises(BlockedByState):
        game.press(A_GM, "roll", A, 6, 6)
    game.press(A_GM, "roll", A, 6, 6, override=True)
    assert game.action.stage is Stage.DONE


def test_a_word_lapses_with_the_terms_it_was_given_for_and_with_nothing_else() -> None:
    game = Game(group=True)
    game.press(A_GM, "set", **SET)
    game.press(A_GM, "join", B)
    game.press(A_GM, "roll", A)
    game.press(A_GM, "offer", words="a witness")
    game.press(A_GM, "rule_out")
    assert game.action.rollers[0].ready, "a bargain that nobody took has changed nothing"
    game.press(A_GM, "assist", f"{C}.{A}")
    assert game.action.rollers[0].ready, "whoever is helped stays ready for less"
    game.press(A_GM, "unassist", C)
    assert not game.action.rollers[0].ready
    game.press(A_GM, "roll", A)
    game.press(A_GM, "set", **SET)
    assert not game.action.rollers[0].ready


@pytest.mark.parametrize(
    ("who", "gives", "to", "counts", "left"),
    [
        (B, Gives.EFFECT, None, "extreme", True),
        (A, Gives.EFFECT, None, "great", True),
        (A, Gives.WORSE, Position.DESPERATE, "great", False),
        (C, Gives.WORSE, Position.DESPERATE, "great", True),
    ],
)
def test_a_set_up_serves_whoever_follows_and_a_worse_position_its_own_once(
    who: str, gives: Gives, to: Position | None, counts: str, left: bool
) -> None:
    game = Game()
    token = Carried(id="t", who=who, gives=gives, to=to, by="B")
    game.table._hold(token)
    game.press(A_GM, "set", **SET)
    assert game.action.built(game.table, game.action.rollers[0]).effect == counts
    assert (game.action.rolled_in(game.table) is Position.DESPERATE) == (who == A and gives is Gives.WORSE)
    game.press(A_GM, "roll", A, 6, 5)
    assert token.over != left


def test_the_gm_leaves_out_a_set_up_that_does_not_fit() -> None:
    game = Game()
    game.table._hold(Carried(id="t", who=B, by="B"))
    game.press(A_GM, "set", **SET, without=["t"])
    assert game.action.built(game.table, game.action.rollers[0]).effect == "great" and not game.action.tokens


def test_a_set_up_ends_with_the_scene_and_a_worse_position_with_who_leaves_play() -> None:
    game = Game()
    worse = Carried(id="w", who=B, gives=Gives.WORSE, to=Position.RISKY)
    game.table._hold(worse)
    assert str(worse.chip_words(game.table)) == "B name: a position that got worse: risky or more"
    game.who(B).in_play = False
    worse.settle(game.table)
    setup = Carried(id="t", who=B, by="B")
    setup.scene_ended(game.table)
    assert worse.over and setup.over
