"""A contest and a recovery on a table of plain objects: who can do what, and what stands then."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import OutOfRange, RuleError
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.descriptors.procedures.contest import Contest
from rulesets.descriptors.procedures.pools import Filling, Side
from rulesets.descriptors.procedures.recovery import Injury, Recovery
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rows import Entry, Hero
from rulesets.descriptors.rules.contest import Fund, falls_on, oppose
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE
from rulesets.descriptors.table import after, stored_outcome
from rulesets.descriptors.terms import SideTerms

A, B = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
PLAYERS = {"a": Actor(characters=frozenset({A})), "b": Actor(characters=frozenset({B})), "gm": Actor(is_gm=True)}
MEMBERS = {1: PLAYERS["a"], 2: PLAYERS["b"]}
GIVES = {f"r{dice}": Entry(name=f"Trait {dice}", dice=dice) for dice in (1, 2, 3)}


def stage(a: dict[str, object] | None = None, b: dict[str, object] | None = None, **decided: object) -> Table:
    """Return a table with Abigail and Bob, a contest of theirs, and a recovery of Bob's Arm 3 by both."""
    heroes = [
        Hero(**{"id": A, "name": "Abigail", "descriptors": GIVES, "will": 9} | (a or {})),
        Hero(
            **{"id": B, "name": "Bob", "descriptors": GIVES, "will": 9, "injuries": {"i1": Entry(name="Arm", dice=3)}}
            | (b or {})
        ),
    ]
    sides = [Side(id=key, name=one.name, character=one.id) for key, one in zip("ab", heroes, strict=True)]
    injury = Injury(character=B, bearer="Bob", row="i1", name="Arm", dice=3)
    those = [Contest(id="contest", sides=sides), Recovery(id="recovery", sides=[*sides], injury=injury)]
    fire = SceneDescriptor(id="fire", name="Fire", dice=2)
    return Table([*those, *heroes, fire], settings=Settings(**decided)).trial()


def press(table: Table, who: str, name: str, whom: str = "", /, of: type[Filling] = Contest, **asked: object) -> str:
    """Take an act as the service does: with what follows from it, and told lines behind."""
    row = table.get(of, of.__name__.lower())
    rules = row.acts[name]
    table.by, table.told = PLAYERS[who], []
    target = rules.target(row, table, [whom] if whom else [])
    if target is None or not rules.by(row, table.by, *target):
        raise Refused("Not offered.")
    line = row.take(table, rules, target, asked)
    row.settle(table)
    return str(line)


def chip(whose: str, dice: int) -> str:
    return f"{whose}/descriptors/r{dice}"


def offers(table: Table, of: type[Filling] = Contest) -> dict[str, tuple[int, ...]]:
    row = table.get(of, of.__name__.lower())
    return {str(one.available.key).split("~")[0]: one.members for one in row.offers(table, MEMBERS)}


def fall(table: Table, a: list[int], b: list[int]) -> Contest:
    contest, outcome = table.get(Contest, "contest"), stored_outcome(oppose(a, b))
    if winner := outcome["winner"]:
        hero = table.get(Hero, B if winner == "a" else A)
        fund = hero.fund(table.settings)
        loser = SideTerms(boxes=fund.boxes, crossed=[*fund.crossed])
        outcome["after"] = after(outcome["successes"], loser, table.settings)
    contest.on_roll(table, "contest", outcome)
    return contest


