"""A fight is played on its card: whose turn it is, an attack by presses, what happened in the round; on laptop and phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import PHONE, begin_conflict, count_presses, leave_side, pick_traits, presses

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def target(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Target").get_by_role("button", name=name)


def fall(*faces: int) -> None:
    """Let these fall next, whatever was to fall before."""
    dice.unload()
    dice.load(*faces)


def in_round(page: Page) -> Locator:
    return page.locator(".procedure:has(.turns) .staged-rows")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["1280", "390"])
def test_a_fight_is_played_by_presses(service: AtTable, size: dict[str, Any]) -> None:
    gm, mo = service("gm"), service("mo", **size)
    fall(8, 10, 2)
    begin_conflict(gm, "Dog 4")
    expect(mo.locator(".turn-head")).to_contain_text("Your turn, Silas Grey")
    expect(mo.locator("#waiting [data-words]")).to_have_text("Your turn, Silas Grey")
    expect(mo).to_have_title(re.compile(r"^\(1\) "))
    expect(gm.locator(".turn-head")).to_have_text("Silas Grey’s turn")
    leave_side(mo)
    expect(target(mo, "Dog")).to_have_attribute("aria-pressed", "true")
    expect(mo.get_by_role("button", name="Attack Dog")).to_be_in_viewport(ratio=1)
    target(mo, "Corvina Hale").click()
    expect(mo.get_by_role("button", name="Attack Corvina Hale")).to_be_visible()
    count_presses(gm, mo)
    pressed = ("dexterity", "stealth") if size is not PHONE else ()
    if pressed:
        pick_traits(mo, *pressed)
        expect(mo.get_by_role("group", name="With")).to_contain_text("Dexterity + Stealth 2")
    target(mo, "Dog").click()
    mo.get_by_role("button", name="Attack Dog").click()
    expect(in_round(mo)).to_contain_text("attacked Dog")
    fall(8, 8)
    gm.get_by_role("button", name="Take the hit").click()
    damage = mo.get_by_role("button", name=re.compile("^Roll damage"))
    expect(damage).to_be_visible()
    fall(8, 2)
    damage.click()
    soak = gm.get_by_role("button", name="Soak")
    expect(soak).to_be_visible()
    fall(2, 2)
    soak.click()
    expect(in_round(mo)).to_contain_text("1 bashing")
    assert presses(gm, mo) == 5 + len(pressed)
    expect(mo.get_by_role("button", name="Attack Dog")).to_be_enabled()
    expect(mo.locator(".turns > li", has_text="Dog")).to_contain_text("NPC · hurt")
    mo.get_by_role("button", name="Done Silas Grey").click()
    gm.get_by_role("button", name="Done Corvina Hale").click()
    expect(gm.locator(".turn-head")).to_have_text("Dog’s turn")
    count_presses(gm)
    target(gm, "Silas Grey").click()
    gm.get_by_role("button", name="Attack Silas Grey").click()
    expect(in_round(mo)).to_contain_text("attacked Silas Grey")
    assert presses(gm) == 2
