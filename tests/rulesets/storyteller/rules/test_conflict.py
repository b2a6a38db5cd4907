"""The order of acting: round by round, with dice that fall as they are said to."""

from __future__ import annotations

from itertools import chain, cycle, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import RuleError
from rules.table import A_GM, Held, Table
from rulesets.storyteller.procedures.attack import Attack, Defence
from rulesets.storyteller.procedures.conflict import Conflict, Happened, Participant, Status
from rulesets.storyteller.rows import Person, Rolled
from rulesets.storyteller.rules.damage import Harm
from rulesets.storyteller.settings import DEFAULTS
from tests.answers import refusal
from tests.rulesets.storyteller.rules.playing import SILAS, offered, take


def table_of(conflict, *people, faces=()):
    return Table([conflict, *people], settings=DEFAULTS, faces=chain(faces, cycle(range(1, 11))))


def begun(names, *faces, anew=False):
    """Begin with these names and numbers; when the faces are used up, dice fall as 1 to 10 in turn."""
    conflict = Conflict(id="fight")
    table = table_of(conflict, faces=faces)
    take(conflict, table, "open", names=names, anew=anew)
    return conflict, table


def key(conflict, name):
    return next(one.id for one in conflict.participants if one.name == name)


def order(conflict):
    return " ".join(f"{one.name}{one.initiative}" for one in conflict.participants)


@pytest.mark.parametrize(
    ("names", "faces", "played", "acted"),
    [
        ("Silas 5, Dog 6, Thug 3", (7, 2, 10), "", "Thug Silas Dog"),
        ("A 5, B 6, C 5", (5, 4, 5, 3, 3, 8, 9), "", "B C A"),
        ("A 9, B 6, C 3", (5, 5, 5), "hold:A come_in:A", "A B C"),
        ("A 9, B 6", (5, 5), "hold:A done:B next_round", "A B"),
        ("A 8, B 3", (5, 5), "leave:A", "B"),
        ("A 8, B 3", (5, 5, 5), "done:A join:N_1", "B N"),
        ("A 8, B 3", (5, 5, 5), "done:A join:N_9", "B"),
        ("A 8, B 3", (5, 5, 5), "done:A join:N_5", "B"),
        ("A 8, B 6, C 1", (5, 5, 5, 5), "done:A join:N_3", "B N C"),
    ],
)
def test_turns_come_in_order(names, faces, played, acted):
    conflict, table = begun(names, *faces)
    for name, whom in (one.partition(":")[::2] for one in played.split()):
        if name == "join":
            take(conflict, table, "join", names=whom.replace("_", " "))
        else:
            take(conflict, table, name, *([key(conflict, whom)] if whom else []))
    for who in acted.split():
        assert [one.name or who for one in conflict.waits(table)] == [who] == [conflict.current.name]
        take(conflict, table, "done", conflict.current.id)
    assert [one.who for one in conflict.waits(table)] == [""] and "next_round" in offered(conflict, table)


def test_players_act_for_their_own_as_long_as_it_is_their_turn():
    conflict = Conflict(id="fight")
    silas = Person(id="silas", name="Silas", values=Held(dexterity=3, wits=4, lethal=2))
    rat = Person(id="rat", name="Rat", is_played=False, pool=5)
    table = table_of(conflict, silas, rat, faces=(10, 4, 8, 2))
    assert conflict.so_far("open", table) == {"characters": ["silas"]}
    line = take(conflict, table, "open", characters=[silas, rat, rat], names="Dog 5, Cat 4", anew=True)
    assert line == "A conflict started. Round 1: Silas 16, Dog 13, Rat 9, Cat 6."
    leaving = {f"leave:{one}": () for one in ("silas", "3", "rat", "4")}
    own = {"attack:silas": (1,), "done:silas": (1,), "hold:silas": (1,)}
    assert offered(conflict, table) == own | leaving | {"join": ()}
    assert take(conflict, table, "hold", "silas", by=SILAS) == "Silas held. Dog is next."
    assert {"come_in:silas": (1,), "done:3": ()}.items() <= offered(conflict, table).items()
    assert take(conflict, table, "come_in", "silas", by=SILAS) == "Silas stopped holding and acts now."
    assert "hold:silas" not in offered(conflict, table)
    for whom in ("silas", "3", "rat", "4"):
        line = take(conflict, table, "done", whom)
    assert (line, conflict.party(table, "3")) == ("Cat acted. Everyone has acted or is holding.", ("Dog", None))
    assert take(conflict, table, "next_round").startswith("Round 2 started: ")
    assert str(conflict.stands(table)).startswith("Conflict, round 2. ")


