"""What waits for whom, in the browsers of those it waits for: at the top of a table, under the thumb, in the tab's title."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import begin_conflict, begin_extended, bring, field
from tests.browser.servers import Site
from tests.browser.world import fencer

PHONE = {"width": 360, "height": 740}


def title_counts(page: Page, number: int) -> None:
    expect(page).to_have_title(re.compile(rf"^\({number}\) ") if number else re.compile(r"^[^(]"))


def claim_pride(mo: Page, what: str) -> None:
    mo.get_by_role("button", name="Claim something").click()
    form = mo.locator("#desk")
    expect(form.get_by_role("heading", name="Claim for Abigail")).to_be_visible()
    if not form.get_by_role("button", name="Claim").first.is_visible():
        form.locator("summary").first.click()
    form.locator("[name=level]").first.select_option(label=what)
    form.get_by_role("button", name="Claim").first.click()
    expect(mo.locator("#dialog")).to_be_hidden()


def test_a_claim_made_at_the_table_is_confirmed_with_one_press(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--fencer", table)
    mo, gm, iva = service("mo", character=fencer(table)), service("gm", viewport=PHONE), service("iva")
    claim_pride(mo, "Pride: it showed (1 XP)")
    expect(mo.locator("#own-claims")).to_contain_text("Abigail: Pride: it showed")
    expect(gm.get_by_role("region", name="Waiting for you")).to_contain_text("Claim to confirm: Pride: it showed")
    expect(gm.locator("#waiting-said")).to_have_text("Waiting for you: Claim to confirm: Pride: it showed.")
    title_counts(gm, 1)
    title_counts(mo, 0)
    expect(iva.locator("#own-claims > *:visible")).to_have_count(0)
    gm.get_by_role("button", name="Confirm").click()
    expect(gm.locator("#waiting-here")).to_be_hidden()
    title_counts(gm, 0)
    expect(mo.locator("#own-claims > *")).to_have_count(0)
    expect(mo.locator("#feed")).to_contain_text("Abigail earned 1 XP (Advances): Pride: it showed")
    claim_pride(mo, "Pride: it was followed at a price (3 XP)")
    gm.reload()
    gm.get_by_role("button", name="Refuse").click()
    expect(mo.locator("#feed")).to_contain_text("Abigail: Pride: it was followed at a price · refused")


def test_what_waits_is_one_press_from_being_done_on_a_phone_too(service: AtTable) -> None:
    mo, gm = service("mo", viewport=PHONE), service("gm")
    begin_extended(gm)
    title_counts(mo, 1)
    title_counts(gm, 0)
    expect(gm.get_by_role("region", name="Waiting for others")).to_contain_text("Silas Grey: to roll")
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    expect(field(mo, "pool")).to_have_value("Wits + Stealth")
    expect(mo.locator("#waiting-here")).to_be_hidden()  # the roll form says so now
    dice.load(9, 9, 3)
    mo.locator("#roll [type=submit]").click()
    expect(gm.locator("#procedures")).to_contain_text("2 of 4 successes")
    title_counts(mo, 1)

    dice.load(5, 9, 1)
    begin_conflict(gm, "Dog 2")
    title_counts(mo, 2)
    done = mo.get_by_role("button", name="Done Silas Grey")
    expect(mo.locator("#waiting-here")).to_be_hidden()  # the stage shows it
    box = done.bounding_box()
    assert box and min(box["width"], box["height"]) >= 44
    done.click()
    title_counts(mo, 1)
    bring(gm.locator("#procedures > *", has_text="Corvina Hale"))  # what the GM looked at before stays open
    gm.get_by_role("button", name="Done Corvina Hale").click()
    title_counts(gm, 1)
    gm.locator("main").click(position={"x": 5, "y": 5})
    gm.keyboard.press("w")
    expect(gm.get_by_role("button", name="Done Dog")).to_be_focused()
    gm.get_by_role("button", name="Silas Grey: to roll").click()
    expect(field(gm, "pool")).to_have_value("Wits + Stealth")
    mo.reload()
    title_counts(mo, 1)


def test_whoever_was_away_finds_what_waits_by_now(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    mo.context.set_offline(True)
    expect(mo.locator("#connection")).not_to_have_attribute("data-state", "live")
    begin_extended(gm)
    mo.context.set_offline(False)
    title_counts(mo, 1)
    gm.locator("#procedures").get_by_role("button", name="End", exact=True).click()
    title_counts(mo, 0)
    expect(mo.locator("#waiting-here")).to_be_hidden()


@pytest.mark.parametrize("script", [r"htmx[^/]*\.js", r"/pages/base\.[^/]*js"])
def test_what_is_pressed_before_the_scripts_have_run_is_done_once_they_have(service: AtTable, script: str) -> None:
    """The scripts' answer is held back until something was pressed."""
    mo = service("mo")
    held: list[Route] = []
    mo.route(re.compile(script), lambda route: held.append(route))
    mo.goto(mo.url, wait_until="commit")
    mo.get_by_label("Message").fill("Too early?")
    mo.get_by_role("button", name="Send").click()
    mo.get_by_role("button", name="Send").click()
    assert held
    expect(mo.get_by_label("Message")).to_have_value("Too early?")
    for route in held:
        route.continue_()
    expect(mo.locator("#feed .line", has_text="Too early?")).to_have_count(1)
    expect(mo.get_by_label("Message")).to_have_value("")
    assert "?" not in mo.url
