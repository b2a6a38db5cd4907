"""What leaves the site is what everyone at the table may read, as it stands at that moment."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Event
from campaigns.models.members import TABLE
from campaigns.services.erasing import erase_words
from campaigns.text import ERASED
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.canaries import canary, must_be_free_of_secrets, numbers_of_gms
from tests.flows.checks import SECRETS
from tests.webhooks.receiving import REFUSED, Receiver, add, deliver
from webhooks.events import offered
from webhooks.models import Format, Webhook
from webhooks.sending import Answer


def test_of_all_that_happens_in_an_evening_nothing_is_sent_that_others_hold_back(played, cast):
    Webhook.objects.all().delete()
    for sent_as in Format:
        add(cast.gm.member, *offered(), sent_as=sent_as, address=f"https://{sent_as}.example.org/")
    Webhook.objects.update(seq=0)
    receiver = Receiver()
    deliver(receiver)
    to_programs = [body for body in receiver.bodies if "type" in body]
    assert len(to_programs) > 20 and len(receiver.bodies) == 2 * len(to_programs)
    with numbers_of_gms(*SECRETS):
        for body in receiver.bodies:
            data = {**body, "data": {**body["data"], "event": _without_numbers(body)}} if "type" in body else body
            must_be_free_of_secrets(str(data), "")
    for body in to_programs:
        assert body["data"]["event"]["stream"] == TABLE


def _without_numbers(body):
    """Return the event without its `seq`, which may be any number."""
    return {name: value for name, value in body["data"]["event"].items() if name != "seq"}


def test_a_roll_that_the_gm_alone_sees_is_not_sent(cast):
    add(cast.gm.member, *offered())
    note = canary("gm", "note")
    for audience in (Audience.GM, Audience.SELF):
        make_roll(cast.gm.member, StorytellerInput(dice=3, note=note), audience=audience, key=uuid4())
    receiver = Receiver()
    deliver(receiver)
    assert note not in str(receiver.requests)
    sent = {body["data"]["event"]["uid"] for body in receiver.bodies}
    open_to_all = Event.objects.filter(stream__name=TABLE, kind="rolls.roll_made")
    assert sent == {str(uid) for uid in open_to_all.values_list("uid", flat=True)}


def test_what_was_erased_while_the_receiver_was_away_is_not_sent_and_its_answers_are_forgotten(cast):
    webhook = add(cast.gm.member)
    receiver = Receiver([Answer(500, "I do not take “words of Mo”")])
    make_roll(cast.player.member, StorytellerInput(dice=3, note="words of Mo"), audience=Audience.TABLE, key=uuid4())
    deliver(receiver)
    erase_words(cast.player.member, cast.player.member, key=uuid4())
    assert webhook.deliveries.get().answer == ""
    Webhook.objects.update(next_at=None)
    deliver(receiver)
    first, second = receiver.texts
    assert "words of Mo" in first and "words of Mo" not in str(receiver.bodies[1]) and ERASED in second


def test_everybody_is_told_where_it_goes_and_nobody_the_whole_address(cast):
    add(cast.gm.member, address="https://discord.com/api/webhooks/1/a-token")
    told = Event.objects.get(kind="webhooks.webhook_changed")
    assert told.stream.name == TABLE and told.payload["host"] == "discord.com"
    log = cast.player.client.get("/c/ashes/log/").content.decode()
    assert "sending what happens here to discord.com (Rolls)" in log and "a-token" not in log


def test_what_a_receiver_answers_does_not_make_it_to_the_log_of_the_host(cast, caplog):
    add(cast.gm.member)
    make_roll(cast.player.member, StorytellerInput(dice=3, note="quiet words"), audience=Audience.TABLE, key=uuid4())
    deliver(Receiver([REFUSED]))
    assert "quiet words" not in caplog.text and "Out of order" not in caplog.text