FILLED = [
    # who presses what, what the pools are then, and who may press what of it
    ([("a", "use", "a", {"chips": [chip(A, 2)]})], ["Trait 2 2D", "no dice"], {"take_out:a1": (1,), "strike:a1": ()}),
    ([("a", "use", "a", {"chips": [chip(A, 2)]})] * 2, ["Trait 2 2D", "no dice"], {"ready:a": (1,), "ready:b": (2,)}),
    (
        [("a", "use", "a", {"chips": [chip(A, 2), "scene/fire"]}), ("a", "use", "a", {"before": [chip(A, 2)]})],
        ["Fire 2D", "no dice"],
        {"take_out:a2": (1,), "use:a": (1,), "use:b": (2,)},
    ),
    (
        [("a", "use", "a", {"name": "Pride", "name_dice": 2, "theirs": True})],
        ["their Pride 2D", "no dice"],
        {"accept:a1": (2,), "strike:a1": (2,), "take_out:a1": (1,)},
    ),
    ([("gm", "use", "b", {"name": "Pride", "name_dice": 2, "dice": 3})], ["no dice", "Pride 2D + 3 dice"], {}),
    ([("a", "use", "a", {"chips": [chip(A, 2)]}), ("gm", "strike", "a1", {})], ["no dice", "no dice"], {}),
]


@pytest.mark.parametrize(("presses", "pools", "may"), FILLED)
def test_each_fills_their_own_pool_and_a_gm_everybodys(presses, pools, may):
    table = stage()
    for who, name, whom, asked in presses:
        press(table, who, name, whom, **asked)
    assert [str(side.words) for side in table.get(Contest, "contest").sides] == pools
    assert may.items() <= offers(table).items()


@pytest.mark.parametrize(
    ("theirs", "waits"),
    [
        (False, {"": "to accept or strike “Fear” 2D in Abigail’s pool"}),
        (
            True,
            {
                "b": "to accept or strike their own “Fear” 2D in Abigail’s pool",
                "": "to accept or strike “Fear” 2D in Abigail’s pool",
            },
        ),
    ],
)
def test_what_was_typed_waits_for_a_gm_and_for_whose_it_is(theirs, waits):
    table = stage()
    press(table, "a", "use", "a", name="Fear", name_dice=2, theirs=theirs)
    contest = table.get(Contest, "contest")
    assert {one.key: str(one.words) for one in contest.waits(table) if "Fear" in str(one.words)} == waits
    assert offers(table)["accept:a1"] == ((2,) if theirs else ())
    press(table, "gm", "accept", "a1")
    assert not any("Fear" in str(one.words) for one in contest.waits(table))


REFUSED = [
    ({}, [("b", "use", "a", {})], "Not offered"),
    ({}, [("a", "use", "a", {"chips": [chip(B, 2)]})], "no longer on the sheet"),
    ({}, [("a", "use", "a", {"name": "Luck"})], "how many dice"),
    ({}, [("a", "use", "a", {"name": "x" * 81, "name_dice": 1})], "1 to 80 characters"),
    ({}, [("gm", "use", "a", {"dice": 99, "name": "Luck", "name_dice": 2})], "at most 100 dice"),
    ({}, [("a", "use", "a", {"chips": ["scene/fire"]}), ("b", "use", "b", {"chips": ["scene/fire"]})], "already in"),
    (
        {},
        [("gm", "use", "a", {"name": "Luck", "name_dice": 2}), ("gm", "use", "a", {"name": "luck", "name_dice": 1})],
        "already in",
    ),
    ({}, [("a", "use", "a", {"name": "Luck", "name_dice": 2}), ("b", "ready", "b", {})], "First accept “Luck”"),
    (
        {"a": {"will": 1}},
        [("gm", "use", "a", {"chips": [chip(A, 1), chip(A, 2)]}), ("a", "ready", "a", {})],
        "enough Will",
    ),
    ({"fewest_dice": 1}, [("a", "ready", "a", {})], "at least 1 die"),
    ({"b": {"in_play": False}}, [("gm", "ready", "b", {})], "no longer in play"),
    ({"a": {"will": 0}}, [("a", "ready", "a", {})], "no Will left"),
    ({"a": {"out_of_scene": True}}, [("a", "ready", "a", {})], "out of this scene"),
]


@pytest.mark.parametrize(("there", "presses", "why"), REFUSED)
def test_what_the_rules_do_not_allow_is_refused_with_a_sentence(there, presses, why):
    table = stage(**there)
    table.get(Contest, "contest").settle(table)
    for who, name, whom, asked in presses[:-1]:
        press(table, who, name, whom, **asked)
    who, name, whom, asked = presses[-1]
    with pytest.raises(RuleError, match=why):
        press(table, who, name, whom, **asked)


