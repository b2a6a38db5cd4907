"""A fight is played on its card: whose turn it is, an attack by presses, what happened in the round; on laptop and phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    PHONE,
    begin_conflict,
    count_presses,
    leave_side,
    open_form,
    pick_traits,
    press_down,
    presses,
)
from tests.browser.servers import Site
from tests.browser.world import FOE, thief

ON_CARD = re.compile(r"/procedures/.+/card/")
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
    # The roll form gives way to it until a roll of another kind is made.
    expect(mo.locator("#roll")).to_be_hidden()
    for row in ("With", "Target"):
        expect(mo.get_by_role("group", name=row)).to_be_in_viewport()
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
    gm.locator("#stage").evaluate("stage => { stage.scrollTop = stage.scrollHeight; }")
    mo.get_by_role("button", name="Done Silas Grey").click()
    gm.get_by_role("button", name="Done Corvina Hale").click()
    expect(gm.locator(".turn-head")).to_have_text("Dog’s turn")
    expect(mo.locator("#roll")).to_be_visible()
    count_presses(gm)
    # Also where a press further down has left the card.
    expect(gm.locator(".turn-head")).to_be_in_viewport(ratio=1)
    target(gm, "Silas Grey").click()
    gm.get_by_role("button", name="Attack Silas Grey").click()
    expect(in_round(mo)).to_contain_text("attacked Silas Grey")
    assert presses(gm) == 2


def test_an_attack_is_pressed_although_its_button_is_drawn_again_where_it_stands_before_the_mouse_goes_up(
    service: AtTable,
) -> None:
    gm, mo = service("gm"), service("mo", **LAPTOP)
    fall(8, 10, 2)
    begin_conflict(gm, "Dog 4")
    leave_side(mo)
    attack = mo.get_by_role("button", name="Attack Dog")
    expect(attack).to_be_visible()
    press_down(attack)
    attack.evaluate("one => one.replaceWith(one.cloneNode(true))")
    mo.mouse.up()
    expect(in_round(mo)).to_contain_text("attacked Dog")


def test_a_target_that_was_pressed_stays_whatever_answer_for_the_card_comes_late(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo", **LAPTOP)
    fall(8, 10, 2)
    begin_conflict(gm, "Dog 4")
    leave_side(mo)
    target(mo, "Corvina Hale").click()
    expect(mo.get_by_role("button", name="Attack Corvina Hale")).to_be_visible()
    held: list[Route] = []
    mo.route(ON_CARD, lambda route: held.append(route), times=1)
    with mo.expect_request(ON_CARD):
        pick_traits(mo, "dexterity", "stealth")
    target(mo, "Dog").click()
    attack = mo.get_by_role("button", name="Attack Dog")
    expect(attack).to_be_visible()
    expect(mo.get_by_role("group", name="With")).to_contain_text("Dexterity + Stealth 2")
    with mo.expect_response(lambda answer: answer.request == held[0].request) as late:
        held[0].continue_()
    late.value.finished()
    expect(attack).to_be_visible()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["1280", "390"])
def test_a_turn_of_vi_viii_x_is_played_by_presses(
    service: AtTable, site: Site, table: str, size: dict[str, Any]
) -> None:
    site.run("-m", "tests.browser.world", "--brawl", table)
    gm, mo = service("gm"), service("mo", character=thief(table), **size)
    open_form(gm, "Event in turns")
    form = gm.locator("#desk")
    for name in ("Tibor", FOE):
        form.locator(".tracker-people > div", has_text=name).locator("select").select_option(label="aware")
    form.get_by_role("button", name="Start").click()
    expect(mo.locator(".turn-head")).to_contain_text("Your turn, Tibor")
    expect(mo.locator("#waiting [data-words]")).to_have_text("Your turn, Tibor")
    expect(mo).to_have_title(re.compile(r"^\(1\) "))
    expect(gm.locator(".turn-head")).to_have_text("Tibor’s turn")
    leave_side(mo)
    expect(mo.get_by_role("button", name=f"Attack {FOE}")).to_be_in_viewport(ratio=1)
    for act in ("Roll", "Declare Tibor", "Hold Tibor"):
        expect(mo.locator(".turn-now").get_by_role("button", name=act, exact=True)).to_be_visible()
    if size is not PHONE:
        for trait in ("[data-trait=empathy]", "[data-slot=skill][data-trait]"):
            mo.locator(trait).first.click()
        expect(mo.get_by_role("group", name="With")).to_contain_text("Empathy + Tamper 5")
        mo.locator("[data-trait=empathy]").first.click()
    expect(mo.get_by_role("group", name="With")).to_contain_text("Control + Tamper 5")
    count_presses(gm, mo)
    target(mo, FOE).click()
    mo.get_by_role("button", name=f"Attack {FOE}").click()
    expect(in_round(gm)).to_contain_text(f"attack (1 action, against {FOE})")
    fall(5)
    mo.get_by_role("button", name="Roll it").click()
    expect(mo.locator("#feed")).to_contain_text("+5 bonus")
    fall(8)
    gm.get_by_role("button", name="Roll it").click()
    expect(in_round(mo)).to_contain_text("success")
    gm.get_by_role("button", name="Falls unconscious").click()
    expect(in_round(mo)).to_contain_text(f"{FOE}: unconscious")
    assert presses(gm, mo) == 5
    mo.get_by_role("button", name="Done Tibor").click()
    expect(gm.locator(".turn-head")).to_have_text(f"{FOE}’s turn")
    count_presses(gm)
    target(gm, "Tibor").click()
    gm.get_by_role("button", name="Attack Tibor").click()
    expect(in_round(mo)).to_contain_text("attack (1 action, against Tibor)")
    assert presses(gm) == 2
