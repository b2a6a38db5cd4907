"""Dates of sessions in the browsers of a table: each press is on the others' pages at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable


def open_live(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


def test_dates_are_proposed_answered_and_set_on_all_their_pages(service: AtTable, table: str) -> None:
    gm, mo, iva = service("gm"), service("mo"), service("iva")
    dates = f"/c/{table}/sessions/next/"
    open_live(gm, dates)
    for at, days in enumerate((5, 6)):
        day = datetime.now(UTC) + timedelta(days=days)
        gm.locator("input[name=at]").nth(at).fill(f"{day:%Y-%m-%d}T19:30")
    gm.get_by_role("button", name="Propose", exact=True).click()
    expect(gm.locator(".dates")).to_be_visible()
    open_live(iva, dates)
    mo.goto("/")
    asked = mo.locator(".home-asked", has_text=table).locator(".date-answers")
    expect(asked).to_have_count(2)
    asked.first.get_by_role("button", name="Yes").click()
    expect(asked).to_have_count(1)
    expect(gm.locator(".date-answer.is-yes")).to_have_count(1)
    expect(iva.locator(".date-answer.is-yes")).to_have_count(1)
    gm.locator("tfoot").get_by_role("button", name="Set this date").first.click()
    expect(iva.locator("thead .is-set")).to_have_count(1)
    # Once a date is set, the others are not asked for.
    mo.goto("/")
    expect(mo.locator(".home-asked", has_text=table)).to_have_count(0)


def test_a_table_reads_along_as_its_session_is_named(service: AtTable, table: str) -> None:
    gm, mo = service("gm"), service("mo")
    gm.locator("#session-end").evaluate("form => form.closest('details').open = true")
    gm.locator("#session-end button").click()
    gm.locator("#session-name").fill("One beat too late")
    expect(mo.locator("#session-named")).to_have_text("One beat too late")
    gm.locator("#close-anyway button.primary").click()
    expect(mo.locator("#session-named")).to_have_count(0)
