"""What everybody's screen does at once: a pause that nobody is named for, and a picture that is shown to all."""

from __future__ import annotations

import re
from base64 import b64encode
from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, say

PASTE = """(base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "map.png", { type: "image/png" }));
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.getElementById("say-text").dispatchEvent(paste);
}"""


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (900, 600), "tomato").save(out, "PNG")
    return out.getvalue()


def press_x_card(page: Page) -> None:
    page.get_by_role("button", name="X-card: pause the game").click()
    page.get_by_role("button", name="Pause the game", exact=True).click()


def test_a_pause_lies_over_every_screen_until_the_gm_lets_play_go_on(service: AtTable) -> None:
    screens = mo, gm, iva = service("mo"), service("gm"), service("iva")
    iva.context.set_offline(True)
    mo.get_by_label("Message").fill("I had begun to say")
    press_x_card(mo)
    for screen in (mo, gm):
        expect(screen.locator("#pause")).to_be_visible()
        expect(screen.locator("#pause")).not_to_contain_text("Mo")
    iva.context.set_offline(False)
    for screen in screens:
        expect(screen.locator("#pause")).to_contain_text("Let’s stop here for a moment.")
        expect(screen.locator("#pause-words-now")).to_be_focused()
    mo.keyboard.press("Escape")
    expect(mo.locator(".pause-bar")).to_be_visible()
    mo.get_by_label("Message").press("Enter")
    expect(mo.locator("#say-errors")).to_contain_text("Let’s stop here for a moment.")
    expect(mo.get_by_label("Message")).to_have_value("I had begun to say")
    gm.reload()
    gm.get_by_role("button", name="Resume").click()
    for screen in screens:
        expect(screen.locator("#pause")).to_be_hidden()
        expect(screen.locator(".pause-bar")).to_be_hidden()
    mo.get_by_label("Message").press("Enter")
    expect(iva.locator("#feed .said").last).to_contain_text("I had begun to say")


def test_the_x_card_is_in_reach_while_a_dialog_lies_over_the_page(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo")
    card = gm.get_by_role("button", name="X-card: pause the game")
    for opens in ("?", "n"):
        gm.keyboard.press(opens)
        expect(gm.locator("dialog:modal")).to_have_count(1)
        card.click()
        expect(gm.get_by_role("button", name="Pause the game", exact=True)).to_be_visible()
        gm.keyboard.press("Escape")
        gm.keyboard.press("Escape")
        expect(gm.locator("dialog:modal")).to_have_count(0)
        expect(gm.locator("header #x-card-place")).to_have_count(1)
    gm.keyboard.press("?")
    press_x_card(gm)
    expect(gm.locator("#pause")).to_be_visible()
    expect(mo.locator("#pause")).to_be_visible()


def test_a_page_that_does_not_follow_the_table_pauses_it_where_it_stands(service: AtTable) -> None:
    """Loading the table at that moment would tell the others who pressed."""
    mo, gm = service("mo"), service("gm")
    for page in (mo, gm):
        page.goto(f"{page.url}log/")
    press_x_card(mo)
    expect(mo.locator("#pause")).to_be_visible()
    assert mo.url.endswith("/log/")
    gm.reload()
    gm.get_by_role("button", name="Resume").click()
    expect(gm.locator("#pause")).to_be_hidden()


def test_a_picture_that_is_pasted_stands_with_all_and_is_shown_over_their_screens(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    mo.evaluate(PASTE, b64encode(png()).decode())
    expect(mo.locator("#say-chosen")).to_contain_text("map.png")
    mo.get_by_label("Picture description").fill("The harbour")
    say(mo, "Look at this")
    expect(mo.locator("#say-chosen")).to_be_hidden()
    picture = gm.locator("#feed .said").last.get_by_role("img", name="The harbour")
    expect(picture).to_have_js_property("naturalWidth", 640)

    mo.locator("#feed .line").last.get_by_role("button", name="Show to everyone").click()
    gm.reload()
    for screen in (mo, gm):
        expect(screen.get_by_role("dialog", name="Shared picture")).to_be_visible()
        expect(screen.locator("#on-show img")).to_have_js_property("naturalWidth", 900)
    mo.keyboard.press("Escape")
    expect(mo.locator("#on-show-dialog")).to_be_hidden()
    gm.get_by_role("button", name="Close", exact=True).click()
    expect(gm.locator("#feed .line").last).to_contain_text(re.compile(r"seen by \w+, \w+"))
    gm.reload()
    expect(gm.locator("#on-show-dialog")).to_be_hidden()

    line = gm.locator("#feed .line", has=gm.get_by_role("button", name="Show to everyone")).last
    line.get_by_text("Handout", exact=True).click()
    line.get_by_label("Title of the handout").fill("The harbour at night")
    line.get_by_role("button", name="Add to handouts").click()
    mo.get_by_role("link", name="handouts", exact=True).click()
    expect(mo.get_by_role("heading", name="The harbour at night")).to_be_visible()


def test_the_x_card_is_in_reach_while_a_side_of_the_table_is_open_on_a_phone(service: AtTable) -> None:
    mo = service("mo", **PHONE)
    for side in ("sheet", "panels"):
        mo.locator(f"[data-opens={side}]").tap()
        mo.get_by_role("button", name="X-card: pause the game").tap()
        expect(mo.get_by_role("button", name="Pause the game", exact=True)).to_be_visible()
        mo.keyboard.press("Escape")
        expect(mo.get_by_role("button", name="Pause the game", exact=True)).not_to_be_visible()
        expect(mo.locator(f"#{side}")).to_be_visible()
        mo.keyboard.press("Escape")
        expect(mo.locator(f"#{side}")).not_to_be_visible()
    mo.locator("[data-opens=sheet]").tap()
    mo.get_by_role("button", name="X-card: pause the game").tap()
    mo.get_by_role("button", name="Pause the game", exact=True).tap()
    expect(mo.locator("#pause")).to_be_visible()
