"""XP without a list of prices: who buys says what it costs, and it is never more than there is."""

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from characters.queries.ledger import offers_of
from characters.services.ledger import refund_advance
from tests.characters.xp import buy, give, has, kept, now, read


def test_a_trait_goes_up_for_what_was_said_to_be_its_price(cast, silas):
    give(cast, 10, silas)
    entry, silas = buy(cast, silas, "raise", trait="strength", cost="4")
    assert (silas.value("strength"), silas.value("xp_spent"), has(silas)) == (2, 4, 6)
    assert read(entry) == ("spent", 4, "XP", "Strength 1 to 2")
    with pytest.raises(Invalid, match=r"This costs 7 XP\. You have 6"):
        buy(cast, silas, "raise", trait="strength", cost="7")
    refund_advance(cast.gm.member, silas, entry.pk, key=uuid4())
    assert (now(silas).value("strength"), has(silas)) == (1, 10)


def test_anything_else_is_written_down(cast, ana):
    give(cast, 5, ana)
    entry, ana = buy(cast, ana, "other", what="A teacher in the hills", cost="2")
    assert (read(entry)[-1], ana.value("xp_spent"), has(ana)) == ("A teacher in the hills", 2, 3)


def test_rows_are_traits_too_and_unknown_scores_are_none(cast, ana):
    give(cast, 5, ana)
    trait = next(one for one in offers_of(now(ana)) if one.name == "raise").asks[0]
    assert "Climbing 5 to 6" in dict(trait.choices).values()
    assert not [held for held, _ in trait.choices if held.startswith("us_")]
    with pytest.raises(Invalid):
        buy(cast, ana, "raise", trait="us_build", cost="1")


@pytest.mark.parametrize("cost", ["0", "-3", "1.5", "", "9" * 40])
def test_prices_are_whole_numbers_from_one(cast, silas, cost):
    give(cast, 5, silas)
    with pytest.raises(Invalid):
        buy(cast, silas, "other", what="x", cost=cost)
    assert now(silas).value("xp_spent") == 0


def test_the_log_keeps_what_traits_are_called_on_no_sheet_but_ones_own(cast, silas, ana):
    give(cast, 10, silas, ana)
    buy(cast, silas, "raise", trait="strength", cost="4")
    skill = f"skills/{ana.sheet['skills'][0]['id']}/es"
    entry, _ = buy(cast, ana, "raise", trait=skill, cost="2")
    assert read(entry)[-1] == "Climbing 5 to 6"
    assert kept() == {"Mo", "Gm", "Silas Grey", "Ana", "the bridge", "Climbing"}