def test_a_round_is_rolled_anew_where_the_table_wants_it():
    conflict, table = begun("A 8, B 3", 5, 5, 1, 10, anew=True)
    for _turn in "AB":
        take(conflict, table, "done", conflict.current.id)
    take(conflict, table, "next_round")
    assert order(conflict) == "B13 A9"


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ("", "characters"),
        ("A 1, A 2", "names"),
        ("nobody", "names"),
        (f"{'x' * 81} 1", "names"),
        ("A 51", "traits"),
        (", ".join(f"N{number} 1" for number in range(41)), "characters"),
    ],
)
def test_what_makes_no_conflict_is_refused(names, field):
    assert refusal(RuleError, begun, names).field == field


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.lists(st.integers(1, 10), max_size=12), st.data())
def test_nobody_is_equal_nobody_acts_twice_and_every_round_can_end(traits, faces, data):
    conflict, table = begun(", ".join(f"N{number} {one}" for number, one in enumerate(traits)), *faces)
    acted = []
    for number in range(data.draw(st.integers(0, 12))):
        offers = [
            one for one in conflict.offers(table, {1: Actor()}) if one.act.name not in ("leave", "join", "attack")
        ]
        chosen = data.draw(st.sampled_from(offers))
        if data.draw(st.booleans()):
            take(conflict, table, "join", names=f"M{number} {number}")
            continue
        take(conflict, table, chosen.act.name, *(one.id for one in chosen.target))
        acted = (
            []
            if chosen.act.name == "next_round"
            else acted + [one.id for one in chosen.target] * (chosen.act.name == "done")
        )
        assert len({*acted}) == len(acted)
        assert all(one.rank < other.rank for one, other in pairwise(conflict.participants))
        assert not any(one.status is Status.ARRIVING for one in conflict.participants)
    while conflict.current:
        take(conflict, table, "done", conflict.current.id, by=A_GM)
    assert "next_round" in offered(conflict, table)


def test_an_initiative_says_what_it_is_made_of():
    one = Participant(key="1", name="A", traits=5, penalty=1, die=4, again=[3, 9], status=Status.HOLDING)
    turn = Conflict(participants=[one]).card(Table(), ()).turns[0]
    assert (str(turn.title), str(turn.words)) == ("d10 4 + 5 − 1 for wounds, tie broken by 3, 9", "holding")


# An attack of whose turn it is


@pytest.fixture
def brawl():
    """Silas, whose turn it is, Vesper, a rat that rolls 5 dice, and a dog without a sheet."""
    conflict = Conflict(id="fight")
    silas = Person(id="silas", name="Silas", shared=True, values=Held(dexterity=3, brawl=2, wits=4), bashing=2)
    vesper = Person(id="vesper", name="Vesper", values=Held(dexterity=1), lethal=3)
    rat = Person(id="rat", name="Rat", is_played=False, pool=5, opened=False, lethal=4)
    table = table_of(conflict, silas, vesper, rat, faces=(10, 1, 6, 2))
    take(conflict, table, "open", characters=[silas, vesper, rat], names="Dog 4")
    return conflict, table


def begins(table):
    """Begin the attack that an act has led to, as the table of an operation does, and return it."""
    ((kind, given),), table.begun = table.begun, []
    attack = kind(id=f"attack{len(table.all(Attack))}")
    table._hold(attack)
    assert kind is Attack
    return attack, str(take(attack, table, "open", by=table.by, **given))


def rows(conflict, table):
    card = conflict.card(table, ())
    return [(str(row.whose), str(row.detail), *(str(mark.words) for mark in row.marks)) for row in card.rows]


