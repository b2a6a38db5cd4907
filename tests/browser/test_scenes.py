"""What lies in a scene, on the pages of those who play: chips for a pool, and the list of what ends with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, field, filled_in, next_scene, open_form, play_menu, roll_by, say
from tests.browser.servers import Site


def test_what_lies_in_a_scene_is_pressed_into_a_pool_and_listed_before_the_scene_ends(
    service: AtTable, site: Site, table: str
) -> None:
    site.run("-m", "tests.browser.world", "--duel", table)
    gm, mo = service("gm"), service("mo")
    for name, dice in (("Tied up", "3"), ("Smoke", "2")):
        open_form(gm, "Scene Descriptor")
        filled_in(gm, name=name, dice=dice)
    expect(mo.get_by_role("button", name="Tied up 3D")).to_be_visible()
    a_chip_shows_whether_it_is_in_the_pool(mo, gm)
    the_list_of_the_dialog_is_drawn_again(mo, gm)
    what_ends_is_listed_in_the_form_of_the_next_scene(gm)


def a_chip_shows_whether_it_is_in_the_pool(mo: Page, gm: Page) -> None:
    """Put what is on the table into the pool and take it out again; its chip shows which, also after it is drawn again."""
    roll_by(mo, "Descriptors", "descriptors")
    chip = mo.locator(".descriptor-chip", has_text="Smoke")
    chip.click()
    expect(field(mo, "pool")).to_have_value("Smoke 2")
    expect(chip).to_have_attribute("aria-pressed", "true")
    smoke = gm.locator("#tokens .token", has_text="Smoke")
    for does, stands, pressed in (
        ("Remove 1 die", "Smoke 1D", "false"),
        ("Undo last step", "Smoke 2D", "true"),
    ):
        if not smoke.locator("details").evaluate("details => details.open"):
            smoke.locator("summary").click()
        smoke.get_by_role("button", name=does).click()
        expect(mo.locator(".descriptor-chip", has_text=stands)).to_have_attribute("aria-pressed", pressed)
        # Drawn again on the GM's page, too, before its fold is checked.
        expect(smoke).to_contain_text(stands[-2:])
    chip.click()
    expect(field(mo, "pool")).to_have_value("")


def the_list_of_the_dialog_is_drawn_again(mo: Page, gm: Page) -> None:
    play_menu(gm, "Scene:", "End scene")
    dialog = gm.locator("#dialog")
    expect(dialog).to_contain_text("“Tied up” 3D")
    expect(mo.locator("#closing")).to_contain_text("The scene is about to end.")
    close = dialog.get_by_role("button", name="End scene")
    close.focus()
    open_form(mo, "Contest")
    form = mo.locator("#desk")
    form.get_by_label("Or against something else").fill("The tide")
    form.get_by_role("button", name="Start").click()
    for part in (dialog, mo.locator("#closing")):
        expect(part).to_contain_text("continues afterwards")
    expect(close).to_be_focused()
    close.click()
    expect(dialog).to_be_hidden()
    for page in (gm, mo):
        expect(page.locator("#closing > *")).to_have_count(0)


def what_ends_is_listed_in_the_form_of_the_next_scene(gm: Page) -> None:
    """Start a scene while something lies in the one before: the form asks once, and keeps what was chosen."""
    next_scene(gm)
    expect(gm.locator("#dialog")).to_be_hidden()
    open_form(gm, "Scene Descriptor")
    filled_in(gm, name="Fog", dice="1")
    gm.locator("#scene-band").get_by_role("button", name="Next scene…").click()
    form = gm.locator("#dialog")
    form.get_by_label("Title").fill("The quay")
    form.locator("[type=file]").set_input_files(PICTURE)
    form.get_by_role("button", name="Start scene").click()
    expect(form).to_contain_text("“Fog” 1D")
    expect(form.get_by_label("Title")).to_have_value("The quay")
    form.get_by_role("button", name="Start scene").click()
    expect(form).to_be_hidden()
    expect(gm.locator("#scene-band").get_by_role("heading")).to_have_text("The quay")
    expect(gm.locator(".scene-band-picture img")).to_be_visible()


BAND_ENDS_ABOVE_FEED = """() => {
  const [band, feed] = ["#scene-band", ".feed-frame"].map((one) => document.querySelector(one).getBoundingClientRect());
  return band.bottom <= feed.top;
}"""
PICTURE = "config/demo/pictures/the-salt-signal.webp"


@pytest.mark.parametrize("look", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desk", "phone"])
def test_the_next_scene_is_a_place_for_all_who_are_at_the_table(
    service: AtTable, table: str, look: dict[str, Any]
) -> None:
    gm, mo, watcher = service("gm", **look), service("mo", **look), service("watcher")
    opens(gm)
    for page in (gm, mo, watcher):
        expect_place(page, "The stair of the light")
        expect(page.locator("#feed .narrated")).to_have_text("The stair winds down.")
    renames(gm)
    for page in (gm, mo, watcher):
        expect_place(page, "The lamp room")
        page.reload()
        expect_place(page, "The lamp room")
    gives_way_to_what_stands_above(gm)
    shrinks_for_who_reads_further_up(mo)


def opens(gm: Page) -> None:
    gm.locator("#scene-band").get_by_role("button", name="Next scene…").click()
    form = gm.locator("#dialog")
    form.get_by_label("Title").fill("The stair of the light")
    form.get_by_label("Opening words").fill("The stair winds down.")
    form.get_by_label("Corvina Hale").uncheck()
    form.locator("[type=file]").set_input_files(PICTURE)
    form.get_by_role("button", name="Start scene").click()
    expect(form).to_be_hidden()


def renames(gm: Page) -> None:
    gm.get_by_role("button", name="Rename scene").click()
    gm.locator("#dialog").get_by_label("Title").fill("The lamp room")
    gm.locator("#dialog").get_by_role("button", name="Save title").click()
    expect(gm.locator("#dialog")).to_be_hidden()


def expect_place(page: Page, title: str) -> None:
    band = page.locator("#scene-band")
    expect(band.get_by_role("heading")).to_have_text(title)
    expect(band).to_contain_text("Silas Grey")
    expect(band).not_to_contain_text("Corvina Hale")
    assert band.locator("img").evaluate("async (img) => (await img.decode(), img.naturalWidth)")


def gives_way_to_what_stands_above(page: Page) -> None:
    """Let something at the head of the table, such as what a Burn may do, leave the place little room."""
    page.locator(".middle-top").evaluate("top => { top.style.height = '26rem'; }")
    assert page.evaluate(BAND_ENDS_ABOVE_FEED)
    page.locator(".middle-top").evaluate("top => { top.style.height = ''; }")


def shrinks_for_who_reads_further_up(page: Page) -> None:
    """Measure the band: a place of 16:4 at the end of the feed, a strip further up, and a place again."""
    mode = page.locator("label", has=page.locator("#mode-say"))
    if mode.is_visible():
        mode.click()
    for number in range(25):
        say(page, f"line {number}")
        expect(page.locator("#feed .said", has_text=f"line {number}")).to_be_visible()
    band, frame = page.locator("#scene-band"), page.locator(".feed-frame")
    expect(band).to_have_css("aspect-ratio", "16 / 4")
    place = band.evaluate("(band) => band.offsetHeight")
    frame.evaluate("(frame) => frame.scrollTo(0, -400)")
    expect(band).to_have_css("aspect-ratio", "auto")
    assert band.evaluate("(band) => band.offsetHeight") < place - 20
    frame.evaluate("(frame) => frame.scrollTo(0, 0)")
    expect(band).to_have_css("aspect-ratio", "16 / 4")
