"""A body without a declared length is bounded as any other is; no header makes Django fail."""

from __future__ import annotations

import pytest
from asgiref.testing import ApplicationCommunicator

from config.application import Pages

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

CHUNK = b"x" * 1_000_000


async def answer(chunks, *headers):
    """Return the status of the answer to a form that is sent in these chunks."""
    scope = {"type": "http", "method": "POST", "path": "/accounts/login/", "query_string": b"", "headers": [*headers]}
    scope["headers"] += [(b"host", b"127.0.0.1"), (b"content-type", b"application/x-www-form-urlencoded")]
    asked = ApplicationCommunicator(Pages(), scope)
    for chunk in chunks:
        await asked.send_input({"type": "http.request", "body": chunk, "more_body": True})
    await asked.send_input({"type": "http.request", "body": b""})
    status = (await asked.receive_output(timeout=20))["status"]
    await asked.send_input({"type": "http.disconnect"})
    await asked.wait()
    return status


async def test_what_comes_in_chunks_is_refused_by_its_true_length():
    assert await answer([CHUNK] * 7) == 413


async def test_what_is_short_enough_goes_on_to_the_form():
    assert await answer([b"login=mo&", b"password=x"]) == 403  # without a CSRF token


@pytest.mark.parametrize("declared", [b"3", b"7000000"])
async def test_a_declared_length_stays_as_it_was(declared):
    status = await answer([b"a=b"], (b"content-length", declared))
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
    assert await answer([b"a=b"], (b"content-type", declared.encode())) == 400
