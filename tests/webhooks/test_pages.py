"""The pages on which GMs add webhooks, see what was delivered, and have it sent again."""

from __future__ import annotations

from uuid import uuid4

from tests.dom import parse
from tests.webhooks.receiving import ADDRESS, Receiver, add, deliver
from webhooks import services
from webhooks.events import offered
from webhooks.models import Webhook
from webhooks.services import MOST_ASKED

PAGE = "/c/ashes/webhooks/"
FORM = {"address": ADDRESS, "format": "standard", "topics": ["roll"]}


def posted(cast, **changed):
    return cast.gm.client.post(PAGE, FORM | {"key": str(uuid4())} | changed)


def test_a_gm_adds_one_and_sees_its_secret_once(cast):
    answer = posted(cast)
    webhook = Webhook.objects.get()
    assert answer.status_code == 200 and webhook.secret in answer.content.decode()
    assert webhook.secret not in cast.gm.client.get(PAGE).content.decode()
    assert webhook.secret not in cast.gm.client.get(f"{PAGE}{webhook.pk}/").content.decode()


def test_discord_has_no_use_for_a_secret(cast):
    assert "whsec_" not in posted(cast, format="discord").content.decode()


def test_at_first_everything_is_chosen_to_be_sent(cast):
    boxes = [
        node for node in parse(cast.gm.client.get(PAGE).content.decode()).walk() if node.attrs.get("name") == "topics"
    ]
    assert len(boxes) == len(offered()) and all("checked" in box.attrs for box in boxes)
    refused = [node for node in parse(posted(cast, topics=[]).content.decode()).walk() if "checked" in node.attrs]
    assert refused == []


def test_there_are_as_many_as_anybody_needs(cast, monkeypatch):
    monkeypatch.setattr(Webhook, "MOST", 1)
    posted(cast)
    assert "The limit is 1. Remove" in posted(cast).content.decode()


def test_all_that_can_be_done_with_one(cast):
    webhook = add(cast.gm.member)
    page = f"{PAGE}{webhook.pk}/"

    def press(what, **form):
        return cast.gm.client.post(f"{page}{what}/", {"key": str(uuid4()), **form}, follow=True).content.decode()

    assert "Test sent." in press("test")
    deliver(Receiver())
    shown = cast.gm.client.get(page).content.decode()
    assert "Delivered" in shown and "204" in shown
    again = f"{PAGE}deliveries/{webhook.deliveries.get().pk}/"
    cast.gm.client.post(again, {"key": str(uuid4())})
    assert webhook.deliveries.count() == 2
    assert "Webhook switched off." in press("switch", on="0")
    assert "Webhook switched on." in press("switch", on="1")
    assert "Webhook removed." in press("remove")
    assert not Webhook.objects.exists()


def test_nobody_can_have_more_sent_than_is_sent(cast, settings):
    settings.RATE_LIMIT = 100
    webhook = add(cast.gm.member)
    for _ in range(MOST_ASKED):
        services.send_test(cast.gm.member, webhook.pk, key=uuid4())
    answer = cast.gm.client.post(f"{PAGE}{webhook.pk}/test/", {"key": str(uuid4())})
    assert answer.status_code == 422 and webhook.deliveries.count() == MOST_ASKED


def test_a_form_sent_again_after_the_webhook_was_removed_gets_the_first_answer(cast):
    key = {"key": str(uuid4())}
    webhook = add(cast.gm.member)
    page = f"{PAGE}{webhook.pk}/"
    cast.gm.client.post(f"{page}test/", {"key": str(uuid4())})
    again = f"{PAGE}deliveries/{webhook.deliveries.get().pk}/"
    forms = [(PAGE, FORM | {"key": str(uuid4())}), (again, key), (f"{page}remove/", {"key": str(uuid4())})]
    first = [cast.gm.client.post(address, form) for address, form in forms]
    Webhook.objects.all().delete()
    repeated = [cast.gm.client.post(address, form) for address, form in forms]
    assert [(answer.status_code, answer.headers.get("Location")) for answer in repeated] == [
        (answer.status_code, answer.headers.get("Location")) for answer in first
    ]
    assert not Webhook.objects.exists()
