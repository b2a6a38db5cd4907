"""The order of acting: round by round, with dice that fall as they are said to."""

from __future__ import annotations

from itertools import chain, cycle, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import RuleError
from rules.table import A_GM, Held, Table
from rulesets.storyteller.procedures.conflict import Conflict, Participant, Status
from rulesets.storyteller.rows import Person
from rulesets.storyteller.settings import DEFAULTS
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
    assert offered(conflict, table) == {"done:silas": (1,), "hold:silas": (1,)} | leaving | {"join": ()}
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
    with pytest.raises(RuleError) as refused:
        begun(names)
    assert refused.value.field == field


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.lists(st.integers(1, 10), max_size=12), st.data())
def test_nobody_is_equal_nobody_acts_twice_and_every_round_can_end(traits, faces, data):
    conflict, table = begun(", ".join(f"N{number} {one}" for number, one in enumerate(traits)), *faces)
    acted = []
    for number in range(data.draw(st.integers(0, 12))):
        offers = [one for one in conflict.offers(table, {1: Actor()}) if one.act.name not in ("leave", "join")]
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
