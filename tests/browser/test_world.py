"""What we know, in the browsers of a table: two who write, links that complete, names in the feed that open a card."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable


def make(page: Page, table: str, line: str) -> str:
    """Make a page of one line; return its address."""
    page.goto(f"/c/{table}/world/")
    page.get_by_label("New page").fill(line)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("button", name="Save page")).to_be_visible()
    return page.url.removesuffix("edit/")


def write(page: Page, note: str) -> None:
    page.get_by_label("What we know").fill(note)
    page.get_by_role("button", name="Save page").click()


def test_two_who_edit_one_note_lose_nothing_and_who_reads_sees_it_come(service: AtTable, table: str) -> None:
    gm, mo, iva = service("gm"), service("mo"), service("iva")
    address = make(mo, table, "The Gull, place")
    gm.goto(address)
    expect(gm.locator("#connection")).to_have_attribute("data-state", "live")
    iva.goto(f"{address}edit/")
    iva.get_by_label("What we know").fill("It is a ship.")
    expect(gm.get_by_text("Iva is editing")).to_be_visible()
    write(mo, "It is an inn.")
    expect(gm.locator("#world-page")).to_contain_text("It is an inn.")
    iva.get_by_role("button", name="Save page").click()
    expect(iva.get_by_text("It now says: It is an inn.")).to_be_visible()
    expect(iva.get_by_label("What we know")).to_have_value("It is a ship.")
    write(iva, "It is an inn that was a ship.")
    expect(gm.locator("#world-page")).to_contain_text("It is an inn that was a ship.")
    expect(gm.locator("#world-page")).to_contain_text("3 versions")


def test_links_complete_and_a_name_in_the_feed_opens_a_card(service: AtTable, table: str) -> None:
    mo, iva = service("mo"), service("iva")
    expect(iva.locator("#connection")).to_have_attribute("data-state", "live")
    make(mo, table, "The Lantern Room, place")
    write(mo, "One seat is **empty**.")
    make(mo, table, "The ledger")
    note = mo.get_by_label("What we know")
    note.press_sequentially("Found in [[lan")
    expect(mo.get_by_role("option", name="The Lantern Room")).to_be_visible()
    note.press("Enter")
    expect(note).to_have_value("Found in [[The Lantern Room]]")
    mo.get_by_role("button", name="Save page").click()
    mo.locator(".world-note").get_by_role("link", name="The Lantern Room").click()
    expect(mo.get_by_text("Found in The Lantern Room")).to_be_visible()
    mo.goto(f"/c/{table}/")
    mo.locator("#say-text").fill("We meet in the lantern room.")
    mo.locator("#say-text").press("Enter")
    name = iva.locator("#feed .said .page-name", has_text="the lantern room")
    expect(name).to_be_visible()
    name.hover()
    card = iva.locator("#page-card")
    expect(card).to_contain_text("One seat is empty.")
    iva.keyboard.press("Escape")
    expect(card).not_to_be_visible()
    name.focus()
    expect(card).to_be_visible()
    name.press("Enter")
    expect(iva.get_by_role("heading", name="The Lantern Room", level=1)).to_be_visible()
    expect(iva.locator(".world-lines mark")).to_have_text("the lantern room")


def test_the_gm_tells_a_paragraph_and_it_is_on_everyones_page(service: AtTable, table: str) -> None:
    gm, mo = service("gm"), service("mo")
    address = make(gm, table, "The buyers, faction, hidden")
    gm.get_by_label("Only the GM").fill("They pay in coin.\n\nThe Regent is one.")
    write(gm, "They buy deeds.")
    mo.goto(f"/c/{table}/world/")
    expect(mo.get_by_role("heading", name="What we know")).to_be_visible()
    expect(mo.get_by_text("The buyers")).to_have_count(0)
    gm.get_by_role("button", name="Show at the table").click()
    mo.goto(address)
    expect(mo.locator("#connection")).to_have_attribute("data-state", "live")
    expect(mo.locator("#world-page")).to_contain_text("They buy deeds.")
    gm.locator(".world-part", has_text="coin").get_by_role("button", name="Show this paragraph").click()
    expect(mo.locator("#world-page")).to_contain_text("They pay in coin.")
    expect(mo.locator("body")).not_to_contain_text("Regent is one")
