"""Recovery rolls and Refreshment Scenes (descriptors.txt, Injuries, Refreshment, lines 12 to 17)."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid
from campaigns.models import Campaign
from campaigns.services import play
from characters.queries.ledger import standing_of
from characters.services import Card, add_row, make_character, set_field
from characters.services.claims import confirm_claim, make_claim
from characters.services.lifecycle import retire_character
from rulesets.descriptors.care import KeepClaim, RecoveryClaim, RefreshmentClaim
from tests.characters.xp import kept, make_abigail, now, read, read_claim


@pytest.fixture
def abigail(cast):
    abigail = make_abigail(cast)
    return add_row(cast.player.member, abigail, "injuries", {"name": "Torn arm", "dice": 3}, key=uuid4())


@pytest.fixture
def bob(cast):
    owner = cast.other_player.member
    return make_character(owner, Card("Bob", "", owner), system="descriptors", key=uuid4())


def put(cast, character, **values):
    for name, value in values.items():
        character = set_field(cast.gm.member, character, name, value, expected=now(character).value(name), key=uuid4())
    return now(character)


def claim(cast, character, kind, **given):
    return make_claim(cast.player.member, character, kind, given, key=uuid4())


def confirmed(cast, character, kind, **given):
    claimed = claim(cast, character, kind, **given)
    confirm_claim(cast.gm.member, claimed.pk, key=uuid4())
    return read_claim(claimed), now(character)


def injuries(character):
    return [(row["name"], row["dice"]) for row in character.rules.rows(character.values, "injuries")]


def injury(character):
    return character.sheet["injuries"][0]["id"]


def test_successes_take_dice_off_an_injury_until_it_is_gone(cast, abigail):
    words, abigail = confirmed(cast, abigail, "recovery", injury=injury(abigail), successes="1")
    assert (words, injuries(abigail)) == ("Recovery: Torn arm 3D, now 2D", [("Torn arm", 2)])
    words, abigail = confirmed(cast, abigail, "recovery", injury=injury(abigail), successes="5")
    assert (words, injuries(abigail)) == ("Recovery: Torn arm 2D, gone", [])
    assert RecoveryClaim().asks(standing_of(abigail)) == ()


@pytest.mark.parametrize(("pays", "will"), [(False, 9), (True, 10)])
def test_an_injury_that_withstands_changes_nothing_or_pays_its_bearer(cast, abigail, pays, will):
    Campaign.objects.update(settings={"descriptors": {"recovery_pays_bearer": pays}})
    _, abigail = confirmed(cast, now(abigail), "recovery", injury=injury(abigail), successes="0")
    assert (injuries(abigail), abigail.value("will")) == ([("Torn arm", 3)], will)


def test_both_are_refreshed_and_injuries_stay(cast, abigail, bob):
    abigail = put(cast, abigail, will=0, out_of_scene=True, power_2=True)
    bob = put(cast, bob, will=12, power_6=True, start_will=7)
    words, abigail = confirmed(cast, abigail, "refreshment", other=str(bob.pk))
    assert words == "A Refreshment Scene with Bob; the GM may make things worse for it, once"
    assert (abigail.value("will"), abigail.value("power_2"), abigail.value("out_of_scene")) == (9, False, False)
    assert injuries(abigail) == [("Torn arm", 3)]
    assert (now(bob).value("will"), now(bob).value("power_6")) == (12, False)


def test_will_comes_back_to_where_this_character_started(cast, abigail):
    abigail = put(cast, abigail, start_will=7, will=2)
    _, abigail = confirmed(cast, abigail, "refreshment", other="")
    assert abigail.value("will") == 7


def test_a_campaign_may_refresh_only_who_called_for_it(cast, abigail, bob):
    Campaign.objects.update(settings={"descriptors": {"both_refreshed": False}})
    bob = put(cast, bob, will=3)
    confirmed(cast, now(abigail), "refreshment", other=str(bob.pk))
    assert now(bob).value("will") == 3


def test_there_is_none_in_the_middle_of_a_scene(cast, abigail):
    play.start_session(cast.gm.member, "First", key=uuid4())
    play.open_scene(cast.gm.member, "Roof", key=uuid4())
    with pytest.raises(Invalid) as refused:
        claim(cast, abigail, "refreshment", other="")
    assert "between scenes" in refused.value.message


def test_players_are_not_offered_an_npc_they_do_not_know_of(cast, abigail, bob):
    make_character(cast.gm.member, Card("The maker", shown=False, owner=None), system="descriptors", key=uuid4())
    (choice,) = RefreshmentClaim().asks(standing_of(abigail))
    assert [words for _, words in choice.choices] == ["Bob", "somebody without a sheet here"]


def test_a_partner_who_has_left_meanwhile_is_not_refreshed(cast, abigail, bob):
    claimed = claim(cast, abigail, "refreshment", other=str(bob.pk))
    retire_character(cast.gm.member, bob, key=uuid4())
    with pytest.raises(Conflict):
        confirm_claim(cast.gm.member, claimed.pk, key=uuid4())


def test_what_sticks_stays_for_good_only_where_a_campaign_says_so(cast, abigail):
    """descriptors.txt, line 13: the text notes that a rule for this is missing."""
    abigail = add_row(cast.player.member, abigail, "stuck", {"name": "Tied up", "dice": 3}, key=uuid4())
    assert KeepClaim().asks(standing_of(abigail)) == ()
    Campaign.objects.update(settings={"descriptors": {"temporary_may_stay_for_good": True}})
    abigail = now(abigail)
    words, abigail = confirmed(cast, abigail, "keep", stuck=abigail.sheet["stuck"][0]["id"])
    rows = {
        name: [row["name"] for row in abigail.rules.rows(abigail.values, name)] for name in ("stuck", "descriptors")
    }
    assert (words, rows) == ("Tied up 3D is there for good", {"stuck": [], "descriptors": ["Fencing", "Tied up"]})


def test_the_log_keeps_names_and_numbers_of_what_is_claimed(cast, abigail, bob):
    abigail = add_row(
        cast.player.member, abigail, "keys", {"name": "The old debt", "framework": "dramatic"}, key=uuid4()
    )
    confirmed(cast, abigail, "key", level=f"{abigail.sheet['keys'][0]['id']}/challenged")
    confirmed(cast, abigail, "hit", successes="2")
    confirmed(cast, abigail, "recovery", injury=injury(abigail), successes="1")
    for other in (str(bob.pk), ""):
        confirmed(cast, now(abigail), "refreshment", other=other)
    earned = abigail.ledger.filter(claim__isnull=False).get()
    assert (earned.reason, read(earned)) == ("", ("earned", 2, "XP", "The old debt: it was a great challenge"))
    assert kept() == {"Mo", "Gm", "Abigail", "Bob", "the bridge", "Fencing", "Torn arm", "The old debt"}
