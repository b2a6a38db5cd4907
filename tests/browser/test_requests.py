"""Rolls that the GM asks for, on the page of who is asked, while the GM changes or drops them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, last_card, open_more, pick_traits
from tests.browser.servers import Site

NOTIFICATIONS = """() => {
  window.told = [];
  window.Notification = class {
    static permission = "default";
    static requestPermission = async () => { told.push("may I?"); return (Notification.permission = "granted"); };
    constructor(title, { body }) { told.push(`${title}: ${body}`); }
    addEventListener() {}
    close() { told.push("closed"); }
  };
  document.hasFocus = () => false;
}"""


def test_a_roll_that_is_asked_for_waits_at_the_table_and_in_the_title_of_every_tab(
    service: AtTable, table: str
) -> None:
    mo, iva, gm = service("mo"), service("iva"), service("gm")
    other = mo.context.new_page()
    other.goto(mo.url)
    expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    mo.evaluate(NOTIFICATIONS)
    ask_mo(gm)
    asked = mo.get_by_role("button", name="Roll it")
    for page in (mo, iva):
        expect(page.locator("#requests")).to_contain_text("Wits + Stealth, difficulty 8")
    for page in (mo, other):
        expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(iva.get_by_role("button", name="Roll it")).to_be_hidden()
    expect(iva).not_to_have_title(re.compile(r"^\("))
    assert mo.evaluate("told") == []  # not chosen yet
    mo.get_by_text("Tell me").click()
    mo.get_by_role("button", name="A notification").click()
    expect(mo.get_by_role("button", name="A notification")).to_have_attribute("aria-pressed", "true")

    asked.click()
    expect(asked).to_be_hidden()
    expect(field(mo, "difficulty")).to_have_value("8")
    expect(mo.locator("#answers")).to_have_text(
        "Your GM asks for Wits + Stealth, difficulty 8 for Silas Grey Don’t answer this request"
    )
    dice.load(8, 8, 3)
    mo.keyboard.press("Enter")
    for page in (mo, iva, gm):
        expect(last_card(page)).to_contain_text("Wits + Stealth · difficulty 8")
        expect(page.locator("#requests > *")).to_have_count(0)
    for page in (mo, other):
        expect(page).not_to_have_title(re.compile(r"^\("))
    expect(mo.locator("#answers")).to_be_hidden()
    pick_traits(mo, "wits", "stealth")
    dice.load(5, 4, 3)
    mo.locator("#roll [type=submit]").click()
    for page in (mo, gm):
        expect(page.locator("#feed .line .card")).to_have_count(2)

    ask_mo(gm)
    expect(other.get_by_role("button", name="Roll it")).to_be_visible()
    gm.get_by_role("button", name="Cancel request").click()
    for page in (mo, other):
        expect(page.locator("#requests > *")).to_have_count(0)
    words = f"Waiting for you: {table}: To roll: Wits + Stealth, difficulty 8"
    assert mo.evaluate("told") == ["may I?", words, "closed"]


def test_a_phone_says_that_a_roll_is_asked_for_where_the_thumb_is(service: AtTable) -> None:
    mo, iva = (service(who, viewport={"width": 360, "height": 740}) for who in ("mo", "iva"))
    gm = service("gm")
    expect(mo.get_by_role("button", name="Clocks")).to_be_visible()
    gm.get_by_role("button", name="Request a roll").click()
    expect(gm.get_by_label("Who rolls")).to_be_focused()
    fill_in_for_mo(gm)
    expect(gm.get_by_role("button", name="Request a roll")).to_be_focused()
    asked = mo.get_by_role("button", name="Roll it")
    expect(asked).to_be_visible()
    assert below(mo, "#requests", ".feed-frame") and below(mo, ".composer", "#requests")
    asked.click()
    expect(mo.locator("#requests")).to_be_hidden()  # the roll form says so now
    expect(iva.get_by_role("button", name="Roll it")).to_be_hidden()
    dice.load(9, 9, 3)
    mo.locator("#roll [type=submit]").click()
    expect(mo.locator("#requests > *")).to_have_count(0)


def below(page: Page, one: str, other: str) -> bool:
    """Return whether `one` begins below the end of `other`, so that neither covers the other."""
    box, above = page.locator(one).bounding_box(), page.locator(other).bounding_box()
    return bool(box and above and box["y"] >= above["y"] + above["height"] - 1)


def test_a_form_that_answers_a_request_follows_what_the_gm_changes_and_outlives_it(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    ask_mo(gm)
    mo.get_by_role("button", name="Roll it").click()
    open_more(mo)
    field(mo, "modifier").fill("1")
    gm.get_by_role("button", name="Edit", exact=True).click()
    gm.locator(".request-form [name=difficulty]").select_option("7")
    gm.locator(".request-form [type=submit]").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM changed it: Wits + Stealth, difficulty 7")
    expect(field(mo, "difficulty")).to_have_value("7")
    expect(field(mo, "modifier")).to_have_value("1")
    # The key for rolling first shows what has changed since the form was filled in.
    mo.locator("#main").focus()
    mo.keyboard.press("r")
    expect(mo.locator("#roll [type=submit]")).to_be_focused()
    expect(mo.locator("#feed .card")).to_have_count(0)
    dice.load(9, 9, 3, 3)
    mo.keyboard.press("Enter")
    expect(last_card(gm)).to_contain_text("difficulty 7")

    ask_mo(gm)
    # The fields below More, which the modifier has opened, may cover the request.
    mo.get_by_role("button", name="Roll it").press("Enter")
    expect(field(mo, "difficulty")).to_have_value("8")
    gm.get_by_role("button", name="Cancel request").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM no longer asks for Wits + Stealth")
    mo.get_by_role("button", name="Don’t answer this request").click()
    expect(mo.locator("#answers")).to_be_hidden()
    dice.load(9, 9, 3)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(gm)).to_contain_text("Wits + Stealth · difficulty 8")


def ask_mo(gm: Page) -> None:
    gm.get_by_role("button", name="Request a roll").click()
    fill_in_for_mo(gm)


def fill_in_for_mo(gm: Page) -> None:
    gm.get_by_label("Who rolls").select_option(label="Silas Grey (Mo)")
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    gm.locator(".request-form [name=difficulty]").select_option("8")
    gm.locator(".request-form [type=submit]").click()


def test_every_player_of_a_mixed_table_is_asked_for_their_own_game_in_one_press(
    service: AtTable, site: Site, table: str
) -> None:
    site.run("-m", "tests.browser.world", "--fencer", table)
    gm = service("gm")
    gm.get_by_role("button", name="Request a roll").click()
    form = gm.locator(".request-form")
    expect(form.get_by_label("Rules")).to_have_value("")
    storyteller, descriptors = form.locator("[data-game]").all()
    expect(storyteller).to_contain_text("Asks Mo, Iva.")
    expect(descriptors).to_contain_text("Asks Mo.")
    storyteller.get_by_label("Traits or dice").fill("wits + stealth")
    form.get_by_label("Reason").fill("The roof gives way")
    form.get_by_role("button", name="Request", exact=True).click()
    wrong = descriptors.locator("[name=descriptors-against]")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(form.locator(".errors")).to_contain_text("Descriptors: ")
    expect(storyteller.get_by_label("Traits or dice")).to_have_value("wits + stealth")
    wrong.fill("falling beams 4")
    form.get_by_role("button", name="Request", exact=True).click()
    expect(form).to_have_count(0)
    expect(gm.locator("#requests > *")).to_have_count(2)
    mo, iva = service("mo"), service("iva")
    expect(mo.get_by_role("button", name="Roll it")).to_have_count(2)
    expect(iva.get_by_role("button", name="Roll it").locator("visible=true")).to_have_count(1)