def test_a_sheet_that_all_may_read_serves_either_side_and_pays_its_owner():
    table = stage(b={"shared": True})
    press(table, "a", "use", "a", chips=[chip(A, 1), chip(B, 2)])
    press(table, "b", "use", "b", chips=[chip(B, 3)])
    sides = table.get(Contest, "contest").sides
    assert [(len(one.entries), one.gives, str(one.words)) for one in sides] == [
        (2, 1, "Trait 1 1D + their Trait 2 2D"),
        (1, 0, "Trait 3 3D"),
    ]


def test_what_is_in_a_pool_is_taken_out_on_the_card_by_its_owner_and_struck_by_a_gm():
    table = stage()
    press(table, "a", "use", "a", chips=[chip(A, 2)])
    contest = table.get(Contest, "contest")
    buttons = [
        Button(name=one.act.name, target=one.available.target, sent="", words="", form=False, members=one.members)
        for one in contest.offers(table, MEMBERS)
    ]
    entry = contest.card(table, buttons).sides[0].entries[0]
    assert [(button.name, button.members) for button in entry.buttons] == [("take_out", (1,))]
    assert [button.name for button in entry.gm_buttons] == ["strike"]


def test_what_has_no_sheet_is_the_gms_to_fill_and_whoever_began_calls_it_off():
    table = Table([*stage().all(Hero), Contest(id="contest")], settings=Settings())
    contest = table.get(Contest, "contest")
    contest.take(table, contest.acts["open"], (), {"a_character": table.get(Hero, A), "b_name": "The tide"})
    waits = [(one.who, one.name, str(one.words)) for one in contest.waits(table)]
    assert ("", "The tide", "to fill the pool and be ready") in waits
    may = offers(table)
    assert (may["call_off:a"], may["use:b"], may["ready:b"], "call_off:b" in may) == ((1,), (), (), False)
    press(table, "a", "call_off", "a")
    assert contest.over and not contest.next_roll(table)


@pytest.mark.parametrize(
    ("will", "decided", "short", "last"),
    [(1, {}, False, True), (1, {"last_point_rolls": False}, True, False), (0, {}, True, False), (9, {}, False, False)],
)
def test_the_last_point_is_announced_or_stays_unspent(will, decided, short, last):
    table = stage(a={"will": will}, **decided)
    press(table, "a", "use", "a", chips=[chip(A, 1)])
    side = table.get(Contest, "contest").sides[0]
    assert (side.short, side.last) == (short, last)


def both_ready() -> Table:
    table = stage()
    press(table, "a", "use", "a", chips=[chip(A, 1), "scene/fire"])
    assert press(table, "a", "ready", "a") == "Abigail is ready: Trait 1 1D + Fire 2D."
    press(table, "b", "ready", "b")
    return table


CHANGES = [
    (lambda table: table.get(Hero, A).descriptors["r1"].__setattr__("dice", 3), "Trait 1 changed while in a pool", 5),
    (lambda table: table.get(Hero, A).descriptors.pop("r1"), "Trait 1 changed while in a pool", 2),
    (lambda table: table.get(SceneDescriptor, "fire").__setattr__("over", True), "Fire changed while in a pool", 1),
    (lambda table: table.get(Hero, A).__setattr__("will", 1), "No longer ready: Abigail.", 3),
    (lambda table: table.get(Hero, A).__setattr__("out_of_scene", True), "No longer ready: Abigail.", 3),
    (lambda table: table.get(Hero, B).__setattr__("in_play", False), "No longer in play: Bob.", 3),
]


@pytest.mark.parametrize(("change", "told", "pool"), CHANGES)
def test_nobody_is_ready_for_what_has_changed_since(change, told, pool):
    table = both_ready()
    contest = table.get(Contest, "contest")
    assert contest.next_roll(table)
    change(table)
    table.told = []
    contest.settle(table)
    assert (contest.sides[0].dice, contest.next_roll(table)) == (pool, None)
    assert [str(line).startswith(told) for line in table.told] == [True] and contest.news
    table.told = []
    contest.settle(table)
    assert not table.told


