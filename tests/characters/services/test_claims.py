"""What players claim of Keys and hits, and what the GM's answer does to a sheet."""

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, NotFound
from campaigns.models import Campaign
from campaigns.services import play
from characters.models import Character, Claim
from characters.services import Card, add_row, make_character, set_field
from characters.services.claims import MOST_OPEN, confirm_claim, make_claim, refuse_claim
from tests.characters.operations import told
from tests.characters.xp import read, read_claim


@pytest.fixture
def abigail(cast, all_systems):
    """A player's character of the Descriptors rules, with a Key of each framework."""
    mo = cast.player.member
    abigail = make_character(mo, Card("Abigail", "Fencer", mo), system="descriptors", key=uuid4())
    add_row(mo, abigail, "keys", {"name": "The old debt", "framework": "dramatic"}, key=uuid4())
    return add_row(mo, abigail, "keys", {"name": "Pride", "framework": "motivation"}, key=uuid4())


@pytest.fixture
def in_a_scene(cast):
    play.start_session(cast.gm.member, "First", key=uuid4())
    play.open_scene(cast.gm.member, "Roof", key=uuid4())


def now(character):
    return Character.objects.get(pk=character.pk)


def key_claim(cast, character, level, key=0, by=None):
    row = now(character).sheet["keys"][key]["id"]
    return make_claim((by or cast.player).member, character, "key", {"level": f"{row}/{level}"}, key=uuid4())


def hit_claim(cast, character, successes, **given):
    return make_claim(cast.player.member, character, "hit", {"successes": str(successes), **given}, key=uuid4())


def confirm(cast, claim):
    return confirm_claim(cast.gm.member, claim.pk, key=uuid4())


def crossed(character):
    return [box for box in range(1, 7) if now(character).value(f"power_{box}")]


def injuries(character):
    sheet = now(character)
    return [(row["name"], row["dice"]) for row in sheet.rules.rows(sheet.values, "injuries")]


@pytest.mark.parametrize(
    ("key", "level", "xp"),
    [(0, "involved", 1), (0, "challenged", 2), (0, "progresses", 5), (1, "expressed", 1), (1, "at_a_price", 3)],
)
def test_a_confirmed_key_earns_what_the_rules_say(cast, abigail, key, level, xp):
    claim = key_claim(cast, abigail, level, key)
    assert now(abigail).value("xp") == 0
    confirm(cast, claim)
    assert now(abigail).value("xp") == xp
    assert abigail.ledger.get().amount == xp and read(abigail.ledger.get())[-1] == read_claim(claim)


def test_a_key_that_is_bought_off_goes_and_earns_ten(cast, abigail):
    confirm(cast, key_claim(cast, abigail, "buyoff"))
    assert [row["name"] for row in now(abigail).sheet["keys"]] == ["Pride"]
    assert now(abigail).value("xp") == 10


def test_a_level_of_the_other_framework_is_no_level(cast, abigail):
    for level in ("expressed", "nothing", ""):
        with pytest.raises(Invalid):
            key_claim(cast, abigail, level)
    assert not Claim.objects.exists()


def test_each_level_of_a_key_counts_once_in_a_scene(cast, abigail, in_a_scene):
    refused = key_claim(cast, abigail, "involved")
    refuse_claim(cast.gm.member, refused.pk, key=uuid4())
    key_claim(cast, abigail, "involved")
    key_claim(cast, abigail, "challenged")
    key_claim(cast, abigail, "expressed", 1)
    with pytest.raises(Invalid, match="once in a scene"):
        key_claim(cast, abigail, "involved")
    play.open_scene(cast.gm.member, "Cellar", key=uuid4())
    assert key_claim(cast, abigail, "involved")


def test_where_no_gm_is_asked_xp_come_at_once(cast, abigail):
    Campaign.objects.update(settings={"descriptors": {"gm_confirms_xp": False}})
    assert key_claim(cast, now(abigail), "challenged").state == "confirmed"
    assert now(abigail).value("xp") == 2


