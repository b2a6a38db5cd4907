"""What several people settle together, in the browsers of those who do: an extended action and a conflict."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form


def test_an_extended_action_is_counted_and_a_conflict_goes_round_on_every_page(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    begin_extended(gm)
    for faces, stands in (((7, 8, 2), "2 of 4 successes, 1 roll"), ((9, 7, 2), None)):
        roll_what_is_asked(mo, faces)
        for page in (mo, gm):
            if stands:
                expect(page.locator("#procedures")).to_contain_text(stands)
            else:
                expect(page.locator("#procedures > *")).to_have_count(0)
                expect(page.locator("#feed")).to_contain_text("4 of 4 successes, 2 rolls. The action succeeded.")
                expect(page.locator("#requests > *")).to_have_count(0)

    dice.load(5, 9, 1)
    begin_conflict(gm)
    for page in (mo, gm):
        expect(page.locator(".turns .who")).to_have_text(["Silas Grey", "Corvina Hale", "Dog"])
    expect(mo.get_by_role("button", name="Done Silas Grey")).to_be_visible()
    mo.get_by_role("button", name="Hold Silas Grey").click()
    expect(gm.locator(".turns > [aria-current] .who")).to_have_text("Corvina Hale")
    expect(mo.get_by_role("button", name="Done")).to_have_count(0)
    gm.get_by_role("button", name="Done Corvina Hale").click()
    expect(mo.locator(".turns > [aria-current] .who")).to_have_text("Dog")
    mo.get_by_role("button", name="Act now Silas Grey").click()
    mo.get_by_role("button", name="Done Silas Grey").click()
    expect(gm.locator(".turns > [aria-current] .who")).to_have_text("Dog")
    gm.get_by_role("button", name="Done Dog").click()
    gm.get_by_role("button", name="Start next round").click()
    for page in (mo, gm):
        expect(page.locator("#procedures")).to_contain_text("Round 2")


def test_the_willpower_of_a_round_is_spent_on_every_page_until_the_next(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    dice.load(5, 9, 1)
    begin_conflict(gm)
    box = mo.locator("#roll [name=willpower]")
    expect(mo.locator(".turns .who")).to_have_count(3)
    box.check()
    field(mo, "pool").fill("wits")
    dice.load(7, 2)
    mo.locator("#roll [type=submit]").click()
    for _loaded in range(2):
        expect(box).to_be_disabled()
        expect(mo.locator("#roll label:has([name=willpower])")).to_contain_text("spent this round")
        mo.reload()
        expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    for name in ("Silas Grey", "Corvina Hale", "Dog"):
        gm.get_by_role("button", name=f"Done {name}").click()
    gm.get_by_role("button", name="Start next round").click()
    expect(box).to_be_enabled()
    expect(box).not_to_be_checked()
    expect(mo.locator("#roll label:has([name=willpower])")).not_to_contain_text("spent this round")


def test_what_a_gm_begins_lies_open_while_something_else_waits_for_them(service: AtTable) -> None:
    gm = service("gm")
    dice.load(5, 9)
    begin_conflict(gm, players=False)
    expect(gm.locator("#procedures .turns")).to_be_visible()
    begin_extended(gm)
    expect(gm.locator("#procedures").get_by_text("0 of 4 successes")).to_be_visible()
    expect(gm.locator("#procedures .turns")).to_be_hidden()


def test_escape_leaves_the_menu_of_what_can_be_begun_and_then_the_side_it_is_in(service: AtTable) -> None:
    mo = service("mo", viewport={"width": 360, "height": 740})
    mo.locator("[data-opens=panels]").click()
    menu = mo.locator(".openers")
    menu.locator("summary").press("Enter")
    mo.keyboard.press("Tab")
    expect(menu.get_by_role("button").first).to_be_focused()
    mo.keyboard.press("Escape")
    expect(menu.get_by_role("button")).to_have_count(0)
    expect(menu.locator("summary")).to_be_focused()
    mo.keyboard.press("Escape")
    expect(menu.locator("summary")).not_to_be_visible()
    expect(mo.locator("[data-opens=panels]")).to_be_focused()


def begin_extended(gm: Page) -> None:
    open_form(gm, "Extended action")
    form = gm.locator("#desk")
    form.get_by_label("Character").select_option(label="Silas Grey")
    form.get_by_label("Traits or dice").fill("wits + stealth")
    form.get_by_label("Successes needed").fill("4")
    form.get_by_role("button", name="Start").click()
    expect(gm.locator("#procedures")).to_contain_text("0 of 4 successes, 0 rolls")
    expect(form.locator("form")).to_have_count(0)


def roll_what_is_asked(mo: Page, faces: tuple[int, ...]) -> None:
    mo.get_by_role("button", name="Roll it").click()
    expect(field(mo, "pool")).to_have_value("Wits + Stealth")
    dice.load(*faces)
    mo.locator("#roll [type=submit]").click()


def begin_conflict(gm: Page, *, players: bool = True) -> None:
    """Begin a conflict of a dog with the player characters or another dog."""
    open_form(gm, "Conflict")
    form = gm.locator("#desk")
    for name in ("Silas Grey", "Corvina Hale"):
        expect(form.get_by_role("checkbox", name=name)).to_be_checked()
        if not players:
            form.get_by_role("checkbox", name=name).uncheck()
    form.get_by_label("Others").fill("Dog 2" if players else "Dog 2, Hound 2")
    form.get_by_role("button", name="Start").click()
