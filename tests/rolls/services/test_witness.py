"""A GM's roll with a seed from a player's browser: settled before, used once, and told."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.errors import Forbidden, NotFound
from campaigns.models import Event, Presence, Role
from campaigns.services import play as sessions
from campaigns.services.log import happening_at
from campaigns.services.members import change_role, delete_account, remove_member
from rolls.models import Audience, Roll, Witness
from rolls.queries import checking
from rolls.services.fairness import tell_seed
from rolls.services.rolls import WAITS, ask_witness, correct_roll, give_witness, make_roll
from rules.fairness import fits
from rulesets.storyteller.terms import StorytellerInput
from tests.presence import arrive
from tests.rolls.thrown_again import throw_again

CLIENT, SEED, OTHER = "c1" * 16, "5e" * 16, "07" * 16


@pytest.fixture
def table(play, patience, settings):
    """Return a session with dice that can be checked, with Mo's and the other player's pages open."""
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    sessions.start_session(play.gm, "", key=uuid4())
    for member in (play.mo, play.other):
        arrive(play.campaign.pk, member.pk)
    return play


def asked(by, dice=5, audience=Audience.TABLE, **more):
    """Return the id of a roll for which a witness was asked; None if none was."""
    given = {"client_seed": CLIENT, "roll_id": uuid4()} | more
    witness = ask_witness(by, StorytellerInput(dice=dice), audience=audience, key=uuid4(), **given)
    return witness and witness.roll


def give(by, roll_id, seed=SEED):
    return give_witness(by, roll_id, seed=seed, key=uuid4())


def witnessed(table):
    """Return the id of a roll of the GM's for which Mo gave a seed."""
    roll_id = asked(table.gm)
    give(table.mo, roll_id)
    return roll_id


def roll(by, roll_id=None, dice=5, audience=Audience.TABLE, client_seed=CLIENT, **more):
    key = roll_id or uuid4()
    return make_roll(by, StorytellerInput(dice=dice), audience=audience, key=key, client_seed=client_seed, **more)


def kinds(play):
    return [kind for kind in play.kinds() if "witness" in kind or kind == "rolls.roll_made"]


def end(play):
    """End the session; the seeds that were told, by epoch."""
    sessions.end_session(play.gm, key=uuid4())
    told = Event.objects.filter(campaign=play.campaign, kind="rolls.epoch_revealed").select_related("stored")
    return {event.payload["epoch"]: event.payload["seed"] for event in told}


def test_a_players_seed_goes_into_the_dice_and_the_card_says_whose_it_was(table):
    made = roll(table.gm, witnessed(table))
    assert (made.proof["witness"], made.proof["blind"]) == (SEED, False)
    assert made.event.payload["witness"] == {"by": {"member": table.mo.pk, "name": "Mo"}}
    seed = end(table)[made.proof["epoch"]]
    campaign = str(table.campaign.pk)
    assert fits(campaign, made.proof, seed) and not fits(campaign, made.proof | {"witness": ""}, seed)
    assert list(checking.faults(table.campaign)) == []


def test_all_that_is_the_gms_is_in_the_log_before_the_witness_is_and_that_before_the_roll(table):
    roll_id = asked(table.gm)
    assert kinds(table) == ["rolls.witness_asked"]
    settled = table.events()[-1].described
    give(table.mo, roll_id)
    proof = roll(table.gm, roll_id).proof
    assert {name: settled[name] for name in ("roll", "epoch", "client", "spec")} == {
        name: proof[name] for name in ("roll", "epoch", "client", "spec")
    }
    assert kinds(table) == ["rolls.witness_asked", "rolls.witness_given", "rolls.roll_made"]


def test_the_first_seed_counts(table):
    roll_id = asked(table.gm)
    give(table.other, roll_id, OTHER)
    assert give(table.mo, roll_id).by == table.other
    assert kinds(table).count("rolls.witness_given") == 1
    assert roll(table.gm, roll_id).proof["witness"] == OTHER


def test_a_seed_comes_too_late_after_the_wait_and_after_the_roll(table):
    late, fallen = asked(table.gm), asked(table.gm)
    with happening_at(timezone.now() + WAITS + timedelta(seconds=1)):
        assert give(table.mo, late).seed == ""
    made = roll(table.gm, fallen)
    assert give(table.mo, fallen).seed == ""
    assert "rolls.witness_given" not in kinds(table)
    assert made.proof["witness"] == "" and made.event.payload["witness"] == {"by": None}


def test_only_players_of_this_table_can_give_one(table):
    roll_id = asked(table.gm)
    remove_member(table.gm, table.other, key=uuid4())
    for who, refusal in ((table.gm, Forbidden), (table.watcher, Forbidden), (table.other, NotFound)):
        with pytest.raises(refusal):
            give(who, roll_id)
    with pytest.raises(NotFound):
        give(table.mo, uuid4())
    assert Witness.objects.get(pk=roll_id).seed == ""


