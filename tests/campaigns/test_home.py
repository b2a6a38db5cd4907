"""The first page: one's own campaigns, and what one may know of them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models.streams import GM
from campaigns.services import campaigns as services
from campaigns.services.log import happening_at
from campaigns.services.storylines import add_storyline
from tests.answers import same_page
from tests.news import news

pytestmark = pytest.mark.django_db


def home(person):
    return person.client.get(reverse("home"))


def test_the_first_page_lists_my_campaigns_with_my_role(cast):
    services.create_campaign(cast.player.user, name="Harrow", systems=["storyteller"], key=uuid4())
    rows = home(cast.player).context["rows"]
    assert {(row["campaign"].name, row["role"]) for row in rows} == {("Ashes", "Player"), ("Harrow", "GM")}


def test_whoever_sits_nowhere_is_told_what_to_do(cast):
    for who in (cast.outsider, cast.removed):
        page = home(who).content.decode()
        assert "Follow the invitation" in page
        assert "Ashes" not in page


def test_archived_campaigns_stand_apart(cast):
    services.archive_campaign(cast.gm.member, key=uuid4())
    context = home(cast.player).context
    assert not context["rows"]
    assert [row["campaign"].name for row in context["archived"]] == ["Ashes"]


def test_last_activity_is_what_the_reader_may_see_of_it(cast):
    then, later = timezone.now() + timedelta(days=1), timezone.now() + timedelta(days=2)
    before = home(cast.player).context["rows"][0]["active_at"]
    with happening_at(later):
        services.start_watching(cast.gm.member, key=uuid4())
    assert home(cast.player).context["rows"][0]["active_at"] == before
    assert home(cast.gm).context["rows"][0]["active_at"] == later
    with happening_at(then):
        add_storyline(cast.gm.member, "Silas owes", key=uuid4())
    assert home(cast.player).context["rows"][0]["active_at"] == then


def test_a_gm_only_operation_leaves_the_first_page_of_a_player_as_it_was(cast):
    before = home(cast.player)
    services.start_watching(cast.gm.member, key=uuid4())
    assert news().get().stream.name == GM
    assert same_page(home(cast.player), before)


def test_whoever_watches_whether_the_site_is_up_may_ask_for_the_head_alone(client, cast):
    assert client.head(reverse("home")).status_code == 302
    assert cast.player.client.head(reverse("home")).status_code == 200
