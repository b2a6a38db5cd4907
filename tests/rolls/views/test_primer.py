"""How a table works, told once to whoever opens one for the first time, and to everybody under Help."""

from __future__ import annotations

from uuid import uuid4

from django.urls import reverse

from campaigns.models import Campaign, Membership
from campaigns.services.campaigns import create_campaign

PRIMER = "The table in two minutes"
MARKS = 'id="primer"'
SCALE = "Scale: the basics"


def table(person, slug="ashes"):
    return person.client.get(reverse("table", args=[slug])).content.decode()


def test_it_is_told_once_to_each_account_at_whichever_table(cast):
    create_campaign(cast.player.user, name="Embers", systems=["arc"], key=uuid4())
    assert MARKS in (told := table(cast.player)) and "Speak and roll" in told
    assert MARKS not in table(cast.player) and MARKS not in table(cast.player, "embers")
    assert MARKS in (told := table(cast.spectator)) and "Speak and roll" not in told


def test_it_names_nothing_that_a_sheet_of_this_table_may_not_have(cast):
    Campaign.objects.update(systems=["storyteller"])
    marks = table(cast.player).partition(MARKS)[2].partition("</section>")[0]
    assert "Press a trait" in marks and "stress" not in marks.lower()


def test_a_gm_who_looks_through_other_eyes_is_not_told_for_them(cast):
    Membership.objects.filter(pk=cast.gm.member.pk).update(here_at=cast.gm.member.joined_at)
    cast.gm.client.post(reverse("see_as", args=["ashes"]), {"as": cast.player.member.pk})
    assert MARKS not in table(cast.gm)


def test_it_tells_of_what_joins_the_rules_of_the_table_and_of_nothing_else(cast):
    assert SCALE in table(cast.player)
    Campaign.objects.update(systems=["arc"])
    assert MARKS in (told := table(cast.other_player)) and SCALE not in told


def test_it_stands_under_help_which_every_page_of_a_campaign_leads_to(cast, client):
    page = client.get(reverse("guide")).content.decode()
    assert PRIMER in page and "The gauge at the top shows" in page
    nav = cast.player.client.get(reverse("members", args=["ashes"])).context["nav"]
    assert (nav[-1]["words"], nav[-1]["url"]) == ("Help", reverse("guide") + "#table")
