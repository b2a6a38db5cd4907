"""A Devil’s Bargain at the table: who answers it, and for whom; its words stand in the log (forged.txt, The Devil’s Bargain)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden
from rolls.services.rolls import void_roll
from tests.rulesets.forged.procedures.staged import (
    announced,
    drawn,
    newest_roll,
    offered,
    offers,
    over,
    press,
    state,
)
from tests.sheets import rewrite

WORDS = "The guard remembers your face"


@pytest.fixture
def offered_to(play, cross, thorn):
    """Return an action of Cross, with a bargain that the other player offers."""
    procedure = announced(play, cross)
    offers(play.other, procedure, WORDS)
    return procedure


@pytest.fixture
def line(play, client):
    """Return a function that finds the newest line with these words on Mo’s table page."""
    client.force_login(play.mo.user)

    def read(says: str) -> str:
        page = " ".join(client.get(f"/c/{play.campaign.slug}/").content.decode().split())
        at = page.rindex(says)
        return page[page.rindex("<p", 0, at) : page.index("</p>", at)]

    return read


def test_a_gm_takes_one_for_who_is_absent_and_the_log_says_for_whom(play, cross, offered_to, line):
    press(play.gm, offered_to, "accept", cross.pk)
    told = line("took the Devil’s Bargain")
    assert ", for Mo)" in told and WORDS in told
    assert state(offered_to)["bargained"]


def test_a_gm_refuses_one_for_who_is_absent(play, cross, offered_to, line):
    press(play.gm, offered_to, "refuse", cross.pk)
    told = line("refused the Devil’s Bargain")
    assert ", for Mo)" in told and WORDS in told
    assert not state(offered_to)["bargain"]


def test_a_gm_rules_one_out_that_a_player_offers_and_a_player_does_not(play, cross, offered_to, line):
    for player in (play.mo, play.other):
        with pytest.raises(Forbidden):
            press(player, offered_to, "rule_out")
    assert "Rule out the bargain" in [one.words for one in drawn(offered_to)["staged"].own]
    press(play.gm, offered_to, "rule_out")
    told = line("Devil’s Bargain was ruled out")
    assert ", for" not in told and WORDS in told


def test_its_words_stand_in_the_line_of_the_offer_and_of_a_player_s_answer(play, cross, offered_to, line):
    assert WORDS in line("Cross was offered a Devil’s Bargain")
    press(play.mo, offered_to, "accept", cross.pk)
    assert WORDS in line("took the Devil’s Bargain")


def test_whoever_pushes_for_the_die_is_told_why_it_cannot_be_taken(play, cross, offered_to):
    press(play.mo, offered_to, "push", f"{cross.pk}.die")
    assert "not with a push" in drawn(offered_to)["staged"].notes[-1]
    assert "accept" not in {one.name for one in drawn(offered_to)["staged"].offers}
    assert offered(offered_to, play.mo) >= {"push", "roll"}


RING, ROPE = ({"id": f"{at:032x}", "at": at, "name": name} for at, name in enumerate(("Silver ring", "Rope"), start=1))


@pytest.fixture
def at_a_price(play, cross):
    """Return an action of Cross, who has 2 coin and two things, with a bargain that takes one coin and one thing."""
    rewrite(cross, sheet=cross.sheet | {"coin": 2, "items": [RING, ROPE]})
    procedure = announced(play, cross)
    offers(play.gm, procedure, "A bribe for the guard", coin=1, item=RING["id"])
    return procedure


def belongings(character):
    character.refresh_from_db()
    return character.number("coin"), [row["name"] for row in character.rules.rows(character.values, "items")]


def test_coin_and_an_item_are_paid_when_the_dice_fall_and_given_back_with_the_roll(play, cross, at_a_price):
    price = "A bribe for the guard, 1 coin, Silver ring"
    assert drawn(at_a_price)["staged"].notes[-1] == f"Devil’s Bargain: {price} (from the GM, for +1 die)"
    press(play.mo, at_a_price, "accept", cross.pk)
    assert belongings(cross) == (2, ["Silver ring", "Rope"])
    press(play.mo, at_a_price, "roll", cross.pk, faces=(6, 1))
    assert belongings(cross) == (1, ["Rope"]) and over(at_a_price)
    void_roll(play.gm, newest_roll().pk, key=uuid4())
    assert belongings(cross) == (2, ["Silver ring", "Rope"])
