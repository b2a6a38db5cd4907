"""A form whose token is stale: refused, with a new token for the page of whoever is still signed in."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.player.member.user)
    return browser


def send(client, cast, **headers):
    words = {"text": "Hello", "voice": "player", "key": uuid4()}
    return client.post(reverse("compose", args=[cast.campaign.slug]), words, headers={"HX-Request": "true", **headers})


def test_the_page_of_the_same_person_gets_a_token_that_is_taken(cast, client):
    refused = send(client, cast, **{"X-User": str(cast.player.member.user.pk), "X-CSRFToken": "stale"})
    assert refused.status_code == 403
    assert send(client, cast, **{"X-CSRFToken": refused["X-CSRFToken"]}).status_code == 204


def test_a_page_of_someone_else_or_of_no_one_gets_none(cast, client):
    for whose in (cast.gm.member.user.pk, ""):
        assert "X-CSRFToken" not in send(client, cast, **{"X-User": str(whose)})
    client.logout()
    for whose in (cast.player.member.user.pk, "", "None"):
        assert "X-CSRFToken" not in send(client, cast, **{"X-User": str(whose)})
