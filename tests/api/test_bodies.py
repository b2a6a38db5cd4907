"""What comes in: JSON within bounds; and what goes out where it is not."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Event
from tests.api.callers import calls

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


def sent(caller, content: bytes, content_type: str = "application/json"):
    return caller.client.generic(
        "POST",
        caller.url("/rolls"),
        content,
        content_type=content_type,
        HTTP_AUTHORIZATION=f"Bearer {caller.token}",
        headers={"Idempotency-Key": str(uuid4())},
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"[" * 5_000, 400),
        (b"[" * 20_000 + b"]" * 20_000, 400),
        (b"\xff\xfe", 400),
        (b'{"note": "\\u0000"}', 400),
        (b'{"note": "\\ud800"}', 400),
        (b"5", 422),
        (b"null", 422),
        (b'"text"', 422),
        (b"[]", 422),
        (b'{"pool": 1e400}', 422),
        (b'{"pool": ' + b"9" * 5_000 + b"}", 400),
        (b'{"pool": "' + b"x" * 200_000 + b'"}', 413),
        (b'{"": 1}', 422),
        (b'{"pool": "5", "character": "nobody"}', 422),
        (b'{"pool": "5", "note": "' + b"x" * 50_000 + b'"}', 422),
    ],
)
def test_what_is_sent_wrongly_is_refused_and_changes_nothing(cast, content, status):
    before = Event.objects.count()
    answer = sent(calls(cast.player), content)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json" and answer.json()["status"] == status
    assert Event.objects.count() == before


def test_what_is_no_json_is_called_so(cast):
    assert sent(calls(cast.player), b"{").json()["detail"] == "The body isn’t JSON in UTF-8."


def test_a_wrong_host_is_called_so(cast):
    caller = calls(cast.player)
    answer = caller.client.get(caller.url(""), **caller.headers, headers={"Host": "evil.example"})
    assert answer.status_code == 400 and answer["Content-Type"] == "application/problem+json"
    assert "Host" in answer.json()["detail"] and "JSON" not in answer.json()["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_nothing_but_json_is_taken(cast, kind):
    assert sent(calls(cast.player), b"{}", kind).status_code == 415


@pytest.mark.parametrize(
    "path",
    [
        "/events?words=%00",
        "/events?topic=nothing",
        "/events?session=99999999999999999999",
        "/events?after=nobody",
        "/events?limit=0",
        "/events?limit=999",
        "/events?colour=red",
        "/streams/%00/events",
        "/streams/table/events?after=-1",
        "/streams/table/events?after=99999999999999999999",
        "/sessions?before=99999999999999999999",
        "/statistics?player=%00",
        "/statistics?session=%D9%A3",
        "/characters/nobody",
        "/characters/%00/fields/x",
    ],
)
def test_odd_questions_are_refused_or_find_nothing(cast, path):
    caller = calls(cast.player)
    answer = caller.client.get(caller.url(path), HTTP_AUTHORIZATION=f"Bearer {caller.token}")
    assert answer.status_code in (400, 404, 422), answer.content
    assert answer["Content-Type"] == "application/problem+json"


def test_the_error_names_the_parameter(cast):
    answer = calls(cast.player).get("/events", limit=0)
    assert [error["field"] for error in answer.json()["errors"]] == ["limit"]
