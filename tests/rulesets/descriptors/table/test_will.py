"""What pools cost on sheets: who pays, who gains, who cannot, and what comes back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, make_roll, void_roll
from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.descriptors.table import DescriptorsTable
from rulesets.descriptors.terms import DescriptorsInput
from tests.answers import refusal
from tests.sheets import create_character, put, rewrite

preview = DescriptorsTable().preview


def row(number: int, name: str, dice: int) -> dict[str, object]:
    return {"id": f"r{number}", "name": name, "dice": dice, "category": ""}


@pytest.fixture
def abigail(play) -> Character:
    """Return Mo's character: Swordplay 3, Old grudge 2, Squad 7 of 4 dice, and a broken arm of 2."""
    own = [row(1, "Swordplay", 3), row(2, "Old grudge", 2), row(3, "Squad 7", 4)]
    sheet = {"will": 5, "descriptors": own, "injuries": [{"id": "i1", "name": "Broken arm", "dice": 2}]}
    return create_character(campaign=play.campaign, name="Abigail", owner=play.mo, system="descriptors", sheet=sheet)


@pytest.fixture
def warden(play) -> Character:
    """Return the GM's character: Shield wall 4 and Pride 2."""
    sheet = {"will": 3, "descriptors": [row(1, "Shield wall", 4), row(2, "Pride", 2)]}
    return create_character(campaign=play.campaign, name="The warden", system="descriptors", sheet=sheet)


def roll(by, character: Character | None, pool: str, against: str, **ask) -> Roll:
    asked = DescriptorsInput(character=character.pk if character else None, pool=pool, against=against, **ask)
    return make_roll(by, asked, audience=Audience.TABLE, key=uuid4())


def will(character: Character) -> int:
    character.refresh_from_db()
    return character.number("will")


@pytest.mark.parametrize(
    ("pool", "dice", "words", "left", "costs"),
    [
        ("swordplay + old grudge", 5, "Swordplay 3 + Old grudge 2", 3, "2 Will paid"),
        ("Squad 7", 4, "Squad 7 4", 4, "1 Will paid"),  # a name that ends in a number is the sheet's
        ("4", 4, "4 dice", 5, ""),
    ],
)
def test_names_alone_are_looked_up_on_the_sheet_and_cost_will(play, abigail, pool, dice, words, left, costs):
    made = roll(play.mo, abigail, pool, "2")
    told = made.event.described["a"]
    assert (made.ask["a"]["dice"], told["words"], will(abigail), told["costs"]) == (dice, words, left, costs)


def test_what_is_not_on_the_sheet_needs_its_dice(play, abigail):
    assert refusal(Invalid, roll, play.mo, abigail, "Rope", "2").field == "pool"
    assert roll(play.mo, abigail, "Rope 1", "2").event.described["a"]["words"] == "Rope 1"


def test_the_gm_has_both_sides_pay_and_gain(play, abigail, warden):
    made = roll(play.gm, warden, "shield wall + their broken arm", "swordplay + their pride", versus="Abigail")
    assert made.event.described["words"] == "Shield wall 4 + their Broken arm 2 against Swordplay 3 + their Pride 2"
    assert (will(warden), will(abigail)) == (3 - 2 + 1, 5 - 2 + 1)
    payload = made.event.described
    assert payload["a"]["costs"] == payload["b"]["costs"] == "2 Will paid, 1 Will gained"


def test_a_player_neither_reads_nor_charges_the_sheet_of_another(play, abigail, warden):
    refused = refusal(Invalid, roll, play.mo, abigail, "swordplay", "shield wall", versus="The warden")
    assert "4" not in refused.message
    assert refused.field == "against"
    made = roll(play.mo, abigail, "swordplay", "shield wall 3", versus="The warden")
    assert (made.event.described["b"]["costs"], will(warden)) == ("1 Will to pay", 3)


def test_without_will_enough_nothing_happens(play, abigail, warden):
    put(abigail, {"will": 1})
    refused = refusal(Invalid, roll, play.mo, abigail, "swordplay + old grudge", "2")
    assert (refused.field, refused.message) == ("pool", "Abigail: This costs 2 Will, but only 1 is left.")
    refused = refusal(Invalid, roll, play.gm, warden, "2", "swordplay + old grudge", versus="Abigail")
    assert refused.field == "against"
    assert (will(abigail), Roll.objects.count(), play.kinds()) == (1, 0, [])


def test_the_last_point_makes_the_roll_and_then_takes_one_out_of_the_scene(play, abigail):
    put(abigail, {"will": 1})
    made = roll(play.mo, abigail, "swordplay", "2")
    assert made.event.described["a"]["out"]
    assert will(abigail) == 0
    assert abigail.value("out_of_scene") is True
    void_roll(play.gm, made.pk, key=uuid4())
    assert will(abigail) == 1
    assert abigail.value("out_of_scene") is False


def test_a_roll_of_a_version_that_kept_nothing_of_it_gives_back_what_it_took(play, abigail, warden):
    rewrite(warden, sheet=warden.sheet | {"will": 1})
    made = roll(play.gm, warden, "shield wall", "swordplay", versus="Abigail")
    kept = made.ask | {"a": made.ask["a"] | {"left": True}}
    Roll.objects.filter(pk=made.pk).update(ask=kept, written=None)
    corrected = correct_roll(play.gm, made.pk, {"note": "at the gate"}, key=uuid4())
    assert (will(warden), warden.value("out_of_scene"), will(abigail)) == (0, True, 4)
    void_roll(play.gm, corrected.pk, key=uuid4())
    assert (will(warden), warden.value("out_of_scene"), will(abigail)) == (1, False, 5)


def test_the_will_on_a_sheet_is_told_to_those_who_see_the_sheet(play, abigail):
    made = roll(play.mo, abigail, "swordplay", "2")
    assert play.kinds() == ["rolls.roll_made", "rolls.procedure_opened"]
    assert "characters.field_changed" in play.kinds(play.mo.stream)
    assert "will" not in {key.lower() for key in made.event.described}
    assert play.events()[-1].payload["procedure"]["state"] == {}


@pytest.mark.parametrize(("has", "said"), [(5, "costs 2 of 5 Will"), (1, "costs 2 Will, but only 1 is left")])
def test_the_odds_say_what_it_costs_of_how_much(play, abigail, has, said):
    put(abigail, {"will": has})
    context = OddsContext(campaign=play.campaign, character=abigail, settings=RollSettings())
    assert said in preview(context, DescriptorsInput(pool="swordplay + old grudge", against="4"))["lines"]


def test_the_odds_read_no_sheet_that_is_not_the_players(play, abigail, warden):
    ask = DescriptorsInput(pool="swordplay", against="shield wall", versus="The warden")
    context = OddsContext(campaign=play.campaign, character=abigail, settings=RollSettings())
    with pytest.raises(Invalid):
        preview(context, ask)
    gm = OddsContext(campaign=play.campaign, character=abigail, settings=RollSettings(), is_gm=True)
    assert preview(gm, ask)["dice"] == 7
