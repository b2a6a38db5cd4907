"""What players claim, and what the GM's answer does to a sheet."""

from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from characters.ledger import claimed_words
from characters.models import Claim
from characters.services.cards import Card, make_character
from characters.services.fields import add_row
from characters.services.ledger import MOST_OPEN, confirm_claim, make_claim, refuse_claim
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.descriptors.settings import Settings
from tests.characters.operations import told
from tests.characters.xp import now, read, read_claim


@pytest.fixture
def abigail(cast, all_systems):
    """Return a player's character of the Descriptors rules, with a Key of each framework."""
    mo = cast.player.member
    abigail = make_character(mo, Card("Abigail", "Fencer", mo), system="descriptors", key=uuid4())
    add_row(mo, abigail, "keys", {"name": "The old debt", "framework": "dramatic"}, key=uuid4())
    return add_row(mo, abigail, "keys", {"name": "Pride", "framework": "motivation"}, key=uuid4())


def key_claim(cast, character, level, key=0):
    row = now(character).sheet["keys"][key]["id"]
    return make_claim(cast.player.member, character, "key", {"level": f"{row}/{level}"}, key=uuid4())


def confirm(cast, claim):
    return confirm_claim(cast.gm.member, claim.pk, key=uuid4())


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


def test_a_level_of_the_other_framework_is_no_level(cast, abigail):
    for level in ("expressed", "nothing", ""):
        with pytest.raises(Invalid):
            key_claim(cast, abigail, level)
    assert not Claim.objects.exists()


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


def test_a_claim_is_answered_once(cast, abigail):
    claim = key_claim(cast, abigail, "involved")
    confirm(cast, claim)
    for again in (confirm_claim, refuse_claim):
        with pytest.raises(Conflict):
            again(cast.gm.member, claim.pk, key=uuid4())
        with pytest.raises(NotFound):
            again(cast.gm.member, uuid4(), key=uuid4())
    assert now(abigail).value("xp") == 1


def test_claims_wait_in_numbers_that_a_gm_can_answer(cast, abigail):
    change_settings(cast.gm.member, RollSettings((Settings(levels_once_per_scene=False),)), key=uuid4())
    for _ in range(MOST_OPEN):
        key_claim(cast, abigail, "involved")
    with pytest.raises(Blocked):
        key_claim(cast, abigail, "involved")


def test_what_a_system_does_not_know_cannot_be_claimed(cast, abigail, silas):
    for character, kind in ((silas, "key"), (abigail, "glory")):
        with pytest.raises(Invalid):
            make_claim(cast.player.member, character, kind, {}, key=uuid4())


def test_a_key_that_has_gone_meanwhile_earns_nothing(cast, abigail):
    claim = key_claim(cast, abigail, "involved")
    confirm(cast, key_claim(cast, abigail, "buyoff"))
    with pytest.raises(Invalid, match="no longer on the sheet"):
        confirm(cast, claim)


@pytest.mark.parametrize(
    ("kind", "told", "words"),
    [
        ("hit", {"successes": 2, "instead": True}, "Hit with 2 successes, an Injury instead"),
        ("recovery", {"name": "Torn arm", "dice": 3, "successes": 1}, "Recovery: Torn arm 3D, now 2D"),
        (
            "refreshment",
            {"other": None},
            "A Refreshment Scene with someone; the GM may make things worse once in return",
        ),
        ("keep", {"name": "Tied up", "dice": 3}, "Tied up 3D is permanent now"),
    ],
)
def test_what_is_claimed_no_more_is_told_as_before_and_can_only_be_refused(cast, abigail, kind, told, words):
    assert claimed_words("descriptors", {"kind": kind, "told": told}) == words
    with pytest.raises(Invalid):
        make_claim(cast.player.member, abigail, kind, {}, key=uuid4())
    by, at = cast.player.member, timezone.now()
    waits = Claim.objects.create(character=abigail, kind=kind, given={}, told=told, by=by, at=at)
    with pytest.raises(Invalid, match="The table settles this now"):
        confirm(cast, waits)
    assert refuse_claim(cast.gm.member, waits.pk, key=uuid4()).state == "refused"
