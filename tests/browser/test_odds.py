"""The odds in the composer and the number on its button, while what they depend on changes elsewhere."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import TO_GRACE, TO_TROUBLE, answered, expect_scale, field, last_card, open_more, pick_traits
from tests.browser.world import character_of

FROM_NOTHING = "14 % chance of a Burn"  # five dice at difficulty 6, from a Scale at 0
LEVEL = "expected Scale +0.43"


def odds(page: Page) -> Locator:
    return page.locator("#odds")


def expect_dice(page: Page, words: str) -> None:
    expect(page.locator("#roll-dice")).to_have_text(words)


WIDTHS = (1440, 1280, 1024, 390)
"""The pixels of a large screen, a laptop, a tablet, a phone."""
WHOLE = "line => line.scrollHeight <= line.clientHeight + 1 && line.scrollWidth <= line.clientWidth + 1"
NARROWEST_BAR = 190  # pixels: four parts with their percents


def test_the_bar_is_wide_enough_to_read_and_the_expected_scale_beside_it(service: AtTable) -> None:
    mo = service("mo")
    pick_traits(mo)
    expect(odds(mo)).to_contain_text("5 dice: Perception 3 + Alertness 2")
    for width in WIDTHS:
        mo.set_viewport_size({"width": width, "height": 844})
        assert odds(mo).locator(".odds-bar").bounding_box()["width"] >= NARROWEST_BAR, width
        expect(odds(mo).get_by_text(LEVEL)).to_be_visible()
        for line in odds(mo).locator(".odds-lines p").all():
            assert line.evaluate(WHOLE), f"cut off at {width} px"


def test_the_odds_follow_the_sheet_and_what_the_table_decides(service: AtTable, table: str) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    expect_dice(mo, "5 dice")
    gm.goto(f"/c/{table}/characters/{character_of('mo', table)}/")
    expect(gm.locator("#connection")).to_have_attribute("data-state", "live")
    set_step(gm, "alertness", 4)
    expect_dice(mo, "7 dice")
    expect(field(mo, "unhurt")).to_be_hidden()
    lethal = gm.locator('.entry[data-field="lethal"] [data-input]')
    lethal.fill("4")
    lethal.press("Enter")
    expect_dice(mo, "5 dice")
    expect(odds(mo)).to_contain_text("5 dice: Perception 3 + Alertness 4, wounds −2")
    field(mo, "unhurt").check()
    expect_dice(mo, "7 dice")

    # A point of Willpower counts only while there is one.
    said = odds(mo).locator(".visually-hidden")
    field(mo, "willpower").check()
    expect(said).to_contain_text("failure 0 %")
    set_step(gm, "willpower_now", 0)
    expect(field(mo, "willpower")).to_be_disabled()
    expect(said).not_to_contain_text("failure 0 %")
    set_step(gm, "willpower_now", 2)
    expect(field(mo, "willpower")).to_be_enabled()
    expect(said).to_contain_text("failure 0 %")

    level = odds(mo).get_by_text("expected Scale").inner_text()
    gm.goto(f"/c/{table}/settings/rules/")
    gm.get_by_label("A 1 that cancelled a success still counts on the Scale").check()
    gm.get_by_role("button", name="Save").click()
    expect(odds(mo).get_by_text("expected Scale")).not_to_have_text(level)


def set_step(gm: Page, name: str, step: int) -> None:
    gm.locator(f'.entry[data-field="{name}"] [data-step="{step}"]').click()


def test_the_odds_follow_what_others_do_to_the_scale_also_for_who_was_away(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    pick_traits(mo)
    expect(odds(mo)).to_contain_text(FROM_NOTHING)
    field(iva, "pool").fill("5")
    dice.load(*TO_GRACE)
    iva.locator("#roll [type=submit]").click()
    expect_scale(mo, 3)
    answered(iva)
    expect(odds(mo)).not_to_contain_text(FROM_NOTHING)
    iva.get_by_role("button", name="Take it").click()
    expect(odds(mo)).to_contain_text(FROM_NOTHING)

    # Input in the meantime counts, too.
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


def test_willpower_pressed_on_the_sheet_is_a_roll_of_its_own_kind(service: AtTable) -> None:
    mo = service("mo")
    mo.locator("[data-trait=willpower]").click()
    expect(odds(mo)).to_contain_text("the Scale stays: a Willpower roll")
    dice.load(9, 9, 9, 9, 9)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(mo)).to_contain_text("The Scale stays: a Willpower roll")
    expect_scale(mo, 0)
