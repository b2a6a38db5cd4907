"""What the forms of contests and recoveries show, and to whom: each person the sheets that they may read."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from characters.models import Character
from rolls.models import Procedure
from rulesets.descriptors.ruleset import Descriptors
from tests.canaries import canary
from tests.rolls.steps import pressed
from tests.rulesets.descriptors.procedures.contests import begin, chip, rolled, use
from tests.sheets import rewrite


def form(person, procedure, step, whom=""):
    url = reverse("procedure_form", args=[person.member.campaign.slug, procedure.pk, step])
    return person.client.get(url, {"whom": whom} if whom else {})


def chips(person, procedure, whom):
    """Return the part of a pool's form that is on the card."""
    url = reverse("procedure_on_card", args=[person.member.campaign.slug, procedure.pk, "use"])
    return person.client.get(url, {"whom": whom})


def new(person, kind):
    return person.client.get(reverse("procedure_new", args=[person.member.campaign.slug, "descriptors", kind]))


def post(person, procedure, act, **given):
    url = reverse("procedure_act", args=[person.member.campaign.slug, procedure.pk])
    data = {"key": uuid4()} | pressed(procedure, act) | given
    return person.client.post(url, data, headers={"hx-request": "true"})


def test_one_presses_chips_of_ones_own_sheet_and_of_what_lies_on_the_table(cast, fighters):
    fire = fighters.begin(fighters.gm, "scene_descriptor", name="Fire", dice=2)
    contest = begin(fighters)
    shown = chips(cast.player, contest, "a").content.decode()
    assert f'"chips": "{chip(fighters.abigail)}"' in shown
    assert f'"chips": "scene/{fire.pk}"' in shown
    assert "You have 9" in shown
    assert "Shield wall" not in shown
    answer = post(cast.player, contest, "use:a", chips=[chip(fighters.abigail), f"scene/{fire.pk}"], before="")
    assert (answer.status_code, answer.content) == (204, b"")
    assert f'"before": "{chip(fighters.abigail)}"' in chips(cast.player, contest, "a").content.decode()
    page = cast.spectator.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "Swordplay 3D" in page and "Old grudge" not in page


def test_the_other_side_is_shown_as_far_as_one_may_read_it(cast, fighters):
    contest = begin(fighters)
    secret = canary("other_player", "sheet")
    rewrite(fighters.bob, sheet={"descriptors": [{"id": "r1", "at": 1, "name": secret, "dice": 2, "category": ""}]})
    assert secret not in chips(cast.player, contest, "a").content.decode()
    rewrite(fighters.bob, sheet=fighters.bob.sheet)
    Character.objects.filter(pk=fighters.bob.pk).update(opened=True)
    shown = chips(cast.player, contest, "a").content.decode()
    assert "Bob: Descriptors" in shown and "Shield wall" in shown


@pytest.mark.parametrize("whom", ["", "c", "zz", "a1"])
def test_there_is_no_form_for_nobody_in_it(cast, fighters, whom):
    assert form(cast.player, begin(fighters), "use", whom).status_code == 409


def test_the_card_has_no_chips_for_those_who_cannot_fill_that_pool(cast, fighters):
    contest = begin(fighters)
    shown = chips(cast.other_player, contest, "a")
    assert (shown.status_code, shown.content) == (204, b"")


def test_a_press_on_another_character_opens_it_with_the_one_at_hand(cast, fighters):
    given = {"key": uuid4(), "b_character": fighters.bob.pk, "character": fighters.abigail.pk}
    url = reverse("procedure_open", args=[cast.campaign.slug, "descriptors", "contest"])
    assert cast.player.client.post(url, given, headers={"hx-request": "true"}).status_code == 204
    assert [side["name"] for side in Procedure.objects.get(kind="contest").state["sides"]] == ["Abigail", "Bob"]


