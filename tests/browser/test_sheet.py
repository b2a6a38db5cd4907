"""One sheet in two browsers, each on a server process of its own: nobody's words are lost, whatever happens meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PROCESS_OF
from tests.browser.hands import Held
from tests.browser.seats import Sit
from tests.browser.world import character_of

OpenSheet = Callable[..., Page]


@pytest.fixture
def sheet_of(sit: Sit, servers: tuple[str, str], table: str) -> OpenSheet:
    """`sheet_of("mo")` returns that person's browser with Silas's sheet open and live."""

    def open_sheet(person: str, **options: object) -> Page:
        page = sit(person, at=servers[PROCESS_OF[person]], **options)
        page.goto(f"/c/{table}/characters/{character_of('mo', table)}/")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        return page

    return open_sheet


def entry(page: Page, address: str) -> Locator:
    return page.locator(f'.entry[data-field="{address}"]')


def box(page: Page, address: str) -> Locator:
    return entry(page, address).locator("[data-input]")


def press(page: Page, address: str, step: int) -> None:
    entry(page, address).locator(f'.steps [data-step="{step}"]').click()


def expect_value(page: Page, address: str, value: str) -> None:
    expect(entry(page, address).locator(".cell")).to_have_attribute("data-value", value)


def write(page: Page, address: str, words: str) -> None:
    """Type as hands do, and go on to somewhere else."""
    box(page, address).fill(words)
    box(page, address).blur()


def add_background(page: Page, name: str) -> None:
    rows = page.locator('[data-rows="backgrounds"]')
    # It also opens by itself as soon as another player's row comes: a click could close it again.
    page.locator(".sheet-fold").filter(has=rows).evaluate_all("folds => folds.forEach((fold) => { fold.open = true; })")
    if rows.locator("details[open]").count() == 0:
        rows.locator("summary").click()
    rows.get_by_label("Name", exact=True).last.fill(name)
    rows.get_by_role("button", name="Add").click()


@pytest.mark.thorough
def test_what_others_change_stands_beside_what_is_typed_until_one_of_the_two_is_chosen(sheet_of: OpenSheet) -> None:
    mo, gm = sheet_of("mo"), sheet_of("gm")
    box(mo, "clan").press_sequentially("Keep")
    write(gm, "clan", "Lamplighters")
    beside = entry(mo, "clan").locator(".cell")
    expect(beside).to_be_visible()
    expect(beside).to_have_text("Lamplighters")
    expect(box(mo, "clan")).to_have_value("Keep")
    box(mo, "clan").press_sequentially("ers")
    expect(box(mo, "clan")).to_have_value("Keepers")

    box(mo, "clan").press("Enter")
    conflict = entry(mo, "clan").get_by_role("group", name="Two values")
    expect(conflict).to_contain_text("Ro changed it.")
    expect(conflict).to_contain_text(re.compile(r"Theirs\s*Lamplighters\s*Yours\s*Keepers"))
    expect(conflict.get_by_role("button", name="Keep mine")).to_be_focused()
    mo.keyboard.press("Enter")
    expect(conflict).to_have_count(0)
    expect(box(mo, "clan")).to_be_focused()
    expect_value(gm, "clan", "Keepers")
    expect(box(gm, "clan")).to_have_value("Keepers")

    box(mo, "clan").fill("Wardens")
    write(gm, "clan", "Ferrymen")
    expect(beside).to_have_text("Ferrymen")
    box(mo, "clan").press("Enter")
    entry(mo, "clan").get_by_role("button", name="Use theirs").click()
    expect(box(mo, "clan")).to_have_value("Ferrymen")
    expect_value(gm, "clan", "Ferrymen")


def test_what_is_written_while_the_line_is_down_is_kept_said_and_sent_once(sheet_of: OpenSheet) -> None:
    mo, gm = sheet_of("mo"), sheet_of("gm")
    mo.context.set_offline(True)
    write(mo, "nature", "Caregiver")
    press(mo, "strength", 5)
    write(mo, "clan", "Keepers")
    for address in ("nature", "strength", "clan"):
        expect(entry(mo, address).locator(".beside")).to_contain_text("Your change is kept here")
    expect(box(mo, "nature")).to_have_value("Caregiver")
    write(gm, "clan", "Lamplighters")
    write(gm, "demeanor", "Curmudgeon")
    expect(entry(gm, "demeanor").locator(".beside")).to_have_text("saved")
    mo.context.set_offline(False)
    expect_value(gm, "nature", "Caregiver")
    expect_value(gm, "strength", "5")
    expect(box(mo, "demeanor")).to_have_value("Curmudgeon")
    conflict = entry(mo, "clan").get_by_role("group", name="Two values")
    expect(conflict).to_contain_text("Lamplighters")
    expect(box(mo, "clan")).to_have_value("Keepers")
    expect_value(gm, "clan", "Lamplighters")
    entry(gm, "nature").hover()
    entry(gm, "nature").get_by_role("button", name="History of Nature").click()
    expect(gm.locator("#history li")).to_have_count(1)
    expect(gm.locator("#history li")).to_contain_text(re.compile(r"Mo.*nothing to Caregiver", re.DOTALL))


@pytest.mark.thorough
def test_a_page_with_words_that_are_not_saved_asks_before_it_goes(sheet_of: OpenSheet) -> None:
    mo = sheet_of("mo", fresh=True)
    asked: list[str] = []

    def stay(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.accept()  # type: ignore[attr-defined]

    mo.on("dialog", stay)
    box(mo, "nature").press_sequentially("Half a wo")
    mo.reload()
    assert asked == ["beforeunload"]
    mo.reload()
    assert asked == ["beforeunload"], "nothing was typed since"


@pytest.mark.thorough
def test_rows_that_others_add_change_and_remove_come_and_go(sheet_of: OpenSheet) -> None:
    mo, gm = sheet_of("mo"), sheet_of("gm")
    add_background(mo, "Allies")
    add_background(gm, "Contacts")
    rows = '[data-rows="backgrounds"] .sheet-row'
    for page in (mo, gm):
        expect(page.locator(rows)).to_have_count(2)
    gm.get_by_role("button", name="Set Allies: Rating to 3").click()
    expect(mo.get_by_role("group", name="Allies: Rating").locator("xpath=..").get_by_role("img")).to_have_attribute(
        "aria-label", "3 of 5"
    )
    mo.get_by_label("Contacts: Name").fill("Informers")
    mo.get_by_label("Contacts: Name").press("Enter")
    expect(gm.get_by_label("Informers: Name")).to_have_value("Informers")
    mo.locator(rows).last.hover()
    mo.get_by_role("button", name="Informers: Remove").click()
    for page in (mo, gm):
        expect(page.locator(rows)).to_have_count(1)
    mo.get_by_role("button", name="Undo my last change").click()
    for page in (mo, gm):
        expect(page.get_by_label("Informers: Name")).to_have_value("Informers")

    # If it is removed while a player writes in it, their text is kept.
    mo.get_by_label("Allies: In a few words").press_sequentially("The ferryman owes me")
    gm.locator(rows).first.hover()
    gm.get_by_role("button", name="Allies: Remove").click()
    left = mo.locator(".left-behind")
    expect(left).to_contain_text("Someone removed “Allies”")
    expect(left.get_by_label("Your text")).to_have_value("The ferryman owes me")


def test_what_is_saved_is_not_told_as_what_someone_else_wrote_until_its_news_has_come(sheet_of: OpenSheet) -> None:
    mo = sheet_of("mo")
    line = Held(mo)
    line.holds = True
    box(mo, "nature").fill("Caregiver")
    box(mo, "nature").press("Enter")
    expect(entry(mo, "nature").locator(".beside")).to_have_text("saved")
    assert "differs" not in str(entry(mo, "nature").get_attribute("class"))
    line.let_through()
    expect_value(mo, "nature", "Caregiver")


@pytest.mark.thorough
def test_where_somebody_writes_is_shown_and_read_out_by_name_and_nothing_moves_for_it(sheet_of: OpenSheet) -> None:
    mo, gm = sheet_of("mo"), sheet_of("gm")
    top = "entry => entry.getBoundingClientRect().top"
    box(mo, "nature").fill("Caregiver")
    before = entry(mo, "strength").evaluate(top)
    expect(entry(gm, "nature").locator(".who-writes")).to_have_text("Mo is editing")
    expect(mo.locator(".who-writes")).to_have_count(0)
    box(gm, "demeanor").focus()
    expect(entry(mo, "demeanor").locator(".who-writes")).to_have_text("Ro is editing")
    assert entry(mo, "strength").evaluate(top) == before
    box(mo, "nature").press("Enter")
    expect(entry(mo, "nature").locator(".beside")).to_have_text("saved")
    assert entry(mo, "strength").evaluate(top) == before

    # What only GMs may see is not said to be written in.
    entry(gm, "gm_notes").locator("[data-edit]").click()
    box(mo, "nature").blur()
    for page in (mo, gm):
        expect(page.locator(".who-writes")).to_have_count(0)

    add_background(mo, "Allies")
    expect(gm.locator('[data-rows="backgrounds"] .sheet-row')).to_have_count(1)
    for stops, name in (
        (entry(mo, "strength").locator(".steps [tabindex='0']"), "Strength"),
        (entry(mo, "description").locator("[data-edit]"), "Description"),
        (mo.get_by_role("group", name="Allies: Rating").locator("[tabindex='0']"), "Allies: Rating"),
    ):
        stops.first.focus()
        expect(gm.locator("#announcer")).to_have_text(f"Mo is editing {name}")


def test_keys_alone_are_enough_and_lead_from_a_trait_to_its_roll(sheet_of: OpenSheet) -> None:
    mo = sheet_of("mo")
    entry(mo, "strength").locator(".steps [tabindex='0']").focus()
    for _ in range(2):
        mo.keyboard.press("ArrowRight")
    mo.keyboard.press("Enter")
    expect_value(mo, "strength", "3")
    entry(mo, "description").locator("[data-edit]").focus()
    mo.keyboard.press("Enter")
    mo.keyboard.type("Smells of *old paper*.")
    mo.keyboard.press("Control+Enter")
    expect(entry(mo, "description").locator("em")).to_have_text("old paper")
    expect(box(mo, "description")).to_be_hidden()
    entry(mo, "description").locator("[data-edit]").blur()
    mo.keyboard.press("u")
    expect_value(mo, "description", "")
    mo.get_by_role("link", name="Roll Perception").press("Enter")
    expect(mo.locator("#roll [name=pool]")).to_have_value("perception")
    expect(mo).not_to_have_url(re.compile("trait="))


@pytest.mark.thorough
def test_a_locked_sheet_is_read_and_not_written_in(sheet_of: OpenSheet) -> None:
    mo, gm = sheet_of("mo"), sheet_of("gm")
    operations = gm.locator(".sheet-operations")
    operations.locator("summary").click()
    gm.get_by_role("button", name="Lock sheet", exact=True).click()
    expect(mo.locator(".standing")).to_contain_text("locked by the GM")
    expect(box(mo, "nature")).not_to_be_editable()
    expect(entry(mo, "strength").locator("[data-step='2']")).to_be_disabled()
    expect(box(gm, "nature")).to_be_editable()
    expect(operations.locator("summary")).to_be_focused()
    gm.keyboard.press("Enter")
    expect(operations.locator("details")).to_have_attribute("open", "")
    gm.keyboard.press("Escape")
    expect(operations.locator("details")).not_to_have_attribute("open", "")
    gm.keyboard.press("Enter")
    gm.get_by_role("button", name="Unlock sheet").click()
    expect(box(mo, "nature")).to_be_editable()
