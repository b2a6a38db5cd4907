"""A database that is away is said so, in words and with 503, by pages and by forms."""

from unittest import mock
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.urls import reverse

pytestmark = pytest.mark.django_db

EXECUTE = "django.db.models.sql.compiler.SQLCompiler.execute_sql"


@pytest.fixture
def away(cast, monkeypatch):
    """A browser whose requests meet no database; what the tests themselves ask afterwards is answered."""
    client = cast.player.client
    plain = client.handler.get_response

    def without_database(request):
        with mock.patch(EXECUTE, side_effect=OperationalError) as client.asked:
            return plain(request)

    monkeypatch.setattr(client.handler, "get_response", without_database)
    return client


@pytest.mark.parametrize("path", ["/", "/profile/", "/c/new/", "/c/ashes/", "/c/ashes/members/", "/import/"])
def test_pages_say_so(away, path):
    answer = away.get(path)
    assert answer.status_code == 503
    assert "The database does not answer. Nothing was changed" in answer.content.decode()


def test_forms_say_so_and_keep_what_was_typed(away):
    form = {"voice": "player", "text": "I light it.", "key": uuid4()}
    answer = away.post(reverse("say", args=["ashes"]), form, headers={"HX-Request": "true", "HX-Trigger": "say"})
    assert answer.status_code == 503
    assert answer["HX-Retarget"] == "#say-errors"
    assert "The database does not answer" in answer.content.decode()


def test_nobody_waits_for_it_a_second_time(away):
    away.get("/c/ashes/")
    assert away.asked.call_count == 1


@pytest.mark.parametrize("htmx", [True, False])
def test_what_is_too_much_to_be_sent_at_once_is_refused_unread(cast, htmx):
    headers = {"HX-Request": "true", "HX-Trigger": "say"} if htmx else {}
    form = {"voice": "player", "text": "x" * 6_000_000, "key": uuid4()}
    answer = cast.player.client.post(reverse("say", args=["ashes"]), form, headers=headers)
    assert answer.status_code == 413
    assert "That is more than the 6 MB that can be sent at once." in answer.content.decode()
    assert answer.wsgi_request._read_started is False
    assert answer.get("HX-Retarget") == ("#say-errors" if htmx else None)


@pytest.mark.parametrize("length", ["", "-1", "x", "9" * 100_000])
def test_a_size_that_is_no_number_does_no_harm(cast, length):
    assert cast.player.client.get("/", CONTENT_LENGTH=length).status_code in (200, 413)