@pytest.mark.parametrize(
    "other", [{"dice": 6}, {"client_seed": OTHER}, {"audience": Audience.SELF}, {"faces": [1, 2, 3, 4, 5]}]
)
def test_a_seed_counts_for_no_other_roll_than_the_one_that_was_settled(table, other):
    made = roll(table.gm, witnessed(table), **other)
    assert not made.proof or made.proof["witness"] == ""
    assert (made.event.payload["witness"] or {}).get("by") is None


def test_a_seed_does_not_count_in_another_epoch(table):
    roll_id = witnessed(table)
    tell_seed(table.gm, key=uuid4())
    made = roll(table.gm, roll_id)
    assert made.proof["witness"] == "" and made.event.payload["witness"] == {"by": None}


@pytest.mark.parametrize(
    "quiet", [{"audience": Audience.GM}, {"audience": Audience.SELF}, {"faces": [1, 2, 3, 4, 5]}], ids=str
)
def test_nobody_hears_of_rolls_that_need_no_witness(table, quiet):
    before = len(table.events())
    assert asked(table.gm, **quiet) is None
    assert roll(table.gm, **quiet).event.payload["witness"] is None
    assert "rolls.witness_asked" not in table.kinds() and not Witness.objects.exists()
    assert len(table.events()) == before + ("faces" in quiet)


def test_where_no_player_is_nobody_is_asked_and_nothing_is_said_of_it(table):
    Presence.objects.filter(campaign=table.campaign).delete()
    for member in (table.gm, table.watcher):
        arrive(table.campaign.pk, member.pk)
    assert asked(table.gm) is None
    assert roll(table.gm).event.payload["witness"] is None


def test_a_gm_who_does_not_ask_though_a_player_is_there_rolls_without_a_witness(table):
    assert roll(table.gm).event.payload["witness"] == {"by": None}
    assert roll(table.mo).event.payload["witness"] is None


def test_a_seed_does_not_count_for_another_gm(table):
    roll_id = witnessed(table)
    change_role(table.gm, table.other, Role.GM, expected=Role.PLAYER, key=uuid4())
    table.other.refresh_from_db()
    assert roll(table.other, roll_id).proof["witness"] == ""


def test_a_witness_is_asked_once_for_a_roll_and_not_for_one_that_has_fallen(table):
    roll_id = asked(table.gm)
    assert asked(table.gm, roll_id=roll_id) is None
    assert asked(table.gm, roll_id=roll(table.gm).pk) is None
    assert kinds(table).count("rolls.witness_asked") == 1


def test_a_corrected_roll_keeps_its_witness(table):
    again = correct_roll(table.gm, roll(table.gm, witnessed(table)).pk, {"difficulty": 8}, key=uuid4())
    assert again.event.payload["witness"]["by"]["name"] == "Mo"
    end(table)
    assert list(checking.faults(table.campaign)) == []


def test_a_witness_whose_account_goes_is_not_named_any_more(table):
    made = roll(table.gm, witnessed(table))
    delete_account(table.mo.user)
    again = correct_roll(table.gm, made.pk, {"difficulty": 8}, key=uuid4())
    assert again.event.payload["witness"]["by"]["name"] != "Mo"
    assert '"Mo"' not in json.dumps([event.payload for event in table.events() if "witness" in event.kind])


def test_a_seed_that_the_log_does_not_tell_is_found(table):
    roll_id = asked(table.gm)
    Witness.objects.filter(pk=roll_id).update(seed=SEED, by=table.mo)
    roll(table.gm, roll_id)
    assert [fault.rpartition(": ")[2] for fault in checking.faults(table.campaign)] == [
        "the log before it tells of no such witness."
    ]


def test_dice_that_a_gm_throws_again_are_not_cross_checked_whoever_witnessed_the_first(table):
    roll_id = witnessed(table)
    roll(table.gm, roll_id)
    theirs = roll(table.mo)
    for made in (roll_id, theirs.pk):
        throw_again(table.mo, made, 0, key=uuid4())
    amended = Roll.objects.filter(voided_at=None)
    assert [one.event.payload["witness"] for one in amended.order_by("at")] == [
        {"by": {"member": table.mo.pk, "name": "Mo"}},
        None,
    ]
    for one in amended:
        throw_again(table.gm, one.pk, 1, key=uuid4())
    assert all(one.event.payload["witness"] == {"by": None} for one in Roll.objects.filter(voided_at=None))
    end(table)
    assert list(checking.faults(table.campaign)) == []
