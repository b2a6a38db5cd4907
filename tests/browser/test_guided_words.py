"""What the guided page says in a browser: suggestions that are pressed, and what is not spent yet, there and on the sheet."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.seats import Sit


def test_a_suggestion_is_pressed_and_what_is_left_is_said_to_the_end(sit: Sit) -> None:
    page = sit("mo")
    page.goto("/c/the-salt-signal/characters/new/forged/")
    page.get_by_label("Name", exact=True).fill("Moth")
    playbook = page.locator(".field", has=page.get_by_label("Playbook"))
    playbook.locator("summary").click()
    playbook.get_by_role("button", name=re.compile("^Fixer Knows who")).click()
    expect(page.get_by_label("Playbook")).to_have_value("Fixer")
    expect(page.get_by_label("Playbook")).to_be_focused()
    left = page.locator("#unspent")
    expect(left).to_be_hidden()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()  # past the faces
    page.get_by_role("radiogroup", name="Prowl").locator("label").nth(2).click()
    page.get_by_role("button", name="Next").click()
    expect(left).to_contain_text("Action dots: 5 of 7 not spent yet.")
    page.get_by_role("button", name="Create character").click()
    page.locator(".sheet-operations summary").click()
    expect(left).to_contain_text("Action dots: 5 of 7 not spent yet.")
