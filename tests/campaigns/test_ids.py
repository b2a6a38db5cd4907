"""Ids as somebody has sent them, wherever they are asked for."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import id_or_none
from characters.services import cards

NO_IDS = ("", "x/y", "-" * 36, "\x00", "9" * 40, None)


@pytest.mark.parametrize("sent", NO_IDS)
def test_what_is_no_id_counts_as_nothing(sent):
    assert id_or_none(sent) is None


def test_an_id_is_the_same_whoever_reads_it():
    one = uuid4()
    assert id_or_none(str(one)) == id_or_none(one) == one


@pytest.mark.parametrize("sent", [one for one in NO_IDS if one is not None])
def test_pages_that_go_on_from_an_id_answer_what_is_none(cast, sent):
    gm, slug = cast.gm, cast.campaign.slug
    made = cards.make_character(gm.member, cards.Card("Silas"), key=uuid4())
    asked = {
        reverse("field_history", args=[slug, made.pk]): {"field": "perception", "before": sent},
        reverse("table", args=[slug]): {"character": sent},
        reverse("clock_new", args=[slug]): {"template": sent},
    }
    answers = [gm.client.get(url, query).status_code for url, query in asked.items()]
    assert answers == [200, 200, 404]
