"""A Scene Descriptor, the end of its scene, a Refreshment Scene and a Key, on the pages of those who play; one is a phone's."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form, play_menu
from tests.browser.servers import Site


def test_what_a_scene_leaves_sticks_or_vanishes_and_rest_and_keys_are_a_press_away(
    service: AtTable, site: Site, table: str
) -> None:
    site.run("-m", "tests.browser.descriptors", table)
    gm, mo = service("gm"), service("mo")
    iva = service("iva", viewport={"width": 360, "height": 740}, color_scheme="light")

    refresh(mo, iva, gm)
    play_menu(gm, "Scene:", "Start scene")
    for name, dice in (("Tied up", "3"), ("Smoke", "2")):
        put_there(gm, name, dice)
    expect(mo.get_by_role("button", name="Tied up 3D")).to_be_visible()
    invoke(mo, gm)

    play_menu(gm, "Scene:", "End scene")
    dialog = gm.locator("#dialog")
    expect(dialog).to_contain_text("“Tied up” 3D")
    expect(mo.locator("#closing")).to_contain_text("The scene is about to end.")
    look(gm, "closing-gm")
    look(iva, "closing-phone")
    pay(iva)
    for page in (gm, mo, iva):
        expect(page.locator("#closing")).not_to_contain_text("Tied up")
    put_again(gm, mo)
    dialog.get_by_role("button", name="End scene").click()
    expect(dialog).to_be_hidden()
    for page in (gm, mo, iva):
        expect(page.locator("#closing > *")).to_have_count(0)
        expect(page.locator("#feed")).to_contain_text("“Smoke” 2D ended with the scene.")

    expect(gm.locator("#descriptors-clinging")).to_contain_text("Bob: Tied up 3D")
    gm.locator("#descriptors-clinging").scroll_into_view_if_needed()
    look(gm, "clinging-gm")
    gm.get_by_label("Reason (optional)").fill("cut loose")
    gm.get_by_role("button", name="Over Tied up, Bob").click()
    expect(gm.locator("#descriptors-clinging")).not_to_contain_text("Tied up")
    expect(iva.locator("#feed")).to_contain_text("cut loose")
    claim(mo, gm)


def refresh(mo: Page, iva: Page, gm: Page) -> None:
    open_form(mo, "Refreshment Scene")
    form = mo.locator("#desk")
    form.get_by_label("Character").select_option(label="Abigail")
    form.get_by_label("Partner").select_option(label="Bob")
    look(mo, "refreshment-desk")
    form.get_by_role("button", name="Start").click()
    look(iva, "refreshment-phone")
    iva.get_by_role("button", name="Agree", exact=True).click()
    expect(gm.locator("#feed")).to_contain_text("Bob and Abigail had a Refreshment Scene.")
    gm.locator("#tokens summary", has_text="The GM may escalate").click()
    look(gm, "escalation-gm")
    gm.get_by_role("button", name="Make it worse").click()
    gm.locator("#desk").get_by_label("What gets worse").fill("The fire reaches the stairs.")
    gm.locator("#desk").get_by_role("button", name="Continue").click()
    expect(iva.locator("#feed")).to_contain_text("The fire reaches the stairs.")


def put_there(gm: Page, name: str, dice: str) -> None:
    open_form(gm, "Scene Descriptor")
    form = gm.locator("#desk")
    form.get_by_label("Scene Descriptor").fill(name)
    form.get_by_label("Dice").fill(dice)
    form.get_by_role("button", name="Start").click()
    expect(form.locator("form")).to_have_count(0)


def invoke(mo: Page, gm: Page) -> None:
    """Put what is on the table into the pool and take it out again; its chip shows which, also after it is drawn again."""
    expect(field(mo, "against")).to_be_visible()
    chip = mo.locator(".descriptor-chip", has_text="Smoke")
    chip.click()
    expect(field(mo, "pool")).to_have_value("Smoke 2")
    expect(chip).to_have_attribute("aria-pressed", "true")
    look(mo, "chips")
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


def pay(iva: Page) -> None:
    iva.locator("#closing").get_by_role("button", name="Make it stick “Tied up” 3D").click()
    form = iva.locator("#desk")
    form.get_by_label("Sticks to").select_option(label="Bob")
    form.get_by_label("Pays 1 Will").select_option(label="Bob")
    form.get_by_role("button", name="Continue").click()
    expect(form.locator("form")).to_have_count(0)


def put_again(gm: Page, mo: Page) -> None:
    """Change the list of the open dialog: it is drawn again, for the others too."""
    dialog = gm.locator("#dialog")
    expect(dialog).not_to_contain_text("Tied up")
    expect(dialog).to_contain_text("Smoke")
    close = dialog.get_by_role("button", name="End scene")
    close.focus()
    open_form(mo, "Contest")
    form = mo.locator("#desk")
    form.get_by_label("Or against something else").fill("The tide")
    form.get_by_role("button", name="Start").click()
    expect(dialog).to_contain_text("continues afterwards")
    expect(close).to_be_focused()
    expect(mo.locator("#closing")).to_contain_text("continues afterwards")
    look(gm, "closing-again")


def claim(mo: Page, gm: Page) -> None:
    keys = mo.locator("#descriptors-keys")
    keys.get_by_label("What happened").fill("She paid him.")
    mo.locator("#descriptors-keys").scroll_into_view_if_needed()
    look(mo, "keys")
    mo.emulate_media(color_scheme="dark")
    look(mo, "keys-dark")
    keys.get_by_role("button", name="moved on").click()
    expect(gm.locator("#feed")).to_contain_text("The old debt: it moved on")
    expect(gm.locator("#feed")).to_contain_text("She paid him.")


def look(page: Page, name: str) -> None:
    """Save a screenshot if LOOK_AT names a folder."""
    if folder := os.environ.get("LOOK_AT"):
        page.screenshot(path=Path(folder) / f"{name}.png")
