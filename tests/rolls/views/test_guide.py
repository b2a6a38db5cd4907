"""The pages under /rules/: open to everybody, and they say all that the guide holds."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from rolls.queries import guide
from tests.answers import queries
from tests.dom import parse

SLUGS = [system.slug for system in guide.guide()]

pytestmark = pytest.mark.django_db


def page(slug, client=None):
    answer = (client or Client()).get(reverse("guide_system", args=[slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_overview_leads_a_stranger_to_every_system():
    answer = Client().get("/rules/")
    assert answer.status_code == 200
    for system in guide.guide():
        assert f'href="/rules/{system.slug}/"' in answer.content.decode()
        assert escape(system.summary) in answer.content.decode()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_tells_every_rule_and_contradiction_at_its_anchor(slug):
    html = page(slug)
    anchors = parse(html).ids()
    for rule in guide.system(slug).rules:
        assert rule.id in anchors
        assert escape(rule.text) in html
        assert escape(rule.source) in html
    for one in guide.system(slug).contradictions:
        assert escape(one.says) in html
        assert escape(one.reading) in html
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_page_links_to_on_itself_is_there(slug):
    tree = parse(page(slug))
    links = [node.attrs.get("href") or "" for node in tree.walk() if node.tag == "a"]
    assert {link[1:] for link in links if link.startswith("#")} <= set(tree.ids())


def test_the_pages_look_the_same_to_who_is_signed_in_but_for_the_head(cast):
    for slug in SLUGS:
        mine, theirs = (parse(page(slug, client)).by_id("main") for client in (cast.player.client, Client()))
        assert str(mine) == str(theirs)


def test_a_stranger_costs_no_query():
    assert queries(Client(), "/rules/scale/") == 0


def test_a_system_that_there_is_not_is_not_found():
    assert Client().get("/rules/thirteen/").status_code == 404