def test_a_claim_is_told_to_those_who_see_the_sheet_and_so_is_its_answer(cast, abigail):
    claim = key_claim(cast, abigail, "involved")
    refuse_claim(cast.gm.member, claim.pk, key=uuid4())
    made, decided = (event for event in told() if "claim_" in event.kind)
    assert {made.stream.name, decided.stream.name} == {cast.player.member.stream}
    assert (made.described["claim"]["words"], decided.payload["claim"]["state"]) == (
        "The old debt: it was part of the scene",
        "refused",
    )
    assert now(abigail).value("xp") == 0


def test_a_claim_is_answered_once_and_by_gms(cast, abigail):
    claim = key_claim(cast, abigail, "involved")
    with pytest.raises(Forbidden):
        confirm_claim(cast.player.member, claim.pk, key=uuid4())
    confirm(cast, claim)
    for again in (confirm_claim, refuse_claim):
        with pytest.raises(Conflict):
            again(cast.gm.member, claim.pk, key=uuid4())
        with pytest.raises(NotFound):
            again(cast.gm.member, uuid4(), key=uuid4())
    assert now(abigail).value("xp") == 1


def test_others_claim_nothing_for_a_character(cast, abigail):
    with pytest.raises(Forbidden):
        key_claim(cast, abigail, "involved", by=cast.other_player)


def test_claims_wait_in_numbers_that_a_gm_can_answer(cast, abigail):
    for _ in range(MOST_OPEN):
        hit_claim(cast, abigail, 1)
    with pytest.raises(Blocked):
        hit_claim(cast, abigail, 1)


def test_what_a_system_does_not_know_cannot_be_claimed(cast, abigail, silas):
    for character, kind in ((silas, "hit"), (abigail, "glory")):
        with pytest.raises(Invalid):
            make_claim(cast.player.member, character, kind, {}, key=uuid4())


def test_a_key_that_has_gone_meanwhile_earns_nothing(cast, abigail):
    claim = key_claim(cast, abigail, "involved")
    confirm(cast, key_claim(cast, abigail, "buyoff"))
    with pytest.raises(Invalid, match="not on the sheet"):
        confirm(cast, claim)


# Hits: box = successes; a crossed one bumps to the next free box, with an Injury of its number


def test_a_hit_crosses_its_box_and_no_other(cast, abigail):
    claim = hit_claim(cast, abigail, 3)
    assert crossed(abigail) == []
    confirm(cast, claim)
    assert (crossed(abigail), injuries(abigail)) == ([3], [])


def test_an_injury_may_be_taken_instead_of_a_free_box(cast, abigail):
    confirm(cast, hit_claim(cast, abigail, 3, injury="yes", name="Burned hand"))
    assert (crossed(abigail), injuries(abigail)) == ([], [("Burned hand", 3)])


def test_a_crossed_box_bumps_to_the_next_and_injures(cast, abigail):
    confirm(cast, hit_claim(cast, abigail, 2))
    confirm(cast, hit_claim(cast, abigail, 2, name="Split lip"))
    assert (crossed(abigail), injuries(abigail)) == ([2, 3], [("Split lip", 3)])
    # Where there is no choice, to wish for the Injury is no error: both come.
    confirm(cast, hit_claim(cast, abigail, 2, name="Black eye", injury="yes"))
    assert (crossed(abigail), injuries(abigail)) == ([2, 3, 4], [("Split lip", 3), ("Black eye", 4)])


def test_the_last_box_puts_out_of_the_scene(cast, abigail):
    confirm(cast, hit_claim(cast, abigail, 9))
    assert crossed(abigail) == [6] and now(abigail).value("out_of_scene") is True


def test_a_hit_is_reckoned_when_it_is_confirmed(cast, abigail):
    claim = hit_claim(cast, abigail, 1, name="Bruise")
    set_field(cast.player.member, abigail, "power_1", True, expected=False, key=uuid4())
    confirm(cast, claim)
    assert (crossed(abigail), injuries(abigail)) == ([1, 2], [("Bruise", 2)])


@pytest.mark.parametrize("successes", ["0", "21", "many", ""])
def test_successes_are_numbers_that_can_be(cast, abigail, successes):
    with pytest.raises(Invalid):
        hit_claim(cast, abigail, successes)
