"""Every page is given in its reader's language: in one that puts brackets around each message, nothing stands outside them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from campaigns.access import viewer_of
from campaigns.live.render import render_live
from campaigns.models import Event
from people.models import User
from tests.dom import parse
from tests.pseudo import LANGUAGE, bare_words, pseudo_language

WHO = ("gm", "player", "spectator")
AROUND = (
    "home",
    "profile",
    "campaign_new",
    "odds_page",
    "account_email",
    "account_change_password",
    "profile_delete",
    "mfa_index",
    "usersessions_list",
    "socialaccount_connections",
)


@pytest.fixture
def brackets(played, tmp_path):
    User.objects.update(language=LANGUAGE)
    with pseudo_language(tmp_path):
        yield


def test_every_page_of_a_campaign_is_translated(brackets, cast, addresses):
    bare = {}
    for name, (how, _, address) in addresses.items():
        if "GET" in how:
            for who in WHO:
                answer = getattr(cast, who).client.get(address)
                if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
                    html = answer.getvalue().decode() if answer.streaming else answer.content.decode()
                    for text in bare_words(parse(html)):
                        bare.setdefault(text, f"{who}: {name}")
    assert not bare, "\n".join(f"{where:40} {text}" for text, where in bare.items())


def test_every_line_of_the_log_is_translated(brackets, cast):
    bare = {}
    viewer = viewer_of(cast.gm.user, {}, cast.campaign.slug)
    with translation.override(LANGUAGE):
        for event in Event.objects.seen_by(viewer).with_related().linked().select_related("campaign"):
            for text in bare_words(parse(render_live(event, viewer.role))):
                bare.setdefault(text, event.kind)
    assert not bare, "\n".join(f"{where:40} {text}" for text, where in bare.items())


@pytest.mark.parametrize("name", AROUND)
def test_every_page_of_the_site_is_translated(brackets, cast, name):
    bare = bare_words(parse(cast.player.client.get(reverse(name)).content.decode()))
    assert not bare, "\n".join(bare)
