"""What several people settle together, and the roll form beside the card of it that lies open."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    PHONE,
    answer_late,
    answered,
    at_turn,
    begin_conflict,
    begin_extended,
    field,
    open_form,
    open_more,
    open_say,
    pick_traits,
    roll_by,
    roll_from_sheet,
)
from tests.browser.servers import Site


def sits_with_cross(service: AtTable, site: Site, table: str, **options: Any) -> Page:
    """Return Mo's page with Cross, who has the action Prowl, at hand."""
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    mo = service("mo", **options)
    roll_by(mo, "Forged", "forged")
    return mo


def test_traits_that_were_rolled_are_let_go(service: AtTable) -> None:
    mo = service("mo")
    pick_traits(mo)
    field(mo, "difficulty").select_option("7")
    roll_from_sheet(mo, (9, 9, 3, 2, 2))
    expect(field(mo, "pool")).to_have_value("")
    expect(mo.locator("[data-trait][aria-pressed=true]")).to_have_count(0)
    expect(field(mo, "difficulty")).to_have_value("7")


def test_the_rules_that_are_chosen_already_leave_the_form_as_it_is(service: AtTable, site: Site, table: str) -> None:
    mo = sits_with_cross(service, site, table)
    pick_traits(mo, "prowl")
    mo.locator(".systems summary").click()
    fetched: list[str] = []
    mo.on("request", lambda request: fetched.append(request.url))
    mo.locator(".systems").get_by_role("button", name="Forged", exact=True).click()
    expect(mo.locator(".systems")).not_to_have_attribute("open", "")
    assert not [url for url in fetched if "/rolls/form/" in url]
    expect(field(mo, "action")).to_have_value("prowl")


def test_what_is_announced_opens_its_card_and_is_not_announced_again(service: AtTable, site: Site, table: str) -> None:
    mo, gm = sits_with_cross(service, site, table), service("gm")
    open_form(gm, "Downtime")
    gm.locator("#desk form [type=submit]").first.click()
    downtime = mo.locator("#procedures > .procedure")
    expect(downtime).not_to_contain_class("is-folded")
    mo.locator("[data-trait=prowl]").click()
    mo.get_by_role("button", name="Announce").click()
    action = mo.locator("#procedures > .procedure", has_text="Prowl")
    expect(action).not_to_contain_class("is-folded")
    expect(field(mo, "action")).to_have_value("")
    mo.get_by_role("button", name="Announce").click()
    expect(mo.locator("#roll-errors")).not_to_be_empty()
    expect(mo.locator("#procedures > .procedure")).to_have_count(2)


def test_the_roll_form_gives_way_to_one_s_own_turn_of_a_conflict_and_comes_for_a_roll(service: AtTable) -> None:
    gm, mo, phone = service("gm"), service("mo"), service("mo", **PHONE)
    begin_conflict(gm)
    if at_turn(gm).inner_text() != "Silas Grey":
        gm.locator("#procedures").get_by_role("button", name="Done Corvina Hale").click()
    for page in (mo, phone):
        expect(page.locator("#procedures .is-mine .turns > [aria-current] .who")).to_have_text("Silas Grey")
        expect(page.locator("#roll")).to_be_hidden()
        page.locator(".turn-now").get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("#roll")).to_be_visible()
    roll_from_sheet(mo, (9, 9, 3, 2, 2))
    expect(mo.locator("#roll")).to_be_hidden()


def test_on_a_phone_what_is_lit_of_say_and_roll_is_what_is_shown_while_a_card_is_open(
    service: AtTable, site: Site, table: str
) -> None:
    gm, phone = service("gm"), sits_with_cross(service, site, table, **PHONE)

    def expect_lit(mode: str) -> None:
        expect(phone.locator(f"#mode-{mode}")).to_be_checked()
        expect(phone.locator("#roll")).to_be_visible(visible=mode == "roll")
        expect(phone.locator("#say")).to_be_visible(visible=mode == "say")

    expect_lit("roll")
    field(phone, "action").fill("prowl")
    phone.get_by_role("button", name="Announce").tap()
    gm.locator("#procedures").get_by_role("button", name="Let Cross roll").click()
    expect(phone.locator("#procedures .procedure.is-mine")).not_to_contain_class("is-folded")
    expect_lit("say")
    phone.locator("label:has(#mode-roll)").tap()
    expect_lit("roll")
    phone.locator("#procedures [data-stage]").tap()
    expect(phone.locator("#procedures .procedure")).to_contain_class("is-folded")
    expect_lit("roll")


def test_a_form_with_all_its_fields_leaves_the_table_in_sight_on_a_phone(
    service: AtTable, site: Site, table: str
) -> None:
    mo = sits_with_cross(service, site, table, **PHONE)
    open_more(mo)
    expect(field(mo, "note")).to_be_visible()
    assert mo.evaluate("document.documentElement.scrollHeight") == mo.evaluate("innerHeight")
    assert mo.locator(".feed-frame").bounding_box()["height"] > 0
    field(mo, "note").fill("Past the dogs")
    expect(field(mo, "note")).to_be_in_viewport()


def test_what_a_gm_begins_lies_open_while_something_else_waits_for_them(service: AtTable) -> None:
    gm = service("gm")
    dice.load(5, 9)
    begin_conflict(gm, "Dog 2, Hound 2", players=False)
    expect(gm.locator("#procedures .turns")).to_be_visible()
    begin_extended(gm)
    expect(gm.locator("#procedures").get_by_text("0 of 4 successes")).to_be_visible()
    expect(gm.locator("#procedures .turns")).to_be_hidden()


def test_escape_leaves_the_menu_of_what_can_be_begun(service: AtTable) -> None:
    mo = service("mo", viewport={"width": 360, "height": 740})
    menu = open_say(mo).locator(".openers")
    menu.locator("summary").press("Enter")
    mo.keyboard.press("Tab")
    expect(menu.get_by_role("button").first).to_be_focused()
    mo.keyboard.press("Escape")
    expect(menu.get_by_role("button")).to_have_count(0)
    expect(menu.locator("summary")).to_be_focused()


def test_what_is_opened_and_typed_at_a_roll_stays_though_its_card_is_drawn_again(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    begin_extended(gm)

    def rolled(rolls: int) -> None:
        mo.locator("#requests").get_by_role("button", name="Roll it").click()
        dice.load(9, 3, 3)
        mo.locator("#roll [type=submit]").click()
        expect(gm.locator("#feed .story-card .roll-more")).to_have_count(rolls)
        answered(mo)

    rolled(1)
    roll = gm.locator("#feed .story-card .line", has=gm.locator(".roll-more")).first
    answer_late(gm, "**/rolls/*/correction/", lambda: rolled(2))
    roll.locator(".outcome").click()
    roll.locator(".roll-more > summary").click()
    roll.get_by_role("button", name="Correct").click()
    form = roll.locator("[id^=more-] form")
    form.get_by_label("Reason").fill("Misread")
    rolled(3)
    expect(form.get_by_label("Reason")).to_have_value("Misread")
