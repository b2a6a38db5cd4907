"""Checks that a player announces in private, on both pages: the GM sets them, and the player rolls what was set. Those before
everybody are in test_arc_checks.py."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, last_card, pick_traits, roll_by
from tests.browser.servers import Site
from tests.browser.world import thief


def at_the_table(service: AtTable, site: Site, table: str) -> tuple[Page, Page]:
    """Mo with Tibor at hand, and the GM."""
    site.run("-m", "tests.browser.world", "--thief", table)
    return service("mo", character=thief(table)), service("gm")


def announce(page: Page) -> None:
    pick_traits(page, "control", "Tamper")
    page.get_by_role("button", name="Announce").click()


def test_a_player_announces_the_gm_sets_it_and_the_player_rolls(service: AtTable, site: Site, table: str) -> None:
    mo, gm = at_the_table(service, site, table)
    mo.get_by_label("Visible to").select_option("self")
    announce(mo)
    expect(gm.locator("#requests")).to_contain_text("Control + Tamper")
    expect(gm.locator("#requests")).to_contain_text("announced by Mo")
    expect(mo.get_by_role("button", name="Roll it")).to_have_count(0)
    gm.get_by_role("button", name="Set terms").click()
    gm.locator(".request-form [name=level]").select_option("difficult")
    gm.locator(".request-form [name=other]").fill("-2")
    gm.locator(".request-form [type=submit]").click()
    mo.get_by_role("button", name="Open in the roll box").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM asks for Control + Tamper, difficult threshold, other −2")
    expect(mo.get_by_role("button", name="Announce")).to_be_hidden()
    dice.load(5)
    mo.keyboard.press("Enter")
    for page in (mo, gm):
        expect(last_card(page)).to_contain_text("Success")
        expect(page.locator("#requests > *")).to_have_count(0)
    expect(mo.get_by_role("button", name="Announce")).to_be_visible()
    expect(field(mo, "threshold")).to_be_disabled()
    a_player_counters_by_the_card_and_takes_an_announcement_back(mo, gm)


def a_player_counters_by_the_card_and_takes_an_announcement_back(mo: Page, gm: Page) -> None:
    roll_by(gm, "VI-VIII-X", "arc")
    for name, value in (("kind", "opposed"), ("stat", "6"), ("us", "5"), ("skill", "6")):
        if name == "kind":
            field(gm, name).select_option(value)
        else:
            field(gm, name).fill(value)
    dice.load(4)
    gm.locator("#roll [type=submit]").click()
    mo.get_by_role("button", name="Counter").click()
    expect(mo.locator("#roll")).to_contain_text("Counters Madam Orsolya")
    announce(mo)
    expect(gm.locator("#requests")).to_contain_text("Control + Tamper, counters Madam Orsolya, A check")
    mo.get_by_role("button", name="Cancel request").click()
    for page in (mo, gm):
        expect(page.locator("#requests > *")).to_have_count(0)
    mo.get_by_role("button", name="Counter").click()
    announce(mo)
    gm.get_by_role("button", name="Set terms").click()
    gm.locator(".request-form [type=submit]").click()
    dice.load(5)
    mo.get_by_role("button", name="Roll it").click()
    expect(last_card(gm)).to_contain_text("Countered")


def test_a_storyteller_roll_is_announced_by_leaving_the_difficulty_to_the_gm(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    roll = mo.locator("#roll [type=submit]")
    expect(roll).to_contain_text("Roll 5 dice")
    field(mo, "difficulty").select_option(label="the GM sets it")
    expect(roll).to_have_text(re.compile("^\\s*Announce\\s*$"), use_inner_text=True)
    expect(mo.locator("#odds .odds-bar")).to_be_hidden()
    expect(field(mo, "willpower")).to_be_hidden()
    mo.locator("#roll .more summary").click()
    field(mo, "automatic").check()
    field(mo, "difficulty").select_option(label="6 standard")
    expect(roll).to_have_text(re.compile("^\\s*Announce\\s*$"), use_inner_text=True)
    roll.click()
    expect(gm.locator("#requests")).to_contain_text("Perception + Alertness, asks for an automatic success")
    gm.get_by_role("button", name="Set terms").click()
    expect(gm.get_by_label("Allow automatic success")).to_be_checked()
    gm.locator(".request-form [name=difficulty]").select_option(label="5 straightforward")
    gm.locator(".request-form [type=submit]").click()
    mo.get_by_role("button", name="Roll it").click()
    expect(roll).to_contain_text("Roll")
    field(mo, "automatic").check()
    roll.click()
    expect(last_card(gm)).to_contain_text("difficulty 5")
    expect(last_card(gm)).to_contain_text("Marginal")
    expect(field(mo, "automatic")).not_to_be_checked()
