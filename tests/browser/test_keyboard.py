"""The table by keys alone: few stops on the way to the composer, keys that do nothing unmeant, a place that is never lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    TO_GRACE,
    TO_TROUBLE,
    answer_late,
    answered,
    field,
    last_card,
    pick_traits,
    roll_from_sheet,
    say,
)

NEUTRAL = 5

PLACE = """() => {
  const { activeElement: at } = document;
  return at === document.body ? "nowhere" : at.getAttribute("aria-label") ?? at.textContent.replace(/\\s+/g, " ").trim();
}"""

FOCUS_WHEN_DRAWN = """() => {
  window.placed = new Promise((done) => document.addEventListener("afterburn:placed", ({ target }) => {
    if (target.matches("#requests > *")) queueMicrotask(() => queueMicrotask(() => done((PLACE)())));
  }));
}""".replace("PLACE", PLACE)

SENT_AT_ONCE = """() => document.addEventListener(
  "htmx:afterSwap", ({ target }) => target.querySelector("form").requestSubmit(), { once: true },
)"""


def stops_before_the_composer(page: Page) -> int:
    """Return the number of Tab presses from the top of the page until the focus is in the composer."""
    begin_anew(page)
    for stops in range(1, 500):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('#composer'))"):
            return stops
    pytest.fail("the composer is not reached")


def begin_anew(page: Page) -> None:
    """Put the focus where it is when the page has just been opened."""
    page.evaluate("() => { document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus(); }")


def roll(page: Page, faces: tuple[int, ...]) -> None:
    dice.load(*faces)
    field(page, "pool").fill(str(len(faces)))
    cards = page.locator("#feed .card").count()
    page.locator("#roll [type=submit]").click()
    expect(page.locator("#feed .card")).to_have_count(cards + 1)
    answered(page)


def press(page: Page, name: str) -> None:
    """Press a button with Enter, and wait until it is gone."""
    button = page.get_by_role("button", name=name, exact=True).filter(visible=True).first
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_count(0)


def expect_place(page: Page, words: str) -> None:
    page.wait_for_function(f"words => ({PLACE})() === words", arg=words)


def test_a_roll_is_one_stop_whatever_it_has(service: AtTable) -> None:
    mo = service("mo")
    kept = mo.locator("#kept [data-again]")  # fetched after a roll, each a stop of its own
    roll(mo, (NEUTRAL,))
    expect(kept).to_have_count(1)
    mo.locator("#hear").get_by_role("button", name="No").click()  # asked once, at the first dice
    with_one = stops_before_the_composer(mo)
    roll(mo, (NEUTRAL,))
    say(mo, "Twenty more.")
    expect(mo.locator("#feed .line").last).to_contain_text("Twenty more.")
    roll(mo, (NEUTRAL,) * 20)
    expect(kept).to_have_count(2)
    assert stops_before_the_composer(mo) == with_one + 3 + 1  # the last of the recent rolls
    mo.keyboard.press("Shift+Tab")
    expect(mo.locator("#feed .line").last).to_be_focused()
    expect(mo.locator("#feed .line").last).to_have_attribute(
        "aria-label", re.compile(r"^Mo as Silas Grey · .*: Failure")
    )
    mo.keyboard.press("ArrowUp")
    expect(mo.locator("#feed .line:focus")).to_contain_text("Twenty more.")
    mo.keyboard.press("Enter")
    assert mo.evaluate("document.activeElement.matches('time, .line-time')")
    for key in ("ArrowRight", "Escape", "ArrowUp", "ArrowRight"):
        mo.keyboard.press(key)
    expect(mo.locator("#feed .line:has(.roll)").nth(1).locator(".die")).to_be_focused()


def test_few_stops_lead_to_the_composer_and_to_the_traits(service: AtTable) -> None:
    mo = service("mo", viewport={"width": 1280, "height": 800})
    press_keys(mo, *["Tab"] * 2, "Enter", "Tab")
    expect(mo.get_by_label("Voice")).to_be_focused()
    begin_anew(mo)
    press_keys(mo, *["Tab"] * 3, "Enter", *["Tab"] * 6)  # one for the face
    expect(mo.locator("[data-trait]").first).to_be_focused()
    ends = (
        "traits => traits.filter(trait => trait.checkVisibility()).map(trait => trait.getBoundingClientRect().bottom)"
    )
    assert len([end for end in mo.locator(".trait").evaluate_all(ends) if end < 800]) >= 10, "above the fold"


def press_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_arrow_keys_go_from_die_to_die_and_each_says_what_it_did(service: AtTable) -> None:
    mo = service("mo")
    roll_from_sheet(mo, TO_TROUBLE)
    group = last_card(mo).get_by_role("group", name="Dice")
    expect(group.get_by_role("img")).to_have_count(5)
    told = [die.get_attribute("aria-label") or "" for die in group.get_by_role("img").all()]
    assert [words.split(",")[0] for words in told] == ["7", "1", "1", "3", "2"]
    assert told[0] == "7, success, cancelled by a 1"
    assert told[1] == "1, cancels a success (Rule of One)"
    last_card(mo).locator("xpath=..").focus()
    mo.keyboard.press("Enter")
    expect_place(mo, told[0])
    for key, words in (
        ("ArrowRight", told[1]),
        ("End", told[4]),
        ("ArrowLeft", told[3]),
        ("Home", told[0]),
    ):
        mo.keyboard.press(key)
        expect_place(mo, words)
        expect(mo.locator(".die:focus .why")).to_have_css("opacity", "1")
    for key, words in (("End", told[4]), ("ArrowRight", "More"), ("ArrowLeft", told[4]), ("Home", told[0])):
        mo.keyboard.press(key)
        expect_place(mo, words)
    mo.keyboard.press("ArrowRight")
    mo.keyboard.press("Tab")
    mo.keyboard.press("Shift+Tab")
    expect_place(mo, told[1])  # where one was


def test_r_rolls_what_was_put_there_now_and_else_only_shows_it(service: AtTable) -> None:
    mo, profile = service("mo"), service("mo")
    submit = mo.locator("#roll [type=submit]")
    mo.keyboard.press("r")
    expect(submit).to_be_focused()
    pick_traits(mo)
    dice.load(6, 6, 3, 4, 5)

    def pressed_again() -> None:
        expect(mo.locator("#feed .card")).to_have_count(1)
        mo.locator("#main").focus()
        mo.keyboard.press("r")
        expect(submit).to_be_focused()

    answer_late(mo, "**/rolls/", pressed_again)
    with mo.expect_response("**/rolls/"):
        mo.keyboard.press("r")
    mo.unroute("**/rolls/")
    mo.keyboard.press("/")
    expect(mo.get_by_label("Message")).to_be_focused()
    mo.keyboard.type("Is r a key? No / not here.")
    mo.keyboard.press("Enter")
    expect(mo.locator("#feed .line").last).to_contain_text("Is r a key? No / not here.")
    expect(mo.locator("#feed .card")).to_have_count(1)
    pick_traits(mo)
    dice.load(6, 6, 3, 4, 5)
    submit.press("Enter")
    expect(mo.locator("#feed .card")).to_have_count(2)

    switch_single_keys(profile, on=False)
    try:
        mo.reload()
        pick_traits(mo)
        mo.locator("#main").focus()
        press_keys(mo, *"/r?")
        expect(mo.locator("#main")).to_be_focused()
        say(mo, "Nothing fell again.")
        expect(mo.locator("#feed .line").last).to_contain_text("Nothing fell again.")
        expect(mo.locator("#feed .card")).to_have_count(2)
    finally:
        switch_single_keys(profile, on=True)


def switch_single_keys(page: Page, *, on: bool) -> None:
    page.goto("/profile/")
    page.get_by_label("Single-key shortcuts").set_checked(on)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messages")).to_contain_text("Profile saved.")


# a place that is never lost


def test_after_an_offer_is_answered_or_a_part_drawn_anew_the_focus_stays_near(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    tick = gm.get_by_role("button", name=f"Tick {world.CLOCK}", exact=True)
    tick.press("Enter")
    expect(gm.get_by_role("img", name="1 of 4")).to_be_visible()
    expect(tick).to_be_focused()

    roll_from_sheet(mo, TO_GRACE)
    line = mo.locator("#feed .line:has(.roll)")
    line.get_by_role("button", name="Pin").press("Enter")
    expect(line).to_be_focused()
    press(mo, "Bank it")
    expect_place(mo, "Scale and offers")
    press(mo, "Spend")
    expect_place(mo, "Burns")
    roll_from_sheet(mo, TO_TROUBLE)
    press(mo, "Bank it")
    press(gm, "Call in")
    expect_place(gm, "Burns")


def test_who_has_gone_elsewhere_by_hand_is_not_called_back(service: AtTable) -> None:
    mo = service("mo")
    roll_from_sheet(mo, TO_GRACE)
    mo.get_by_role("button", name="Bank it").focus()
    mo.locator("#scales").click()
    mo.get_by_role("button", name="Bank it").evaluate("button => button.form.requestSubmit()")
    expect(mo.locator("#burns")).to_contain_text("Banked Grace")
    expect(mo.locator("#main")).to_be_focused()


def test_after_a_request_is_asked_changed_or_dropped_the_focus_stays_near(service: AtTable) -> None:
    gm = service("gm")
    for leave in ("Escape", "Cancel"):
        gm.get_by_role("button", name="Request a roll").press("Enter")
        expect(gm.get_by_label("Who rolls")).to_be_focused()
        gm.keyboard.press(leave) if leave == "Escape" else press(gm, leave)
        expect(gm.locator("#desk form")).to_have_count(0)
        expect_place(gm, "Request a roll")
    ask(gm)
    expect_place(gm, "Request a roll")
    gm.get_by_role("button", name="Edit", exact=True).press("Enter")
    press(gm, "Save")
    expect_place(gm, "Edit")
    press(gm, "Cancel request")
    expect_place(gm, "Requested rolls")


@pytest.mark.parametrize("leave", ["Cancel", "Close", "Escape"])
def test_the_focus_goes_back_to_what_opened_a_form_and_was_drawn_anew_meanwhile(service: AtTable, leave: str) -> None:
    gm, elsewhere = service("gm"), service("gm")
    ask(gm)
    gm.get_by_role("button", name="Edit", exact=True).press("Enter")
    expect(gm.get_by_role("button", name="Save", exact=True)).to_be_visible()
    elsewhere.get_by_role("button", name="Edit", exact=True).press("Enter")
    press(elsewhere, "Save")
    expect(gm.locator("#feed .line").last).to_contain_text("changed the roll")
    gm.keyboard.press(leave) if leave == "Escape" else press(gm, leave)
    expect_place(gm, "Edit")


def test_a_button_that_is_drawn_again_has_the_focus_before_another_key_can_be_pressed(service: AtTable) -> None:
    gm, elsewhere = service("gm"), service("gm")
    ask(gm)
    gm.get_by_role("button", name="Cancel request").focus()
    gm.evaluate(FOCUS_WHEN_DRAWN)
    elsewhere.get_by_role("button", name="Edit", exact=True).press("Enter")
    press(elsewhere, "Save")
    assert gm.evaluate("window.placed") == "Cancel request"


def test_the_focus_goes_back_although_the_news_of_what_was_saved_came_before_the_answer(service: AtTable) -> None:
    gm = service("gm")
    ask(gm)
    line = gm.locator("#feed .line").last
    answer_late(gm, "**/change/", lambda: expect(line).to_contain_text("changed the roll"))
    gm.get_by_role("button", name="Edit", exact=True).press("Enter")
    press(gm, "Save")
    expect_place(gm, "Edit")


def ask(gm: Page) -> None:
    gm.get_by_role("button", name="Request a roll").press("Enter")
    gm.get_by_label("Who rolls").select_option(label="Silas Grey (Mo)")
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    press(gm, "Request")
    expect(gm.get_by_role("button", name="Edit", exact=True)).to_be_visible()


def test_a_form_that_is_sent_in_the_moment_in_which_it_comes_is_sent_like_any_other(service: AtTable) -> None:
    gm = service("gm")
    ask(gm)
    gm.evaluate(SENT_AT_ONCE)
    with gm.expect_request("**/change/") as sent:
        gm.get_by_role("button", name="Edit", exact=True).press("Enter")
    assert sent.value.method == "POST"
    expect(gm.locator("#feed .line").last).to_contain_text("changed the roll")
