"""Events in turns: both examples of arc.txt V.6, the order as it changes, and what turns cost and bring."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.errors import BlockedByState, RuleError
from rules.procedures import RollPart
from rules.table import Refused
from rulesets.arc.procedures.check import Check
from rulesets.arc.procedures.check import Side as CheckSide
from rulesets.arc.procedures.tracker import COMES_TO, LEAVES, MOVES
from rulesets.arc.rules.tracker import (
    AMBUSHED,
    ATTACKED,
    CORNERED,
    FIRST_FALLS,
    HALF_DEAD,
    OCCASIONS,
    Mind,
    Side,
    Skill,
    Status,
)
from rulesets.arc.settings import Settings
from rulesets.arc.sheet import Person
from tests.answers import refusal
from tests.rulesets.arc.rules.turns import Fight, person, someone
from tests.uids import uid

PLAYER = Actor(characters=frozenset({uid("Silas")}))


def by_som(*names: str, **more: object) -> Fight:
    """Begin with nameless ones whose SOM is 1, 2 and so on."""
    return Fight(*(someone(name, som) for som, name in enumerate(names, start=1)), **more)


def test_the_turn_of_the_example_goes_from_the_lowest_state_of_mind_to_the_highest():
    fight = by_som("PC1", "NPC4", "PC2", "PC3")
    for name in ("PC1", "NPC4", "PC2", "PC3"):
        assert fight.now == name
        assert fight.do("declare", name, words="acts", actions=2) == f"{name} declared: acts (2 actions)."
        fight.do("done", name)
    assert not fight.now and fight.row.seconds == (0, 6)
    assert fight.do("turn") == "Turn 1 ended. Turn 2 (seconds 6 to 12): PC1, NPC4, PC2, PC3."
    assert {(one.words, one.actions, one.status) for one in fight.row.participants} == {("", 0, Status.TO_ACT)}


def ambush() -> Fight:
    """Begin the ambush of V.6: three hooded figures, three guards who are not surprised, and Silas, who picks a lock and is."""
    guards = [someone(f"Guard {n}", n + 3, ally=True) for n in range(3)]
    figures = [someone(f"Figure {n}", n + 6) for n in range(3)]
    return Fight(*guards, *figures, person("Silas", 1), Silas="surprised")


def test_in_an_ambush_the_surprised_one_may_go_on_with_what_was_begun_and_nothing_else():
    fight = ambush()
    assert fight.arisen == {AMBUSHED: ["Guard 0", "Guard 1", "Guard 2"]}, "a GM is asked about the others of that side"
    assert fight.offers(PLAYER) == {"go_on.Silas", "drop.Silas"}
    line = fight.do("go_on", "Silas", by=PLAYER, words="goes on with Tamper")
    assert line == "Silas, surprised, carried on: goes on with Tamper (1 action)."
    assert "Silas" not in fight.whole_turn()
    fight.do("turn")
    assert fight.now == "Silas"


@pytest.mark.parametrize(
    ("those", "faces", "settings", "order", "ties"),
    [
        (
            [someone("Mo"), someone("Iva", 3), someone("Tess"), someone("Ro", 3), someone("Ana", 9)],
            (8, 2, 4, 4, 9, 1),
            Settings(),
            ["Ro", "Iva", "Tess", "Mo", "Ana"],
            "Ties, a d10 each: Iva (8), Ro (2); Mo (4), Tess (4); Mo (9), Tess (1).",
        ),
        (
            [someone("Tess"), someone("Mo")],
            (5, 5),
            Settings(equal_dice_roll_again=False),
            ["Mo", "Tess"],
            "Ties, a d10 each: Mo (5), Tess (5).",
        ),
    ],
)
def test_equals_roll_against_each_other_alone_and_keep_their_dice(those, faces, settings, order, ties):
    fight = Fight(*those, faces=faces, settings=settings)
    assert fight.said.endswith(ties) and fight.names == order
    fight.whole_turn()
    assert "Ties" not in fight.do("turn") and fight.names == order


def test_a_changed_som_has_another_place_and_whoever_has_declared_finishes_first():
    fight = Fight(person("Silas"), someone("Iva", 3), someone("Dog", 4), faces=(9, 2))
    fight.do("declare", "Iva")
    silas = fight.table.get(Person, uid("Silas"))
    silas.som = 1
    assert fight.settle() == "The order changed: Silas, Iva, Dog." and fight.now == "Iva"
    fight.do("done", "Iva")
    assert fight.now == "Silas"
    silas.som = 3
    assert fight.settle() == "The order changed: Silas, Iva, Dog. Ties, a d10 each: Iva (9), Silas (2)."
    assert not fight.settle()


def test_who_leaves_play_is_out_of_it_and_who_dies_lies_there_and_shakes_the_others():
    for left, names, arisen in (
        ({"in_play": False}, ["Ally", "Dog"], {}),
        ({"in_play": False, "dead": True}, ["Ally", "Dog"], {FIRST_FALLS: ["Ally"]}),
    ):
        fight = Fight(person("Silas", 3), someone("Ally", 4, ally=True), someone("Dog", 8))
        fight.do("react", whom=["Silas"], occasion=CORNERED)
        for field, value in left.items():
            setattr(fight.table.get(Person, uid("Silas")), field, value)
        assert "The order changed: Ally, Dog" in fight.settle()
        assert (fight.names, fight.arisen, fight.row.checks) == (names, arisen, [])


@pytest.mark.parametrize("name", ["Perception", "perception (sight)", "Wahrnehmung"])
def test_perception_breaks_ties_in_whatever_language_the_sheet_calls_it(name):
    sharp = {"id": "p", "name": name, "es": 7, "stat": "intellect"}
    fight = Fight(person("Silas", skills=(sharp,)), someone("Dog"))
    assert (fight.names, fight.of("Silas").perception, fight.said.count("Ties")) == (["Dog", "Silas"], 7, 0)


@pytest.mark.parametrize("steps", [(), ("declare",), ("declare", "done")])
def test_a_newcomer_whose_place_is_past_acts_from_the_next_turn_on(steps):
    fight = Fight(someone("Iva", 3), someone("Dog", 6))
    for step in steps:
        fight.do(step, "Iva")
    line = fight.do("join", lines=[someone("Early", 1), someone("Late", 8)])
    assert line == "Newcomers joined. The order: Early, Iva, Dog, Late."
    assert (fight.of("Early").status, fight.of("Late").status) == (Status.NEXT_TURN, Status.TO_ACT)
    fight.whole_turn()
    fight.do("turn")
    assert fight.now == "Early"


def test_declaring_and_acting_may_be_apart_or_one_step():
    fight = by_som("Iva", "Dog", apart=True)
    for name in ("Iva", "Dog"):
        fight.do("declare", name, done=True)
    assert fight.now == "Iva"
    fight = by_som("Iva", "Dog")
    assert fight.do("declare", "Iva", done=True) == "Iva declared: strikes (1 action). Dog declares next."
    assert fight.now == "Dog"


def test_a_gm_holds_skips_and_moves():
    fight = by_som(*"abcd")
    assert fight.do("hold", "a") == "a held back. b declares next."
    for step in ("declare", "done"):
        fight.do(step, "b")
    for step in ("come_in", "declare", "done"):
        fight.do(step, "a")
    assert fight.do("change", "d", to=MOVES, before="c") == "d changed places. The order: a, b, d, c."
    assert fight.do("skip", "d") == "d was skipped. c declares next."
    fight.do("wait", "c")
    fight.do("turn")
    assert fight.names == [*"abcd"], "a move is for one turn"


def test_who_is_taken_out_in_the_middle_of_their_turn_leaves_nothing_behind():
    fight = by_som(*"abc")
    fight.do("declare", "a", against=["b"], done=True)
    fight.do("declare", "b", against=["a"])
    fight.do("change", "c", to=MOVES, before="b")
    fight.do("outcome", words="a blow", whom="b", som=-1)
    fight.do("react", occasion=CORNERED, whom=["b"])
    assert fight.do("change", "b", to=LEAVES) == "b left. c declares next."
    row = fight.row
    assert not (row.checks or row.moves or row.outcomes or fight.of("a").against)


def test_only_who_is_not_awake_comes_to():
    fight = Fight(someone("Iva"), someone("Dog", how="unconscious"))
    assert fight.do("change", "Dog", to=COMES_TO) == "Dog came to."
    assert fight.of("Dog").mind is Mind.SURPRISED
    with pytest.raises(Refused, match="awake"):
        fight.do("change", "Iva", to=COMES_TO)


def test_outcomes_land_at_the_end_of_the_turn_and_on_the_sheets():
    fight = Fight(person("Silas"), someone("Dog", 3, ally=True))
    fight.do("outcome", words="the net falls", whom="Silas", som=-2)
    secret = "Noted for the end of the turn: Dog: only the GM sees how."
    assert fight.do("outcome", whom="Dog", som=-9) == secret
    assert str(fight.table.gms_line) == "Noted for the end of the turn: Dog: state of mind −9."
    fight.do("outcome", whom="Dog", becomes="unconscious")
    fight.whole_turn()
    assert "the net falls; Silas: state of mind −2. Dog: only the GM sees how. Dog: unconscious" in fight.do("turn")
    dog = fight.of("Dog")
    assert (dog.som, dog.mind, fight.table.get(Person, uid("Silas")).som) == (1, Mind.UNCONSCIOUS, 3)
    assert fight.arisen == {FIRST_FALLS: ["Silas"]} and not fight.row.outcomes


@pytest.mark.parametrize("wrong", [{}, {"words": "x", "som": 2}, {"words": "x", "becomes": "dead"}, {"som": 10}])
def test_an_outcome_says_something_of_somebody(wrong):
    with pytest.raises(RuleError):
        ambush().do("outcome", **wrong)


def test_so_much_is_noted_in_a_turn_and_so_many_take_part():
    fight = ambush()
    for _ in range(40):
        fight.do("outcome", words="a blow")
    for name, given in (("outcome", {"words": "a blow"}), ("join", {"lines": [someone("Rat", many=34)]}), ("join", {})):
        with pytest.raises(Refused):
            fight.do(name, **given)
    for those in ((), (someone("a"), someone("a")), (person("Silas", hidden=True),)):
        with pytest.raises(Refused):
            Fight(*those)


def test_who_is_unconscious_by_the_sheet_is_so_here_and_the_other_way_round():
    fight = Fight(person("Silas", 3), someone("Dog"))
    silas = fight.table.get(Person, uid("Silas"))
    fight.do("change", "Silas", to="unconscious")
    assert silas.unconscious
    silas.unconscious = False
    fight.settle()
    assert fight.of("Silas").mind is Mind.SURPRISED
    silas.unconscious = True
    fight.settle()
    assert fight.of("Silas").mind is Mind.UNCONSCIOUS


# Reaction checks


@pytest.mark.parametrize(("som", "face", "acts_now"), [(10, 10, True), (1, 1, True), (1, 2, False), (9, 10, False)])
def test_who_fails_a_reaction_check_loses_the_turn_and_no_other(som, face, acts_now):
    fight = Fight(someone("Iva", som, how="ambushed"), someone("Dog"))
    assert "declare.Iva" not in fight.offers()
    fight.react(face)
    assert ("Iva" in fight.names) is acts_now
    fight.whole_turn()
    fight.do("turn")
    assert "Iva" in fight.names


def test_the_highest_som_of_a_player_rolls_nothing():
    fight = Fight(person("Silas", 10), someone("Iva", 10, how="ambushed"), Silas="ambushed")
    assert {fight.row.found(one.key).name: one.held for one in fight.row.checks} == {"Silas": True, "Iva": None}


def test_a_roll_that_is_taken_back_is_owed_again_by_who_can_react():
    fight = Fight(person("Silas", 2), someone("Dog", 3), Silas="ambushed")
    (asked,) = fight.row.requests(fight.table)
    assert (asked.part, asked.character) == (RollPart("check1"), uid("Silas"))
    fight.react(9)
    assert fight.names == ["Dog"]
    fight.row.on_answers(fight.table, [])
    assert fight.names == ["Silas", "Dog"] and fight.row.requests(fight.table) == [asked]
    fight.react(9)
    fight.do("change", "Silas", to="unconscious")
    fight.row.on_answers(fight.table, [])
    assert not fight.row.checks
    made = Fight(someone("Dog", how="ambushed"))
    assert made.row.next_roll(made.table).ask.som == 5
    made.row.undo_roll(made.table, "check1")
    assert not made.row.checks


def test_who_owes_two_checks_since_their_rolls_were_taken_back_is_let_off_both_with_one_press():
    fight = Fight(person("Silas", 2), someone("Dog", 3))
    for _ in range(2):
        fight.do("react", whom=["Silas"], occasion=CORNERED)
        fight.react(1)
    fight.row.on_answers(fight.table, [])
    assert [one.held for one in fight.row.checks] == [None, None] and "turn" not in fight.offers()
    fight.do("waive", "Silas")
    assert not fight.row.checks
    fight.whole_turn()
    assert fight.do("turn").startswith("Turn 1 ended.")


@pytest.mark.parametrize(
    "wrong",
    [{"whom": []}, {"whom": ["Silas"]}, {"whom": ["Guard 1"]}],
)
def test_checks_are_asked_of_who_can_react(wrong):
    fight = ambush()
    fight.do("react", occasion=CORNERED, whom=["Guard 1"])
    with pytest.raises(Refused):
        fight.do("react", **{"occasion": CORNERED, "whom": ["Guard 0"]} | wrong)
    fight.do("waive", "Guard 1")
    assert not fight.row.checks


@pytest.mark.parametrize(
    ("act", "given", "field"),
    [
        ("react", {"whom": ["Iva"], "occasion": "bored"}, "occasion"),
        ("react", {"whom": ["99"], "occasion": CORNERED}, "whom"),
        ("change", {"to": "flies"}, "to"),
        ("change", {"to": MOVES, "before": "99"}, "before"),
        ("join", {"takes_part": ["aware:x"]}, "takes_part"),
        ("join", {"lines": [someone("Cat")], "ambush": "all"}, "ambush"),
    ],
)
def test_what_is_not_there_to_choose_is_said_at_its_field(act, given, field):
    fight = by_som("Iva", "Dog")
    assert refusal(Refused, fight.do, act, "Iva" if act == "change" else "", **given).field == field


@pytest.mark.parametrize("occasion", OCCASIONS)
def test_a_gm_asks_on_any_occasion_and_a_failure_costs_this_turn(occasion):
    fight = guards_and_figures()
    line = fight.do("react", occasion=occasion, whom=["Guard 0", "Guard 1"])
    assert line == f"Reaction check for Guard 0, Guard 1 ({OCCASIONS[occasion]})."
    fight.react(10, 1)
    assert fight.names == ["Guard 1", "Guard 2", "Figure 0", "Figure 1"]


# Possible acts


@pytest.mark.parametrize(
    "wrong",
    [
        {"actions": 3},
        {"actions": 0},
        {"moves": 9},
        {"words": ""},
        {"skills": [f"{uid('Iva')}:skills/p/es"]},
        {"against": ["Silas"]},
        {"defences": 2},
    ],
)
def test_more_than_the_es_and_the_movement_give_is_refused(wrong):
    shoot = {"id": "s", "name": "Shoot", "es": 5, "stat": "control"}
    fight = Fight(person("Silas", skills=(shoot,)), someone("Dog", 9))
    usual = {"skills": [f"{uid('Silas')}:skills/s/es"], "by": PLAYER}
    with pytest.raises(RuleError):
        fight.do("declare", "Silas", **usual | wrong)
    fight.do("declare", "Silas", **usual, actions=2, moves=8)
    assert fight.of("Silas").skills == [Skill(stat="control", skill="Shoot")]


def test_who_is_immobile_cannot_act_unless_a_gm_allows_it():
    fight = Fight(someone("Mule", burden="immobile"))
    with pytest.raises(BlockedByState):
        fight.do("declare", "Mule")
    fight.do("declare", "Mule", override=True)
    assert fight.now == "Mule"


@pytest.mark.parametrize(
    ("size", "burden", "control", "metres"),
    [("medium", "none", 5, 8), ("small", "none", 5, 4), ("large", "heavy", 9, 12), ("medium", "immobile", 5, 0)],
)
def test_the_nameless_move_by_control_size_and_burden(size, burden, control, metres):
    dog = Fight(someone("Dog", es=9, size=size, burden=burden, control=control)).of("Dog")
    assert (dog.reach, dog.most) == (metres * 100, 3)


def test_the_check_of_each_action_goes_by_its_skill_against_its_target_and_later_ones_by_the_last():
    fight = Fight(someone("Iva"), someone("Dog", 6), someone("Cat", 7, ally=True))
    skills = [Skill(stat="control", skill="Fight"), Skill(stat="control", skill="Shoot")]
    fight.of("Iva").declares(words="strikes", actions=3, skills=skills, against=["2", "3"])
    fight.of("Iva").status = Status.DECLARED
    for _ in range(3):
        fight.do("resolve", "Iva")
    assert "resolve.Iva" not in fight.offers()
    called = [(given["sides"][0]["skill"], given["sides"][1]["name"], given["fight"]) for _, given in fight.table.begun]
    assert called == [("Fight", "Dog", False), ("Shoot", "Cat", True), ("Shoot", "Cat", True)]


SWORD = {"id": "s", "name": "Swordplay", "es": 5, "stat": "control"}


@pytest.mark.parametrize(
    ("given", "apart", "said", "called", "left"),
    [
        ({}, False, "attack (1 action, against Dog)", ("control", "Swordplay"), {"done.Silas"}),
        (
            {"actions": 2},
            False,
            "attack (2 actions, against Dog)",
            ("control", "Swordplay"),
            {"done.Silas", "resolve.Silas"},
        ),
        ({"using_stat": "build"}, False, "attack (1 action, against Dog)", ("build", "Swordplay"), {"done.Silas"}),
        ({"using": ""}, False, "attack (1 action, against Dog)", None, {"done.Silas"}),
        ({}, True, "attack (1 action, against Dog)", None, set()),
    ],
)
def test_an_attack_declares_and_begins_its_first_check_with_one_press(given, apart, said, called, left):
    fight = Fight(person("Silas", 2, skills=(SWORD,)), someone("Dog", 6), apart=apart)
    assert {"attack.Silas", "hold.Silas", "wait.Silas"} <= fight.offers(PLAYER) and "attack.Dog" not in fight.offers()
    usual = {"using": f"{uid('Silas')}:skills/s/es", "target": "Dog"}
    assert fight.do("attack", "Silas", by=PLAYER, **usual | given) == f"Silas declared: {said}."
    assert {one for one in fight.offers(PLAYER) if one.endswith("Silas")} == left
    begun = [(one["sides"][0].get("stat"), one["sides"][0].get("skill")) for _, one in fight.table.begun]
    assert begun == [] if apart else begun == [called or (None, None)]
    assert all(one["sides"][1]["name"] == "Dog" and one["fight"] for _, one in fight.table.begun)


@pytest.mark.parametrize(
    "wrong",
    [{"target": ""}, {"target": "Silas"}, {"target": "Cat"}, {"actions": 3}, {"using": "x"}, {"using_stat": "x"}],
)
def test_what_is_refused_of_an_attack_leaves_all_as_it_was(wrong):
    fight = Fight(person("Silas", 2, skills=(SWORD,)), someone("Dog", 6), someone("Cat", 7))
    fight.do("change", "Cat", to="dead")
    fight.do("no_check", FIRST_FALLS)
    before = fight.row.model_dump()
    with pytest.raises(RuleError):
        usual = {"using": f"{uid('Silas')}:skills/s/es", "target": "Dog"}
        fight.row.take(fight.table.trial(), *asked_with(fight, "attack", "Silas", usual | wrong))
    assert fight.row.model_dump() == before and not fight.table.begun


def asked_with(fight: Fight, name: str, whom: str, given: dict[str, object]) -> tuple[object, ...]:
    act = fight.row.acts[name]
    target = act.target(fight.row, fight.table, [fight.key(whom)])
    named = {**given, "target": fight.key(str(given["target"]))}
    return act, target, {one.name: one.read(named.get(one.name), fight.row, fight.table, target) for one in act.asks}


def test_an_npc_counters_with_its_skill_of_the_same_name_and_a_players_choice_is_theirs():
    for is_played, skill in ((False, "swordplay"), (True, "")):
        theirs = {**SWORD, "id": "t", "name": "swordplay", "stat": "build"}
        fight = Fight(person("Silas", 2, skills=(SWORD,)), person("Vesper", 6, skills=(theirs,), is_played=is_played))
        fight.do("attack", "Silas", using=f"{uid('Silas')}:skills/s/es", target="Vesper")
        assert fight.table.begun[-1][1]["sides"][1].get("skill", "") == skill


def test_who_has_made_a_check_in_their_turn_is_done_and_has_not_done_nothing():
    fight = Fight(person("Silas", 2), someone("Dog", 6))
    check = check_between(fight, "Silas", fight=False)
    check.sides[0].character = uid("Silas")
    fight.settle()
    assert {"done.Silas"} == {one for one in fight.offers(PLAYER) if one.split(".")[0] in ("done", "wait", "hold")}
    assert [(row.whose, str(row.detail)) for row in fight.row.card(fight.table, []).rows] == [("Silas", "made a check")]


def test_who_was_skipped_has_no_check_and_is_said_to_be_skipped():
    fight = by_som("Iva", "Dog", "Cat")
    fight.do("declare", "Iva", done=True)
    assert "resolve.Iva" in fight.offers(), "the check may come afterwards"
    fight.do("declare", "Dog")
    fight.do("skip", "Dog")
    fight.do("wait", "Cat")
    assert not {"resolve.Dog", "resolve.Cat"} & fight.offers()
    seen = {turn.name: (str(turn.words), turn.status) for turn in fight.row.card(fight.table, []).turns}
    assert seen["Dog"] == ("8 m; skipped this turn", "skipped")
    assert seen["Cat"] == ("8 m; does nothing this turn", "done")


def test_an_action_kept_to_defend_brings_its_skill_into_the_attack():
    shoot = {"id": "s", "name": "Dodge", "es": 5, "stat": "control"}
    fight = Fight(someone("Dog", 1), person("Silas", skills=(shoot,)))
    fight.do("declare", "Dog", against=["Silas"], actions=2)
    dodges = {"skills": [f"{uid('Silas')}:skills/s/es"], "defences": 1}
    fight.do("declare", "Silas", words="dodges", **dodges)
    assert "resolve.Silas" not in fight.offers(), "it is rolled in the attack"
    for left, skill in (("1", "Dodge"), ("0", "")):
        assert f"{left} of 1 defence left" in " ".join(str(row.detail) for row in fight.row.card(fight.table, []).rows)
        fight.do("resolve", "Dog")
        assert fight.table.begun[-1][1]["sides"][1].get("skill", "") == skill
        fight.of("Silas").defended = 1


def test_whoever_is_attacked_before_their_turn_may_only_defend():
    fight = by_som("Iva", "Dog", "Cat")
    fight.do("declare", "Iva", against=["Dog"])
    assert {"declare.Dog"} == {one for one in fight.offers() if one.startswith("declare")}
    with pytest.raises(Refused):
        fight.do("declare", "Dog", actions=2, defences=1)
    fight.do("declare", "Dog", actions=2, defences=2)
    assert (fight.of("Dog").status, fight.now) == (Status.DONE, "Iva")


# Occasions for a Reaction check: those of arc.txt, V.5, as far as they can be seen from who takes part


def guards_and_figures() -> Fight:
    """Begin with three guards of the party (SOM 3, 4, 5) and two figures (7, 8)."""
    guards = [someone(f"Guard {n}", n + 3, ally=True) for n in range(3)]
    return Fight(*guards, *(someone(f"Figure {n}", n + 7) for n in range(2)))


def asked(fight: Fight) -> list[str]:
    return sorted(fight.row.found(one.key).name for one in fight.row.checks)


@pytest.mark.parametrize("side", Side)
def test_all_of_the_side_that_is_ambushed_check_but_those_who_are_surprised(side):
    ally = side is Side.PARTY
    those = (
        someone("Guard", ally=ally),
        someone("Lock", ally=ally, how="surprised"),
        someone("Figure", 6, ally=not ally),
    )
    fight = Fight(*those, ambush=side.value)
    assert (asked(fight), fight.arisen) == (["Guard"], {}), "nobody is asked about what was said"


def test_who_comes_later_may_ambush_those_who_are_there():
    fight = guards_and_figures()
    fight.do("join", lines=[someone("Sniper", 9)], ambush="party")
    fight.react(10, 10, 1)
    assert fight.names == ["Guard 2", "Figure 0", "Figure 1", "Sniper"]


def test_an_occasion_is_offered_until_it_is_answered_or_the_turn_ends():
    fight, offers = ambush(), {f"check.{AMBUSHED}", f"no_check.{AMBUSHED}"}
    assert offers <= fight.offers()
    assert fight.do("check", AMBUSHED) == "Reaction check for Guard 0, Guard 1, Guard 2 (ambushed)."
    assert not offers & fight.offers()
    fight = ambush()
    fight.whole_turn()
    fight.do("turn")
    assert not fight.arisen


@pytest.mark.parametrize(
    ("steps", "arisen"),
    [
        ([("Guard 1", "unconscious")], {FIRST_FALLS: ["Guard 0", "Guard 2"]}),
        ([("Guard 1", "unconscious"), "no_check", ("Guard 0", "unconscious")], {}),
        ([("Guard 0", "dead"), "no_check", ("Guard 1", "unconscious")], {}),
        ([("Guard 0", "dead"), "no_check", ("Guard 1", "dead")], {HALF_DEAD: ["Guard 2"]}),
        ([("Guard 0", "dead"), "no_check", ("Figure 0", "dead")], {FIRST_FALLS: ["Figure 1"]}),
    ],
)
def test_the_first_who_falls_and_more_than_half_who_die_shake_the_others_of_their_side_once(steps, arisen):
    fight = guards_and_figures()
    for step in steps:
        if step == "no_check":
            fight.do("no_check", FIRST_FALLS)
        else:
            fight.do("change", step[0], to=step[1])
    assert fight.arisen == arisen


def attacks(fight: Fight, *pairs: tuple[str, str]) -> None:
    for by, whom in pairs:
        fight.do("declare", by, against=[whom], done=True)


def test_two_enemies_who_attack_the_same_one_are_an_occasion_for_that_one_alone():
    fight = guards_and_figures()
    attacks(fight, ("Guard 0", "Guard 1"), ("Guard 1", "Guard 0"), ("Guard 2", "Guard 0"), ("Figure 0", "Guard 2"))
    assert not fight.arisen, "those of one side are no enemies"
    attacks(fight, ("Figure 1", "Guard 2"))
    assert fight.arisen == {ATTACKED: ["Guard 2"]}


def test_who_is_attacked_and_cannot_move_away_is_cornered():
    mule = someone("Mule", 9, ally=True, burden="immobile")
    fight = Fight(someone("Guard", 1, ally=True), mule, someone("Figure", 5))
    attacks(fight, ("Guard", "Mule"))
    assert not fight.arisen
    attacks(fight, ("Figure", "Mule"))
    assert fight.arisen == {CORNERED: ["Mule"]}
    fight.do("check", CORNERED)
    fight.react(10)
    assert "Mule" not in fight.names


def check_between(on: Fight, *names: str, fight: bool = True) -> Check:
    """Let a check stand on the table that goes on between these, in a fight by default; nothing is told of it."""
    check = Check(id=f"check{len(on.row.fought)}", sides=[CheckSide(name=name) for name in names], fight=fight)
    on.table._hold(check)
    assert not on.settle()
    return check


def test_an_opposed_check_in_a_fight_is_an_attack_in_the_turn_in_which_it_is_asked_for_alone():
    fight = guards_and_figures()
    fight.of("Guard 2").defences = 1
    check_between(fight, "Figure 0", "Guard 2")
    assert (fight.of("Figure 0").against, fight.of("Guard 2").defended) == ([fight.key("Guard 2")], 1)
    fight.of("Figure 0").against = []
    fight.settle()
    assert not fight.of("Figure 0").against
    check_between(fight, "Figure 0", "Guard 2")
    assert fight.of("Figure 0").against


@pytest.mark.parametrize(("names", "is_fight"), [("01", False), ("0G", True), ("X0", True)])
def test_what_is_no_attack_on_somebody_in_it_is_none(names, is_fight):
    fight, called = guards_and_figures(), {"0": "Figure 0", "1": "Guard 1", "G": "Figure 1", "X": "Cat"}
    check_between(fight, *(called[one] for one in names), fight=is_fight)
    assert not any(one.against for one in fight.row.participants) and not any(one.attack for one in fight.row.fought)


def test_a_lost_check_offers_nothing():
    fight = guards_and_figures()
    check = check_between(fight, "Figure 0", "Guard 2")
    for side, result in zip(check.sides, ("failure", "success"), strict=True):
        side.result = result
    fight.table.settle()
    assert not fight.settle() and not fight.row.won


def test_a_won_check_has_its_outcome_said_or_leads_to_nothing():
    for act, given, outcomes in (
        ("land", {"words": "a cut", "whom": "Guard 2"}, [("a cut", 0, None)]),
        ("land_at_once.shaken", {}, [("", -1, None)]),
        ("land_at_once.unconscious", {}, [("", 0, Mind.UNCONSCIOUS)]),
        ("land_at_once.dead", {}, [("", 0, Mind.DEAD)]),
        ("nothing", {}, []),
    ):
        fight = guards_and_figures()
        check = check_between(fight, "Figure 0", "Guard 2")
        assert not fight.row.won
        for side, result in zip(check.sides, ("success", "failure"), strict=True):
            side.result = result
        fight.table.settle()
        fight.settle()
        assert [(one.who, one.whom) for one in fight.row.won] == [(fight.key("Figure 0"), fight.key("Guard 2"))]
        marks = [[str(mark.words) for mark in row.marks] for row in fight.row.card(fight.table, []).rows]
        assert marks == [["success"]]
        assert fight.row.so_far("land", fight.table, *fight.row.won) == {"whom": fight.key("Guard 2")}
        act, *how = act.split(".")
        fight.do(act, check.id, *how, **given)
        assert [(one.words, one.som, one.becomes) for one in fight.row.outcomes] == outcomes
        assert {one.whom for one in fight.row.outcomes} <= {fight.key("Guard 2")} and not fight.row.won


def test_a_check_that_is_rolled_again_is_landed_again_and_one_that_is_ended_is_none():
    fight = guards_and_figures()
    check = check_between(fight, "Figure 0", "Guard 2")
    for results in (("success", "failure"), ("", ""), ("success", "failure")):
        for side, result in zip(check.sides, results, strict=True):
            side.result = result
        fight.table.settle()
        fight.settle()
        assert bool(fight.row.won) is bool(results[0])
        if fight.row.won:
            fight.do("nothing", check.id)
    check.sides[0].result = ""
    check.withdrawn = True
    fight.table.settle()
    fight.settle()
    assert not fight.row.fought


def test_players_know_no_scores_nor_how_far_npcs_get():
    fight = Fight(person("Silas"), someone("Dog"))
    fight.do("outcome", whom="Dog", som=-1)
    known = fight.table.seen().get(type(fight.row), "fight")
    assert {(one.som, one.empathy, one.perception, one.most) for one in known.participants} == {(None,) * 4}
    assert {one.name: one.reach for one in known.participants} == {"Silas": 800, "Dog": None}
    assert known.outcomes[0].som == 0 and fight.row.outcomes[0].som == -1
