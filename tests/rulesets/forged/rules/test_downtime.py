"""What follows a score: its heat and entanglements, and a downtime with everyone's activities (public rules, Downtime)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import RuleError
from rules.table import Clock, Held, Refused, Table
from rulesets.forged.procedures.downtime import CUT_OFF, Downtime, Score, tracks
from rulesets.forged.procedures.score import Loads, Opening
from rulesets.forged.rows import Crew, Harm, Item, Scoundrel, people
from rulesets.forged.rules import Pool, Result, Settings, resolve
from rulesets.forged.rules.downtime import (
    ENTANGLEMENTS,
    Activity,
    Exposure,
    amount_of,
    entanglement,
    indulged,
    score_heat,
)
from tests.answers import refusal
from tests.rules.refusals import NO_BOOLS, NO_WORDS, refused
from tests.uids import uid


def test_the_louder_a_score_the_more_heat():
    assert [score_heat(exposure) for exposure in Exposure] == [0, 2, 4, 6]


def test_target_turf_and_war_add_one_each_and_killing_two():
    assert score_heat(Exposure.LOUD, prominent=True, war=True) == 6
    assert score_heat(Exposure.UNSEEN, killing=True) == 2
    assert score_heat(Exposure.WILD, prominent=True, hostile_turf=True, war=True, killing=True) == 11


def changed(present, wanted, added):
    """Return heat and wanted level after so much heat is marked."""
    crew = Crew(heat=present, wanted=wanted)
    crew.mark_heat(added)
    return crew.heat, crew.wanted


def test_nine_heat_are_a_wanted_level_and_the_rest_rolls_over():
    assert changed(7, 0, 4) == (2, 1)
    assert changed(8, 0, 0) == (8, 0)
    assert changed(0, 1, 9) == (0, 2)
    assert changed(9, 0, 0) == (0, 1)


def test_levels_above_the_highest_are_lost():
    assert changed(8, 3, 11) == (1, 4)


def test_less_heat_leaves_the_wanted_level_and_stops_at_none():
    assert changed(3, 2, -2) == (1, 2)
    assert changed(3, 2, -5) == (0, 2)


@given(st.integers(0, 9), st.integers(0, 4), st.integers(0, 20))
def test_heat_stays_on_its_track(present, wanted, added):
    heat, level = changed(present, wanted, added)
    assert 0 <= heat <= 8
    assert level == min(4, wanted + (present + added) // 9)


def test_the_hotter_the_crew_the_further_right_the_column():
    columns = [ENTANGLEMENTS[Result.FULL].index(entanglement(present, Result.FULL)) for present in range(9)]
    assert columns == [0, 0, 0, 0, 1, 1, 2, 2, 2]


def test_a_critical_entangles_like_a_six_and_every_place_has_an_entry():
    for present in (0, 4, 6):
        assert entanglement(present, Result.CRITICAL) == entanglement(present, Result.FULL)
        for result in ENTANGLEMENTS:
            assert 1 <= len(entanglement(present, result)) <= 2


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_for_heat_are_checked(wrong):
    refused(score_heat, "exposure", wrong)
    refused(lambda value: entanglement(0, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["prominent", "hostile_turf", "war", "killing"])
def test_what_makes_a_score_hotter_is_there_or_not(name, wrong):
    refused(lambda value: score_heat(Exposure.LOUD, **{name: value}), name, wrong)


TICKING = [Activity.PROJECT, Activity.RECOVER, Activity.HEAT]


@pytest.mark.parametrize("kind", TICKING)
def test_projects_recovery_and_heat_go_by_one_two_three_and_five(kind):
    assert [amount_of(kind, result) for result in Result] == [1, 2, 3, 5]


@pytest.mark.parametrize("kind", TICKING)
def test_a_coin_makes_the_result_one_better_up_to_critical(kind):
    assert [amount_of(kind, Result.BAD, coin=coin) for coin in range(5)] == [1, 2, 3, 5, 5]


def test_an_asset_is_of_the_crews_tier_more_or_less():
    assert [amount_of(Activity.ACQUIRE, result, tier=2) for result in Result] == [1, 2, 3, 4]
    assert amount_of(Activity.ACQUIRE, Result.BAD, tier=0) == 0
    assert [amount_of(Activity.ACQUIRE, Result.CRITICAL, tier=1, coin=coin) for coin in range(5)] == [3, 3, 4, 4, 5]


def test_training_is_worth_one_xp_however_it_goes():
    assert {amount_of(Activity.TRAIN, result, coin=1) for result in Result} == {1}


@given(
    st.sampled_from([*TICKING, Activity.ACQUIRE, Activity.TRAIN]),
    st.sampled_from(Result),
    st.integers(0, 99),
    st.integers(0, 6),
)
def test_more_coin_never_makes_it_worse(kind, result, coin, tier):
    assert amount_of(kind, result, coin=coin + 1, tier=tier) >= amount_of(kind, result, coin=coin, tier=tier) >= 0


@pytest.mark.parametrize(("stress", "face", "over"), [(3, 5, True), (5, 5, False), (9, 1, False), (0, 1, True)])
def test_a_vice_clears_what_the_die_says_and_a_higher_one_overindulges(stress, face, over):
    assert indulged(stress, face) == (min(stress, face), over)


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: amount_of(Activity.HEAT, value), "result", wrong)


# A downtime at the table.


CROSS, NYX = uid("cross"), uid("nyx")
MEMBERS = {1: Actor(characters=frozenset([CROSS])), 2: Actor(characters=frozenset([NYX]))}


def downtime(crew: dict[str, int] | None = None, /, **cross: Any) -> tuple[Downtime, Table]:
    """Return a downtime that is not open yet, with Cross of these values, Nyx, their crew if there is one, and a project."""
    procedure = Downtime(id="downtime")
    rows = [
        Scoundrel(id=CROSS, name="Cross", **{"stress": 3, "coin": 2, "values": Held(prowl=2)} | cross),
        Scoundrel(id=NYX, name="Nyx", values=Held(tinker=3), stress=5),
        Clock(id="clock", name="The tunnel", segments=6, kind="project"),
    ]
    rows += [] if crew is None else [Crew(id="wick", name="The Wick", **{"tier": 1, "coin": 1} | crew)]
    return procedure, Table([procedure, *rows], settings=Settings())


def does(procedure: Downtime, table: Table, act: str, *faces: int, **asked: Any) -> str:
    """Take an act, such as "buy.<who>.coin", and let the dice fall that follow. Return its line."""
    name, *keys = act.replace("Cross", CROSS).replace("Nyx", NYX).split(".")
    target = procedure.acts[name].target(procedure, table, keys)
    if target is None:
        raise Refused(f"{act} is not there.")
    line = str(procedure.take(table, procedure.acts[name], target, asked))
    procedure.settle(table)
    thrown = iter(faces)
    while roll := procedure.next_roll(table):
        fallen = resolve(Pool(roll.ask.trait + roll.ask.advantages), thrown)
        dice = [{"face": die.face, "role": die.role.value} for die in fallen.dice]
        procedure.on_roll(table, roll.part, {"result": fallen.result.name, "dice": dice})
    return line


def stands(procedure: Downtime, table: Table) -> tuple[str, ...]:
    """Return what the card says of everyone."""
    rows = procedure.card(table, ()).rows
    return tuple(", ".join(map(str, (row.detail or row.words, *row.lines))) for row in rows)


def figures(row: Any, *names: str) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def offered(procedure: Downtime, table: Table, member: int = 0) -> set[str]:
    """Return what a member can do, or the GM."""
    offers = procedure.offers(table, MEMBERS)
    every = (".".join([one.act.name, *map(str, one.available.target)]) for one in offers if member in (0, *one.members))
    return {one.replace(CROSS, "Cross").replace(NYX, "Nyx") for one in every}


@pytest.mark.parametrize(
    ("dots", "dice"),
    [
        ({"hunt": 1, "study": 2, "tinker": 1, "prowl": 3, "attune": 1, "sway": 2}, 1),
        ({"hunt": 1, "study": 2, "prowl": 3, "finesse": 2, "wreck": 1, "attune": 1, "sway": 2}, 2),
        ({}, 0),
    ],
)
def test_a_vice_is_indulged_with_the_attribute_of_which_fewest_actions_have_a_dot(dots, dice):
    procedure, table = downtime(values=Held(dots))
    procedure.settle(table)
    cross = table.get(Scoundrel, CROSS)
    procedure.take(table, procedure.acts["take_activity"], (cross,), {"kind": Activity.VICE})
    assert procedure.next_roll(table).ask.trait == dice


BOTH = ("2 activities left", "2 activities left")


@pytest.mark.parametrize(
    ("crew", "cross", "acts", "said", "standing", "figured"),
    [
        (
            {"heat": 6},
            {},
            [("take_activity.Cross", (4, 1), {"kind": Activity.HEAT, "action": "prowl"})],
            "",
            ("1 activity left, Reduce heat: −2 heat", BOTH[0]),
            {"wick": {"heat": 4}},
        ),
        (
            {"heat": 6},
            {"stress": 8},
            [("take_activity.Cross", (6, 6, 1), {"kind": Activity.HEAT, "action": "prowl", "push": True})],
            "",
            ("1 activity left, Reduce heat: −5 heat", BOTH[0]),
            {"wick": {"heat": 1}, CROSS: {"stress": 9}},
        ),
        (
            {},
            {"prowess_xp": 5},
            [("take_activity.Cross", (), {"kind": Activity.TRAIN, "track": "prowess_xp"})],
            "Cross trained: Prowess XP +1.",
            ("1 activity left, Train: Prowess XP +1", BOTH[0]),
            {CROSS: {"prowess_xp": 6}},
        ),
        (
            None,
            {"harm_2": {"a": Harm(name="Cut")}, "harm_1": {"b": Harm(name="Bruise")}, "healing": 3},
            [("take_activity.Cross", (2, 1), {"kind": Activity.RECOVER})],
            "",
            ("1 activity left, Recover: 1 on the healing clock", BOTH[0]),
            {CROSS: {"healing": 0, "harm_1": {"new0": Harm(name="Cut")}, "harm_2": {}}},
        ),
        (
            {"coin": 1},
            {},
            [
                ("take_activity.Cross", (6,), {"kind": Activity.ACQUIRE, "thing": "A  boat"}),
                ("better.Cross", (), {"coin": 1, "paid_from": "crew"}),
            ],
            "Cross paid 1 coin in all for a better result: A boat, Tier 3.",
            ("1 activity left, Acquire an asset: A boat, Tier 3", BOTH[0]),
            {CROSS: {"coin": 2, "items": {"new0": Item(name="A boat (Tier 3)")}}, "wick": {"coin": 0}},
        ),
        (
            {"heat": 8},
            {"vice_purveyor": "Spogg"},
            [("take_activity.Cross", (6, 5), {"kind": Activity.VICE}), (f"overindulge.Cross.{CUT_OFF}", (), {})],
            "Cross overindulged, and the purveyor cut them off.",
            ("1 activity left, Indulge the vice: 3 stress cleared", BOTH[0]),
            {CROSS: {"stress": 0, "vice_purveyor": ""}},
        ),
        (
            {"heat": 8},
            {},
            [("take_activity.Cross", (6, 5), {"kind": Activity.VICE}), ("overindulge.Cross.brag", (), {})],
            "Cross overindulged and talked too much: 2 heat.",
            ("1 activity left, Indulge the vice: 3 stress cleared", BOTH[0]),
            {"wick": {"heat": 1, "wanted": 1}},
        ),
        (
            {"heat": 8},
            {},
            [("take_activity.Cross", (6, 5), {"kind": Activity.VICE}), ("overindulge.Cross.lost", (), {})],
            "Cross overindulged and is gone for a while.",
            ("gone for a while, Indulge the vice: 3 stress cleared", BOTH[0]),
            {"wick": {"heat": 8}},
        ),
        (
            {"heat": 8},
            {},
            [("take_activity.Cross", (6, 5), {"kind": Activity.VICE}), ("overindulge.Cross.trouble", (6, 6), {})],
            "Cross overindulged, and trouble came of it.",
            ("The law comes to arrest them", "1 activity left, Indulge the vice: 3 stress cleared", BOTH[0]),
            {"wick": {"heat": 8}},
        ),
        (
            {"heat": 1},
            {},
            [
                ("take_activity.Cross", (6, 1, 1), {"kind": Activity.HEAT, "action": "prowl", "friend": True}),
                ("done.Cross", (), {}),
            ],
            "Cross finished the downtime.",
            ("done, Reduce heat: −3 heat", BOTH[0]),
            {"wick": {"heat": 0}, CROSS: {"stress": 3}},
        ),
        (
            {"heat": 4, "wanted": 1},
            {},
            [("roll_entanglement", (5,), {}), ("choose.0.1", (), {}), ("prison", (), {})],
            "Someone went to prison for the crew. Heat 0 of 9, wanted level 0.",
            ("The dead stir", *BOTH),
            {"wick": {"heat": 0, "wanted": 0}},
        ),
        (
            {},
            {"trauma_cold": True, "trauma_soft": True, "stress": 6},
            [("done.Cross", (), {}), ("end", (), {})],
            "Downtime ended. Without their vice: Cross, Nyx.",
            ("done", BOTH[0]),
            {CROSS: {"stress": 8}, "downtime": {"over": True}},
        ),
    ],
)
def test_what_is_done_in_a_downtime_stands_on_sheets_and_on_the_card(crew, cross, acts, said, standing, figured):
    procedure, table = downtime(crew, **cross)
    assert does(procedure, table, "open") == "Downtime began: Cross, Nyx."
    for act, faces, asked in acts:
        line = does(procedure, table, act, *faces, **asked)
    assert (line, stands(procedure, table)) == (said, standing)
    rows = {row.id: row for kind in (Scoundrel, Crew, Downtime) for row in table.all(kind)}
    assert {one: {name: getattr(rows[one], name) for name in values} for one, values in figured.items()} == figured


def test_what_comes_of_overindulging_is_chosen_first_and_by_whose_it_is():
    procedure, table = downtime({})
    does(procedure, table, "open")
    does(procedure, table, "take_activity.Cross", 6, 6, kind=Activity.VICE)
    comes = {f"overindulge.Cross.{one}" for one in ("trouble", "brag", "lost", "cut_off")}
    assert offered(procedure, table, 1) == comes and "end" not in offered(procedure, table)
    assert [(one.who, str(one.words)) for one in procedure.waits(table)] == [
        (CROSS, "to choose what comes of overindulging"),
        (NYX, "to choose 2 activities"),
    ]
    assert offered(procedure, table, 2) == {"take_activity.Nyx", "done.Nyx"}
    does(procedure, table, "overindulge.Cross.lost")
    assert "end" in offered(procedure, table) and not offered(procedure, table, 1)


def test_who_is_in_prison_does_nothing_more():
    procedure, table = downtime({"heat": 5, "wanted": 2})
    does(procedure, table, "open")
    does(procedure, table, "prison", who=table.get(Scoundrel, CROSS))
    assert figures(table.get(Crew, "wick"), "heat", "wanted") == (0, 1)
    assert stands(procedure, table) == ("in prison", BOTH[0]) and not offered(procedure, table, 1)


def test_the_one_who_treats_rolls_their_tinker():
    procedure, table = downtime({}, harm_1={"a": Harm(name="Bruise")})
    does(procedure, table, "open")
    act, cross = procedure.acts["take_activity"], table.get(Scoundrel, CROSS)
    procedure.take(table, act, (cross,), {"kind": Activity.RECOVER, "healer": table.get(Scoundrel, NYX)})
    roll = procedure.next_roll(table)
    assert roll is not None and roll.ask.trait == 3


def test_nobody_is_offered_what_they_cannot_pay_or_what_coin_does_not_better():
    procedure, table = downtime({"coin": 1}, coin=1)
    does(procedure, table, "open", war=True)
    does(procedure, table, "take_activity.Cross", 6, kind=Activity.ACQUIRE, thing="A boat")
    paid = {f"buy.Cross.{one}" for one in ("coin", "crew")}
    assert offered(procedure, table, 1) == {*paid, "better.Cross", "done.Cross"}
    does(procedure, table, "better.Cross", coin=1, paid_from="coin")
    assert offered(procedure, table, 1) == {"buy.Cross.crew", "done.Cross"}, "two coin buy a further Tier"


@pytest.mark.parametrize(("stress", "end"), [(7, False), (8, True)])
def test_a_push_or_a_downtime_without_the_vice_may_bring_a_trauma(stress, end):
    procedure, table = downtime({"heat": 8}, stress=stress, trauma_cold=True)
    does(procedure, table, "open")
    if end:
        does(procedure, table, "end")
    else:
        pushed = {"kind": Activity.HEAT, "action": "prowl", "push": True}
        does(procedure, table, "take_activity.Cross", 4, 4, 4, **pushed)
        with pytest.raises(RuleError, match="Choose a trauma first"):
            does(procedure, table, "take_activity.Cross", 4, 4, 4, **pushed)
    table.settle()
    assert [given for _kind, given in table.begun] == [{"those": [CROSS]}]


def test_what_the_crews_sheet_has_no_room_for_is_said_before_it_is_recorded():
    procedure, table = downtime({"coin": 14, "rep": 11})
    does(procedure, table, "open", take="standard", target=2, exposure=Exposure.LOUD)
    notes = [*map(str, procedure.card(table, ()).notes)]
    assert notes == ["The crew’s sheet has no room for 2 rep, 4 coin. Share that out by hand."]


def test_a_score_is_recorded_first_and_ends_what_belongs_to_it():
    procedure, table = downtime({"heat": 8}, load="normal", items={"a": Item(name="Rope", carried=True)})
    tokens = [Loads(id="loads"), Opening(id="opening")]
    table = Table([*table.all(Downtime), *table.all(Scoundrel), *table.all(Crew), *tokens], settings=Settings())
    does(procedure, table, "open", take="standard", target=2, exposure=Exposure.CONTAINED, war=True)
    assert procedure.score == Score(rep=3, coin=6, heat=3) and offered(procedure, table) == {"write"}
    assert does(procedure, table, "write", 3) == "The score brought 3 rep, 6 coin, 3 heat. Heat 2 of 9, wanted level 1."
    cross, crew = table.get(Scoundrel, CROSS), table.get(Crew, "wick")
    assert figures(crew, "rep", "coin", "heat", "wanted") == (3, 7, 2, 1)
    assert (cross.load, cross.carried, [token.over for token in tokens]) == ("", 0, [True, True])
    assert stands(procedure, table) == ("one of two", "1 activity left", "1 activity left")
    assert [one.who for one in procedure.waits(table)] == [CROSS, NYX, ""]


def test_a_project_ticks_a_clock_or_begins_one_and_is_bettered_while_the_clock_has_room():
    procedure, table = downtime()
    does(procedure, table, "open")
    clock, work = table.get(Clock, "clock"), {"kind": Activity.PROJECT, "action": "prowl"}
    does(procedure, table, "take_activity.Cross", 6, 1, **work, clock=clock)
    assert clock.filled == 3 and "better.Cross" in offered(procedure, table)
    clock.filled = 6
    assert "better.Cross" not in offered(procedure, table)
    does(procedure, table, "take_activity.Cross", 3, 1, **work, project="A way in", segments=8)
    assert figures(table.all(Clock)[-1], "name", "segments", "filled", "whose") == ("A way in", 8, 1, CROSS)


def test_more_activities_are_bought_by_whoever_can_pay_once_there_are_none_left():
    procedure, table = downtime({"rep": 1})
    does(procedure, table, "open", war=True)
    train = {"kind": Activity.TRAIN, "track": "insight_xp"}
    assert offered(procedure, table, 1) == {"take_activity.Cross", "done.Cross"}
    with pytest.raises(Refused, match="has an activity left"):
        does(procedure, table, "buy.Cross.coin")
    does(procedure, table, "take_activity.Cross", **train)
    assert offered(procedure, table, 1) == {"done.Cross", *(f"buy.Cross.{paid}" for paid in ("coin", "crew", "rep"))}
    assert does(procedure, table, "buy.Cross.rep") == "Cross bought one more activity for 1 rep."
    does(procedure, table, "take_activity.Cross", **train | {"track": "playbook_xp"})
    with pytest.raises(Refused, match="The Wick has 0 rep, which isn’t enough"):
        does(procedure, table, "buy.Cross.rep")


def test_a_track_is_trained_while_it_has_room_and_once_in_a_downtime():
    procedure, table = downtime(insight_xp=6, prowess_xp=5, resolve_xp=6, playbook_xp=7)
    does(procedure, table, "open")
    does(procedure, table, "take_activity.Cross", kind=Activity.TRAIN, track="prowess_xp")
    assert [track for track, _ in tracks(procedure, table, table.get(Scoundrel, CROSS))] == ["playbook_xp"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"kind": Activity.HEAT}, "kind"),
        ({"kind": Activity.RECOVER}, "kind"),
        ({"kind": Activity.ACQUIRE}, "thing"),
        ({"kind": Activity.PROJECT}, "action"),
        ({"kind": Activity.PROJECT, "action": "prowl", "project": " "}, "project"),
        ({"kind": Activity.TRAIN}, "track"),
    ],
)
def test_what_an_activity_needs_is_asked_for_at_its_field(asked, field):
    procedure, table = downtime({})
    does(procedure, table, "open")
    assert refusal(Refused, does, procedure, table, "take_activity.Cross", **asked).field == field


def test_who_leaves_play_is_waited_for_no_more_and_who_comes_takes_part():
    procedure, table = downtime()
    table.get(Scoundrel, NYX).is_played = False
    does(procedure, table, "open")
    table.get(Scoundrel, CROSS).in_play, table.get(Scoundrel, NYX).is_played = False, True
    procedure.settle(table)
    assert stands(procedure, table) == ("no longer in play", "2 activities left")
    assert [one.who for one in procedure.waits(table)] == [NYX]
    assert offered(procedure, table) == {"take_activity.Nyx", "done.Nyx", "end"}


def test_a_voided_roll_gives_its_activity_back():
    procedure, table = downtime({"heat": 5})
    does(procedure, table, "open")
    act = procedure.acts["take_activity"]
    procedure.take(table, act, (table.get(Scoundrel, CROSS),), {"kind": Activity.HEAT, "action": "prowl"})
    procedure.undo_roll(table, "heat")
    assert procedure.next_roll(table) is None and stands(procedure, table) == BOTH


def test_a_downtime_of_0_2_is_told_as_it_was():
    taken = {"what": "heat", "amount": 2, "result": "4/5", "name": "", "clock": "", "rating": 2, "bettered": 0}
    gone = {"key": "1", "name": "Cross", "character": CROSS, "at": 3, "bought": 1, "taken": [taken], "plan": None}
    gone |= {"over": False, "away": "left", "done": False, "sheet": None, "can": []}
    jailed = gone | {"key": "2", "name": "Nyx", "character": NYX, "taken": [], "away": "prison"}
    crew = {"id": "wick", "name": "The Wick", "tier": 1, "rep": 0, "coin": 0, "heat": 2, "wanted": 1}
    troubles = [{"heat": 4, "result": "4/5", "chosen": 1}, {"heat": 4, "result": "1-3", "chosen": None}]
    state = {"stage": "ended", "war": True, "those": [gone, jailed], "crew": crew, "score": None, "troubles": troubles}
    table = Downtime.told_before(state)
    (procedure,) = table.all(Downtime)
    left = "no longer in play, Reduce heat: −2 heat"
    assert stands(procedure, table) == ("The dead stir", "one of two", left, "in prison")
    lines = [str(procedure.line_before(table, act, "Cross")) for act in ("open", "better", "buy_rep", "end")]
    assert lines == [
        "Downtime began, at war: Cross, Nyx.",
        "Cross paid 0 coin in all for a better result: −2 heat.",
        "Cross bought one more activity for 1 rep.",
        "Downtime ended. Without their vice: Nyx.",
    ]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_nothing_leaves_its_range_and_no_activity_is_lost_or_taken_twice(data):
    def draw(low, high):
        return data.draw(st.integers(low, high))

    harm = {"harm_2": {"a": Harm(name="Cut")}, "harm_3": {"b": Harm(name="Shot")}}
    procedure, table = downtime({"heat": draw(0, 9), "wanted": draw(0, 4)}, **harm, stress=draw(0, 9), trauma_cold=True)
    does(procedure, table, "open", war=data.draw(st.booleans()))
    for _ in range(draw(1, 20)):
        act = data.draw(st.sampled_from(sorted(offered(procedure, table))))
        asked = {
            "take_activity": {
                "kind": data.draw(st.sampled_from(Activity)),
                "action": "prowl",
                "project": "A way in",
                "thing": "A boat",
                "track": "insight_xp",
                "push": data.draw(st.booleans()),
            },
            "better": {"coin": draw(1, 3)},
        }.get(act.split(".")[0], {})
        left = {who.id: procedure.left(who) for who in people(table)}
        faces = [draw(1, 6) for _ in range(8)]
        try:
            does(procedure, table.trial(), act, *faces, **asked)
        except RuleError:
            assert asked, "what is offered is not refused, but for what a form says"
            continue
        does(procedure, table, act, *faces, **asked)
        if procedure.over:
            break
        crew, (cross, nyx) = table.get(Crew, "wick"), people(table)
        assert 0 <= crew.heat <= 9 and 0 <= crew.wanted <= 4 and crew.coin >= 0 and crew.rep >= 0
        assert 0 <= cross.stress <= 9 and 0 <= nyx.stress <= 9 and cross.coin >= 0 and cross.insight_xp <= 6
        assert all(len(rows) <= 2 for rows in cross.harm.values())
        for who in (cross, nyx):
            gained, person = procedure.left(who) - left[who.id], procedure.those[who.id]
            assert gained in ((1, 0) if act.startswith("buy") else (0, -1)) or person.done or person.away
    assert Downtime.model_validate(procedure.model_dump(mode="json")) == procedure
