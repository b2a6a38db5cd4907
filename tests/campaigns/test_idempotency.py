"""A key happens once, and a person does only so much at a time."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.errors import Invalid, NotFound, RateLimited
from campaigns.models import Clock, ClockTemplate, Event, GameSession, IdempotencyKey, Membership, Role
from campaigns.services import members, play
from campaigns.services.campaigns import archive_campaign, create_campaign
from campaigns.services.clocks import Draft, drop_template, keep_template, make_clock
from campaigns.services.idempotency import RATE_LIMIT_WINDOW
from campaigns.services.log import happening_at
from rolls.registry import RULESETS
from tests.answers import refusal
from tests.cast import Person, person
from tests.racing import at_once

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


def words_said() -> list[str]:
    return [event.payload["words"] for event in Event.objects.filter(kind="campaigns.said").order_by("id")]


def test_the_same_key_gives_the_first_answer_again_and_does_nothing(cast):
    key = uuid4()
    first = play.say(cast.player.member, "Once", key=key)
    again = play.say(cast.player.member, "Once", key=key)
    assert again == first
    assert words_said() == ["Once"]
    assert IdempotencyKey.objects.filter(key=key).count() == 1


def test_a_retry_is_answered_even_when_the_operation_would_be_refused_by_now(cast):
    key = uuid4()
    session = play.start_session(cast.gm.member, "One", key=key)
    archive_campaign(cast.gm.member, key=uuid4())
    assert play.start_session(cast.gm.member, "One", key=key) == session
    assert GameSession.objects.filter(campaign=cast.campaign).count() == 1


@pytest.mark.parametrize(
    "otherwise",
    [
        pytest.param(lambda cast, key: play.say(cast.gm.member, "Twice", key=key), id="with other content"),
        pytest.param(lambda cast, key: play.narrate(cast.gm.member, "Once", key=key), id="for another operation"),
        pytest.param(lambda cast, key: play.say(cast.player.member, "Once", key=key), id="by another person"),
    ],
)
def test_a_key_is_not_used_otherwise(cast, otherwise):
    key = uuid4()
    play.say(cast.gm.member, "Once", key=key)
    refused = refusal(Invalid, otherwise, cast, key)
    assert refused.status == 422 and refused.field == "key"
    assert words_said() == ["Once"]


def test_a_key_is_no_way_back_in_for_somebody_removed(cast):
    key = uuid4()
    play.say(cast.player.member, "Once", key=key)
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    with pytest.raises(NotFound):
        play.say(cast.player.member, "Once", key=key)


def test_a_refused_operation_leaves_its_key_unused(cast):
    key = uuid4()
    with pytest.raises(Invalid):
        play.say(cast.player.member, "", key=key)
    assert not IdempotencyKey.objects.filter(key=key).exists()
    play.say(cast.player.member, "Now with words", key=key)
    assert words_said() == ["Now with words"]


def test_a_flood_is_held_back_with_when_to_try_again(cast, settings):
    settings.RATE_LIMIT = 3
    for number in range(3):
        play.say(cast.player.member, str(number), key=uuid4())
    flood = refusal(RateLimited, play.say, cast.player.member, "One too many", key=uuid4())
    assert flood.status == 429 and flood.retry_after == RATE_LIMIT_WINDOW
    assert words_said() == ["0", "1", "2"]
    # Others are not affected, and a retry of a completed operation passes.
    play.say(cast.other_player.member, "I may", key=uuid4())
    with happening_at(timezone.now() + timedelta(seconds=RATE_LIMIT_WINDOW + 1)):
        play.say(cast.player.member, "Later", key=uuid4())


def test_a_retry_is_no_flood(cast, settings):
    settings.RATE_LIMIT = 1
    key = uuid4()
    for _ in range(5):
        play.say(cast.player.member, "Once", key=key)
    assert words_said() == ["Once"]


def test_the_answer_to_a_flood_says_when_to_try_again(cast, settings):
    settings.RATE_LIMIT = 0
    answer = cast.player.client.post(
        f"/c/{cast.campaign.slug}/compose/", {"key": str(uuid4()), "text": "Hi", "voice": "player"}
    )
    assert answer.status_code == 429
    assert answer["Retry-After"] == str(RATE_LIMIT_WINDOW)
    assert words_said() == []


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_by_many_at_the_same_moment_happens_once(cast):
    once = partial(play.say, cast.player.member, "Once", key=uuid4())
    assert len(set(at_once(*[once] * 12))) == 1
    assert words_said() == ["Once"]


@pytest.fixture
def raced(cast):
    """`raced(do)`: eight keys, each sent to two tables at the same moment by `do(member, key)`; it happens at one of them."""
    other = create_campaign(cast.player.user, name="Another", systems=list(RULESETS), key=uuid4())
    gms = [cast.gm.member, Membership.objects.get(campaign=other)]
    keys = [uuid4() for _ in range(8)]

    def race(do):
        answers = at_once(*(partial(do, gm, key) for key in keys for gm in gms))
        assert [type(one) for one in answers if isinstance(one, Exception)] == [Invalid] * len(keys)
        return keys

    return race


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_to_two_tables_at_the_same_moment_happens_at_one(raced):
    """Each table has its own lock, so neither waits for the other first."""
    keys = raced(lambda member, key: play.say(member, "Once", key=key))
    assert words_said() == ["Once"] * len(keys)


@pytest.mark.django_db(transaction=True)
def test_what_is_made_under_one_key_at_two_tables_at_the_same_moment_is_made_at_one(raced):
    """The key is also the id of the new row, so the database refuses the second long before the key is stored."""
    keys = raced(lambda member, key: make_clock(member, Draft(f"Clock {key}", 4), key=key))
    assert sorted(Clock.objects.values_list("pk", flat=True)) == sorted(keys)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_numbers_without_gaps(cast):
    crowd: list[Person] = [person(f"crowd{number}") for number in range(4)]
    with happening_at(timezone.now() - timedelta(hours=1)):
        for one in crowd:
            one.join(cast.gm.member, Role.PLAYER)

    at_once(*(partial(play.say, crowd[number % 4].member, str(number), key=uuid4()) for number in range(20)))
    table = Event.objects.filter(stream__name="table", campaign=cast.campaign).order_by("id")
    assert [event.seq for event in table] == list(range(1, len(table) + 1))
    assert sorted(words_said(), key=int) == [str(number) for number in range(20)]


def test_a_key_whose_result_was_deleted_gives_an_answer_that_has_nothing_but_its_id(cast):
    clock = make_clock(cast.gm.member, Draft("Dusk", 4), key=uuid4())
    key = uuid4()
    first = keep_template(cast.gm.member, clock, key=key)
    drop_template(cast.gm.member, first.pk, key=uuid4())
    again = keep_template(cast.gm.member, clock, key=key)
    assert again == first and again.name == ""
    assert not ClockTemplate.objects.exists()


@pytest.mark.parametrize("key", [str(uuid4()), None, 7], ids=["text", "none", "number"])
def test_a_key_that_is_no_uuid_is_the_callers_mistake(cast, key):
    with pytest.raises(TypeError):
        play.say(cast.player.member, "Once", key=key)
    assert words_said() == []
