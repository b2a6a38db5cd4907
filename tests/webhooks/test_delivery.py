"""What a webhook is told: in order, at least once, again when it was not taken, and never by two workers at a time."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from threading import Thread
from uuid import UUID, uuid4

import pytest
import time_machine
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.translation import gettext
from standardwebhooks.webhooks import Webhook as Verifier

from campaigns.models import Campaign, Event, Membership, SessionDate, dates
from campaigns.models.members import GM, TABLE
from campaigns.services import play
from campaigns.services.campaigns import create_campaign
from campaigns.services.dates import answer_date, propose_dates
from people.models import User
from rolls.models import Audience
from rolls.services.rolls import make_roll, void_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.cast import gathered
from tests.webhooks.receiving import ADDRESS, REFUSED, Receiver, add, deliver
from webhooks import sending, services
from webhooks.delivery import AT_ONE_CAMPAIGN, HELD, PATIENCE, Worker, claim, due, settle, wait_after
from webhooks.models import Delivery, DeliveryState, Format, Webhook
from webhooks.sending import Answer


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


def roll(by, note="", audience=Audience.TABLE):
    return make_roll(by, StorytellerInput(dice=3, note=note), audience=audience, key=uuid4())


def later(**passed: float):
    return time_machine.travel(timezone.now() + timedelta(**passed), tick=True)


def test_a_roll_arrives_signed_as_receivers_check_it(cast, receiver):
    webhook = add(cast.gm.member)
    made = roll(cast.player.member, "through the fog")
    deliver(receiver)
    ((address, body, headers),) = receiver.requests
    told = Verifier(webhook.secret).verify(body, headers)
    assert address == webhook.address and told["type"] == "rolls.roll_made"
    assert told["data"]["event"]["uid"] == str(made.event.uid) and headers["webhook-id"] == f"evt_{made.event.uid.hex}"
    assert (
        told["data"]["link"].endswith(f"/c/ashes/log/{made.event.uid}/") and "through the fog" in told["data"]["text"]
    )
    (delivery,) = webhook.deliveries.all()
    assert (delivery.state, delivery.status, delivery.tries) == (DeliveryState.DELIVERED, 204, 1)
    deliver(receiver)
    assert len(receiver.requests) == 1


def test_discord_is_sent_words_that_are_no_markdown_and_call_nobody(cast, receiver):
    add(cast.gm.member, sent_as=Format.DISCORD)
    roll(cast.player.member, "@everyone **look** [here](https://evil.example) <@1> `x`")
    deliver(receiver)
    (body,) = receiver.bodies
    (embed,) = body["embeds"]
    assert body["allowed_mentions"] == {"parse": []} and set(body) == {"embeds", "allowed_mentions"}
    assert r"\*\*look\*\*" in embed["description"] and r"\[here\](" in embed["description"]
    assert r"\<@1\>" in embed["description"] and r"\`x\`" in embed["description"]
    assert embed["author"] == {"name": "Ashes"} and embed["title"] == "Rolls"
    assert "webhook-signature" not in receiver.requests[0][2]


def test_however_long_a_text_is_discord_takes_it(cast, receiver):
    play.start_session(cast.gm.member, "", key=uuid4())
    session = play.end_session(cast.gm.member, key=uuid4())
    add(cast.gm.member, "recap", sent_as=Format.DISCORD)
    expected = play.recap_version(play.recap_of(session))
    play.write_recap(cast.gm.member, session, "*" * 9000, publish=True, expected=expected, key=uuid4())
    deliver(receiver)
    (body,) = receiver.bodies
    assert len(body["embeds"][0]["description"]) <= 4096


def test_only_what_was_chosen_is_sent(cast, receiver):
    add(cast.gm.member, "session")
    roll(cast.player.member)
    play.start_session(cast.gm.member, "", key=uuid4())
    roll(cast.player.member)
    deliver(receiver)
    assert receiver.types == ["campaigns.session_started"]
    # All else is done with, too.
    assert not due(timezone.now()).exists()


def test_dates_are_sent_to_those_who_chose_them(cast, receiver):
    add(cast.gm.member, "date")
    starts = [timezone.now() + timedelta(days=days) for days in (5, 6)]
    propose_dates(cast.gm.member, starts, zone="UTC", at_once=True, key=uuid4())
    answer_date(cast.player.member, SessionDate.objects.first(), dates.Answer.YES, key=uuid4())
    deliver(receiver)
    assert receiver.types == [
        *("campaigns.dates_proposed", "campaigns.session_planned", "campaigns.session_planned"),
        "campaigns.date_answered",
    ]
    assert "Mo can come:" in receiver.bodies[-1]["data"]["text"]


def test_what_happened_before_is_not_sent(cast, receiver):
    roll(cast.player.member)
    add(cast.gm.member)
    deliver(receiver)
    assert receiver.requests == []


def test_what_the_receiver_does_not_take_holds_up_what_comes_after_it(cast, receiver):
    webhook = add(cast.gm.member)
    receiver.answers = [REFUSED, Answer(fault="No connection could be made.")]
    first, second = roll(cast.player.member), roll(cast.player.member)
    deliver(receiver)
    webhook.refresh_from_db()
    assert len(receiver.requests) == 1 and webhook.failing_since and webhook.tries == 1
    for minutes in (1, 2):
        with later(minutes=minutes):
            deliver(receiver)
    sent = [body["data"]["event"]["uid"] for body in receiver.bodies]
    assert sent == [str(uid) for uid in (first.event.uid, first.event.uid, first.event.uid, second.event.uid)]
    webhook.refresh_from_db()
    assert (webhook.tries, webhook.failing_since, webhook.next_at) == (0, None, None)
    newest, before = webhook.deliveries.all()
    assert (before.tries, before.status, before.state) == (3, 204, DeliveryState.DELIVERED)
    assert newest.uid == second.event.uid


def test_it_is_tried_at_longer_and_longer_intervals():
    waits = [wait_after(tries) for tries in range(30)]
    assert 5 <= waits[0] < 6 and 15 <= waits[1] < 17 and 7200 <= waits[29] < 8000


def test_a_receiver_that_wants_time_gets_it(cast, receiver):
    webhook = add(cast.gm.member)
    receiver.answers = [Answer(429, wait=600)]
    roll(cast.player.member)
    deliver(receiver)
    webhook.refresh_from_db()
    assert webhook.next_at > timezone.now() + timedelta(seconds=590)


def test_after_a_day_it_is_switched_off_and_the_gms_and_the_host_are_told(cast, receiver, caplog):
    webhook = add(cast.gm.member)
    receiver.answers = [REFUSED, REFUSED]
    roll(cast.player.member)
    deliver(receiver)
    with later(seconds=PATIENCE.total_seconds() + 60), caplog.at_level(logging.WARNING):
        deliver(receiver)
    webhook.refresh_from_db()
    assert (webhook.is_on, webhook.stopped) == (False, True) and "bots.example.org was switched off" in caplog.text
    told = Event.objects.get(kind="webhooks.webhook_stopped")
    assert (told.stream.name, told.actor, told.payload) == (GM, None, {"by": None, "host": "bots.example.org"})
    assert webhook.deliveries.get().state == DeliveryState.FAILED
    page = cast.gm.client.get(f"/c/ashes/webhooks/{webhook.pk}/").content.decode()
    assert "accepted nothing for a day" in page and "Out of order" in page
    roll(cast.player.member)
    deliver(receiver)
    assert len(receiver.requests) == 2


def test_a_receiver_that_is_gone_is_not_asked_again(cast, receiver):
    webhook = add(cast.gm.member)
    receiver.answers = [Answer(410)]
    roll(cast.player.member)
    deliver(receiver)
    webhook.refresh_from_db()
    assert webhook.stopped


def test_switched_on_again_it_is_told_of_what_comes(cast, receiver):
    webhook = add(cast.gm.member)
    services.switch_webhook(cast.gm.member, webhook.pk, on=False, key=uuid4())
    roll(cast.player.member)
    services.switch_webhook(cast.gm.member, webhook.pk, on=True, key=uuid4())
    made = roll(cast.player.member)
    deliver(receiver)
    assert [body["data"]["event"]["uid"] for body in receiver.bodies] == [str(made.event.uid)]


def test_a_test_is_sent_even_where_the_webhook_is_off_and_is_tried_once(cast, receiver):
    webhook = add(cast.gm.member)
    services.switch_webhook(cast.gm.member, webhook.pk, on=False, key=uuid4())
    receiver.answers = [REFUSED]
    services.send_test(cast.gm.member, webhook.pk, key=uuid4())
    deliver(receiver)
    assert receiver.types == ["webhooks.test"] and Verifier(webhook.secret).verify(*receiver.requests[0][1:])
    assert webhook.deliveries.get().state == DeliveryState.FAILED
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_an_event_can_be_sent_again_under_the_same_id(cast, receiver):
    webhook = add(cast.gm.member)
    roll(cast.player.member)
    deliver(receiver)
    services.send_again(cast.gm.member, webhook.deliveries.get().pk, key=uuid4())
    deliver(receiver)
    first, second = receiver.requests
    assert first[2]["webhook-id"] == second[2]["webhook-id"]
    assert webhook.deliveries.count() == 2


def test_what_was_put_right_before_it_is_sent_says_so(cast, receiver):
    add(cast.gm.member)
    made = roll(cast.player.member)
    void_roll(cast.gm.member, made.pk, reason="the wrong dice", key=uuid4())
    deliver(receiver)
    assert receiver.types == ["rolls.roll_made", "rolls.roll_voided"]


def test_as_many_deliveries_are_kept_as_are_shown(cast, receiver, monkeypatch):
    monkeypatch.setattr(Delivery, "SHOWN", 3)
    webhook = add(cast.gm.member)
    rolled = [roll(cast.player.member).event.uid for _ in range(5)]
    deliver(receiver)
    assert list(webhook.deliveries.values_list("uid", flat=True)) == rolled[:1:-1]


def test_a_removed_webhook_is_sent_nothing_and_what_is_under_way_is_forgotten(cast):
    webhook = add(cast.gm.member)
    roll(cast.player.member)
    attempt = claim(webhook.pk)
    services.remove_webhook(cast.gm.member, webhook.pk, key=uuid4())
    settle(attempt, Answer(204))
    assert not Webhook.objects.exists() and not Delivery.objects.exists()


def test_nobody_else_sends_while_a_worker_has_claimed_it_and_a_dead_worker_holds_nothing_for_long(cast):
    webhook = add(cast.gm.member)
    roll(cast.player.member)
    first = claim(webhook.pk)
    assert claim(webhook.pk) is None and not due(timezone.now()).exists()
    assert sending.SECONDS < HELD.total_seconds() <= 20
    with later(seconds=HELD.total_seconds() + 1):
        second = claim(webhook.pk)
        assert second.seq == first.seq
        settle(second, Answer(204))
        settle(first, REFUSED)
    webhook.refresh_from_db()
    assert webhook.seq == first.seq and webhook.failing_since is None
    assert [delivery.status for delivery in webhook.deliveries.all()] == [204]


def another_table(cast, *addresses: str) -> None:
    """Make a campaign of its own with webhooks to these addresses, each of which has a roll to be sent."""
    name = f"Elsewhere {Campaign.objects.count()}"
    campaign = create_campaign(cast.outsider.user, name=name, systems=["storyteller"], key=uuid4())
    gm = Membership.objects.get(campaign=campaign)
    for address in addresses:
        add(gm, address=address)
    roll(gm)


def under_way(worker: Worker) -> list[str]:
    return [attempt.webhook.host for attempt in worker._under_way.values()]


def test_one_host_is_never_sent_all_that_is_under_way_at_once(cast):
    for _ in range(3):
        another_table(cast, *(f"https://slow.example.org/{number}" for number in range(4)))
    another_table(cast, "https://quick.example.org/")
    worker = Worker(Receiver())
    worker._begin()
    assert under_way(worker).count("slow.example.org") == 8 and under_way(worker).count("quick.example.org") == 1
    worker.stop()
    worker.run()


def test_one_campaign_is_never_all_that_is_under_way_at_once(cast):
    another_table(cast, *(f"https://slow{number}.example.org/" for number in range(Webhook.MOST)))
    another_table(cast, "https://quick.example.org/")
    worker = Worker(Receiver())
    worker._begin()
    assert len(under_way(worker)) == AT_ONE_CAMPAIGN + 1 and "quick.example.org" in under_way(worker)
    worker.stop()
    worker.run()


def test_whoever_was_tried_longest_ago_comes_first_whatever_keys_their_forms_chose(cast):
    with later(minutes=-5):
        first = add(cast.gm.member, address="https://patient.example.org/")
    for number in range(3):
        key = UUID(int=number)
        services.add_webhook(cast.gm.member, ADDRESS, sent_as=Format.STANDARD, topics=["roll"], key=key)
    roll(cast.player.member)
    assert due(timezone.now()).first() == first
    settle(claim(first.pk), Answer(fault="No answer."))
    with later(minutes=1):
        assert [webhook.pk for webhook in due(timezone.now())] == [*(UUID(int=number) for number in range(3)), first.pk]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_everything_once_and_in_order():
    cast = gathered()
    for number in range(3):
        add(cast.gm.member, address=f"https://bots.example.org/{number}")
    rolled = [str(roll(cast.player.member).event.uid) for _ in range(8)]
    receiver = Receiver()

    def work() -> None:
        try:
            deliver(receiver)
        finally:
            connections.close_all()

    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    # A worker may have found nothing to do while the other held all of them.
    deliver(receiver)
    for number in range(3):
        to = [
            body["data"]["event"]["uid"]
            for (address, *_), body in zip(receiver.requests, receiver.bodies, strict=True)
            if address.endswith(f"/{number}")
        ]
        assert to == rolled


def test_a_worker_ends_with_the_server_that_it_was_started_beside(cast):
    services.send_test(cast.gm.member, add(cast.gm.member).pk, key=uuid4())
    going, receiver = [True, False], Receiver()
    Worker(receiver, goes_on=lambda: going.pop(0)).run()
    assert receiver.types == ["webhooks.test"] and going == []


def test_what_says_nothing_is_passed_over_without_a_query_for_each(cast, monkeypatch):
    behind = add(cast.gm.member)
    for _ in range(4):
        roll(cast.player.member)
    beside = add(cast.gm.member, address="https://quick.example.org/")
    last = roll(cast.player.member).event
    monkeypatch.setattr("webhooks.delivery.says_something", lambda event: event.uid == last.uid)
    queries = []
    for webhook in (behind, beside):
        with CaptureQueriesContext(connection) as asked:
            assert claim(webhook.pk).seq == last.seq
        queries.append(len(asked))
    assert queries[0] == queries[1]


def test_a_long_row_of_what_says_nothing_is_passed_over_in_parts(cast, receiver, monkeypatch):
    add(cast.gm.member)
    rolled = [roll(cast.player.member).event.uid for _ in range(5)]
    monkeypatch.setattr("webhooks.delivery.READ_AT_ONCE", 2)
    monkeypatch.setattr("webhooks.delivery.says_something", lambda event: event.uid == rolled[-1])
    for _ in range(3):
        deliver(receiver)
    assert [body["data"]["event"]["uid"] for body in receiver.bodies] == [str(rolled[-1])]


def test_an_event_that_only_moves_displays_is_passed_over(cast, receiver):
    webhook = add(cast.gm.member, "burn")
    deliver(receiver)
    webhook.refresh_from_db()
    assert webhook.seq == Event.objects.filter(campaign=cast.campaign, stream__name=TABLE).count()


@pytest.mark.parametrize("language", ["de", "en-gb"])
def test_messages_are_in_the_language_of_the_gm(cast, receiver, language):
    User.objects.filter(pk=cast.gm.user.pk).update(language=language)
    webhook = add(cast.gm.member)
    services.send_test(cast.gm.member, webhook.pk, key=uuid4())
    deliver(receiver)
    ((_, body, _),) = receiver.requests
    with translation.override(language):
        assert json.loads(body)["data"]["text"] == gettext("This is a test. Messages about this table arrive here.")


def test_what_went_wrong_is_read_in_the_readers_language():
    delivery = Delivery(fault=sending.TOO_SLOW)
    with translation.override("de"):
        assert delivery.fault_words == "Keine Antwort innerhalb von 10 Sekunden."
    assert delivery.fault_words == sending.TOO_SLOW
