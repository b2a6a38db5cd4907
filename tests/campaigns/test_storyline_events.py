"""How storylines are drawn in the panel, and told in the log."""

from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from campaigns.live.render import render_line, render_live
from campaigns.models import Role, Viewer
from campaigns.queries.play import storylines_of
from campaigns.services import play as services
from tests.news import news

pytestmark = pytest.mark.django_db


@pytest.fixture
def debt(cast):
    """Return a storyline of the player's."""
    return add(cast, "Silas owes the Archive", whose=cast.player.member)


def add(cast, title, **how):
    return services.add_storyline(cast.gm.member, title, **how, key=uuid4())


def told():
    return list(news())


def test_live_puts_the_row_of_the_page_in_its_place(cast, debt):

    rows = storylines_of(Viewer(cast.campaign, cast.player.member, Role.PLAYER))
    drawn = render_to_string("campaigns/_storyline.html", {"storyline": rows[0]}).strip()
    for role in Role:
        assert drawn in render_live(told()[0], role)


def test_live_takes_a_resolved_one_away(cast, debt):
    services.resolve_storyline(cast.gm.member, debt, key=uuid4())
    html = render_live(told()[-1], Role.PLAYER)
    assert f'<template data-remove="storyline-{debt.pk}">' in html
    assert "<li" not in html


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"what": "made"}, "Gm added the storyline “Silas owes the Archive” (Mo)."),
        ({"what": "resolved"}, "Gm resolved the storyline “Silas owes the Archive”."),
        ({"what": "reopened"}, "Gm reopened the storyline “Silas owes the Archive”."),
        (
            {"what": "changed", "before": {"title": "A debt", "whose": None}},
            "Gm changed the storyline “A debt” (everyone) to “Silas owes the Archive” (Mo).",
        ),
    ],
)
def test_the_log_says_what_happened(cast, debt, payload, words):
    event = told()[0]
    event.stored.payload = event.stored.payload | payload
    assert words in " ".join(render_line(event, Role.PLAYER).split())


def test_a_move_is_no_line_of_the_log(cast, debt):
    services.move_storyline(cast.gm.member, add(cast, "Other"), up=True, key=uuid4())
    assert render_line(told()[-1], Role.PLAYER) == ""
