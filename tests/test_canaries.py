"""The canaries themselves: a leak is heard, and what one may read is not taken for one."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from tests.canaries import canary, must_be_free_of_secrets, numbers_of_gms


def test_a_word_meant_for_others_is_heard():
    with pytest.raises(AssertionError, match="notes of gm"):
        must_be_free_of_secrets(f"<p>{canary('gm', 'notes')}</p>", "mo")
    with pytest.raises(AssertionError, match="whisper of other"):
        must_be_free_of_secrets(canary("other", "whisper"), "mo")


def test_a_number_meant_for_gms_is_heard_while_it_is_one():
    with numbers_of_gms(121):
        must_be_free_of_secrets("<p>121</p>", "gm")
        must_be_free_of_secrets("<p>1214, 0.121, 7-121-9</p>", "mo")
        for leak in ("<p>121</p>", '<i title="=121"></i>', "+121"):
            with pytest.raises(AssertionError, match="the number 121"):
                must_be_free_of_secrets(leak, "mo")
    must_be_free_of_secrets("<p>121</p>", "mo")


def test_gms_and_those_they_are_meant_for_may_read_them():
    must_be_free_of_secrets(canary("other", "whisper"), "gm")
    must_be_free_of_secrets(canary("mo", "whisper"), "mo")


def test_the_suite_listens_to_every_answer(cast, monkeypatch):
    monkeypatch.setattr("rolls.views.table.render", lambda *_: HttpResponse(canary("gm", "leak")))
    with pytest.raises(AssertionError, match="leak of gm"):
        cast.player.client.get(reverse("table", args=[cast.campaign.slug]))
