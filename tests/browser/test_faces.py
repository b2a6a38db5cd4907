"""A face is chosen by a press on a phone, and is seen at once on the pages of others."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, say


def to_drawer(phone: Page) -> None:
    phone.locator("[data-opens=sheet]").first.click()
    phone.locator("#hand").get_by_role("link", name="Choose a face").click()
    expect(phone.get_by_role("heading", name="Silas Grey’s face")).to_be_visible()


def choose(phone: Page, seen: str) -> None:
    """Press a face, as a finger does: its picture."""
    phone.locator("label", has=phone.get_by_role("radio", name=seen)).click()
    expect(phone.get_by_role("radio", name=seen)).to_be_checked()


def test_a_face_is_chosen_by_a_press_and_seen_on_other_pages(service: AtTable) -> None:
    gm, phone = service("gm"), service("mo", **PHONE)
    say(service("mo"), "Is anyone here?")
    line = gm.locator("#feed .line", has_text="Is anyone here?")
    expect(line.locator(".face-of")).to_have_text("S")
    to_drawer(phone)
    shown = phone.locator(".drawer-shown img")
    expect(phone.get_by_role("radio", name="No picture")).to_be_checked()
    choose(phone, "Portrait 11: short red hair and a scarf")
    expect(shown.first).to_have_attribute("src", re.compile("smuggler"))
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    choose_by_keys_and_chance(phone)
    choose(phone, "Portrait 40: a diving helmet")
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_role("heading", name="Silas Grey").locator("img")).to_have_attribute(
        "src", re.compile("deep-diver")
    )
    expect(line.locator(".face-of img")).to_have_attribute("src", re.compile("deep-diver"))
    expect(gm.locator("[id^=party-][id$=-portrait] img")).to_have_attribute("src", re.compile("deep-diver"))


def choose_by_keys_and_chance(phone: Page) -> None:
    """Go on with an arrow, let others be shown alone, and be surprised by one of these."""
    shown = phone.locator(".drawer-shown img").first
    phone.keyboard.press("ArrowRight")
    expect(phone.get_by_role("radio", name="Portrait 12:")).to_be_checked()
    expect(shown).to_have_attribute("src", re.compile("captain"))
    phone.locator("label", has_text="Far stars").click()
    expect(phone.get_by_role("radio", name="Portrait 12:")).to_be_hidden()
    phone.get_by_role("button", name="Surprise me").click()
    chosen = phone.locator(".drawer-faces :checked")
    expect(phone.locator("[data-era=stars] :checked")).to_have_count(1)
    expect(shown).to_have_attribute("src", re.compile(str(chosen.get_attribute("value"))))


def spoken(gm: Page, mo: Page, who: str) -> Locator:
    """Let an NPC say something, and return the line on a player's page."""
    gm.get_by_label("Voice").select_option(label=f"as {who}")
    say(gm, f"I am {who}.")
    return mo.locator("#feed .line", has_text=f"I am {who}.")


def test_an_npc_of_a_line_has_a_face_on_all_pages_and_one_can_be_chosen(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo")
    name = gm.get_by_label("Quick NPC")
    name.fill("The wardens")
    name.press("Enter")
    expect(gm.locator("#hand h2")).to_have_text("The wardens")
    face = gm.locator(".hand-head img").get_attribute("src")
    expect(spoken(gm, mo, "The wardens").locator(".face-of img")).to_have_attribute("src", str(face))
    name.fill("Moth")
    gm.locator("#npc-line").get_by_role("button", name="Choose a face").click()
    expect(gm.get_by_label("NPC name")).to_have_value("Moth")
    gm.locator("#desk").get_by_text("Face", exact=True).click()
    choose(gm, "Portrait 7: a black veil")
    gm.get_by_role("button", name="Create NPC").click()
    expect(gm.locator(".hand-head img")).to_have_attribute("src", re.compile("widow"))
    expect(spoken(gm, mo, "Moth").locator(".face-of img")).to_have_attribute("src", re.compile("widow"))
