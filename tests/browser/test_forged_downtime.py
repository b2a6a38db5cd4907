"""A score from its loads to the end of the downtime after it, in the browsers of a GM and two players, one of them on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import leave_side, open_form
from tests.browser.servers import Site
from tests.browser.test_forged_action import PHONE, filled_in, press, show_panels, under_way


@pytest.fixture
def everybody(service: AtTable, site: Site, table: str) -> dict[str, Page]:
    """Open the browsers of the GM, of Mo with Cross, and of Iva with Thorn on a phone; The Wick have 2 heat and a
    wanted level.
    """
    for more in ("--scoundrels", "--crew"):
        site.run("-m", "tests.browser.world", more, table)
    return {"gm": service("gm"), "mo": service("mo"), "iva": service("iva", **PHONE)}


def test_a_score_and_the_downtime_after_it(everybody: dict[str, Page]) -> None:
    gm, mo, iva = everybody["gm"], everybody["mo"], everybody["iva"]
    loads_are_declared(gm, mo, iva)
    engagement_is_rolled(gm, mo)
    a_flashback_is_paid(gm, mo)
    the_score_is_written_down(gm, mo)
    heat_is_reduced(everybody)
    too_much_is_indulged(everybody)
    gm.get_by_role("button", name="End downtime").click()
    for page in everybody.values():
        expect(under_way(page).locator(".procedure")).to_have_count(0)
        expect(page.locator("#feed")).to_contain_text("Downtime ended. Without their vice: Cross")


def begin(page: Page, label: str, **values: object) -> None:
    show_panels(page)
    open_form(page, label)
    filled_in(page, **values)


def on_token(page: Page, words: str, button: str) -> None:
    """Press what the card of a token has, which opens from it."""
    show_panels(page)
    token = page.locator("#tokens > li").filter(has_text=words)
    token.locator("summary").first.click()
    token.get_by_role("button", name=button).click()


def loads_are_declared(gm: Page, mo: Page, iva: Page) -> None:
    begin(gm, "Loads")
    on_token(mo, "Loads: 0 of 2", "Light, up to 3 Cross")
    on_token(iva, "Loads: 1 of 2", "Heavy, up to 6 Thorn")
    expect(gm.locator("#tokens")).to_contain_text("Loads: 2 of 2 chosen")


def engagement_is_rolled(gm: Page, mo: Page) -> None:
    begin(gm, "Engagement roll", reason="over the roofs")
    chip = gm.get_by_role("button", name="a daring plan")
    chip.click()
    expect(gm.get_by_role("button", name="a daring plan")).to_have_attribute("aria-pressed", "true")
    expect(under_way(mo)).to_contain_text("2 dice")
    expect(under_way(mo)).to_contain_text("desperate 25 %")
    dice.load(6, 4)
    press(gm, "Roll")
    expect(mo.locator("#tokens")).to_contain_text("Opening position: controlled")


def a_flashback_is_paid(gm: Page, mo: Page) -> None:
    begin(mo, "Flashback", character="Cross", reason="I had bribed the clerk")
    expect(under_way(gm)).to_contain_text("I had bribed the clerk")
    press(gm, "1 stress")
    press(mo, "Pay 1 stress")
    expect(gm.locator("#feed")).to_contain_text("Cross had the flashback, for 1 stress.")


def the_score_is_written_down(gm: Page, mo: Page) -> None:
    begin(gm, "Downtime", target="2")
    expect(under_way(mo)).to_contain_text("3 rep, 6 coin, 2 heat")
    dice.load(5)
    press(gm, "Record it")
    expect(under_way(mo)).to_contain_text("Heat 4 of 9, wanted level 1")
    press(gm, "The dead stir")
    expect(under_way(mo)).to_contain_text("Entanglement The dead stir")
    expect(gm.locator("#tokens > *")).to_have_count(0)


def heat_is_reduced(everybody: dict[str, Page]) -> None:
    mo = everybody["mo"]
    dice.load(6)
    take(mo, "Cross", "Reduce heat")
    filled_in(mo, action="Prowl 1")
    for page in everybody.values():
        expect(under_way(page)).to_contain_text("Reduce heat: −3 heat")
        expect(under_way(page)).to_contain_text("Heat 1 of 9")
    expect(mo.get_by_role("group", name="Choose an activity Thorn")).to_have_count(0)


def take(page: Page, who: str, activity: str) -> None:
    leave_side(page)
    activities = page.get_by_role("group", name=f"Choose an activity {who}")
    activities.get_by_role("button", name=activity).click()


def too_much_is_indulged(everybody: dict[str, Page]) -> None:
    iva = everybody["iva"]
    dice.load(4, 3)
    take(iva, "Thorn", "Indulge the vice")
    press(iva, "Loose talk: 2 heat Thorn")
    for page in everybody.values():
        expect(under_way(page)).to_contain_text("Heat 3 of 9")
    expect(everybody["gm"].locator("#feed")).to_contain_text("Thorn overindulged and talked too much: 2 heat.")
