"""The odds in the composer and the number on its button, while what they depend on changes elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import expect_scale, field, last_card, open_more, pick_traits, roll_from_sheet

TO_GRACE = (9, 10, 9, 4, 5)
TO_TROUBLE = (7, 1, 1, 3, 2)
FROM_NOTHING = "14 % reaches a Burn"  # five dice at difficulty 6, from a Scale at 0
LEVEL = "expected Scale +0.43"


def odds(page: Page) -> Locator:
    return page.locator("#odds")


def expect_dice(page: Page, words: str) -> None:
    expect(page.locator("#roll-dice")).to_have_text(words)


WIDTHS = {"a large screen": 1440, "a laptop": 1280, "a tablet": 1024, "a phone": 390}
NARROWEST_BAR = 190  # pixels: four parts with their percents


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_the_bar_is_wide_enough_to_read_and_the_expected_scale_beside_it(service: AtTable, width: int) -> None:
    mo = service("mo")
    pick_traits(mo)
    expect(odds(mo)).to_contain_text("5 dice: Perception 3 + Alertness 2")
    mo.set_viewport_size({"width": width, "height": 844})
    bar = odds(mo).locator(".odds-bar")
    assert bar.bounding_box()["width"] >= NARROWEST_BAR
    expect(odds(mo).get_by_text(LEVEL)).to_be_visible()
    for line in odds(mo).locator("p:not(.visually-hidden)").all():
        assert line.evaluate("line => line.scrollHeight <= line.clientHeight + 1"), "all of it can be read"


def test_an_npc_that_is_made_with_dice_has_odds_at_once(service: AtTable) -> None:
    gm = service("gm")
    gm.locator("#npc-line-name").fill("Guard pool 5")
    gm.locator("#npc-line-name").press("Enter")
    expect_dice(gm, "5 dice")
    expect(odds(gm).locator(".odds-bar")).to_be_visible()


def change_sheet(gm: Page, field_name: str, step: int) -> None:
    """The GM sets a value on Silas's sheet, which stays open."""
    if "/characters/" not in gm.url:
        gm.goto(f"{gm.url}characters/")
        gm.get_by_role("main").get_by_role("link", name=world.CHARACTERS["mo"]).first.click()
        expect(gm.locator("#connection")).to_have_attribute("data-state", "live")
    gm.locator(f'.entry[data-field="{field_name}"] [data-step="{step}"]').click()


def test_the_button_says_how_many_dice_fall_when_a_burn_has_given_one(service: AtTable) -> None:
    mo = service("mo")
    roll_from_sheet(mo, TO_GRACE)
    mo.get_by_role("button", name="Take it").click()
    expect_scale(mo, 0)
    expect(odds(mo)).to_contain_text(FROM_NOTHING)
    expect_dice(mo, "5 dice")
    mo.get_by_role("button", name="Choose what it does").click()
    mo.get_by_label("One die more on the next action roll").check()
    mo.get_by_role("button", name="Burn", exact=True).click()
    expect_dice(mo, "6 dice")
    dice.load(4, 4, 4, 6, 6, 6)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(mo).locator(".die")).to_have_count(6)
    expect_dice(mo, "5 dice")


def test_a_die_that_the_gm_takes_away_is_taken_off_the_button_of_who_has_it_filled_in(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    roll_from_sheet(mo, TO_TROUBLE)
    mo.get_by_role("button", name="Take it").click()
    gm.get_by_role("button", name="Choose what it does").click()
    gm.get_by_label("One die less on the next action roll").check()
    gm.get_by_role("button", name="Burn", exact=True).click()
    expect_dice(mo, "4 dice")


def test_the_odds_follow_what_others_do_to_the_scale(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    pick_traits(mo)
    expect(odds(mo)).to_contain_text(FROM_NOTHING)
    field(iva, "pool").fill("5")
    dice.load(*TO_GRACE)
    iva.locator("#roll [type=submit]").click()
    expect_scale(mo, 3)
    expect(odds(mo)).not_to_contain_text(FROM_NOTHING)
    iva.get_by_role("button", name="Take it").click()
    expect(odds(mo)).to_contain_text(FROM_NOTHING)


def test_the_odds_follow_the_sheet(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    expect_dice(mo, "5 dice")
    change_sheet(gm, "alertness", 4)
    expect_dice(mo, "7 dice")
    expect(field(mo, "unhurt")).to_be_hidden()
    lethal = gm.locator('.entry[data-field="lethal"] [data-input]')
    lethal.fill("4")
    lethal.press("Enter")
    expect_dice(mo, "5 dice")
    expect(odds(mo)).to_contain_text("5 dice: Perception 3 + Alertness 4, hurt −2")
    field(mo, "unhurt").check()
    expect_dice(mo, "7 dice")


def test_a_point_of_willpower_counts_only_while_there_is_one(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    field(mo, "willpower").check()
    expect(odds(mo).locator(".visually-hidden")).to_contain_text("fail 0 %")
    change_sheet(gm, "willpower_now", 0)
    expect(field(mo, "willpower")).to_be_disabled()
    expect(odds(mo).locator(".visually-hidden")).not_to_contain_text("fail 0 %")
    change_sheet(gm, "willpower_now", 2)
    expect(field(mo, "willpower")).to_be_enabled()
    expect(odds(mo).locator(".visually-hidden")).to_contain_text("fail 0 %")


def test_the_odds_follow_what_the_table_decides(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    expect(odds(mo)).to_contain_text(LEVEL)
    gm.goto(f"{gm.url}settings/rules/")
    gm.get_by_label("A 1 that cancelled a success still counts on the Scale").check()
    gm.get_by_role("button", name="Save").click()
    expect(odds(mo)).to_contain_text("expected Scale +0.00")


def test_who_comes_back_finds_the_odds_of_what_has_happened_and_of_what_was_typed_meanwhile(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    pick_traits(mo)
    expect_dice(mo, "5 dice")
    mo.context.set_offline(True)
    expect(mo.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    open_more(mo)
    field(mo, "modifier").fill("2")
    field(iva, "pool").fill("5")
    dice.load(*TO_TROUBLE)
    iva.locator("#roll [type=submit]").click()
    expect_scale(iva, -3)
    mo.context.set_offline(False)
    expect_scale(mo, -3)
    expect_dice(mo, "7 dice")
    expect(odds(mo)).not_to_contain_text(FROM_NOTHING)


def test_willpower_pressed_on_the_sheet_is_a_roll_of_its_own_kind(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    mo.locator("[data-trait=willpower]").click()
    expect(odds(mo)).to_contain_text("the Scale stays: a Willpower roll")
    dice.load(9, 9, 9, 9, 9)
    mo.locator("#roll [type=submit]").click()
    for page in (mo, gm):
        expect(last_card(page)).to_contain_text("The Scale stays: a Willpower roll")
        expect_scale(page, 0)


def test_odds_that_were_not_answered_are_no_longer_told_and_asked_for_again(service: AtTable) -> None:
    mo = service("mo")
    pick_traits(mo)
    expect_dice(mo, "5 dice")
    mo.route("**/odds/?**", lambda route: route.abort())
    open_more(mo)
    field(mo, "modifier").fill("2")
    expect(odds(mo)).to_have_attribute("aria-busy", "true")
    expect_dice(mo, "")
    mo.unroute_all()
    expect_dice(mo, "7 dice")
    expect(odds(mo)).to_have_attribute("aria-busy", "false")
