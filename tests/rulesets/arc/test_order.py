"""The order of declaration (arc.txt, V.6, lines 85 to 93): ascending by State of Mind, Empathy, Perception, d10."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.live.render import render_live
from campaigns.models import Campaign, Role
from campaigns.services.play import end_session, start_session
from characters.models import Character
from rolls.queries.checking import faults
from rolls.rules.fairness import fits
from tests.news import news

TIE = "rolls a d10, the lowest first"


@pytest.fixture
def guards(cast) -> None:
    """By name: Iva (SOM 3), Mo and Tess alike (SOM 5, Empathy 4, Perception 6)."""
    skills = [{"id": "p1", "name": "Perception", "es": 6, "stat": "intellect"}]
    for name, som, empathy in (("Iva", 3, 6), ("Mo", 5, 4), ("Tess", 5, 4)):
        sheet = {"som": som, "empathy": empathy, "skills": skills}
        Character.objects.create(campaign=cast.campaign, name=name, system="arc", sheet=sheet)


def ask(cast, *taking: dict[str, str]):
    """The page with lines 0, 1, … filled in so."""
    query = {f"n{at}-{name}": value for at, line in enumerate(taking) for name, value in line.items()}
    return cast.gm.client.get(reverse("order", args=[cast.campaign.slug]), query)


def line(name: str, som: int, **more: str) -> dict[str, str]:
    return {"here": "on", "name": name, "som": str(som), "empathy": "4", "perception": "6"} | more


def order(answer) -> list[str]:
    assert answer.status_code == 200, answer.content.decode()
    head = answer.content.decode().partition("</ol>")[0]
    return re.findall(r"<b>(\w+)</b>", head.partition("This turn")[2])


def test_the_page_begins_with_what_the_sheets_say(cast, guards):
    page = ask(cast).content.decode()
    assert re.findall(r'name="n\d-name"[^>]*value="(\w+)"|value="(\w+)"[^>]*name="n\d-name"', page)
    assert page.count("<legend>Somebody else</legend>") == 3
    assert "This turn" not in page


def test_the_lowest_state_of_mind_declares_first_and_ties_ask_for_a_die(cast):
    answer = ask(cast, line("Mo", 5), line("Iva", 3), line("Tess", 5))
    assert order(answer) == ["Iva", "Mo", "Tess"]
    assert answer.content.decode().count(TIE) == 2


def test_the_lower_die_goes_first_and_equal_dice_roll_again(cast):
    rolled = (line("Mo", 5, dice="8"), line("Iva", 3), line("Tess", 5, dice="2"))
    answer = ask(cast, *rolled)
    assert order(answer) == ["Iva", "Tess", "Mo"] and TIE not in answer.content.decode()
    again = ask(cast, line("Mo", 5, dice="8"), line("Tess", 5, dice="8")).content.decode()
    assert again.count(TIE) == 2
    Campaign.objects.update(settings={"arc": {"equal_dice_roll_again": False}})
    by_name = ask(cast, line("Tess", 5, dice="8"), line("Mo", 5, dice="8"))
    assert order(by_name) == ["Mo", "Tess"] and TIE not in by_name.content.decode()


def test_the_unaware_and_those_who_lost_the_turn_wait_for_the_next(cast):
    answer = ask(cast, line("Mo", 5, unaware="on"), line("Iva", 3, lost="on"), line("Tess", 5))
    assert order(answer) == ["Tess"]
    assert "Not before the next turn: Iva, Mo." in answer.content.decode()


@pytest.mark.parametrize(("smallest", "times"), [(True, "1 action"), (False, "2 actions")])
def test_with_several_es_the_smallest_allowance_counts(cast, smallest, times):
    Campaign.objects.update(settings={"arc": {"smallest_allowance_counts": smallest}})
    assert f"· {times}\n" in ask(cast, line("Mo", 5, es="3 7")).content.decode()


@pytest.mark.parametrize(
    "wrong",
    [{"som": "11"}, {"som": ""}, {"dice": "11"}, {"dice": "x"}, {"es": "0"}, {"name": ""}],
)
def test_what_cannot_be_is_said_at_its_line(cast, wrong):
    answer = ask(cast, line("Mo", 5) | wrong, line("Iva", 3))
    assert answer.status_code == 422
    assert 'class="errors"' in answer.content.decode()


def test_two_of_one_name_are_refused(cast):
    assert ask(cast, line("Mo", 5), line("Mo", 4)).status_code == 422


def throw(cast, page, **given):
    """Press the button under a page that asks for dice."""
    url = f"{page.request['PATH_INFO']}?{page.request['QUERY_STRING']}"
    return cast.gm.client.post(url, {"key": uuid4(), "audience": "table"} | given)


def test_the_server_throws_for_those_who_are_equal_and_all_see_it(cast, dice):
    asked = ask(cast, line("Mo", 5), line("Iva", 3), line("Tess", 5))
    dice(4, 4, 8, 2)
    answer = throw(cast, asked)
    assert answer.status_code == 302
    page = cast.gm.client.get(answer["location"])
    assert order(page) == ["Iva", "Tess", "Mo"] and TIE not in page.content.decode()
    event = news().latest("pk")
    assert [one["name"] for one in event.described["declare"]] == ["Iva", "Tess", "Mo"]
    assert event.described["declare"][1]["rolls"] == [4, 2]
    assert "SOM" not in render_live(event, Role.PLAYER)
    for role in (Role.GM, Role.PLAYER, Role.SPECTATOR):
        assert "Mo <span" in " ".join(render_live(event, role).split())
    assert throw(cast, page).status_code == 409


def test_two_ties_are_told_as_two_groups(cast, guards, dice):
    asked = ask(cast, line("Mo", 5), line("Iva", 3), line("Tess", 5), line("Ro", 3), line("Ana", 9))
    assert "Iva, Ro; Mo, Tess" in " ".join(asked.content.decode().split())
    dice(8, 2, 4, 6)
    page = cast.gm.client.get(throw(cast, asked)["location"])
    assert order(page) == ["Ro", "Iva", "Mo", "Tess", "Ana"]
    event = news().latest("pk")
    assert event.described["equal"] == [["Iva", "Ro"], ["Mo", "Tess"]]
    assert "Equal before: Iva, Ro; Mo, Tess" in " ".join(render_live(event, Role.PLAYER).split())


def test_dice_of_a_real_table_are_marked_and_who_is_equal_still_rolls_again(cast):
    answer = throw(cast, ask(cast, line("Mo", 5), line("Tess", 5)), faces="7 7")
    assert cast.gm.client.get(answer["location"]).content.decode().count(TIE) == 2
    event = news().latest("pk")
    assert event.described["hand_rolled"] and event.described["proof"] is None
    assert throw(cast, ask(cast, line("Mo", 5), line("Tess", 5)), faces="7").status_code == 422


def test_a_hidden_npc_is_told_of_to_the_gms_alone(cast, dice):
    Character.objects.create(campaign=cast.campaign, name="Shade", system="arc", shown=False)
    asked = ask(cast, line("Mo", 5), line("Shade", 5))
    assert throw(cast, asked).status_code == 422
    assert not news().filter(kind="arc.order_rolled").exists()
    dice(1, 2)
    assert throw(cast, asked, audience="gm").status_code == 302
    assert news().latest("pk").stream.name == "gm"


@pytest.mark.parametrize("audience", ["table", "gm"])
def test_the_dice_can_be_computed_when_the_seed_is_told(cast, settings, audience):
    settings.DICE_SOURCE = "rolls.services.dice.fair_dice"
    start_session(cast.gm.member, "", key=uuid4())
    throw(cast, ask(cast, line("Mo", 5), line("Tess", 5)), audience=audience, client_seed="c1" * 16)
    end_session(cast.gm.member, key=uuid4())
    event = news().get(kind="arc.order_rolled")
    proof, told = event.described["proof"], news().get(kind="rolls.epoch_revealed").described
    assert (proof["client"], proof["spec"]) == ("c1" * 16, "2d10")
    assert fits(str(cast.campaign.pk), proof, told["seed"])
    assert not list(faults(cast.campaign))
    proof["faces"][0] = proof["faces"][0] % 10 + 1
    event.stored.payload["proof"] = proof
    event.stored.save()
    assert any("the seed gives other dice" in fault for fault in faults(cast.campaign))
