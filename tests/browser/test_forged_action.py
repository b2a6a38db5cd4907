"""A staged action in the browsers of all who take part: two processes, one of them on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    PHONE,
    bring,
    count_presses,
    field,
    filled_in,
    last_card,
    leave_side,
    open_form,
    press,
    presses,
    roll_by,
    under_way,
)
from tests.browser.servers import Site
from tests.browser.world import CLOCK, FOE, UNSEEN

ROLL = re.compile(r"^Roll \d+ di(c)?e$")


@pytest.fixture
def everybody(service: AtTable, site: Site, table: str) -> dict[str, Page]:
    """Open the browsers of the GM, of Mo with Cross, and of Iva with Thorn on a phone."""
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    return {"gm": service("gm"), "mo": service("mo"), "iva": service("iva", **PHONE)}


def sets(gm: Page) -> Locator:
    """Return what a GM sets on the card, once it is there."""
    leave_side(gm)
    return under_way(gm).locator(".sets")


def inflict(gm: Page, what: str) -> None:
    """Choose a consequence on the card, which opens its form."""
    gm.get_by_role("group", name="Add a consequence").get_by_role("button", name=what, exact=True).click()


def all_see(everybody: dict[str, Page], words: str) -> None:
    for page in everybody.values():
        expect(under_way(page)).to_contain_text(words)


def none_sees(everybody: dict[str, Page], words: str) -> None:
    for page in everybody.values():
        expect(under_way(page)).not_to_contain_text(words)


def test_an_action_is_announced_set_rolled_and_settled_on_all_their_pages(everybody: dict[str, Page]) -> None:
    mo, gm, iva = everybody["mo"], everybody["gm"], everybody["iva"]
    whole_action(everybody, mo, gm, iva)
    from_the_roll_form(everybody, mo, gm)


def whole_action(everybody: dict[str, Page], mo: Page, gm: Page, iva: Page) -> None:
    open_form(mo, "Action")
    filled_in(mo, character="Cross", action="Prowl", reason="across the yard unseen")
    all_see(everybody, "The GM hasn’t set position and effect yet.")
    told = ".feed-inner .story-card:not(:has(> .story-rows))"
    expect(mo.locator(told, has_text="across the yard unseen")).to_be_hidden()  # it stands on the stage
    card = sets(gm)
    card.get_by_role("spinbutton", name="Scale").fill("-1")
    card.get_by_text("Something else…").click()
    card.get_by_label("Reason").fill("a wide yard")
    card.get_by_role("radio", name=CLOCK).check(force=True)
    card.get_by_role("button", name="Let Cross roll").click()
    all_see(everybody, "risky, limited effect")
    press(mo, "Trade: a worse position for +1 effect")
    press(gm, "Agree to the trade")
    all_see(everybody, "desperate, standard effect")
    press(iva, "Thorn helps: 1 stress")
    all_see(everybody, "help from Thorn +1")
    under_way(gm).get_by_text("Change position and effect").click()
    card.get_by_label("Devil’s Bargain").fill("They will remember your face")
    card.get_by_role("button", name="Offer +1 die").click()
    press(mo, "Take the bargain")
    all_see(everybody, "1, help from Thorn +1, bargain +1")
    dice.load(4, 2, 1)
    press(mo, ROLL)
    expect(last_card(iva)).to_contain_text("Partial success")
    expect(mo.locator(".feed-inner .story-card", has_text="across the yard unseen")).to_be_visible()
    follows(everybody, mo, gm)


def follows(everybody: dict[str, Page], mo: Page, gm: Page) -> None:
    """Inflict consequences: a complication ticks the clock, and a resistance costs more stress than Cross has room for."""
    inflict(gm, "Serious complication (3 ticks)")
    form = gm.locator("#desk form")
    form.locator("[name=words]").fill("The alarm")
    form.locator("[name=clock]").select_option(label=CLOCK)
    form.get_by_role("button", name="Add and continue").click()
    all_see(everybody, "The alarm")
    expect(form.locator("[name=words]")).to_have_value("")
    filled_in(gm, code="severe harm (level 3)", words="Shot in the leg")
    all_see(everybody, "harm of level 3: Shot in the leg")
    none_sees(everybody, "to name the consequences")
    dice.load(1, 2, 1)
    under_way(mo).locator(".staged-rows > li", has_text="Shot in the leg").get_by_role(
        "button", name="Resist with Prowess"
    ).click()
    all_see(everybody, "comes back with a trauma and no stress")
    mo.get_by_role("button", name="Reckless Cross").click()
    all_see(everybody, "harm of level 2: Shot in the leg")
    none_sees(everybody, "Choose a trauma first")
    take = under_way(mo).get_by_role("button", name=re.compile("Take it .*The alarm"))
    take.click()
    expect(take).to_have_count(0)
    under_way(mo).get_by_role("button", name=re.compile("Take it .*Shot in the leg")).click()
    for page in everybody.values():
        expect(under_way(page).locator(":scope > *")).to_have_count(0)
    expect(gm.locator("#clocks, .clocks").first).to_contain_text(CLOCK)


def from_the_roll_form(everybody: dict[str, Page], mo: Page, gm: Page) -> None:
    """Announce an action pressed on the sheet; the GM lets a complication make a clock of its own."""
    roll_by(mo, "Forged", "forged")
    count_presses(mo, gm)
    mo.locator("[data-trait=prowl]").click()
    expect(field(mo, "action")).not_to_have_value("")
    mo.locator("#roll").get_by_role("button", name="Announce").click()
    all_see(everybody, "The GM hasn’t set position and effect yet.")
    card = sets(gm)
    by_sight(gm, card.get_by_role("radio", name="Harm 2"))
    card.get_by_label("Name of the harm").fill("Cut hand")
    card.get_by_label("Devil’s Bargain").fill("The oil flares")
    by_sight(gm, card.get_by_role("button", name="Let Cross roll"))
    all_see(everybody, "If it goes wrong: harm of level 2: Cut hand")
    press(mo, "Take the bargain")
    all_see(everybody, "taken, from the GM")
    dice.load(4, 4, 2)
    press(mo, ROLL)
    none_sees(everybody, "to name the consequences")
    under_way(mo).get_by_role("button", name=re.compile("Take it")).click()
    for page in everybody.values():
        expect(under_way(page).locator(":scope > *")).to_have_count(0)
    assert presses(mo, gm) == 7  # docs/clicks.md


def announce(page: Page, goal: str) -> None:
    open_form(page, "Action")
    filled_in(page, character="Cross", action="Prowl", reason=goal)


STANDS_STILL = """async (control) => {
  const frame = () => new Promise(requestAnimationFrame);
  const middle = () => {
    const { left, top, width, height } = control.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  control.scrollIntoView({ block: "center" });
  let before;
  do {
    before = middle();
    await frame();
    await frame();
  } while (document.querySelector(".htmx-request") || `${middle()}` !== `${before}`);
  return control.isConnected ? before : null;
}"""
"""The middle of an element on the window, in pixels of CSS; null once another stands in its place."""


def by_sight(page: Page, control: Locator) -> None:
    """Press where it is seen, once what was asked for has come and it stands still."""
    while (there := control.evaluate(STANDS_STILL)) is None:
        pass  # it was drawn again
    page.mouse.click(*there)


@pytest.mark.parametrize("look", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["desk", "phone"])
def test_the_gm_sets_all_of_it_by_presses_and_keeps_it_when_others_act(
    service: AtTable, site: Site, table: str, look: dict[str, Any]
) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    mo, iva, gm = service("mo"), service("iva"), service("gm", **look)
    announce(mo, "across the yard unseen")
    card = sets(gm)
    by_sight(gm, card.get_by_text("Desperate", exact=True))
    expect(card.get_by_role("radio", name="Desperate")).to_be_checked()
    expect(card.get_by_text("Cross earns 1 XP")).to_be_visible()
    steps = card.locator(".set-step", has_text="Potency")
    by_sight(gm, steps.get_by_text("+"))
    expect(steps.get_by_role("spinbutton")).to_have_value("1")
    expect(card.locator("output").first).to_have_text("Desperate, great effect")
    by_sight(gm, card.get_by_role("radio", name="Harm 3"))
    for name in ("Less effect", "Worse position"):
        by_sight(gm, card.get_by_text(name, exact=True))
    clock = card.locator(".set-step", has_text=CLOCK)
    for _ in range(2):
        by_sight(gm, clock.get_by_text("+"))
    expect(card.get_by_text(f"If it goes wrong, {CLOCK} goes to 2 of 4.")).to_be_visible()
    by_sight(gm, card.get_by_text("Insight", exact=True))
    expect(card.get_by_text("Resist with Insight")).to_be_visible()
    name = card.get_by_label("Name of the harm")
    name.click()
    gm.keyboard.type("Shot in")
    iva.get_by_role("button", name="Thorn helps: 1 stress").click()
    expect(under_way(gm)).to_contain_text("Thorn doesn’t help")
    gm.keyboard.type(" the leg")
    expect(name).to_have_value("Shot in the leg")
    expect(name).to_be_focused()
    expect(card.get_by_role("radio", name="Desperate")).to_be_checked()
    assert gm.evaluate("document.documentElement.scrollWidth <= innerWidth")
    by_sight(gm, card.get_by_role("button", name="Let Cross roll"))
    expect(under_way(mo)).to_contain_text(
        f"If it goes wrong: harm of level 3: Shot in the leg; complication: 2 ticks on {CLOCK}; reduced effect; now desperate."
    )
    expect(under_way(mo)).to_contain_text("desperate, great effect")


@pytest.mark.parametrize("look", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["1280", "390"])
def test_an_action_against_several_shows_their_faces_and_what_came_of_it_for_each(
    service: AtTable, site: Site, table: str, look: dict[str, Any]
) -> None:
    site.run("-m", "tests.browser.world", "--ambush", table)
    gm, mo = service("gm", **look), service("mo", **look)
    desk = service("mo") if look is PHONE else mo
    roll_by(desk, "Forged", "forged")
    count_presses(gm, mo)
    desk.locator("[data-trait=skirmish]").click()
    expect(field(desk, "action")).not_to_have_value("")
    desk.locator("#roll").get_by_role("button", name="Announce").click()
    expect(under_way(mo)).to_contain_text("The GM hasn’t set position and effect yet.")
    bring(under_way(mo).locator(".procedure"))
    leave_side(mo)
    under_way(mo).get_by_text("Against…").click()
    faces = mo.get_by_role("group", name="Against", exact=True)
    expect(faces).not_to_contain_text(UNSEEN)
    faces.get_by_role("button", name=FOE).click()
    faces.get_by_role("button", name="Someone else…").click()
    filled_in(mo, others="Guard, Dog")
    leave_side(gm)
    tiles = under_way(gm).locator(".turns > li")
    expect(tiles).to_have_text([re.compile(name) for name in (FOE, "Guard", "Dog")])
    card = sets(gm)
    expect(card.get_by_role("spinbutton", name="Scale")).to_have_value("-1")
    expect(card).to_contain_text("Against several: scale −1 is proposed")
    card.get_by_role("radio", name="Harm 2").check(force=True)
    card.get_by_label("Name of the harm").fill("Cut hand")
    card.get_by_label("From whom").select_option(label=f"from {FOE}")
    by_sight(gm, card.get_by_role("button", name="Let Cross roll"))
    expect(under_way(mo)).to_contain_text(f"harm of level 2: Cut hand, from {FOE}.")
    expect(under_way(mo)).to_contain_text("risky, limited effect")
    dice.load(6, 5, 2)
    under_way(mo).get_by_role("button", name=ROLL).click()
    expect(under_way(mo)).to_contain_text("to say what came of it for each")
    for fared, name in (("Out", FOE), ("Hurt", "Guard"), ("Unhurt", "Dog")):
        assert gm.evaluate("document.documentElement.scrollWidth <= innerWidth")
        button = under_way(gm).get_by_role("button", name=f"{fared} {name}", exact=True)
        button.click()
        expect(button).to_have_count(0)
    expect(mo.locator("#feed .story-head").last).to_contain_text(f"{FOE}: Out, Guard: Hurt, Dog: Unhurt")
    expect(under_way(gm).locator(":scope > *")).to_have_count(0)
    assert mo.locator("body").get_by_text(UNSEEN).count() == 0
    if look is not PHONE:
        assert presses(gm, mo) == 13  # docs/clicks.md


def test_what_one_gm_has_not_sent_outlasts_what_another_has_set(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    mo, gm = service("mo"), service("gm")
    other = gm.context.new_page()
    announce(mo, "across the yard unseen")
    other.goto(gm.url)
    first, second = sets(gm), sets(other)
    first.get_by_label("Devil’s Bargain").fill("A burn")
    first.get_by_role("radio", name="Controlled").check(force=True)
    second.get_by_role("radio", name="Great").check(force=True)
    second.get_by_role("button", name="Let Cross roll").click()
    under_way(gm).get_by_text("Change position and effect").click()
    expect(first.get_by_role("radio", name="Great")).to_be_checked()
    expect(first.get_by_role("radio", name="Controlled")).to_be_checked()
    expect(first.get_by_label("Devil’s Bargain")).to_have_value("A burn")
    first.get_by_role("button", name="Change it").click()
    expect(under_way(mo)).to_contain_text("controlled, great effect")
    expect(under_way(mo)).to_contain_text("Devil’s Bargain: A burn")