def test_a_gm_lets_in_whom_a_state_keeps_out():
    table = stage(a={"will": 0})
    table.override = True
    press(table, "gm", "ready", "a")
    contest = table.get(Contest, "contest")
    contest.settle(table)
    assert contest.sides[0].ready and [str(one) for one in contest.those_let_in] == ["The GM let Abigail in anyway."]


OPENED = [
    ("a", {"a_character": A, "b_character": B}, "Abigail started a contest against Bob."),
    ("a", {"a_character": A, "b_name": "The tide", "b_dice": 4}, "Abigail started a contest against The tide."),
    ("a", {"a_character": B, "b_character": A}, None),
    ("a", {"a_character": A, "b_character": A}, None),
    ("a", {"a_character": A}, None),
]


@pytest.mark.parametrize(("who", "asked", "line"), OPENED)
def test_one_begins_it_as_a_character_of_ones_own_against_somebody_else(who, asked, line):
    table = Table([*stage().all(Hero), Contest(id="new")], by=PLAYERS[who], settings=Settings())
    contest = table.get(Contest, "new")
    try:
        given = {one.name: one.read(asked.get(one.name), contest, table) for one in contest.acts["open"].asks}
        assert str(contest.take(table, contest.acts["open"], (), given)) == line
        assert contest.sides[1].dice == 0
    except RuleError:
        assert line is None


WON = {"make:a": (1,), "make_none:a": (1,)}
SETTLED = [
    # the loser's track, who presses what for what line, and how the loser stands then
    ({}, WON | {"cross:b": (2,), "injure:b": (2,)}, ("cross", {}), "Bob crossed off box 2.", (False, (2,), {})),
    (
        {},
        WON | {"cross:b": (2,), "injure:b": (2,)},
        ("injure", {"name": "Cut arm"}),
        "Bob took a level 2 Injury instead of crossing off a box: Cut arm.",
        (False, (), {"Cut arm": 2}),
    ),
    (
        {"power_2": True},
        WON | {"bump:b": (2,)},
        ("bump", {"name": "Rib"}),
        "Bob crossed off box 3 and took a level 3 Injury: Rib.",
        (False, (2, 3), {"Rib": 3}),
    ),
    (
        {"power_boxes": 2},
        WON | {"cross:b": (2,), "injure:b": (2,)},
        ("cross", {}),
        "Bob crossed off box 2. Bob is out of the scene.",
        (True, (2,), {}),
    ),
]


@pytest.mark.parametrize(("track", "may", "pressed", "line", "stands"), SETTLED)
def test_each_choice_is_offered_to_whose_it_is_and_settled_once(track, may, pressed, line, stands):
    table = stage(b=track)
    contest, (name, asked) = fall(table, [9, 8, 2], [6, 4]), pressed
    assert offers(table) == may
    assert [(one.key, str(one.words).split()[1]) for one in contest.waits(table)] == [
        ("a", "make"),
        ("b", "choose" if "injure:b" in may else "take"),
    ]
    assert press(table, "b", name, "b", **asked) == line
    bob = table.get(Hero, B)
    fund = bob.fund(table.settings)
    taken = {one.name: one.dice for one in bob.injuries.values() if one.name != "Arm"}
    assert (fund.out, fund.crossed, taken) == stands and offers(table) == WON
    press(table, "a", "make", "a", name="Tied up")
    given = {"name": "Tied up", "dice": 2, "made_by": A, "made_by_name": "Abigail"}
    assert table.begun == [(SceneDescriptor, given)] and contest.over and not offers(table)


def test_a_scene_that_has_ended_puts_nobody_out_of_the_next_and_leaves_nothing_to_make():
    table = stage(b={"power_boxes": 2})
    contest = fall(table, [9, 8, 2], [6, 4])
    contest.scene_ended(table)
    assert offers(table) == {"cross:b": (2,), "injure:b": (2,)}
    press(table, "b", "cross", "b")
    assert contest.over and not table.get(Hero, B).out_of_scene


