"""A staged action in the browsers of all who take part: two processes, one of them on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    PHONE,
    count_presses,
    field,
    filled_in,
    last_card,
    open_form,
    press,
    presses,
    roll_by,
    under_way,
)
from tests.browser.servers import Site
from tests.browser.world import CLOCK

ROLL = re.compile(r"^Roll \d+ di(c)?e$")


@pytest.fixture
def everybody(service: AtTable, site: Site, table: str) -> dict[str, Page]:
    """Open the browsers of the GM, of Mo with Cross, and of Iva with Thorn on a phone."""
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    return {"gm": service("gm"), "mo": service("mo"), "iva": service("iva", **PHONE)}


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
    press(gm, "Set position and effect")
    filled_in(gm, position="risky", base="standard", scale="against them: −1", why="a wide yard", clock=CLOCK)
    all_see(everybody, "risky, limited effect")
    press(mo, "Trade: a worse position for +1 effect")
    press(gm, "Agree to the trade")
    all_see(everybody, "desperate, standard effect")
    press(iva, "Thorn helps: 1 stress")
    all_see(everybody, "help from Thorn +1")
    press(gm, "Offer a Devil’s Bargain")
    filled_in(gm, words="They will remember your face")
    press(mo, "Take the bargain")
    all_see(everybody, "1, help from Thorn +1, bargain +1")
    dice.load(4, 2, 1)
    press(mo, ROLL)
    expect(last_card(iva)).to_contain_text("Partial success")
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
    press(gm, "Risky, standard effect")
    all_see(everybody, "risky, standard effect")
    dice.load(4, 4)
    press(mo, ROLL)
    inflict(gm, "Complication (2 ticks)")
    form = gm.locator("#desk form")
    form.get_by_text("New clock", exact=True).click()
    filled_in(gm, new_clock="The whole street", segments="6")
    all_see(everybody, "2 ticks on The whole street, a new clock of 6")
    none_sees(everybody, "to name the consequences")
    under_way(mo).get_by_role("button", name=re.compile("Take it")).click()
    for page in everybody.values():
        expect(page.locator("#clocks, .clocks").first).to_contain_text("The whole street")
    assert presses(mo, gm) == 8  # seven, and one for a clock that is new (docs/clicks.md)
