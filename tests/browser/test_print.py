"""Sheets on paper: one page each, A4 and Letter, for every kind of sheet that the demo plays."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.seats import Sit

TABLES = ("ashes-over-harrow", "the-salt-signal")
KINDS = {"storyteller", "descriptors", "arc", "forged", "crew"}
KIND = re.compile(r'class="sheet [^"]*\bsheet-(\w+)"')
PAGE = re.compile(rb"/Type\s*/Page\b")


def sheets(page: Page, table: str) -> list[str]:
    page.goto(f"/c/{table}/characters/")
    links = page.get_by_role("main").get_by_role("link").evaluate_all("links => links.map(link => link.pathname)")
    return sorted({path for path in links if re.fullmatch(r"/c/[^/]+/characters/[0-9a-f-]{36}/", path)})


def test_every_kind_of_sheet_is_one_page_of_paper(sit: Sit) -> None:
    page, seen = sit("gm"), set()
    for path in [path for table in TABLES for path in sheets(page, table)]:
        (kind,) = {*KIND.findall(page.request.get(path).text())}
        if kind in seen:
            continue
        seen.add(kind)
        page.goto(path)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        for paper in ("A4", "Letter"):
            assert len(PAGE.findall(page.pdf(format=paper))) == 1, (path, paper)
    assert seen == KINDS


def test_paper_holds_the_values_and_nothing_to_press(sit: Sit) -> None:
    page = sit("mo")
    page.goto(f"/c/{TABLES[0]}/characters/")
    page.get_by_role("main").get_by_role("link", name="Silas").first.click()
    for theme in ("dark", "light"):
        page.emulate_media(media="print", color_scheme=theme)
        expect(page.locator('[data-field="strength"] .cell')).to_be_visible()
        assert page.locator("main button").count() > 0
        expect(page.locator("main :is(button, input, select, textarea)").filter(visible=True)).to_have_count(0)
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light", theme