def test_a_track_that_is_marked_meanwhile_is_hit_as_it_is_then():
    table = stage()
    contest = fall(table, [9, 8, 2], [6, 4])
    table.get(Hero, B).cross_off(2)
    contest.settle(table)
    assert [*map(str, table.told)] == [
        "The hit on Bob changed. Box 2 is gone, so Bob crosses off box 3 and takes a level 3 Injury."
    ]
    assert offers(table) == WON | {"bump:b": (2,)}


def test_a_stalemate_is_the_gms_in_words():
    table = stage()
    contest = fall(table, [5], [5])
    assert offers(table) == {"shift": ()}
    assert press(table, "gm", "shift", words="The roof falls") == "The situation shifted: The roof falls"
    assert contest.over


RECOVERED = [
    (2, True, "Bob recovers from “Arm”. Abigail: 2 successes, 1D left.", {"Arm": 1}, 9, False),
    (4, True, "Bob recovers from “Arm”. Abigail: 3 successes, the Injury is gone.", {}, 9, True),
    (0, True, "Bob recovers from “Arm”. Abigail: the Injury stays as it is.", {"Arm": 3}, 10, False),
    (0, False, "Bob recovers from “Arm”. Abigail: the Injury stays as it is.", {"Arm": 3}, 9, False),
]


@pytest.mark.parametrize(("successes", "pays", "line", "left", "will", "over"), RECOVERED)
def test_each_rolls_once_against_what_is_left_of_the_injury(successes, pays, line, left, will, over):
    table = stage(recovery_pays_bearer=pays)
    recovery = table.get(Recovery, "recovery")
    press(table, "a", "ready", "a", of=Recovery)
    roll = recovery.next_roll(table)
    assert roll and roll.part == "a" and not recovery.sides[1].ready
    outcome = {"winner": "a" if successes else None, "successes": successes}
    assert str(recovery.on_roll(table, "a", outcome)) == line
    bob = table.get(Hero, B)
    assert ({one.name: one.dice for one in bob.injuries.values()}, bob.will) == (left, will)
    assert (recovery.over, [one.id for one in recovery.filled]) == (over, [] if over else ["b"])
    assert str(recovery.card(table, []).title) == ": ".join(["Bob", f"Arm {left['Arm']}D" if left else "Arm"])


def test_who_does_not_come_is_left_out_and_an_injury_that_changes_or_goes_is_told():
    table = stage()
    recovery = table.get(Recovery, "recovery")
    assert offers(table, Recovery)["leave:a"] == (1, 2) and offers(table, Recovery)["leave:b"] == (2,)
    with pytest.raises(Refused, match="against itself"):
        press(table, "a", "use", "a", of=Recovery, chips=[recovery.opposed])
    assert press(table, "b", "leave", "a", of=Recovery) == "Abigail no longer rolls against Bob’s Arm 3D."
    press(table, "b", "ready", "b", of=Recovery)
    for change, told in (("dice", "Arm changed while in a pool"), ("gone", "Bob’s recovery from “Arm” is over.")):
        if change == "dice":
            table.get(Hero, B).injuries["i1"].dice = 5
        else:
            table.get(Hero, B).injuries.clear()
        table.told = []
        recovery.settle(table)
        assert str(table.told[0]).startswith(told) and not recovery.next_roll(table)
    assert recovery.over


