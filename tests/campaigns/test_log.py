"""The one path of every change: numbers without gaps, a chain that recomputes, rows that nobody alters."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from campaigns import chain
from campaigns.errors import Blocked, Forbidden, NotFound
from campaigns.live import notifications as notifications
from campaigns.models import Campaign, Event, EventPayload, EventSubject, IdempotencyKey, Role, Stream
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE, member_stream
from campaigns.services import members, play
from campaigns.services.campaigns import archive_campaign
from campaigns.services.erasing import forget
from campaigns.services.log import UnitOfWork, service
from tests.kinds import ANY_SAID
from tests.stored import reread

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


@service(Role.PLAYER)
def tell(work: UnitOfWork, words: str, *, stream: str = TABLE, payload: dict | None = None, key) -> Event:
    return work.record(ANY_SAID, {"words": words} | (payload or {}), stream=stream)


@service(Role.PLAYER)
def tell_everywhere(work: UnitOfWork, *streams: str, key) -> None:
    for stream in streams:
        work.record(ANY_SAID, {"words": stream}, stream=stream, subjects=[Subject("thing:1", "A thing")])


@service(Role.PLAYER)
def amend(work: UnitOfWork, event: Event, stream: str, *, key) -> Event:
    return work.record(ANY_SAID, {"words": "meant otherwise"}, stream=stream, parent=event)


@service(Role.PLAYER)
def stumble(work: UnitOfWork, *, key) -> None:
    work.record(ANY_SAID, {"words": "half an operation"})
    raise ZeroDivisionError


@dataclass
class Echoes:
    """How often it is to be said what was said, and whether the last echo has been asked for."""

    left: int = 0
    is_last: bool = False


def ask_for_the_last(work: UnitOfWork) -> bool:
    echoes = work.state(Echoes)
    if echoes.left or echoes.is_last:
        return False
    echoes.left, echoes.is_last = 1, True
    return True


def echo(work: UnitOfWork) -> bool:
    echoes = work.state(Echoes)
    if not echoes.left:
        return False
    echoes.left -= 1
    work.record(ANY_SAID, {"words": f"echo {echoes.left}"})
    return True


@service(Role.PLAYER)
def shout(work: UnitOfWork, *, key) -> None:
    work.state(Echoes).left = 2
    work.record(ANY_SAID, {"words": "hello"})


def check_chain(campaign: Campaign) -> None:
    """Check every number and every hash of every stream, computed again from the rows alone."""
    for stream in Stream.objects.filter(campaign=campaign):
        head = chain.first_link(str(campaign.pk), stream.name)
        events = list(Event.objects.filter(stream=stream).select_related("stored").order_by("seq"))
        assert [event.seq for event in events] == list(range(1, stream.seq + 1)), stream.name
        for event in events:
            head = chain.link(
                head,
                campaign_id=str(campaign.pk),
                stream=stream.name,
                seq=event.seq,
                at=event.at,
                kind=event.kind,
                actor=event.actor_id,
                commitment=event.commitment,
            )
            assert event.hash == head, event
            if event.stored.erased_at is None:
                assert event.commitment == chain.commit(event.stored.salt, event.stored.payload), event
        assert stream.head == head


@contextmanager
def nothing_happens(campaign: Campaign):
    def count() -> list[int]:
        return [thing.objects.filter(campaign=campaign).count() for thing in (Event, IdempotencyKey, Stream)]

    before = count()
    yield
    assert count() == before


def test_each_stream_counts_for_itself_without_gaps(cast):
    mine = member_stream(cast.player.member.pk)
    start = Stream.objects.get(campaign=cast.campaign, name=TABLE).seq
    for streams in ((TABLE, GM), (GM,), (mine, TABLE), (TABLE, TABLE, GM)):
        tell_everywhere(cast.gm.member, *streams, key=uuid4())
    assert Stream.objects.get(campaign=cast.campaign, name=TABLE).seq == start + 4
    assert Stream.objects.get(campaign=cast.campaign, name=mine).seq == 1
    check_chain(cast.campaign)


def test_the_chain_recomputes_from_the_rows_of_a_whole_evening(cast):
    gm, player = cast.gm.member, cast.player.member
    play.start_session(gm, "The first night", key=uuid4())
    play.open_scene(gm, "At the gate", key=uuid4())
    play.say(player, "Is it locked?", key=uuid4())
    play.whisper(player, "I have a key.", to=[cast.other_player.member], key=uuid4())
    members.remove_member(gm, cast.other_player.member, key=uuid4())
    check_chain(cast.campaign)


def test_an_event_changed_behind_our_back_is_noticed(cast):
    event = tell(cast.player.member, "Yes", key=uuid4())
    EventPayload.objects.filter(event=event).update(payload={"words": "No", "by": person(cast.player.member)})
    with pytest.raises(AssertionError):
        check_chain(cast.campaign)


@pytest.mark.parametrize(
    "statement", ["UPDATE campaigns_event SET kind = 'x' WHERE id = %s", "DELETE FROM campaigns_event WHERE id = %s"]
)
def test_the_database_itself_refuses_to_change_or_delete_an_event(cast, statement):
    event = tell(cast.player.member, "Yes", key=uuid4())
    refused = pytest.raises(DatabaseError, match="the log is never changed")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [event.pk])
    assert reread(event).kind == "campaigns.said"


def test_an_operation_that_breaks_down_leaves_nothing(cast):
    tell(cast.player.member, "Before", key=uuid4())
    with nothing_happens(cast.campaign), pytest.raises(ZeroDivisionError), transaction.atomic():
        stumble(cast.player.member, key=uuid4())
    tell(cast.player.member, "After", key=uuid4())
    check_chain(cast.campaign)


def test_what_is_left_to_the_end_of_an_operation_is_done_until_nothing_is_left(cast, settings):
    settings.BEFORE_COMMIT = [f"{__name__}.{step.__name__}" for step in (ask_for_the_last, echo)]
    shout(cast.player.membership, key=uuid4())
    said = [event.payload["words"] for event in Event.objects.filter(kind=ANY_SAID).with_stored().order_by("id")]
    assert said == ["hello", "echo 1", "echo 0", "echo 0"]


def test_who_was_removed_finds_nothing_though_their_page_still_holds_the_seat(cast):
    viewer = cast.player.member
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    with nothing_happens(cast.campaign), pytest.raises(NotFound):
        tell(viewer, "I am still here", key=uuid4())


def test_a_role_counts_as_it_is_now_and_not_as_the_caller_holds_it(cast):
    viewer = cast.player.member
    members.change_role(cast.gm.member, viewer, Role.SPECTATOR, expected=Role.PLAYER, key=uuid4())
    assert viewer.role == Role.PLAYER
    with nothing_happens(cast.campaign), pytest.raises(Forbidden):
        tell(viewer, "May I?", key=uuid4())


def test_too_small_a_role_is_forbidden(cast):
    with nothing_happens(cast.campaign):
        with pytest.raises(Forbidden, match="Only players and GMs"):
            tell(cast.spectator.member, "Psst", key=uuid4())
        with pytest.raises(Forbidden, match="Only a GM"):
            play.start_session(cast.player.member, key=uuid4())


def test_an_archived_table_waits(cast):
    archive_campaign(cast.gm.member, key=uuid4())
    with nothing_happens(cast.campaign), pytest.raises(Blocked, match="archived"):
        tell(cast.player.member, "Hello?", key=uuid4())


def test_persons_anywhere_in_payload_become_subjects(cast):
    other, gm = cast.other_player.member, cast.gm.member
    payload = {"to": [person(other)], "deep": {"who": {"of": person(gm)}}, "member": 99}
    event = tell(cast.player.member, "Psst", payload=payload, key=uuid4())
    found = dict(EventSubject.objects.filter(event=event).values_list("key", "name"))
    assert found == {f"member:{m.pk}": m.name for m in (cast.player.member, other, gm)}


def test_a_thing_named_twice_is_one_subject(cast):
    payload = {"to": [person(cast.gm.member), person(cast.gm.member)]}
    event = tell(cast.gm.member, "To myself", payload=payload, key=uuid4())
    assert EventSubject.objects.filter(event=event).count() == 1


@pytest.mark.parametrize("hidden_in", [GM, "other"])
def test_an_amendment_hidden_from_some_who_see_what_it_amends_is_a_fault(cast, hidden_in):
    said = tell(cast.player.member, "Yes", key=uuid4())
    stream = hidden_in if hidden_in == GM else member_stream(cast.other_player.member.pk)
    with nothing_happens(cast.campaign), pytest.raises(ValueError, match="hidden"), transaction.atomic():
        amend(cast.player.member, said, stream, key=uuid4())


def test_an_amendment_may_stand_beside_what_it_amends_or_before_everybody(cast):
    secret = tell(cast.gm.member, "A secret", stream=GM, key=uuid4())
    for stream in (GM, TABLE):
        assert amend(cast.gm.member, secret, stream, key=uuid4()).parent == secret


def test_one_operation_told_in_several_streams_is_called_the_same_in_all_and_its_uid_betrays_no_other(cast):
    key = uuid4()
    tell_everywhere(cast.gm.member, GM, GM, TABLE, GM, TABLE, key=key)
    told = Event.objects.filter(subjects__key="thing:1").order_by("id")
    uids = {stream: [e.uid for e in told if e.stream.name == stream] for stream in (GM, TABLE)}
    assert len(set(uids[GM])) == 3
    # A player's second event is named as it would be without the GM's between them.
    assert uids[TABLE] == uids[GM][:2]


def test_forgetting_a_person_takes_the_name_out_everywhere_and_the_chain_still_holds(cast):
    gone, gm = cast.player.member, cast.gm.member
    play.say(gone, "I am leaving.", key=uuid4())
    play.whisper(gm, "A pity.", to=[gone], key=uuid4())
    tell(gm, "Deep", payload={"a": [{"b": person(gone)}], "c": person(gm)}, key=uuid4())
    forget(gone, "a former player")
    named = [str(stored.payload) for stored in EventPayload.objects.filter(event__campaign=cast.campaign)]
    assert not any(re.search(r"\bMo\b", payload) for payload in named)
    assert any("a former player" in payload for payload in named)
    assert any(person(gm)["name"] in payload for payload in named)
    assert set(EventSubject.objects.filter(key=f"member:{gone.pk}").values_list("name", flat=True)) == {
        "a former player"
    }
    check_chain(cast.campaign)


def test_events_know_session_scene_and_moment(cast):
    before = timezone.now()
    session = play.start_session(cast.gm.member, key=uuid4())
    scene = play.open_scene(cast.gm.member, key=uuid4())
    said = play.say(cast.player.member, "Here we are.", key=uuid4())
    assert (said.session, said.scene, said.actor) == (session, scene, cast.player.member)
    assert before <= said.at <= timezone.now()


@pytest.mark.django_db(transaction=True)
@pytest.mark.only_on("sqlite")  # On PostgreSQL a notification is a NOTIFY: tests/campaigns/live/test_listener.py.
def test_a_notification_goes_out_after_the_commit_and_only_then(cast):
    heard = []
    notifications.listen(heard.append)
    try:
        with transaction.atomic():
            tell(cast.player.member, "Hi", key=uuid4())
            assert heard == []
        assert heard == [cast.campaign.pk]
        with pytest.raises(ZeroDivisionError):
            stumble(cast.player.member, key=uuid4())
        assert heard == [cast.campaign.pk]
    finally:
        notifications.unlisten(heard.append)
