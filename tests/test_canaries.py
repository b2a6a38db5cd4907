"""The canaries themselves: a leak is heard, and what one may read is not taken for one."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from tests.canaries import canary, must_be_free_of_secrets


def test_a_word_meant_for_others_is_heard():
    with pytest.raises(AssertionError, match="notes of gm"):
        must_be_free_of_secrets(f"<p>{canary('gm', 'notes')}</p>", "mo")
    with pytest.raises(AssertionError, match="whisper of other"):
        must_be_free_of_secrets(canary("other", "whisper"), "mo")


def test_gms_and_those_they_are_meant_for_may_read_them():
    must_be_free_of_secrets(canary("other", "whisper"), "gm")
    must_be_free_of_secrets(canary("mo", "whisper"), "mo")


def test_the_suite_listens_to_every_answer(cast, monkeypatch):
    monkeypatch.setattr("rolls.views.table.render", lambda *_: HttpResponse(canary("gm", "leak")))
    with pytest.raises(AssertionError, match="leak of gm"):
        cast.player.client.get(reverse("table", args=[cast.campaign.slug]))
