"""What hands do at the table page, for those who test what comes of it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests import dice


def roll_from_sheet(page: Page, faces: tuple[int, ...]) -> None:
    """Roll, and wait for the card: what is picked before it is there is picked for the same roll."""
    dice.load(*faces)
    pick_traits(page)
    cards = page.locator("#feed .line .card.roll")
    before = cards.count()
    page.locator("#roll [type=submit]").click()
    expect(cards).to_have_count(before + 1)


def pick_traits(page: Page) -> None:
    for name in ("perception", "alertness"):
        trait = page.locator(f"[data-trait={name}]")
        if trait.get_attribute("aria-pressed") == "false":
            trait.click()
        expect(trait).to_have_attribute("aria-pressed", "true")


def last_card(page: Page) -> Locator:
    return page.locator("#feed .line .card").last


def expect_scale(page: Page, value: int) -> None:
    expect(page.locator("#scales [role=meter]")).to_have_attribute("aria-valuenow", str(value))


def say(page: Page, text: str) -> None:
    page.get_by_label("What to say").fill(text)
    page.get_by_label("What to say").press("Enter")


def field(page: Page, name: str) -> Locator:
    """An input of the roll form."""
    return page.locator(f"#roll [name={name}]")


def open_form(page: Page, what: str) -> None:
    """The form of what several people settle together, from the menu of those there are."""
    menu = page.locator(".openers")
    menu.locator("summary").click()
    menu.get_by_role("button", name=what, exact=True).click()
