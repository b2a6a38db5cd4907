"""Dice whose seed was committed to before and is told afterwards, and what nobody can compute from them."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4, uuid5

import pytest
from django.utils import timezone

from campaigns.errors import Forbidden
from campaigns.models import Event
from campaigns.services import play as sessions
from campaigns.services.campaigns import create_campaign
from campaigns.services.log import happening_at
from rolls.models import Audience, Epoch
from rolls.rules.fairness import commit, commit_blind, fits, rightly_blind
from rolls.services.amend import correct_roll, reveal_roll
from rolls.services.fair import open_epoch, tell_seed
from rolls.services.rolls import make_roll
from rulesets.storyteller.table import Ask

CLIENT = "c1" * 16


@pytest.fixture
def fair(play, settings):
    settings.DICE_SOURCE = "rolls.services.dice.fair_dice"
    return play


def roll(by, audience=Audience.TABLE, dice=5, **more):
    return make_roll(by, Ask(dice=dice), audience=audience, key=uuid4(), client_seed=CLIENT, **more)


def told(campaign, kind, stream="table"):
    events = Event.objects.filter(campaign=campaign, kind=kind, stream__name=stream).order_by("seq")
    return [event.facts for event in events.select_related("payload")]


def seeds(campaign):
    return {facts["epoch"]: facts["seed"] for facts in told(campaign, "rolls.epoch_revealed")}


def session(play):
    return sessions.start_session(play.gm, "", key=uuid4())


def test_a_new_campaign_has_committed_to_two_seeds_before_anything_else_can_happen(fair):
    campaign = create_campaign(fair.gm.user, name="Embers", systems=["storyteller"], key=uuid4())
    kinds = Event.objects.filter(campaign=campaign).order_by("id").values_list("kind", flat=True)
    assert list(kinds) == ["campaigns.campaign_made", "rolls.epoch_committed", "rolls.epoch_committed"]
    first, second = Epoch.objects.filter(campaign=campaign)
    assert (first.opened_at is None, second.opened_at is None) == (False, True)
    for epoch, facts in zip((first, second), told(campaign, "rolls.epoch_committed"), strict=True):
        assert facts["commitment"] == commit(str(campaign.pk), epoch.name, epoch.seed)
        assert facts["blind"] == commit_blind(str(campaign.pk), epoch.name, epoch.blind)
        assert epoch.seed not in json.dumps(facts) and epoch.blind not in json.dumps(facts)


def test_every_roll_of_a_session_can_be_computed_when_it_has_ended(fair):
    session(fair)
    made = [roll(member, dice=dice) for member, dice in ((fair.mo, 1), (fair.other, 7), (fair.gm, 100))]
    epoch = open_epoch(fair.campaign)
    assert epoch.seed not in json.dumps([event.facts for event in fair.events()])
    sessions.end_session(fair.gm, key=uuid4())
    seed = seeds(fair.campaign)[epoch.name]
    for one in made:
        proof = one.event.facts["proof"]
        assert one.proof == proof and one.faces == proof["faces"]
        assert (proof["actor"], proof["roll"], proof["client"]) == (one.by_id, str(one.pk), CLIENT)
        assert fits(str(fair.campaign.pk), proof, seed)


def test_a_seed_is_committed_to_in_a_deed_before_the_one_that_first_uses_it(fair):
    session(fair)
    for _ in range(3):
        made = roll(fair.mo)
        commitments = Event.objects.filter(kind="rolls.epoch_committed", campaign=fair.campaign).order_by("seq")
        own = [event for event in commitments if event.facts["epoch"] == made.proof["epoch"]]
        assert [event.seq < made.event.seq and event.at < made.event.at for event in own] == [True]
        sessions.end_session(fair.gm, key=uuid4())
        session(fair)


def test_a_session_has_an_epoch_of_its_own(fair):
    session(fair)
    first = roll(fair.mo).proof["epoch"]
    assert roll(fair.other).proof["epoch"] == first
    sessions.end_session(fair.gm, key=uuid4())
    between = roll(fair.mo).proof["epoch"]
    session(fair)
    second = roll(fair.mo).proof["epoch"]
    assert len({first, between, second}) == 3
    assert {first, between} <= set(seeds(fair.campaign)) and second not in seeds(fair.campaign)


def test_between_sessions_a_day_is_an_epoch(fair):
    today = roll(fair.mo).proof["epoch"]
    assert roll(fair.mo).proof["epoch"] == today
    with happening_at(timezone.now() + timedelta(days=1)):
        assert roll(fair.gm, Audience.GM).proof["epoch"] == today
        tomorrow = roll(fair.mo).proof["epoch"]
    assert tomorrow != today and today in seeds(fair.campaign)


def test_a_session_that_runs_past_midnight_keeps_its_epoch(fair):
    session(fair)
    evening = roll(fair.mo).proof["epoch"]
    with happening_at(timezone.now() + timedelta(days=1)):
        assert roll(fair.mo).proof["epoch"] == evening


@pytest.mark.parametrize("audience", [Audience.SELF, Audience.GM])
def test_a_roll_for_few_eyes_tells_the_table_nothing_of_its_dice_or_its_proof(fair, audience):
    session(fair)
    hidden = roll(fair.gm if audience is Audience.GM else fair.mo, audience)
    sessions.end_session(fair.gm, key=uuid4())
    everybodys = json.dumps([event.facts for event in fair.events()])
    for secret in (str(hidden.pk), CLIENT, str(hidden.pk.hex)):
        assert secret not in everybodys
    assert hidden.event.facts["proof"] == hidden.proof


def test_hidden_rolls_change_nothing_that_the_table_is_told(fair):
    """Else a count of seeds would tell of them: neither the first roll of a campaign nor that of a day may be a hidden one."""
    before = len(fair.events())
    assert roll(fair.gm, Audience.GM).proof is None
    assert len(fair.events()) == before
    roll(fair.mo)
    before = len(fair.events())
    with happening_at(timezone.now() + timedelta(days=2)):
        assert roll(fair.gm, Audience.GM).proof
    assert len(fair.events()) == before


def test_who_rolls_blind_cannot_compute_their_own_dice_when_the_seed_is_told(fair):
    session(fair)
    blind = roll(fair.mo, Audience.GM)
    sessions.end_session(fair.gm, key=uuid4())
    campaign, seed = str(fair.campaign.pk), seeds(fair.campaign)[blind.proof["epoch"]]
    assert fits(campaign, blind.proof, seed)
    assert not fits(campaign, blind.proof | {"witness": ""}, seed)
    own = json.dumps([event.facts for name in ("table", fair.mo.stream) for event in fair.events(name)])
    assert blind.proof["witness"] not in own
    secret = told(fair.campaign, "rolls.blind_revealed", "gm")[-1]["secret"]
    assert secret not in own and rightly_blind(blind.proof, secret)


def test_a_gms_own_hidden_roll_is_not_blind(fair):
    session(fair)
    assert roll(fair.gm, Audience.GM).proof["blind"] is False


def test_a_hidden_roll_that_is_shown_can_be_checked_by_all(fair):
    session(fair)
    shown = reveal_roll(fair.gm, roll(fair.mo, Audience.GM).pk, key=uuid4())
    sessions.end_session(fair.gm, key=uuid4())
    facts = told(fair.campaign, "rolls.roll_revealed")[-1]
    assert facts["proof"] == shown.proof
    assert fits(str(fair.campaign.pk), facts["proof"], seeds(fair.campaign)[facts["proof"]["epoch"]])


def test_a_corrected_roll_keeps_the_proof_of_its_dice(fair):
    roll(fair.mo)
    made = roll(fair.mo)
    again = correct_roll(fair.gm, made.pk, {"difficulty": 8}, key=uuid4())
    assert again.event.facts["proof"] == made.proof and made.proof["roll"] == str(made.pk)


def test_typed_dice_are_marked_and_have_no_proof(fair):
    session(fair)
    typed = roll(fair.mo, faces=[1, 2, 3, 4, 5])
    assert typed.event.facts["hand_rolled"] and typed.event.facts["proof"] is None


def test_dice_from_another_source_claim_nothing(play):
    made = play.roll(1, 2, 3)
    assert made.proof is None
    sessions.start_session(play.gm, "", key=uuid4())
    assert not Epoch.objects.exists()


def test_only_a_gm_tells_a_seed_early(fair):
    roll(fair.mo)
    with pytest.raises(Forbidden):
        tell_seed(fair.mo, key=uuid4())
    epoch = tell_seed(fair.gm, key=uuid4())
    assert seeds(fair.campaign) == {epoch.name: epoch.seed}
    assert roll(fair.mo).proof["epoch"] != epoch.name


def test_the_same_form_sent_twice_gives_the_same_dice(fair):
    session(fair)
    key = uuid4()
    once, again = (
        make_roll(fair.mo, Ask(dice=6), audience=Audience.TABLE, key=key, client_seed=CLIENT) for _ in range(2)
    )
    assert once.pk == again.pk and once.proof == again.proof


@pytest.mark.parametrize("audience", [Audience.TABLE, Audience.SELF])
def test_the_dice_of_a_major_burn_can_be_computed_and_their_id_follows_from_the_roll(fair, settings, audience):
    settings.FLOOD_DEEDS = 1_000_000
    session(fair)
    while not (majors := told(fair.campaign, "scale.major_burn")):
        cause = make_roll(fair.mo, Ask(character=fair.silas.pk, dice=20), audience=audience, key=uuid4())
    sessions.end_session(fair.gm, key=uuid4())
    proof = majors[0]["proof"]
    assert fits(str(fair.campaign.pk), proof, seeds(fair.campaign)[proof["epoch"]])
    shown = [die["die"] for die in majors[0]["burns"][0]["oracles"] if die["die"]]
    assert proof["faces"] == shown
    assert proof["roll"] == str(uuid5(cause.pk, "burn"))
    assert proof["cause"] == (str(cause.pk) if audience is Audience.TABLE else "")
