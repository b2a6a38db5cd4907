"""Storylines: everybody sees titles, whose and whether open; the notes are the GM's and leave no trace for anybody else."""

from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaigns.errors import Invalid
from campaigns.live.render import render_line, render_live
from campaigns.models import Campaign, Membership, Role, Storyline, Stream, Viewer
from campaigns.models.members import GM, TABLE
from campaigns.queries.play import storylines_of
from campaigns.services import play as services
from tests.answers import queries
from tests.doors import post
from tests.news import news

SECRET = "xylophone"  # is only in the GM's notes


@pytest.fixture
def debt(cast):
    """Return a storyline of the player's, with notes."""
    return add(cast, "Silas owes the Archive", whose=cast.player.member, gm_notes=f"The {SECRET} is a forgery.")


def add(cast, title, **how):
    return services.add_storyline(cast.gm.member, title, **how, key=uuid4())


def change(cast, storyline, **how):
    written = {"title": storyline.title, "whose": storyline.whose, "gm_notes": storyline.gm_notes}
    written["expected"] = services.storyline_version(storyline)
    return services.change_storyline(cast.gm.member, storyline, **written | how, key=uuid4())


def told(campaign, stream=TABLE):
    return list(news().filter(stream__name=stream))


def rows(cast):
    return storylines_of(Viewer(cast.campaign, cast.player.member, Role.PLAYER))


def titles(cast):
    return [row["title"] for row in rows(cast)]


def test_a_new_one_stands_after_the_others_and_is_its_key(cast):
    key = uuid4()
    add(cast, "First")
    services.add_storyline(cast.gm.member, "Second", key=key)
    assert titles(cast) == ["First", "Second"]
    assert Storyline.objects.get(title="Second").pk == key


def test_the_table_hears_of_everything_but_the_notes(cast, debt):
    table, gm = told(cast.campaign), told(cast.campaign, GM)
    assert [event.kind for event in table + gm] == ["campaigns.storyline_changed", "campaigns.storyline_noted"]
    assert table[0].payload["rows"] == [
        {
            "id": str(debt.pk),
            "title": "Silas owes the Archive",
            "whose": {"member": cast.player.member.pk, "name": cast.player.member.name},
            "open": True,
            "order": 1,
        }
    ]
    assert SECRET not in str(table[0].payload)
    assert SECRET in gm[0].payload["notes"]


def test_notes_alone_are_no_news_for_the_table(cast, debt):
    before = Stream.objects.get(campaign=cast.campaign, name=TABLE).seq
    change(cast, debt, gm_notes="Something else.")
    assert Stream.objects.get(campaign=cast.campaign, name=TABLE).seq == before
    assert told(cast.campaign, GM)[-1].payload["notes"] == "Something else."


def test_a_change_tells_what_it_was_before(cast, debt):
    change(cast, debt, title="Silas pays the Archive", whose=None)
    payload = told(cast.campaign)[-1].payload
    assert payload["what"] == "changed"
    assert payload["before"]["title"] == "Silas owes the Archive"
    assert payload["rows"][0]["whose"] is None
    assert len(told(cast.campaign, GM)) == 1


def test_saving_what_is_there_is_no_news(cast, debt):
    before = news().count()
    change(cast, debt)
    assert news().count() == before


def test_it_is_resolved_once_and_can_be_opened_again(cast, debt):
    for _ in range(2):
        services.resolve_storyline(cast.gm.member, debt, key=uuid4())
    assert titles(cast) == []
    services.reopen_storyline(cast.gm.member, debt, key=uuid4())
    assert titles(cast) == ["Silas owes the Archive"]
    assert [event.payload["what"] for event in told(cast.campaign)] == ["made", "resolved", "reopened"]


