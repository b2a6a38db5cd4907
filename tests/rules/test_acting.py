"""Procedures as classes: a wager of two, on a table of plain objects."""

from __future__ import annotations

from typing import Annotated

import pytest

from campaigns.schema import Code
from rules.acting import Between, OneOf, Procedure, Text, act, anyone, owner
from rules.acts import ActKey, Actor
from rules.errors import Block, BlockedByState
from rules.messages import gettext as _
from rules.procedures import RollPart
from rules.table import Refused, Sheet, Table
from tests.answers import refusal

DRUNK = Block("drunk", "although drunk")


class Bettor(Sheet):
    sheet = "bettor"

    coin: int = 3
    drunk: bool = False
    debts: int = 0

    def settle(self, table: Table) -> None:
        """Who owes everything pays at once."""
        if self.debts:
            self.coin, self.debts = self.coin - self.debts, 0


def bettors(procedure: Wager, table: Table) -> list[Bettor]:
    return table.all(Bettor)


def others(procedure: Wager, table: Table) -> list[tuple[Bettor, Bettor]]:
    return [(one, other) for one in table.all(Bettor) for other in table.all(Bettor) if one is not other]


class Cheered(Procedure):
    @act("Cheer", by=anyone)
    def cheer(
        self,
        table: Table,
        *,
        whom: Annotated[Bettor | None, OneOf(bettors)] = None,
        also: Annotated[list[Bettor], OneOf(bettors)] = [],  # noqa: B006  # nobody writes it
    ) -> None: ...


class Wager(Cheered):
    label = "Wager"

    stakes: dict[Code, int] = {}

    @act("{who}: raise", says="{who} raised to {to} “{why}”.", by=owner, each=bettors)
    def raise_to(
        self,
        table: Table,
        who: Bettor,
        *,
        to: Annotated[int, Between(1, 9), "Stake"],
        why: Annotated[str, Text(20)] = "",
    ) -> None:
        if to > who.coin:
            raise Refused(_("{who} hasn’t that much.", who=who.name), "to")
        self.stakes[who.id] = to

    @act("{who}: call", says="{who} called {other}.", by=owner, each=others)
    def call(self, table: Table, who: Bettor, other: Bettor) -> None:
        if other.id not in self.stakes:
            raise Refused("Nothing to call.")
        if who.drunk:
            table.forbid(DRUNK, "Too drunk to count.")
        who.debts, self.over = self.stakes[other.id], True

    @act("Pay up", tried=False)
    def pay(self, table: Table) -> None:
        raise Refused("Nobody has won yet.")


def table(**bettors: dict[str, object]) -> Table:
    those = [Bettor(id=name, name=name.title(), **values) for name, values in bettors.items()]
    return Table([Wager(id="w"), *those])


TWO = {"moth": {}, "vex": {}}
MOTH = Actor(characters=frozenset({"moth"}))


def offered(there: Table) -> dict[str, tuple[int, ...]]:
    wager = there.get(Wager, "w")
    return {str(one.available.key).split("~")[0]: one.members for one in wager.offers(there, {1: MOTH})}


def take(there: Table, name: str, *target: str, **asked: object) -> str:
    wager = there.get(Wager, "w")
    rules = wager.acts[name]
    line = wager.take(there, rules, rules.target(wager, there, target) or (), asked)
    there.settle()
    return str(line)


def test_acts_are_those_of_its_bases_and_then_its_own():
    assert [*Wager.acts] == ["cheer", "raise_to", "call", "pay"]


def test_what_would_be_refused_is_not_offered_but_what_a_form_asks_for_or_is_not_tried_is():
    there = table(**TWO)
    assert offered(there) == {"cheer": (1,), "raise_to:moth": (1,), "raise_to:vex": (), "pay": ()}
    assert take(there, "raise_to", "vex", to=2, why="a dare") == "Vex raised to 2 “a dare”."
    assert "call:moth.vex" in offered(there) and "call:vex.moth" not in offered(there)


def test_what_a_state_forbids_is_for_gms_alone():
    there = table(moth={"drunk": True}, vex={})
    take(there, "raise_to", "vex", to=1)
    assert offered(there)["call:moth.vex"] == ()
    with pytest.raises(BlockedByState):
        take(there, "call", "moth", "vex")
    there.override = True
    assert take(there, "call", "moth", "vex") == "Moth called Vex."


def test_a_row_that_was_written_settles_and_is_told_as_a_change():
    there = table(**TWO)
    take(there, "raise_to", "vex", to=2)
    assert [change.row.id for change in there.changes()] == ["w"]
    take(there, "call", "moth", "vex")
    assert {change.row.id: change.after["coin"] for change in there.changes() if change.row.id != "w"} == {"moth": 1}
    assert there.changes() == [] and offered(there) == {}


def test_what_is_tried_is_never_stored():
    there = table(**TWO)
    wager = there.get(Wager, "w")
    wager.take(there.trial(), wager.acts["raise_to"], (there.get(Bettor, "moth"),), {"to": 2, "why": ""})
    assert there.changes() == [] and wager.stakes == {}


def test_players_do_not_know_what_is_hidden():
    there = table(moth={}, vex={"hidden": True})
    assert [one.id for one in there.seen().all(Bettor)] == ["moth"]
    with pytest.raises(Refused, match="no longer there"):
        there.seen().get(Bettor, "vex")


def test_a_refusal_is_a_sentence_at_its_field():
    there = table(**TWO)
    refused = refusal(Refused, take, there, "raise_to", "moth", to=4)
    assert (refused.message, refused.field) == ("Moth hasn’t that much.", "to")


def test_what_is_chosen_is_found_among_what_there_is():
    there = table(**TWO)
    wager = there.get(Wager, "w")
    whom, also = wager.acts["cheer"].asks
    assert also.read(["vex"], wager, there) == [there.get(Bettor, "vex")]
    assert [(key, str(words)) for key, _, words in whom.choices(wager, there)] == [("moth", "Moth"), ("vex", "Vex")]
    assert whom.read("vex", wager, there) is there.get(Bettor, "vex") and whom.read("", wager, there) is None
    with pytest.raises(Refused, match="Choose from the list"):
        whom.read("cross", wager, there)


def test_what_is_asked_for_without_a_type_is_named():
    with pytest.raises(TypeError, match="`leave` asks for `what`, `whom` without a type"):

        class Bare(Procedure):
            @act("Leave")
            def leave(self, table: Table, *, what, whom) -> None: ...


@pytest.mark.parametrize("name", ["party", "settle", "over", "acts", "model_dump"])
def test_an_act_hides_no_name_of_the_engine(name):
    @act("Party")
    def party(self, table: Table) -> None: ...

    with pytest.raises(TypeError, match=f"An act of Hiding hides another name: `{name}`"):
        type("Hiding", (Procedure,), {"__module__": __name__, name: party})


def test_other_words_on_a_button_are_another_offer():
    there = table(**TWO)
    before = [one.available.mark for one in there.get(Wager, "w").offers(there, {})]
    there.get(Bettor, "vex").name = "Vex the Bold"
    after = [one.available.mark for one in there.get(Wager, "w").offers(there, {})]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, True, False, True]


def test_a_button_sends_the_key_of_its_offer_which_is_read_as_it_was():
    there = table(**TWO)
    keys = [one.available.key for one in there.get(Wager, "w").offers(there, {})]
    assert [ActKey.parse(str(key)) for key in keys] == keys and all(key.mark for key in keys)


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
