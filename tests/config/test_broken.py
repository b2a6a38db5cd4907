"""The page for what nobody foresaw, also where nothing can be drawn."""

from __future__ import annotations

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage


@pytest.fixture
def broken(client, monkeypatch):
    """`broken()` returns the answer of a page whose view raises."""

    def fail(*_):
        raise RuntimeError("nobody foresaw this")

    def ask():
        monkeypatch.setattr("config.views._trouble", fail)
        client.raise_request_exception = False
        return client.get("/readyz")

    return ask


def test_what_breaks_is_said_on_a_page_of_ours(broken):
    answer = broken()
    assert answer.status_code == 500
    assert b'<h1 id="page-head">' in answer.content and b"Something broke" in answer.content


def test_where_no_page_can_be_drawn_it_is_said_in_plain_text(broken, monkeypatch):
    def missing(name):
        raise ValueError(f"Missing staticfiles manifest entry for '{name}'")

    monkeypatch.setattr(staticfiles_storage, "url", missing)
    answer = broken()
    assert answer.status_code == 500
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.startswith(b"Something broke")
