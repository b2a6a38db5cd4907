"""Rolls asked of somebody for another of their characters than the one at hand, which goes by other rules."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, last_card, open_form
from tests.browser.servers import Site


def test_rolls_for_another_character_of_theirs_need_no_other_page(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    mo, gm = service("mo"), service("gm")
    expect(mo.locator("#hand h2")).to_have_text("Silas Grey")
    the_form_of_other_rules_is_for_the_character_who_goes_by_them(mo)
    a_reaction_check_falls_whoever_is_at_hand(mo, gm)
    what_is_asked_of_one_is_rolled_for_that_one_with_one_press(mo, gm)
    assert mo.evaluate("performance.getEntriesByType('navigation').length") == 1
    assert "key=" not in mo.url


def the_form_of_other_rules_is_for_the_character_who_goes_by_them(mo: Page) -> None:
    choose_rules(mo, "VI-VIII-X")
    expect(mo.locator("#roll")).to_contain_text("Rolling for Tibor")
    field(mo, "kind").select_option("reaction")
    dice.load(4)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(mo)).to_contain_text("as Tibor")
    choose_rules(mo, "Storyteller")
    expect(field(mo, "pool")).to_be_visible()
    expect(mo.locator("#roll")).not_to_contain_text("Rolling for")


def a_reaction_check_falls_whoever_is_at_hand(mo: Page, gm: Page) -> None:
    begin_event_of_tibor(gm)
    gm.locator("#procedures").get_by_role("button", name="Reaction check").first.click()
    gm.get_by_role("checkbox", name="Tibor").check()
    gm.get_by_role("button", name="Cornered").click()
    dice.load(4)
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (mo, gm):
        expect(page.locator("#feed .line .card.roll")).to_have_count(2)
        expect(last_card(page)).to_contain_text("as Tibor")
        expect(page.locator("#procedures")).to_contain_text("Reaction check (cornered): success")


def what_is_asked_of_one_is_rolled_for_that_one_with_one_press(mo: Page, gm: Page) -> None:
    gm.get_by_role("button", name="Ask Tibor for a roll").click()
    gm.get_by_label("Who rolls").wait_for()
    gm.locator(".request-form [name=kind]").select_option("reaction")
    gm.get_by_role("button", name="Request", exact=True).click()
    expect(mo.locator("#requests")).to_contain_text("for Tibor")
    dice.load(4)
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (mo, gm):
        expect(page.locator("#feed .line .card.roll")).to_have_count(3)
        expect(last_card(page)).to_contain_text("as Tibor")
        expect(page.locator("#requests > *")).to_have_count(0)


def choose_rules(page: Page, words: str) -> None:
    """Choose other rules for the roll form, from its menu."""
    menu = page.locator("#roll .systems")
    menu.locator("summary").click()
    menu.get_by_role("button", name=words).click()


def begin_event_of_tibor(gm: Page) -> None:
    open_form(gm, "Event in turns")
    form = gm.locator("#desk")
    select = form.locator("label", has_text="Tibor").locator("select")
    select.select_option(select.locator("option[value^='aware:']").get_attribute("value"))
    form.get_by_role("button", name="Start").click()
    expect(gm.locator("#procedures")).to_contain_text("Turn 1")