def test_what_opens_them_offers_those_whom_one_plays_and_injuries_that_one_may_read(cast, fighters):
    opening = new(cast.player, "contest").content.decode()
    assert "Abigail" in opening and "Warden" in opening and 'name="b_dice"' not in opening
    assert 'name="b_dice"' in new(cast.gm, "contest").content.decode()
    assert "Bob: Broken arm 2D" not in new(cast.player, "recovery").content.decode()
    assert "Bob: Broken arm 2D" in new(cast.other_player, "recovery").content.decode()


def test_what_is_typed_and_wrong_is_said_at_its_field(cast, fighters):
    contest = begin(fighters)
    for given, field in (({"name": "Luck"}, "name_dice"), ({"name": "Luck", "name_dice": 0}, "name_dice")):
        answer = post(cast.player, contest, "use:a", before="", **given)
        assert answer.status_code == 422
        assert f'data-field="{field}"' in answer.content.decode()
    for wrong in ("nobody/descriptors/r1", "scene/not-an-id", f"{fighters.abigail.pk}/keys/r1", f"{uuid4()}/x/y"):
        assert post(cast.player, contest, "use:a", before="", chips=[wrong]).status_code in (404, 422)


@pytest.mark.parametrize(
    ("kind", "act", "field", "most"),
    [
        ("contest", "shift", "words", 200),
        ("contest", "make", "name", 80),
        ("contest", "injure", "name", 80),
        ("contest", "bump", "name", 80),
        ("scene_descriptor", "open", "name", 80),
        ("escalation", "use", "words", 500),
    ],
)
def test_what_has_to_be_written_is_written_and_not_too_long(kind, act, field, most):
    form = Descriptors.procedures[kind].forms[act]
    for words, is_valid in ((" ", False), ("x" * (most + 1), False), (" x ", True)):
        assert (field not in form({field: words}).errors) is is_valid
    assert form({field: " x "}).fields[field].clean(" x ") == "x"


def test_an_odd_request_by_a_gm_for_what_a_state_forbids_is_offered_once_more(cast, fighters):
    contest = begin(fighters)
    rewrite(fighters.abigail, sheet={"out_of_scene": True})
    refused = post(cast.gm, contest, "ready:a")
    assert refused.status_code in (409, 422) and pressed(contest, "ready:a!")["override"] in refused.content.decode()
    assert "Allow it anyway" not in post(cast.player, contest, "ready:a").content.decode()
    assert post(cast.gm, contest, "ready:a!").status_code == 204


def test_dice_and_what_follows_are_drawn_on_the_card(cast, fighters, dice):
    contest = begin(fighters)
    use(fighters, fighters.player, contest, "a", chip(fighters.abigail))
    use(fighters, fighters.other, contest, "b", chip(fighters.bob))
    dice(9, 8, 2, 6, 4)
    for by, whom in ((fighters.player, "a"), (fighters.other, "b")):
        fighters.do(by, contest, "ready", whom=whom)
    page = " ".join(cast.other_player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode().split())
    assert page.count("Bob crosses off box 2. Bob may take a level 2 Injury instead.") >= 2, (
        "in the feed, and where it is settled"
    )
    assert "Cross off box 2" in page and "Take a level 2 Injury" in page
    assert "<b>Abigail</b> · Swordplay 3" in page and "as Abigail" not in page, "whoever pressed last is not who rolls"
    assert "Make a Scene Descriptor" in page
    assert "a broken arm" in form(cast.other_player, contest, "injure", "b").content.decode()


@pytest.mark.parametrize("page", ["table", "log"])
def test_what_it_came_to_stays_in_the_feed_and_in_the_log(cast, fighters, dice, page):
    contest = rolled(fighters, dice, (9, 8, 2), (6, 4))
    fighters.do(fighters.player, contest, "make", whom="a", name="out of breath")
    fighters.do(fighters.other, contest, "cross", whom="b")
    shown = cast.spectator.client.get(reverse(page, args=[cast.campaign.slug])).content.decode()
    card = shown.partition('class="line-staged"')[2].partition("</details>")[0]
    assert "Abigail wins" in card and "Scene Descriptor: out of breath 2D." in card and "<button" not in card
