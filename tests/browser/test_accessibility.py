"""axe finds nothing on any page, in both themes, on a phone and on a desk; and nothing scrolls sideways."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Sit

HOME = "/c/ashes-over-harrow/"
OPEN = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/join/no-such-invitation/",
]
MINE = [
    "/",
    "/profile/",
    "/profile/delete/",
    "/c/new/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/c/nowhere/",
]
OF_ALL = ["", "characters/", "clocks/", "storylines/", "sessions/", "members/", "scale/"]
OF_GMS = [
    "settings/",
    "settings/rules/",
    "invitations/",
    "oracles/",
    "oracles/grace/",
    "clocks/new/",
    "characters/new/",
]

SIZES = {320: 640, 1280: 800}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize(
    ("person", "paths"),
    [
        ("", OPEN),
        ("mo", [*MINE, *(HOME + path for path in OF_ALL)]),
        ("watcher", [HOME]),
        ("gm", [HOME + path for path in [*OF_ALL, *OF_GMS]]),
    ],
    ids=["stranger", "player", "spectator", "gm"],
)
def test_axe_finds_nothing(sit: Sit, person: str, paths: list[str], width: int, theme: str) -> None:
    page = sit(person, viewport={"width": width, "height": SIZES[width]}, color_scheme=theme)
    faults = {}
    for path in paths:
        page.goto(path)
        if path == HOME:
            expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        if found := [*_violations(page), *_overflow(page)]:
            faults[path] = found
    assert not faults, json.dumps(faults, indent=1)


def test_a_sheet_is_accessible_too(sit: Sit) -> None:
    page = sit("mo", viewport={"width": 320, "height": 640})
    page.goto(HOME + "characters/")
    page.get_by_role("link", name="Silas Grey").first.click()
    expect(page.get_by_role("heading", name="Silas Grey").first).to_be_visible()
    assert not [*_violations(page), *_overflow(page)]


def _violations(page: Page) -> list[str]:
    report = Axe().run(page).response
    assert report["passes"], "axe looked at nothing"
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:160]}" for fault in report["violations"]]


def _overflow(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [f"scrolls sideways by {wide} px"] if wide > 0 else []
