"""From the first page to a scene and a roll: a stranger, the GM of a new table, and whoever follows the invitation there."""

from __future__ import annotations

import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import next_scene, pick_traits, roll_from_sheet, sign_up
from tests.browser.seats import Sit
from tests.browser.servers import Site

SAMPLE = "/c/ashes-over-harrow/"
KEEPS_PRESSES = """addEventListener("click", ({ detail, isTrusted }) => {
  if (isTrusted && detail > 0) sessionStorage.presses = Number(sessionStorage.presses ?? 0) + 1;
}, true);"""
"""Counts presses from page to page."""
IS_BESIDE = """() => {
  const [mark, part] = ["#primer", ".is-marked"].map((one) => document.querySelector(one).getBoundingClientRect());
  const across = Math.max(mark.left - part.right, part.left - mark.right);
  const down = Math.max(mark.top - part.bottom, part.top - mark.bottom);
  const gap = Math.max(across, down);
  return gap >= 0 && gap < 40;
}"""
IS_UNCOVERED = """button => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_a_stranger_watches_the_sample_table_live_and_can_do_nothing(sit: Sit) -> None:
    page = sit("")
    page.goto("/")
    page.get_by_role("link", name="Open the sample table").click()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#composer")).to_have_count(0)
    mo = sit("mo")
    mo.goto(SAMPLE)
    words = f"Who is watching? {secrets.token_hex(4)}"
    mo.get_by_label("Message").fill(words)
    mo.get_by_label("Message").press("Enter")
    expect(page.locator("#feed .line").last).to_contain_text(words)
    page.goto("/c/the-salt-signal/")
    expect(page.locator("main")).to_contain_text("There’s nothing here")


def test_from_the_first_page_to_the_first_scene_and_the_first_roll(sit: Sit) -> None:
    gm = sit("gm")
    gm.goto("/")
    gm.get_by_role("link", name="New campaign").click()
    gm.get_by_label("Name").fill(f"Embers {secrets.token_hex(4)}")
    gm.get_by_role("button", name="Create campaign").click()
    expect(gm.locator("#connection")).to_have_attribute("data-state", "live")
    gm.get_by_role("button", name="Start the first session").click()
    expect(gm.locator("#checklist")).to_contain_text("Invite people")  # until each of its points is done
    next_scene(gm)
    expect(gm.locator("#now")).to_contain_text("Scene 1")
    expect(gm.locator("#feed")).not_to_contain_text("seed")
    gm.get_by_role("link", name="Invite", exact=True).click()
    gm.get_by_role("button", name="Create and copy link").click()
    expect(gm.locator("#dialog .qr-code")).to_be_visible()
    expect(gm.locator("#dialog")).to_contain_text("Copied")
    player = sit("", fresh=True, timezone_id="Europe/Lisbon")
    player.goto(gm.locator("#link").input_value())
    sign_up(player)
    assert player.locator("html").get_attribute("data-zone") == "Europe/Lisbon"
    player.get_by_role("link", name="Storyteller").click()
    _goes_through_the_steps(player)
    player.get_by_role("button", name="Create character").click()
    # Who opens a table for the first time is told how it works, in three steps.
    primer = player.locator("#primer")
    for heading in ("Your character", "Speak and roll"):
        expect(primer.get_by_role("heading", name=heading)).to_be_visible()
        primer.get_by_role("button", name="Next").click()
    primer.get_by_role("button", name="Start playing").click()
    expect(primer).to_be_hidden()
    expect(player.locator("#sheet")).to_contain_text("Thorn")
    expect(player.locator("#connection")).to_have_attribute("data-state", "live")
    player.locator("#roll [name=pool]").fill("3")
    player.locator("#roll [type=submit]").click()
    expect(player.locator("#feed .line .card.roll")).to_have_count(1)


def test_a_new_gm_comes_to_the_first_scene_in_seven_presses(sit: Sit) -> None:
    gm = sit("", fresh=True)
    gm.add_init_script(KEEPS_PRESSES)
    gm.goto("/")
    gm.get_by_role("link", name="Create account").first.click()
    gm.locator("[name=username]").fill(f"new-{secrets.token_hex(4)}")
    gm.locator("[name=password1]").fill("lanterns-and-soot-7")
    gm.evaluate("sessionStorage.clear()")
    gm.get_by_role("button", name="Create account").click()
    gm.get_by_role("link", name="New campaign").click()
    gm.get_by_label("Name").fill(f"Embers {secrets.token_hex(4)}")
    gm.get_by_role("button", name="Create campaign").click()
    assert gm.get_by_role("button", name="Start the first session").evaluate(IS_UNCOVERED)
    gm.locator("#primer").get_by_role("button", name="Skip").click()
    gm.get_by_role("button", name="Start the first session").click()
    next_scene(gm)
    expect(gm.locator("#now")).to_contain_text("Scene 1")
    assert gm.evaluate("sessionStorage.presses") == "7"  # docs/clicks.md


def test_a_first_evening_is_ready_in_three_presses_and_played_after_two_of_a_player(sit: Sit) -> None:
    gm = sit("gm")
    gm.goto("/")
    gm.get_by_role("link", name="New campaign").click()
    gm.get_by_role("checkbox", name="Play it tonight: Ash on the Pillow").check()
    expect(gm.get_by_role("checkbox", name="Play it tonight: Three Hours of Sand")).to_be_hidden()
    gm.get_by_role("button", name="Create campaign").click()
    # The first scene is open.
    expect(gm.locator("#connection")).to_have_attribute("data-state", "live")
    expect(gm.locator("#now")).to_contain_text("Scene 1")
    expect(gm.locator("#feed")).to_contain_text("The bed is turned down for one.")
    # A face in it makes no picture of the scene.
    band = gm.locator("#scene-band")
    expect(band.locator("img")).to_be_visible()
    assert band.evaluate("band => band.offsetHeight") < 60
    gm.get_by_role("link", name="Invite", exact=True).click()
    gm.get_by_role("button", name="Create and copy link").click()
    player = sit("mo")
    player.goto(gm.locator("#link").input_value())
    player.get_by_role("button", name="Join as a player").click()
    expect(gm.locator("#npcs")).to_contain_text("Caspar Lund")
    player.get_by_role("button", name="Play Caspar Lund").click()
    expect(player.locator("#connection")).to_have_attribute("data-state", "live")
    expect(player.locator("#sheet")).to_contain_text("Caspar Lund")
    expect(player.locator("#feed")).not_to_contain_text("The page under the mattress")
    pick_traits(player)
    player.locator("#roll [type=submit]").click()
    expect(gm.locator("#feed .line .card.roll")).to_contain_text("Caspar Lund")
    expect(gm.locator("#feed")).to_contain_text("Mo plays Caspar Lund.")
    expect(gm.locator("#party")).to_contain_text("Caspar Lund")
    expect(gm.locator("#npcs")).not_to_contain_text("Caspar Lund")
    gm.keyboard.press("Escape")
    gm.locator("#say-text").press_sequentially("/as ")
    expect(gm.locator("#say-commands")).to_contain_text("narrate")
    expect(gm.locator("#say-commands")).not_to_contain_text("Caspar Lund")
    gm.locator("#say-text").fill("")
    # What only the GM has seen so far.
    gm.get_by_role("button", name="Show to everyone").first.click()
    expect(player.locator("#feed .line").last).to_contain_text("The page under the mattress")


def _goes_through_the_steps(page: Page) -> None:
    """Go through the steps: what is filled in is kept, and the remaining points stay visible."""
    expect(page.locator("#guided.is-stepped")).to_be_visible()  # before that Enter sends the whole page
    steps = page.locator(".guided-sections")
    name = page.get_by_role("textbox", name="Name")
    name.fill("Thorn")
    name.press("Enter")
    expect(steps.nth(0)).to_be_hidden()
    expect(steps.nth(1)).to_be_focused()
    page.get_by_role("radio", name="Portrait 11:").check(force=True)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radiogroup", name="Strength").locator("input[value='3']").check(force=True)
    expect(page.locator("#budget")).to_contain_text("Physical 5 of 7 left")
    expect(page.locator("#budget")).to_be_in_viewport()
    page.get_by_role("navigation", name="Steps").get_by_role("link").last.click()
    expect(page.locator("#step-next")).to_be_hidden()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("navigation", name="Steps").get_by_role("link").first.click()
    expect(name).to_have_value("Thorn")


@pytest.mark.parametrize("person", ["gm", "mo", "watcher"])
def test_each_mark_of_the_first_table_is_beside_something_that_is_in_sight(
    service: AtTable, site: Site, person: str
) -> None:
    site.run("-m", "tests.browser.world", "--newcomer", person)
    page = service(person)
    primer, marks, part = page.locator("#primer"), page.locator("#primer .mark"), page.locator(".is-marked")
    assert marks.count() == 3
    for mark in marks.all():
        for width, height in ((390, 844), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            expect(mark).to_be_visible()
            expect(primer).to_be_in_viewport(ratio=1)
            expect(part).to_be_in_viewport(ratio=1)
            if part.get_attribute("id") != "main":  # which leaves no place beside it
                page.wait_for_function(IS_BESIDE)
        primer.locator("[data-next]").click()
    expect(primer).to_be_hidden()
    expect(part).to_have_count(0)


def test_sound_is_offered_once_at_the_first_dice_and_by_keys(service: AtTable) -> None:
    mo = service("mo")
    question = mo.get_by_text("Hear the dice?")
    expect(question).to_be_hidden()
    roll_from_sheet(mo, (9, 9, 8, 4, 3))
    expect(question).to_be_visible()
    mo.locator(".feed-frame").focus()
    yes = question.get_by_role("button", name="Yes")
    while not yes.evaluate("yes => yes === document.activeElement"):
        mo.keyboard.press("Tab")
        assert not mo.locator("#composer :focus").count()
    mo.keyboard.press("Enter")
    expect(question).to_have_count(0)
    expect(mo.locator(".feed-frame")).to_be_focused()
    mo.reload()
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    roll_from_sheet(mo, (9, 9, 8, 4, 3))
    expect(mo.get_by_text("Hear the dice?")).to_be_hidden()
    mo.goto("/profile/")
    expect(mo.get_by_role("button", name="Hear the dice on this device")).to_have_attribute("aria-pressed", "true")