def test_moving_changes_places_with_the_neighbour_that_is_open(cast):
    a, b, c = add(cast, "A"), add(cast, "B"), add(cast, "C")
    services.resolve_storyline(cast.gm.member, b, key=uuid4())
    services.move_storyline(cast.gm.member, c, up=True, key=uuid4())
    assert titles(cast) == ["C", "A"]
    assert [row["title"] for row in told(cast.campaign)[-1].payload["rows"]] == ["C", "A"]
    services.move_storyline(cast.gm.member, a, up=False, key=uuid4())
    services.move_storyline(cast.gm.member, c, up=True, key=uuid4())
    assert titles(cast) == ["C", "A"]


@pytest.mark.parametrize("who", ["removed", "outsider"])
def test_it_can_only_belong_to_somebody_at_this_table(cast, who):
    stranger = cast.removed.member
    if who == "outsider":
        other = Campaign.objects.create(slug="other", name="Other")
        stranger = Membership.objects.create(
            campaign=other, user=cast.outsider.user, role=Role.PLAYER, joined_at=timezone.now()
        )
    with pytest.raises(Invalid, match="has left the campaign"):
        add(cast, "Mine", whose=stranger)
    assert not Storyline.objects.exists()


def test_it_may_stay_with_one_who_has_left(cast, debt):
    Membership.objects.filter(pk=cast.player.member.pk).update(left_at=timezone.now())
    assert change(cast, debt, title="Unpaid").whose == cast.player.member


# On open pages and in the log


def test_live_puts_the_row_of_the_page_in_its_place(cast, debt):
    drawn = render_to_string("campaigns/_storyline.html", {"storyline": rows(cast)[0]}).strip()
    for role in Role:
        assert drawn in render_live(told(cast.campaign)[0], role)


def test_live_takes_a_resolved_one_away(cast, debt):
    services.resolve_storyline(cast.gm.member, debt, key=uuid4())
    html = render_live(told(cast.campaign)[-1], Role.PLAYER)
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
    event = told(cast.campaign)[0]
    event.stored.payload = event.stored.payload | payload
    assert words in " ".join(render_line(event, Role.PLAYER).split())


def test_a_move_is_no_line_of_the_log(cast, debt):
    services.move_storyline(cast.gm.member, add(cast, "Other"), up=True, key=uuid4())
    assert render_line(told(cast.campaign)[-1], Role.PLAYER) == ""


# Over HTTP


def test_everybody_reads_the_titles_and_only_gms_the_notes(cast, debt):
    services.resolve_storyline(cast.gm.member, add(cast, "Over", gm_notes=f"{SECRET} too"), key=uuid4())
    for who in (cast.gm, cast.player, cast.other_player, cast.spectator):
        page = who.client.get(reverse("storylines", args=["ashes"])).content.decode()
        assert "Silas owes the Archive" in page
        assert "Over" in page
        assert page.count(SECRET) == (2 if who is cast.gm else 0)
        assert ("<form" in page.partition("<main")[2].partition("</main>")[0]) == (who is cast.gm)


def test_a_gm_writes_moves_and_resolves(cast):
    client = cast.gm.client
    assert (
        post(client, "storyline_new", "ashes", title="A", whose=cast.player.member.pk, gm_notes="n").status_code == 302
    )
    assert post(client, "storyline_new", "ashes", title="B").status_code == 302
    a, b = Storyline.objects.all()
    assert (a.whose, a.gm_notes, b.whose) == (cast.player.member, "n", None)
    assert post(client, "storyline_move", "ashes", b.pk, to="up").status_code == 302
    assert titles(cast) == ["B", "A"]
    assert post(client, "storyline_resolve", "ashes", b.pk).status_code == 302
    assert post(client, "storyline_reopen", "ashes", b.pk).status_code == 302
    seen = services.storyline_version(a)
    assert post(client, "storyline", "ashes", a.pk, title="A!", gm_notes="m", expected=seen).status_code == 302
    a.refresh_from_db()
    assert (a.title, a.whose, a.gm_notes) == ("A!", None, "m")


def test_the_page_costs_the_same_however_many_there_are(cast, debt):
    few = queries(cast.player.client, reverse("storylines", args=["ashes"]))
    for number in range(8):
        add(cast, f"Story {number}", whose=cast.player.member)
    assert queries(cast.player.client, reverse("storylines", args=["ashes"])) == few
