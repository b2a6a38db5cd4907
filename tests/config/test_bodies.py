"""A body without a declared length is bounded as any other is, and not a byte beyond is kept; no header makes Django fail."""

from __future__ import annotations

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.bodies import UNPARSABLE, BoundedBody, ParsableType

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

CHUNK = b"x" * 1_000_000


async def answer(app, chunks, *headers):
    """Return the status of the answer to a form that is sent in these chunks."""
    scope = {"type": "http", "method": "POST", "path": "/accounts/login/", "query_string": b"", "headers": [*headers]}
    scope["headers"] += [(b"host", b"127.0.0.1"), (b"content-type", b"application/x-www-form-urlencoded")]
    asked = ApplicationCommunicator(app, scope)
    for chunk in chunks:
        await asked.send_input({"type": "http.request", "body": chunk, "more_body": True})
    await asked.send_input({"type": "http.request", "body": b""})
    status = (await asked.receive_output(timeout=20))["status"]
    await asked.send_input({"type": "http.disconnect"})
    await asked.wait()
    return status


async def test_what_comes_in_chunks_is_refused_by_its_true_length():
    site = BoundedBody(get_asgi_application(), settings.LARGEST_LOG)
    assert await answer(site, [CHUNK] * 7) == 413


async def test_what_is_short_enough_goes_on_to_the_form():
    site = BoundedBody(get_asgi_application(), settings.LARGEST_LOG)
    assert await answer(site, [b"login=mo&", b"password=x"]) == 403  # without a CSRF token


async def test_nothing_beyond_the_most_goes_on():
    taken = []

    async def app(scope, receive, send):
        more = True
        while more:
            message = await receive()
            taken.append(len(message["body"]))
            more = message.get("more_body")
        taken.append(dict(scope["headers"]).get(b"content-length"))
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    assert await answer(BoundedBody(app, 2 * len(CHUNK)), [CHUNK] * 5) == 200
    assert taken == [len(CHUNK), len(CHUNK), 0, 0, 0, 0, b"5000000"]


@pytest.mark.parametrize("declared", [b"3", b"7000000"])
async def test_a_declared_length_stays_as_it_was(declared):
    site = BoundedBody(get_asgi_application(), settings.LARGEST_LOG)
    status = await answer(site, [b"a=b"], (b"content-length", declared))
    assert status == (413 if declared == b"7000000" else 403)


@pytest.mark.parametrize(
    "declared",
    [
        "text/plain; charset*=unknown''x",
        "text/plain; charset*=utf-8''%00",
        "text/plain; charset*=idna''%ff",
        "text/plain; charset*=a; charset*0=b",
        f"text/plain; charset*{'9' * 5000}=x",
    ],
)
async def test_a_type_that_django_cannot_parse_is_refused(declared):
    assert await answer(ParsableType(get_asgi_application()), [b"a=b"], (b"content-type", declared.encode())) == 400


@pytest.mark.parametrize(
    "declared", ["text/plain", "text/plain; charset=utf-8", "text/plain; charset=unknown", "", ";"]
)
async def test_any_other_type_stays_as_it_was(declared):
    taken = []

    async def app(scope, receive, send):
        taken.extend(value for name, value in scope["headers"] if name == b"content-type")
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    await answer(ParsableType(app), [b"a=b"], (b"content-type", declared.encode()))
    assert taken[0] == declared.encode() and UNPARSABLE not in taken
