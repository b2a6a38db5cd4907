"""Dice whose seed was committed to before and is told afterwards, and what nobody can compute from them."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4, uuid5

import pytest
from django.utils import timezone

from campaigns.models import Event
from campaigns.services import play as sessions
from campaigns.services.campaigns import create_campaign
from campaigns.services.log import happening_at
from rolls.models import Audience, SeedEpoch
from rolls.queries.checking import faults
from rolls.services.fairness import open_epoch, tell_seed
from rolls.services.rolls import correct_roll, make_roll, reveal_roll
from rules.dice import Dice
from rules.fairness import commit, commit_blind, fits, rightly_blind
from rulesets.storyteller.terms import StorytellerInput

CLIENT = "c1" * 16


@pytest.fixture
def fairness(play, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    return play


def roll(by, audience=Audience.TABLE, dice=5, **more):
    return make_roll(by, StorytellerInput(dice=dice), audience=audience, key=uuid4(), client_seed=CLIENT, **more)


def told(campaign, kind, stream="table"):
    events = Event.objects.filter(campaign=campaign, kind=kind, stream__name=stream).order_by("seq")
    return [event.payload for event in events.select_related("stored")]


def seeds(campaign):
    return {payload["epoch"]: payload["seed"] for payload in told(campaign, "rolls.epoch_revealed")}


def session(play):
    return sessions.start_session(play.gm, "", key=uuid4())


def test_a_new_campaign_has_committed_to_two_seeds_before_anything_else_can_happen(fairness):
    campaign = create_campaign(fairness.gm.user, name="Embers", systems=["storyteller"], key=uuid4())
    kinds = Event.objects.filter(campaign=campaign).order_by("id").values_list("kind", flat=True)
    assert list(kinds) == ["campaigns.campaign_made", "rolls.epoch_committed", "rolls.epoch_committed"]
    first, second = SeedEpoch.objects.filter(campaign=campaign)
    assert (first.opened_at is None, second.opened_at is None) == (False, True)
    for epoch, payload in zip((first, second), told(campaign, "rolls.epoch_committed"), strict=True):
        assert payload["commitment"] == commit(str(campaign.pk), epoch.name, epoch.seed)
        assert payload["blind"] == commit_blind(str(campaign.pk), epoch.name, epoch.blind)
        assert epoch.seed not in json.dumps(payload) and epoch.blind not in json.dumps(payload)


def test_every_roll_of_a_session_can_be_computed_when_it_has_ended(fairness):
    session(fairness)
    made = [roll(member, dice=dice) for member, dice in ((fairness.mo, 1), (fairness.other, 7), (fairness.gm, 100))]
    epoch = open_epoch(fairness.campaign)
    assert epoch.seed not in json.dumps([event.payload for event in fairness.events()])
    sessions.end_session(fairness.gm, key=uuid4())
    seed = seeds(fairness.campaign)[epoch.name]
    for one in made:
        proof = one.event.payload["proof"]
        assert one.proof == proof and one.faces == proof["faces"]
        assert (proof["actor"], proof["roll"], proof["client"]) == (one.by_id, str(one.pk), CLIENT)
        assert fits(str(fairness.campaign.pk), proof, seed)


def test_dice_of_several_kinds_as_earlier_releases_threw_them_are_read_and_checked(fairness, monkeypatch):
    session(fairness)
    with monkeypatch.context() as earlier:
        earlier.setattr(Dice, "spec", property(lambda dice: f"{dice.count - 1}d10,1d6"))
        one = roll(fairness.mo)
    epoch = open_epoch(fairness.campaign)
    sessions.end_session(fairness.gm, key=uuid4())
    proof = one.event.payload["proof"]
    assert proof["spec"] == "4d10,1d6"
    assert fits(str(fairness.campaign.pk), proof, seeds(fairness.campaign)[epoch.name])
    assert not fits(str(fairness.campaign.pk), proof | {"spec": "5d10"}, seeds(fairness.campaign)[epoch.name])
    assert not list(faults(fairness.campaign))


def test_a_seed_is_committed_to_in_an_operation_before_the_one_that_first_uses_it(fairness):
    session(fairness)
    for _ in range(3):
        made = roll(fairness.mo)
        commitments = Event.objects.filter(kind="rolls.epoch_committed", campaign=fairness.campaign).order_by("seq")
        own = [event for event in commitments if event.payload["epoch"] == made.proof["epoch"]]
        assert [event.seq < made.event.seq and event.at < made.event.at for event in own] == [True]
        sessions.end_session(fairness.gm, key=uuid4())
        session(fairness)


def test_a_session_has_an_epoch_of_its_own(fairness):
    session(fairness)
    first = roll(fairness.mo).proof["epoch"]
    assert roll(fairness.other).proof["epoch"] == first
    sessions.end_session(fairness.gm, key=uuid4())
    between = roll(fairness.mo).proof["epoch"]
    session(fairness)
    second = roll(fairness.mo).proof["epoch"]
    assert len({first, between, second}) == 3
    assert {first, between} <= set(seeds(fairness.campaign)) and second not in seeds(fairness.campaign)


def test_the_first_session_begins_without_a_line_about_a_seed_and_the_log_tells_it_at_the_end(fairness):
    campaign = create_campaign(fairness.gm.user, name="Embers", systems=["storyteller"], key=uuid4())
    gm = campaign.memberships.get()
    sessions.start_session(gm, "", key=uuid4())
    assert not seeds(campaign)
    first = open_epoch(campaign)
    sessions.end_session(gm, key=uuid4())
    assert [*seeds(campaign)] == [first.name]
    sessions.start_session(gm, "", key=uuid4())
    assert len(seeds(campaign)) == 2, "what was rolled between sessions can be checked then"


def test_between_sessions_a_day_is_an_epoch(fairness):
    today = roll(fairness.mo).proof["epoch"]
    assert roll(fairness.mo).proof["epoch"] == today
    with happening_at(timezone.now() + timedelta(days=1)):
        assert roll(fairness.gm, Audience.GM).proof["epoch"] == today
        tomorrow = roll(fairness.mo).proof["epoch"]
    assert tomorrow != today and today in seeds(fairness.campaign)


def test_a_session_that_runs_past_midnight_keeps_its_epoch(fairness):
    session(fairness)
    evening = roll(fairness.mo).proof["epoch"]
    with happening_at(timezone.now() + timedelta(days=1)):
        assert roll(fairness.mo).proof["epoch"] == evening


@pytest.mark.parametrize("audience", [Audience.SELF, Audience.GM])
def test_a_roll_for_few_eyes_tells_the_table_nothing_of_its_dice_or_its_proof(fairness, audience):
    session(fairness)
    hidden = roll(fairness.gm if audience is Audience.GM else fairness.mo, audience)
    sessions.end_session(fairness.gm, key=uuid4())
    everybodys = json.dumps([event.payload for event in fairness.events()])
    for secret in (str(hidden.pk), CLIENT, str(hidden.pk.hex)):
        assert secret not in everybodys
    assert hidden.event.payload["proof"] == hidden.proof


def test_hidden_rolls_change_nothing_that_the_table_is_told(fairness):
    """Otherwise the count of seeds would betray them: neither the first roll of a campaign nor that of a day may be a
    hidden one.
    """
    before = len(fairness.events())
    assert roll(fairness.gm, Audience.GM).proof is None
    assert len(fairness.events()) == before
    roll(fairness.mo)
    before = len(fairness.events())
    with happening_at(timezone.now() + timedelta(days=2)):
        assert roll(fairness.gm, Audience.GM).proof
    assert len(fairness.events()) == before


def test_who_rolls_blind_cannot_compute_their_own_dice_when_the_seed_is_told(fairness):
    session(fairness)
    blind = roll(fairness.mo, Audience.GM)
    sessions.end_session(fairness.gm, key=uuid4())
    campaign, seed = str(fairness.campaign.pk), seeds(fairness.campaign)[blind.proof["epoch"]]
    assert fits(campaign, blind.proof, seed)
    assert not fits(campaign, blind.proof | {"witness": ""}, seed)
    own = json.dumps([event.payload for name in ("table", fairness.mo.stream) for event in fairness.events(name)])
    assert blind.proof["witness"] not in own
    secret = told(fairness.campaign, "rolls.blind_revealed", "gm")[-1]["secret"]
    assert secret not in own and rightly_blind(blind.proof, secret)


def test_a_gms_own_hidden_roll_is_not_blind(fairness):
    session(fairness)
    assert roll(fairness.gm, Audience.GM).proof["blind"] is False


def test_a_hidden_roll_that_is_shown_can_be_checked_by_all(fairness):
    session(fairness)
    shown = reveal_roll(fairness.gm, roll(fairness.mo, Audience.GM).pk, key=uuid4())
    sessions.end_session(fairness.gm, key=uuid4())
    payload = told(fairness.campaign, "rolls.roll_revealed")[-1]
    assert payload["proof"] == shown.proof
    assert fits(str(fairness.campaign.pk), payload["proof"], seeds(fairness.campaign)[payload["proof"]["epoch"]])


def test_a_corrected_roll_keeps_the_proof_of_its_dice(fairness):
    roll(fairness.mo)
    made = roll(fairness.mo)
    again = correct_roll(fairness.gm, made.pk, {"difficulty": 8}, key=uuid4())
    assert again.event.payload["proof"] == made.proof and made.proof["roll"] == str(made.pk)


def test_typed_dice_are_marked_and_have_no_proof(fairness):
    session(fairness)
    typed = roll(fairness.mo, faces=[1, 2, 3, 4, 5])
    assert typed.event.payload["hand_rolled"] and typed.event.payload["proof"] is None


def test_dice_from_another_source_claim_nothing(play):
    made = play.roll(1, 2, 3)
    assert made.proof is None
    sessions.start_session(play.gm, "", key=uuid4())
    assert not SeedEpoch.objects.exists()


def test_a_gm_tells_a_seed_early(fairness):
    roll(fairness.mo)
    epoch = tell_seed(fairness.gm, key=uuid4())
    assert seeds(fairness.campaign) == {epoch.name: epoch.seed}
    assert roll(fairness.mo).proof["epoch"] != epoch.name


@pytest.mark.parametrize("audience", [Audience.TABLE, Audience.SELF])
def test_the_dice_of_a_major_burn_can_be_computed_and_their_id_follows_from_the_roll(fairness, patience, audience):
    session(fairness)
    while not (majors := told(fairness.campaign, "scale.major_burn")):
        cause = make_roll(
            fairness.mo, StorytellerInput(character=fairness.silas.pk, dice=20), audience=audience, key=uuid4()
        )
    sessions.end_session(fairness.gm, key=uuid4())
    proof = majors[0]["proof"]
    assert fits(str(fairness.campaign.pk), proof, seeds(fairness.campaign)[proof["epoch"]])
    shown = [die["die"] for die in majors[0]["burns"][0]["oracles"] if die["die"]]
    assert proof["faces"] == shown
    assert proof["roll"] == str(uuid5(cause.pk, "burn"))
    assert proof["cause"] == (str(cause.pk) if audience is Audience.TABLE else "")
