"""Refreshment Scenes and escalations on a table of plain objects: who can do what, and what stands then."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.table import Refused, Table
from rulesets.descriptors.procedures.refreshment import Escalation, Refreshment
from rulesets.descriptors.rows import Hero
from rulesets.descriptors.settings import Settings

MEMBERS = {1: Actor(characters=frozenset({"abigail"})), 2: Actor(characters=frozenset({"bob"}))}
WORN = {"will": 0, "out_of_scene": True, "power_1": True, "power_6": True}
AGREED = "Bob and Abigail had a Refreshment Scene. Will and Power came back, Injuries stayed, and the GM may make the"


def asked(
    in_scene: bool = False, by: int = 1, partner: str = "bob", begun: bool = False, **decided: bool
) -> tuple[Refreshment, Table]:
    those = [Hero(id="abigail", name="Abigail", **WORN), Hero(id="bob", name="Bob", will=12, power_2=True)]
    there = [Refreshment(id="rest"), *those, Hero(id="shade", name="Shade", hidden=True)]
    table = Table(there, by=MEMBERS[by], settings=Settings(**decided), in_scene=begun)
    rest = table.get(Refreshment, "rest")
    given = {one.name: one.read(partner if one.name == "partner" else "abigail", rest, table) for one in open_asks()}
    assert str(rest.take(table, rest.acts["open"], (), given)) == "Abigail asked Bob for a Refreshment Scene."
    table._in_scene = in_scene
    return rest, table


def open_asks():
    return [one for one in Refreshment.acts["open"].asks if one.name != "name"]


def stand(table: Table) -> list[tuple[int, bool, tuple[int, ...]]]:
    funds = [table.get(Hero, who).fund(table.settings) for who in ("abigail", "bob")]
    return [(one.will, one.out, one.crossed) for one in funds]


BEFORE, WHOLE = [(0, True, (1, 6)), (12, False, (2,))], [(9, False, ()), (12, False, ())]


@pytest.mark.parametrize(
    ("name", "decided", "after", "line"),
    [
        ("agree", {}, WHOLE, AGREED),
        ("agree", {"both_refreshed": False}, [WHOLE[0], BEFORE[1]], AGREED),
        ("decline", {}, BEFORE, "Bob declined a Refreshment Scene with Abigail."),
        ("withdraw", {}, BEFORE, "Abigail no longer asks Bob for a Refreshment Scene."),
    ],
)
def test_who_is_asked_answers_and_who_asks_may_think_otherwise(name, decided, after, line):
    rest, table = asked(**decided)
    offers = {one.act.name: one for one in rest.offers(table, MEMBERS)}
    assert {name: one.members for name, one in offers.items()} == {"agree": (2,), "decline": (2,), "withdraw": (1,)}
    assert [(one.who, str(one.words)) for one in rest.waits(table)] == [("bob", "to agree to a Refreshment Scene")]
    assert str(rest.take(table, rest.acts[name], offers[name].target)).startswith(line)
    assert (rest.over, stand(table), rest.offers(table, MEMBERS)) == (True, after, [])
    given = {"caller": "Abigail", "partner": "Bob"}
    assert table.begun == ([(Escalation, given)] if name == "agree" else [])


@pytest.mark.parametrize(
    ("scene", "gone", "why"), [(True, {}, "between scenes"), (False, {"in_play": False}, "Bob is no longer in play")]
)
def test_agreeing_is_offered_and_refused_where_it_cannot_be(scene, gone, why):
    rest, table = asked(in_scene=scene)
    for field, value in gone.items():
        setattr(table.get(Hero, "bob"), field, value)
    assert "agree" in [one.act.name for one in rest.offers(table, MEMBERS)]
    with pytest.raises(Refused, match=why):
        rest.take(table, rest.acts["agree"], ("partner",))
    assert not rest.over and not table.begun


@pytest.mark.parametrize(("by", "partner"), [(1, "abigail"), (1, "shade"), (2, "abigail")])
def test_it_takes_another_whom_all_know_and_one_of_ones_own(by, partner):
    with pytest.raises(Refused, match="Choose from the list"):
        asked(by=by, partner=partner)


@pytest.mark.parametrize(("given", "why"), [({"begun": True}, "between scenes"), ({"partner": ""}, "who it’s with")])
def test_it_is_asked_between_scenes_and_of_somebody(given, why):
    with pytest.raises(Refused, match=why):
        asked(**given)


def test_will_without_end_stays_as_it_is():
    warden = Hero(will=1, unlimited_will=True)
    warden.refresh(Settings())
    assert warden.will == 1


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("use", "!", "The GM made the situation worse for Abigail and Bob’s Refreshment Scene."),
        ("waive", None, "The GM let Abigail and Bob’s Refreshment Scene pass without making anything worse."),
    ],
)
def test_the_gm_makes_it_worse_with_a_sentence_or_lets_it_be(name, words, line):
    right = Escalation(id="right", caller="Abigail", partner="Bob")
    table, asked = Table([right]), {} if words is None else {"words": words}
    assert {one.act.name: one.members for one in right.offers(table, MEMBERS)} == {"use": (), "waive": ()}
    assert str(right.take(table, right.acts[name], (), asked)) == line
    assert (right.over, table.said) == (True, [words] if words else [])
