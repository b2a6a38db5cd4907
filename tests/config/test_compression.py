"""Pages are compressed as the browser takes it, and how long they are says nothing of what is in them."""

from __future__ import annotations

import gzip

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from config.middleware import BrotliMiddleware, compress

PAGE = "A page with words that come again. " * 100


def answered(accepted: str, response: HttpResponse | None = None) -> HttpResponse:
    request = RequestFactory().get("/", headers={"accept-encoding": accepted})
    return BrotliMiddleware(lambda request: response or HttpResponse(PAGE))(request)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, br;q=0.5", "br"),
        ("gzip", "gzip"),
        ("gzip, br;q=0", "gzip"),
        ("", None),
    ],
)
def test_a_page_comes_in_the_best_encoding_that_is_taken(client, db, accepted, encoding):
    page = client.get("/accounts/login/", headers={"accept-encoding": accepted})
    assert page.headers.get("Content-Encoding") == encoding and "Accept-Encoding" in page.headers["Vary"]
    read = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert "<h1" in read(page.content).decode()


def test_what_is_short_streamed_or_compressed_already_stays_as_it_is():
    packed = HttpResponse(PAGE, headers={"Content-Encoding": "gzip"})
    for response in (HttpResponse("Short."), StreamingHttpResponse([PAGE]), packed):
        before = response.headers.get("Content-Encoding")
        assert answered("br", response) is response and response.headers.get("Content-Encoding") == before
    assert packed.content == PAGE.encode()


def test_an_entity_tag_is_a_weak_one_of_what_is_compressed():
    answer = answered("br", HttpResponse(PAGE, headers={"ETag": '"1"', "Content-Length": str(len(PAGE))}))
    assert answer.headers["ETag"] == 'W/"1"' and answer.headers["Content-Length"] == str(len(answer.content))


def test_the_same_page_has_many_lengths():
    pages = [compress(PAGE.encode()) for _ in range(50)]
    assert len({len(page) for page in pages}) > 10
    assert {brotli.decompress(page) for page in pages} == {PAGE.encode()}
