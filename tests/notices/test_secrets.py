"""Of all that waits after an evening in which everything happened, no message says more than that it does."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from campaigns.models import Membership, SessionDate
from notices.models import Notice
from tests.canaries import must_be_free_of_secrets, numbers_of_gms
from tests.flows.checks import SECRETS
from tests.notices.telling import tell_after, turn_on
from tests.webhooks.receiving import Receiver, add
from webhooks.models import Format, Webhook
from webhooks.sending import post


@pytest.fixture
def sent(played, cast, service) -> dict[str, str]:
    """Tell everyone by every way of all that waits; return what each was sent, and "" what the channel was."""
    Webhook.objects.all().delete()
    add(cast.gm.member, sent_as=Format.DISCORD)
    people = {name: person for name, person in cast.everybody.items() if name not in ("outsider", "removed")}
    browsers = {name: turn_on(person, service, "device", "mail", "discord") for name, person in people.items()}
    for name, person in people.items():
        EmailAddress.objects.create(user=person.user, email=f"{name}@example.org", verified=True, primary=True)
        Membership.objects.filter(pk=person.member.pk).update(here_at=None)
    now = timezone.now()
    soon = {"at": now + timedelta(hours=20), "set_at": now - timedelta(hours=30)}
    SessionDate.objects.exclude(set_at=None).update(**soon)
    receiver = Receiver()

    def send(address, body, headers):
        return post(address, body, headers) if service.url in address else receiver(address, body, headers)

    tell_after(11, send=send)
    letters = {letter.to[0].partition("@")[0]: letter for letter in mail.outbox}
    told = {}
    for name, browser in browsers.items():
        letter = letters.get(name)
        written = letter.subject + letter.body + letter.alternatives[0].content if letter else ""
        told[name] = json.dumps(browser.received, ensure_ascii=False) + written
    return told | {"": "".join(body.decode() for _, body, _ in receiver.requests)}


def test_nobody_is_sent_a_word_or_a_number_of_what_waits(sent, cast):
    assert "things wait for you." in sent["gm"] and "things wait for you." in sent["player"]
    # All of it hangs on there being secrets among what waits.
    assert Notice.objects.filter(is_open=False).exists() and {one.kind for one in Notice.objects.all()} >= {
        "waits",
        "date",
        "date_set",
    }
    with numbers_of_gms(*SECRETS):
        for words in sent.values():
            must_be_free_of_secrets(words, "")
            assert "canary" not in words


def test_the_channel_hears_only_of_what_a_spectator_sees(sent, cast):
    open_ones = Notice.objects.filter(is_open=True, kind="waits")
    assert 0 < open_ones.count() < Notice.objects.filter(kind="waits").count()
    assert sent[""].count("content") == Notice.objects.filter(is_open=True).values("member").distinct().count()
    waits = sum(int(n) for n in re.findall(r"(\d+) things wait", sent[""])) + sent[""].count("It’s your turn.")
    assert waits == open_ones.count()