@given(st.data())
def test_whatever_is_pressed_nothing_is_used_twice_and_every_stage_can_end(data):
    table = stage(a={"will": 3}, b={"will": 2})
    contest, rolls = table.get(Contest, "contest"), 0
    for _ in range(data.draw(st.integers(1, 25))):
        if contest.over:
            break
        there = [one for one in contest.offers(table, MEMBERS) if one.act.name not in ("call_off", "not_ready")]
        assert there, "a GM can always go on"
        offer = data.draw(st.sampled_from(there))
        chips = data.draw(st.lists(st.sampled_from([chip(A, 1), chip(A, 2), chip(B, 1), "scene/fire"]), max_size=2))
        asked = {"use": {"chips": chips}, "shift": {"words": "It shifts"}}.get(offer.act.name, {"name": "Named"})
        try:
            press(table, "gm", offer.act.name, offer.available.whom, **(asked if offer.act.asks else {}))
        except RuleError:
            continue
        if contest.next_roll(table):
            a, b = contest.sides
            for mine, other in ((a, b), (b, a)):
                hero = table.get(Hero, mine.character)
                assert len(mine.entries) <= hero.will, "nobody rolls on credit"
                hero.will += other.gives - len(mine.entries)
            fall(table, *([(place * 7 + 3) % 10 + 1 for place in range(one.own)] for one in (a, b)))
            rolls += 1
        placed = [entry.source for side in contest.sides for entry in side.entries if entry.source]
        assert len(placed) == len(set(placed)) and rolls <= 1
        assert contest.over or contest.waits(table), "whoever is open is waited for"
        assert Contest.model_validate(contest.model_dump(mode="json")) == contest
    assert len(table.begun) <= 1


tracks = st.integers(1, 12).flatmap(
    lambda boxes: st.builds(
        lambda crossed: Fund(will=9, boxes=boxes, crossed=tuple(sorted(crossed))), st.frozensets(st.integers(1, boxes))
    )
)


FALLS = [
    # successes, crossed boxes of how many, decided otherwise: box, Injury, out, Injury instead, the box that was gone
    (2, (), 6, {}, (2, 0, False, 2, None)),
    (2, (2,), 6, {}, (3, 3, False, 0, 2)),
    (2, (2, 3, 4), 6, {}, (5, 5, False, 0, 2)),
    (2, (2,), 6, {"injury_instead_of_bump": True}, (3, 3, False, 2, 2)),
    (2, (6,), 6, {}, (2, 0, False, 2, None)),
    (6, (), 6, {}, (6, 0, True, 6, None)),
    (5, (5,), 6, {}, (6, 6, True, 0, 5)),
    (9, (), 6, {}, (6, 0, True, 9, None)),
    (9, (), 6, {"excess_may_be_injury": False}, (6, 0, True, 0, None)),
    (6, (), 6, {"excess_may_be_injury": False}, (6, 0, True, 6, None)),
    (4, (4, 5, 6), 6, {}, (None, 6, True, 0, 4)),
    (6, (6,), 6, {"full_track_puts_out": False}, (None, 6, False, 0, 6)),
    (1, (1, 2), 3, {}, (3, 3, True, 0, 1)),
    (5, (), 3, {}, (3, 0, True, 5, None)),
    (100, (), 12, {}, (12, 0, True, MOST_DICE, None)),
]


@pytest.mark.parametrize(("successes", "crossed", "boxes", "decided", "on"), FALLS)
def test_what_falls_goes_by_ones_own_track(successes, crossed, boxes, decided, on):
    """descriptors.txt, "Third, the loser crosses off the box"; if it is already crossed off, the next higher one is."""
    falls = falls_on(Fund(will=9, boxes=boxes, crossed=crossed), successes, Settings(**decided))
    assert (falls.box, falls.injury, falls.out, falls.instead, falls.gone) == on


@given(tracks, st.integers(1, 100))
def test_a_higher_free_box_goes_or_there_is_an_injury(fund, successes):
    falls = falls_on(fund, successes, Settings())
    assert falls.box is None or (falls.box not in fund.crossed and falls.box >= min(successes, fund.boxes))
    assert falls.box is not None or falls.injury == min(fund.boxes, MOST_DICE)
    assert falls.out == (falls.box in (None, fund.boxes))
    assert bool(falls.injury) == (falls.gone is not None)


@pytest.mark.parametrize("successes", [0, -1, 101, 10**9, True, "2", float("nan")])
def test_nothing_happens_without_sane_successes(successes):
    with pytest.raises(OutOfRange):
        falls_on(Fund(will=9, boxes=6), successes, Settings())
