"""Staged actions on a table of plain objects, one scenario a row: what each act does, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.errors import RuleError
from rules.table import A_GM, Clock
from rulesets.forged.procedures.action_card import armored, foretold, hit, terms_said
from rulesets.forged.procedures.score import Carried
from rulesets.forged.rows import Crew
from rulesets.forged.rules import DEFAULTS
from tests.answers import refusal
from tests.rulesets.forged.rules.test_staged_action import A, B, C, Game

# One scenario a row: a GM presses all of it, and what stands then

Step = tuple[str, str, tuple[int, ...], dict[str, Any]]


def sets(**typed: Any) -> Step:
    return "set", "", (), {"position": "risky", "base": "standard"} | typed


def rolls(*faces: int, who: str = A) -> Step:
    return "roll", who, faces, {}


def inflicts(code: str, words: str = "Cut", **typed: Any) -> Step:
    return "inflict", "", (), {"code": code, "words": words} | typed


def resists(*faces: int, key: str = "c1") -> Step:
    return "resist", key, faces, {}


def takes(key: str = "c1", act: str = "take_it", **typed: Any) -> Step:
    return act, key, (), typed


def says(act: str, key: str = "", **typed: Any) -> Step:
    return act, key, (), typed


BESIDE: dict[str, Callable[[Game, str], Any]] = {
    "archive": lambda game, clock: setattr(game.table.get(Clock, clock), "hidden", True),
    "retire": lambda game, who: setattr(game.who(who), "in_play", False),
    "lose": lambda game, who: game.who(who).items.clear(),
}
"""What happens beside the action."""


def plays(game: Game, *steps: Step) -> None:
    """Press these acts, with what is typed as the forms read it."""
    for name, key, faces, typed in steps:
        if beside := BESIDE.get(name):
            beside(game, key)
            game.settle()
            continue
        act = game.action.acts[name]
        target = act.target(game.action, game.table, key.split(".") if key else []) or ()
        read = {one.name: one for one in act.asks}
        asked = {one: read[one].read(value, game.action, game.table, target) for one, value in typed.items()}
        game.press(A_GM, name, key, *faces, **asked)


def stands(game: Game) -> dict[str, Any]:
    action, table, who = game.action, game.table, game.who(A)
    crew, made = table.get(Crew, "crew"), [one for one in table.all(Clock) if one.kind == "danger"]
    open_tokens = [one for one in table.all(Carried) if not one.over]
    return {
        "stage": action.stage.value,
        "alarm": table.get(Clock, "clock").filled,
        "ticks": [(one.name, one.segments, one.filled) for one in table.all(Clock) if not one.hidden],
        "made": [(one.name, one.segments, one.filled) for one in made],
        "stress": [game.who(one).stress for one in (A, B, C)],
        "harm": [*map(who.harms, (1, 2, 3))],
        "theirs": [*map(game.who(B).harms, (1, 2, 3))],
        "play": who.in_play,
        "boxes": (game.who(C).armor, game.who(C).heavy_armor),
        "heat": (crew.heat, crew.wanted),
        "coin": (who.coin, [*who.items]),
        "carried": [(one.gives.value, one.to) for one in open_tokens],
        "dice": [action.pool(table, one).dice for one in action.rollers],
        "terms": str(terms_said(action, table)),
        "hit": [who.id for who in hit(action, table)],
        "became": [one.became for one in action.consequences],
        "results": [one.result for one in action.rollers],
    }


GROUP, SETUP = {"group": True}, {"setup": True}
TOGETHER = (sets(clock="clock"), says("join", B), rolls())
LED = (says("bring", "rats"), sets(clock="clock"))
NEW = {"words": "", "new_clock": "The street wakes", "segments": 6}
THREAT = {"harm": 2, "harm_name": "Cut", "ticking": ["clock.2"]}
SCENES: list[tuple[str, dict[str, bool], list[Step], dict[str, Any]]] = [
    ("limited effect ticks once", {}, [sets(base="limited", clock="clock"), rolls(6, 6)], {"alarm": 1}),
    ("zero effect ticks nothing", {}, [sets(base="zero", clock="clock"), rolls(6, 6)], {"alarm": 0}),
    ("factors move the effect", {}, [sets(base="great", scale=-1)], {"terms": "risky, standard effect"}),
    (
        "a trade is agreed to",
        {},
        [sets(), says("propose", "effect"), says("agree")],
        {"terms": "desperate, great effect"},
    ),
    ("one that nobody answered", {}, [sets(), says("propose", "position")], {"terms": "risky, standard effect"}),
    (
        "what was said before the dice follows by itself",
        {},
        [sets(**THREAT, less=True, clock="clock"), rolls(5, 5), takes(), takes("c2"), takes("c3")],
        {"harm": [[], ["Cut"], []], "alarm": 3, "stage": "done"},
    ),
    ("but not if all goes well", {}, [sets(**THREAT), rolls(6, 6)], {"became": [], "alarm": 0, "stage": "done"}),
    (
        "of a controlled action once it is gone through with",
        {},
        [sets(position="controlled", **THREAT), rolls(4, 4), says("press_on"), takes(), takes("c2")],
        {"harm": [[], ["Cut"], []], "alarm": 2, "stage": "done"},
    ),
    (
        "the GM may drop some of it, and add to it",
        {},
        [sets(**THREAT), rolls(5, 5), says("drop", "c1"), inflicts("harm_1"), takes("c2"), takes("c3")],
        {"harm": [["Cut"], [], []], "became": ["avoided", "taken", "taken"], "stage": "done"},
    ),
    (
        "it is as large as its position suggests, or as the GM says",
        {},
        [sets(position="desperate", new_clock="Dawn", segments=6, heat=1), rolls(1, 1), takes(), takes("c2")],
        {"made": [("Dawn", 6, 3)], "heat": (8, 1)},
    ),
    (
        "an item is lost, an opportunity, and position",
        {},
        [sets(item="ring", lost=True, worse=True), rolls(5, 5), takes(), takes("c2"), takes("c3")],
        {"coin": (2, []), "carried": [("worse", "desperate")]},
    ),
    (
        "a bargain is offered with it, and its price is no more to be named",
        {},
        [sets(words="A burn", harm=1, harm_name="Cut"), says("accept", A), rolls(4, 4), takes()],
        {"harm": [["Cut"], [], []], "stage": "done"},
    ),
    (
        "what is set again is said again",
        {},
        [sets(**THREAT), sets(complicated=True, trouble="The alarm"), rolls(5, 5), takes()],
        {"harm": [[], [], []], "alarm": 0, "became": ["taken"], "stage": "done"},
    ),
    (
        "nothing is applied before it is settled",
        {},
        [sets(), rolls(4, 4), inflicts("complication", clock="clock"), inflicts("harm_2"), says("finish")],
        {"alarm": 0, "harm": [[], [], []], "stage": "follows"},
    ),
    (
        "each is applied when it is",
        {},
        [
            *(sets(), rolls(4, 4), inflicts("complication", clock="clock"), inflicts("harm_2"), says("finish")),
            *(takes(), takes("c2")),
        ],
        {"alarm": 2, "harm": [[], ["Cut"], []], "stage": "done"},
    ),
    (
        "a reduced effect ticks less",
        {},
        [
            *(sets(base="great", clock="clock"), rolls(4, 4), inflicts("reduced_effect"), says("finish")),
            takes(),
        ],
        {"alarm": 2},
    ),
    (
        "one that was granted, too",
        {},
        [
            *(sets(base="great", clock="clock"), rolls(2, 2), says("grant", "great"), inflicts("reduced_effect")),
            *(says("finish"), takes()),
        ],
        {"alarm": 2},
    ),
    (
        "the GM grants an effect on a 1-3",
        {},
        [sets(clock="clock"), rolls(2, 2), says("grant", "limited"), says("finish")],
        {"alarm": 1},
    ),
    (
        "resisting reduces by as many as the GM said",
        {},
        [
            *(sets(position="desperate"), rolls(5, 5), inflicts("serious_complication", clock="clock", by=2)),
            *(resists(6), takes()),
        ],
        {"alarm": 1, "stress": [6, 6, 6]},
    ),
    (
        "it may avoid, and a critical clears one",
        {},
        [
            *(sets(), rolls(5, 5), inflicts("complication", resisting="avoids")),
            *(takes(act="more_dice", push=True), resists(6, 6)),
        ],
        {"became": ["avoided"], "stress": [7, 6, 6]},
    ),
    (
        "armour and heavy armour lessen by one each",
        {},
        [
            *(sets(), rolls(5, 5), inflicts("harm_2"), says("protect", f"c1.{C}")),
            *(says("armor", "c1.armor"), says("armor", "c1.heavy_armor")),
        ],
        {"boxes": (True, True), "became": ["avoided"], "harm": [[], [], []]},
    ),
    (
        "ticks and heat are as many as the GM says, harm is not",
        {},
        [
            *(sets(), rolls(5, 5), inflicts("complication", clock="clock", size=5)),
            *(inflicts("minor_complication", heat=True, size=3), inflicts("harm_1", size=5)),
            *(takes(), takes("c2"), takes("c3")),
        ],
        {"alarm": 5, "heat": (1, 2), "harm": [["Cut"], [], []]},
    ),
    (
        "a new clock comes with its ticks beside what was filled",
        {},
        [sets(), rolls(4, 4), inflicts("complication", **NEW, filled=3), takes()],
        {"made": [("The street wakes", 6, 5)]},
    ),
    (
        "none comes of what was avoided",
        {},
        [sets(), rolls(4, 4), inflicts("complication", **NEW, resisting="avoids"), resists(6)],
        {"made": []},
    ),
    (
        "ticks whose clock was archived go to a new one",
        {},
        [
            *(sets(clock="clock"), says("archive", "clock"), rolls(6, 6)),
            says("move_ticks", new_clock="Sirens", segments=6),
        ],
        {"ticks": [("Sirens", 6, 2)], "alarm": 0, "stage": "done"},
    ),
    (
        "only a complication makes one",
        {},
        [sets(), rolls(4, 4), inflicts("harm_2", **NEW | {"words": "Cut"}), takes()],
        {"made": []},
    ),
    (
        "nothing is a price without a bargain",
        {},
        [sets(), rolls(5, 5), inflicts("harm_2", price=True), resists(6), takes()],
        {"harm": [["Cut"], [], []]},
    ),
    (
        "the price is paid whatever comes",
        {},
        [sets(), says("offer", words="A burn", coin=1, item="ring"), says("accept", A), rolls(6)],
        {"coin": (1, []), "stage": "done"},
    ),
    (
        "one without coin is named by the GM, though all went well",
        {},
        [
            *(sets(), says("offer", words="A burn"), says("accept", A), rolls(6)),
            *(inflicts("harm_1", "Burn"), takes(), says("finish")),
        ],
        {"harm": [["Burn"], [], []], "stage": "done"},
    ),
    (
        "one that was not taken costs nothing",
        {},
        [sets(), says("offer", words="A burn", coin=1), rolls(6, 6)],
        {"coin": (2, ["ring"])},
    ),
    (
        "fatal harm is resisted to severe",
        {},
        [sets(position="desperate"), rolls(2, 2), inflicts("harm_4"), resists(6), takes()],
        {"harm": [[], [], ["Cut"]], "play": True},
    ),
    (
        "what else hits the dead hurts nobody",
        {},
        [
            *(sets(position="desperate"), rolls(2, 2), inflicts("harm_4"), inflicts("harm_3")),
            *(takes(act="take_fatal", fate="dead"), takes("c2")),
        ],
        {"harm": [[], [], []], "play": False, "became": ["taken", "taken"]},
    ),
    (
        "controlled, they withdraw",
        {},
        [sets(position="controlled", clock="clock"), rolls(4, 4), says("fall_back")],
        {"stage": "done", "alarm": 0, "carried": []},
    ),
    (
        "or go on at a minor price",
        {},
        [sets(position="controlled"), rolls(4, 4), says("press_on"), inflicts("harm_1"), takes(), says("finish")],
        {"stage": "done", "harm": [["Cut"], [], []]},
    ),
    (
        "or on a 1-3 in a worse position",
        {},
        [sets(position="controlled"), rolls(2, 2), says("press_on")],
        {"stage": "done", "carried": [("worse", "risky")]},
    ),
    (
        "a worse position waits for the next action",
        {},
        [sets(), rolls(5, 5), inflicts("desperate_position", ""), takes()],
        {"carried": [("worse", "desperate")]},
    ),
    (
        "a set-up serves whoever follows",
        SETUP,
        [sets(), rolls(6, 6), says("set_up", gives="effect")],
        {"carried": [("effect", None)]},
    ),
    ("nobody may follow", SETUP, [sets(), rolls(6, 6), says("nobody_follows")], {"stage": "done", "carried": []}),
    (
        "one that goes badly gives nothing",
        SETUP,
        [sets(), rolls(2, 2), says("finish")],
        {"stage": "done", "carried": []},
    ),
    (
        "help and pushes are paid when the dice fall",
        {},
        [sets(), says("assist", f"{B}.{A}"), says("push", f"{A}.effect"), rolls(6)],
        {"stress": [8, 7, 6], "terms": "risky, great effect", "hit": [A, B]},
    ),
    (
        "who has left play helps no more, nor rolls",
        GROUP,
        [*(sets(), says("join", C), says("assist", f"{B}.{A}"), says("retire", B), says("retire", C))],
        {"dice": [0], "hit": [A]},
    ),
    (
        "the best of a group counts, and its leader pays for each on 1-3",
        GROUP,
        [*TOGETHER, rolls(1, 2, 6, who=B)],
        {"results": ["bad", "full"], "stress": [7, 6, 6], "alarm": 2, "stage": "done"},
    ),
    (
        "a consequence hits whom the GM names of them",
        GROUP,
        [*TOGETHER, rolls(1, 2, 3, who=B), inflicts("harm_2", whom=B), takes()],
        {"harm": [[], [], []], "theirs": [[], ["Cut"], []]},
    ),
    (
        "as far as a push left room",
        GROUP,
        [sets(), says("push", f"{A}.die"), says("join", B), rolls(), rolls(1, 1, who=B)],
        {"stress": [9, 6, 6]},
    ),
    ("each has the dice of their sheet", GROUP, [sets(), says("join", B), says("join", C)], {"dice": [0, 1, 2]}),
    ("who has joined may leave", GROUP, [sets(), says("join", B), says("leave", B)], {"dice": [0]}),
    (
        "a helper names whom they help",
        GROUP,
        [sets(), says("join", B), says("assist", f"{C}.{B}"), rolls(), rolls(4, 4, 1, 2, who=B)],
        {"stress": [7, 6, 7], "hit": [A, B, C]},
    ),
    (
        "a cohort rolls its quality, costs nothing and is not hit",
        GROUP,
        [*LED, rolls(1, 2, 1, 3)],
        {"dice": [0, 2], "results": ["bad", "bad"], "stress": [7, 6, 6], "hit": [A]},
    ),
    ("its result counts for all", GROUP, [*LED, rolls(4, 4, 1, 6)], {"results": ["partial", "full"], "alarm": 2}),
]


@pytest.mark.parametrize(
    ("given", "steps", "stood"), [scene[1:] for scene in SCENES], ids=[scene[0] for scene in SCENES]
)
def test_a_scenario_ends_as_the_rules_have_it(given: dict[str, bool], steps: list[Step], stood: dict[str, Any]) -> None:
    game = Game(**given)
    plays(game, *steps)
    now = stands(game)
    assert {name: now[name] for name in stood} == stood


FELL = (sets(), rolls(5, 5))
REFUSED: list[tuple[list[Step], Step, str]] = [
    ([], sets(more=1), "why"),
    ([], sets(harm=2), "harm_name"),
    ([], sets(harm=5, harm_name="Cut"), "harm"),
    ([], sets(complicated=True, trouble=" "), "trouble"),
    ([], sets(ticking=["clock.13"]), "ticking"),
    ([], sets(item="crown"), "item"),
    ([], sets(new_clock="Dawn", filled=4), "filled"),
    ([says("offer", words="A burn")], sets(words="A scar"), "words"),
    ([sets(position="desperate")], says("propose", "effect"), "direction"),
    ([sets(base="limited")], says("propose", "position"), "direction"),
    ([sets(base="great"), says("propose", "effect"), says("agree")], says("push", f"{A}.effect"), "trade"),
    ([sets(), says("offer", words="A burn"), says("accept", A)], says("push", f"{A}.die"), "push"),
    ([sets(), says("push", f"{A}.die"), says("offer", words="A burn")], says("accept", A), "bargain"),
    ([sets()], says("offer", words=" "), "words"),
    ([sets()], says("offer", words="A burn", coin=3), "coin"),
    ([sets()], says("offer", words="A burn", item="crown"), "item"),
    ([sets(), says("offer", words="A burn", item="ring"), says("lose", A)], says("accept", A), "item"),
    ([says("archive", "clock")], sets(clock="clock"), "clock"),
    ([*FELL], inflicts("withdraw"), "code"),
    ([*FELL], inflicts("harm_2", ""), "words"),
    ([*FELL], inflicts("complication", ""), "words"),
    ([*FELL], inflicts("harm_2", by=2), "by"),
    ([*FELL], inflicts("harm_2", whom=B), "whom"),
    ([*FELL], inflicts("complication", size=13), "size"),
    ([*FELL], inflicts("minor_complication", heat=True), "size"),
    ([*FELL], inflicts("complication", **NEW, filled=6), "filled"),
    ([*FELL], inflicts("complication", **NEW, clock="clock"), "new_clock"),
    ([*FELL, inflicts("harm_2")], takes(act="more_dice", more=1, why=" "), "why"),
]


@pytest.mark.parametrize(("steps", "refused", "field"), REFUSED, ids=str)
def test_what_cannot_be_is_refused_at_its_field_and_changes_nothing(
    steps: list[Step], refused: Step, field: str
) -> None:
    game = Game()
    plays(game, *steps)
    before = game.action.model_dump()
    assert refusal(RuleError, plays, game, refused).field == field and game.action.model_dump() == before


@pytest.mark.parametrize(
    ("state", "dice", "ticks"), [("fine", 2, 2), ("weakened", 2, 1), ("impaired", 1, 2), ("broken", 2, 0)]
)
def test_a_cohort_that_is_hurt_has_less_effect_or_a_die_less_and_a_broken_one_stays_out(
    state: str, dice: int, ticks: int
) -> None:
    game = Game(group=True)
    plays(game, *LED)
    game.table.get(Crew, "crew").cohorts["rats"].state = state
    assert game.action.pool(game.table, game.action.rollers[1]).dice == dice
    if state == "broken":
        with pytest.raises(RuleError, match="at least two"):
            plays(game, rolls())
        return
    plays(game, rolls(1, 1, *(6, 1)[:dice]))
    assert stands(game)["alarm"] == ticks


@pytest.mark.parametrize(("spared", "terms", "dice"), [({}, "limited", -1), ({1, 2}, "standard", 0)])
def test_harm_takes_effect_and_a_die_unless_the_gm_spares_it(spared: set[int], terms: str, dice: int) -> None:
    game = Game()
    for level in (1, 2):
        game.who(A).suffer(level, "Cut")
    plays(game, sets(**{f"spared_{level}": True for level in spared}))
    now = stands(game)
    assert (now["terms"], now["dice"]) == (f"risky, {terms} effect", [dice])
    assert game.action.terms_of(game.table, game.action.rollers[0]).harm_left_out == bool(spared)


def test_full_rows_pass_harm_on_to_the_next_and_at_last_it_is_fatal() -> None:
    game = Game()
    for level in (2, 2):
        game.who(A).suffer(level, "Cut")
    plays(game, sets(), rolls(5, 5), inflicts("harm_2"), takes(), inflicts("harm_2"))
    assert stands(game)["harm"][2] == ["Cut"]
    row = game.action.card(game.table, ()).rows[1]
    assert "no row is free: fatal" in [str(mark.words) for mark in row.marks]
    assert not game.action.acts["take_it"].target(game.action, game.table, ["c2"])
    assert game.action.acts["take_fatal"].target(game.action, game.table, ["c2"])


@pytest.mark.parametrize(
    ("sheet", "boxes"),
    [
        ({}, []),
        ({"armor_boxes": 1}, ["armor"]),
        ({"armor_boxes": 1, "armor": True}, []),
        ({"armor_boxes": 2, "armor": True, "special_boxes": 1}, ["heavy_armor", "special_armor"]),
    ],
)
def test_armour_is_offered_where_its_box_is_on_the_sheet_and_free(sheet: dict[str, Any], boxes: list[str]) -> None:
    game = Game()
    for name, value in ({"special_boxes": 0} | sheet).items():
        setattr(game.who(A), name, value)
    plays(game, *FELL, inflicts("harm_2"))
    assert [box for _, box in armored(game.action, game.table)] == boxes


@pytest.mark.parametrize(
    ("step", "stress"), [(says("push", f"{A}.act"), [8, 6, 6]), (says("assist", f"{B}.{A}"), [6, 7, 6])]
)
def test_a_push_or_help_lets_somebody_act_in_spite_of_severe_harm(step: Step, stress: list[int]) -> None:
    game = Game()
    game.who(A).suffer(3, "Broken leg")
    plays(game, sets(), step, rolls(6, 6))
    assert (stands(game)["stage"], stands(game)["stress"]) == ("done", stress)


def test_who_steps_in_resists_without_the_dice_of_another() -> None:
    game = Game()
    plays(game, *FELL, inflicts("harm_2"), takes(act="more_dice", push=True, more=1, why="Iron will"))
    assert game.action.resistance(game.table, game.action.consequence("c1")).pool(DEFAULTS).dice == 3
    plays(game, says("protect", f"c1.{B}"))
    one = game.action.consequence("c1")
    assert (one.push, one.more, one.why) == (False, 0, "")


def test_the_price_of_a_bargain_cannot_be_resisted_nor_armoured_nor_taken_by_another() -> None:
    game = Game()
    plays(game, sets(), says("offer", words="A burn"), says("accept", A), rolls(4), inflicts("harm_1", price=True))
    assert {one.act.name for one in game.offers(A_GM) if one.target and one.target[0].id == "c1"} == {"take_it"}


def test_heat_needs_a_crew() -> None:
    game = Game()
    plays(game, *FELL)
    game.table.get(Crew, "crew").in_play = False
    assert refusal(RuleError, plays, game, inflicts("complication", heat=True)).field == "heat"


@pytest.mark.parametrize(
    ("beside", "sentence", "line"),
    [
        (says("join", B), "1–3 38 %", "expected stress for A name: 1.2"),
        (says("bring", "rats"), "1–3 19 %", "expected stress for A name: 0.8"),
    ],
)
def test_the_odds_of_a_group_are_those_of_its_best_single_result_and_of_its_leader_s_stress(
    beside: Step, sentence: str, line: str
) -> None:
    game = Game(group=True)
    plays(game, sets(), beside)
    odds = game.action.card(game.table, ()).odds
    assert odds is not None and str(odds["sentence"]).startswith(sentence) and str(odds["lines"][0]) == line


def test_the_card_says_what_the_dice_are_made_of() -> None:
    game = Game()
    plays(game, sets(more=1, why="Daredevil"), says("assist", f"{B}.{A}"), says("push", f"{A}.die"))
    card = game.action.card(game.table, ())
    assert str(card.pool) == "3 dice (0, help from B name +1, push +1, Daredevil +1)"
    assert card.odds is not None and str(card.odds["sentence"]).startswith("1–3 12 %")


@pytest.mark.parametrize(
    ("typed", "at", "told"),
    [
        (
            THREAT | {"clock": "clock"},
            "risky",
            "If it goes wrong, Alarm goes to 2 of 12. If it works, Alarm goes to 2 of 12.",
        ),
        ({"new_clock": "Dawn", "filled": 3}, "desperate", "If it goes wrong, Dawn goes to 4 of 4."),
        ({"harm": 1, "harm_name": "Cut"}, "risky", ""),
    ],
)
def test_the_gm_reads_where_clocks_will_go(typed: dict[str, Any], at: str, told: str) -> None:
    game = Game()
    plays(game, sets(**typed, position=at))
    assert str(foretold(game.action, game.table)) == told


def test_players_read_what_follows_and_what_resisting_it_costs_before_they_roll() -> None:
    game = Game()
    plays(game, sets(**THREAT, attribute="insight"))
    notes = [*map(str, game.action.card(game.table, ()).notes)]
    assert notes == [
        "If it goes wrong: harm of level 2: Cut; complication: 2 ticks on Alarm."
        " Resist with Insight, 2 dice: 3.5 stress on average."
    ]
    plays(game, rolls(5, 5))
    assert [str(one.attribute) for one in game.action.consequences] == ["insight", "insight"]


def test_a_roll_that_is_voided_takes_what_followed_with_it() -> None:
    game = Game()
    plays(game, sets(**THREAT), rolls(5, 5))
    game.action.undo_roll(game.table, game.action.rollers[0].part)
    assert not game.action.consequences and not game.action.finished
    plays(game, rolls(6, 6))
    assert stands(game)["stage"] == "done" and stands(game)["alarm"] == 0