@pytest.mark.parametrize(
    ("who", "asked", "line"),
    [
        (
            "silas",
            {"roll": "dexterity + brawl", "target": "rat"},
            "Dexterity + Brawl, difficulty 6; bashing damage: 0 dice",
        ),
        ("rat", {"target": "silas", "dice": 2, "harm": Harm.LETHAL}, "5 dice, difficulty 6; lethal damage: 2 dice"),
        ("4", {"target": "vesper", "strength": False}, "4 dice, difficulty 6; bashing damage: 0 dice"),
    ],
)
def test_whose_turn_it_is_attacks_with_the_pool_of_the_sheet(brawl, who, asked, line):
    conflict, table = brawl
    while conflict.current.id != who:
        take(conflict, table, "done", conflict.current.id)
    name, target = conflict.current.name, {"rat": "Rat", "silas": "Silas", "vesper": "Vesper"}[asked["target"]]
    assert take(conflict, table, "attack", who, by=SILAS if who == "silas" else A_GM, **asked) == ""
    assert begins(table)[1] == f"{name} attacked {target}: {line}."


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"roll": "dexterity + brawl"}, "Choose a target"),
        ({"roll": "dexterity + brawl", "target": "silas"}, "can’t attack themselves"),
        ({"target": "rat"}, "Type what to roll"),
        ({"roll": "nonsense", "target": "rat"}, "nonsense"),
    ],
)
def test_an_attack_that_would_be_refused_changes_nothing(brawl, asked, refusal):
    conflict, table = brawl
    with pytest.raises(RuleError, match=refusal):
        take(conflict, table, "attack", "silas", by=SILAS, **asked)
    assert not table.begun and not conflict.happened


def test_nobody_attacks_before_their_turn_or_after_it(brawl):
    conflict, table = brawl
    assert conflict.acts["attack"].target(conflict, table, ["rat"]) is None
    take(conflict, table, "done", "silas", by=SILAS)
    assert conflict.acts["attack"].target(conflict, table, ["silas"]) is None


def test_the_round_says_what_has_become_of_each_attack(brawl):
    conflict, table = brawl
    take(conflict, table, "attack", "silas", by=SILAS, roll="dexterity + brawl", target="rat")
    attack, _line = begins(table)
    conflict.settle(table)
    assert rows(conflict, table) == [("Silas", "attacked Rat", "in progress")]
    attack.defence, attack.taken = Defence.NONE, 2
    attack.attacked = attack.damaged = Rolled(successes=3)
    attack.settle(table)
    conflict.settle(table)
    assert attack.over and rows(conflict, table) == [("Silas", "attacked Rat", "2 bashing")]
    take(conflict, table, "done", "silas", by=SILAS)
    take(conflict, table, "hold", conflict.current.id)
    assert [row[:2] for row in rows(conflict, table)] == [("Silas", "attacked Rat"), ("Rat", "held")]
    while conflict.current:
        take(conflict, table, "done", conflict.current.id)
    take(conflict, table, "next_round")
    assert rows(conflict, table) == []


def test_an_attack_that_a_gm_ended_is_none(brawl):
    conflict, table = brawl
    take(conflict, table, "attack", "silas", by=SILAS, roll="dexterity + brawl", target="rat")
    attack, _line = begins(table)
    conflict.settle(table)
    attack.over = True
    conflict.settle(table)
    assert rows(conflict, table) == []


def seen(conflict, table):
    return {
        str(one.name): ("".join(mark[:1] or "." for mark in one.boxes), " ".join(map(str, one.lines)))
        for one in conflict.card(table, ()).turns
    }


def test_players_see_the_health_of_open_sheets_and_of_others_what_attacks_have_done(brawl):
    conflict, table = brawl
    levels = {"Silas": ("bb.....", "Hurt −1"), "Dog": ("", "NPC")}
    assert seen(conflict, table) == levels | {
        "Vesper": ("lll....", "Injured −1"),
        "Rat": ("llll...", "NPC · Wounded −2"),
    }
    players = table.seen()
    shown = players.find(Conflict, "fight")
    assert seen(shown, players) == levels | {"Vesper": ("", ""), "Rat": ("", "NPC")}
    shown.happened = [Happened(round=1, name="Silas", did="attack", attack="a", whom="Rat", taken=1)]
    assert seen(shown, players)["Rat"] == ("", "NPC · hurt")
