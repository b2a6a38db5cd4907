"""Every page on a small phone in the light or on a desk in the dark: axe finds nothing, and nothing scrolls sideways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, cycle, product
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from rolls.registry import all_rules
from tests.browser.conftest import AtTable
from tests.browser.seats import Sit
from tests.browser.servers import Site

Theme = Literal["light", "dark"]
Look = tuple[int, Theme]
THEMES: tuple[Theme, Theme] = ("light", "dark")
LOOKS: tuple[Look, Look] = ((320, "light"), (1280, "dark"))
"""Pages take turns between a phone's width by day and a desk's by night, since parts and colours are the same on all of them
(tests/test_look.py reckons the contrasts). How wide each page is, is measured at both widths.
"""

# None of axe's usual rules reads the style sheets that it can preload, and parsing them again is slow.
OPTIONS = {"resultTypes": ["violations"], "selectors": False, "preload": {"assets": ["media"]}}

CAMPAIGN = "/c/ashes-over-harrow/"

SYSTEMS = [rules.name for rules in all_rules()]
RULES = ["/rules/", *(f"/rules/{system}/" for system in SYSTEMS)]
ODDS = ["/odds/", *(f"/odds/{system}/" for system in SYSTEMS), "/odds/storyteller/?dice=x"]
STRANGERS = [
    "/",
    CAMPAIGN,
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
]
OWN = [
    "/",
    "/profile/",
    "/profile/delete/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/logout/",
    "/c/new/",
    "/import/",
]
SEEN_BY_ALL = [
    "",
    "log/",
    "log/?topic=roll&words=a",
    "characters/",
    "clocks/",
    "storylines/",
    "sessions/",
    "sessions/1/",
    "statistics/",
    "statistics/?session=1",
    "sessions/1/replay/",
    "sessions/1/verify/",
    "members/",
    "safety/",
    "handouts/",
    "scale/",
]
OF_GMS = [
    "settings/",
    "settings/rules/",
    "sessions/next/",
    "characters/new/storyteller/",
    "invitations/",
    "oracles/",
    "clocks/new/",
    "storylines/new/",
    "sessions/1/recap/",
    "log/?words=nothing-says-this",
    "log/export/?as=page&session=1",
    "characters/new/",
    "characters/import/",
    "xp/",
]

PAGES = {
    "a stranger": ("", STRANGERS),
    "a reader": ("", RULES + ODDS),
    "a person": ("gm", OWN),
    "everybody at a table": ("gm", [CAMPAIGN + page for page in SEEN_BY_ALL]),
    "a GM": ("gm", [CAMPAIGN + page for page in OF_GMS]),
    "a player": ("mo", [CAMPAIGN + page for page in ("characters/new/", "", "safety/", "characters/")]),
    "a spectator": ("watcher", [CAMPAIGN]),
}
"""Who opens which pages. If a GM sees all that others do on a page, only a GM opens it."""

TIME = r"\d\d:\d\d"
LINKED = [
    ("oracles/", "Edit"),
    ("clocks/", "History"),
    ("characters/", "Silas Grey", "Edit card"),
    ("characters/", "Silas Grey", "XP, advances and claims"),
    ("storylines/", "New storyline"),
    ("log/?topic=talk", TIME, "Edit message"),
    ("log/?topic=talk", TIME, "Move to another scene"),
]
"""Lists, and what one of their links begins with whose page is looked at, too, and a link there: addresses known only to them."""


@pytest.mark.parametrize("reader", PAGES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(sit: Sit, reader: str) -> None:
    person, paths = PAGES[reader]
    page = sit(person)
    faults = [fault for path, look in zip(paths, cycle(LOOKS), strict=False) for fault in _faults_at(page, path, look)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("reader", PAGES)
def test_nothing_scrolls_sideways_on_a_small_phone_in_german(sit: Sit, reader: str) -> None:
    """German words are a third longer."""
    person, paths = PAGES[reader]
    page = sit(person, locale="de-DE")
    page.set_viewport_size({"width": LOOKS[0][0], "height": 800})
    faults = []
    for path in paths:
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == "de"
        if (over := _too_wide(page)) > 0:
            faults.append(f"{path} is {over} px too wide")
    assert not faults, "\n".join(faults)


def test_the_pages_behind_the_lists_have_no_faults_either(sit: Sit) -> None:
    page = sit("gm")
    faults: dict[str, list[str]] = {}
    looks = cycle(LOOKS)
    for path, *steps in LINKED:
        page.goto(CAMPAIGN + path)
        for words in steps:
            # Some of them wait in a menu.
            links = page.locator("main").get_by_role("link", name=re.compile(f"^{words}"), include_hidden=True)
            address = links.first.get_attribute("href")
            assert address
            if address in faults:
                page.goto(address)
            else:
                faults[address] = list(_faults_at(page, address, next(looks)))
    assert not any(faults.values()), "\n".join(chain(*faults.values()))


def test_who_is_invited_reads_the_invitation_without_faults(sit: Sit) -> None:
    gm = sit("gm")
    gm.goto(f"{CAMPAIGN}invitations/")
    gm.locator("main").get_by_role("button", name="Create link").click()
    page = sit("")
    faults = list(_faults_at(page, gm.locator("#link").input_value(), LOOKS[0]))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("person", ["gm", "mo"])
def test_a_table_with_a_major_burn_and_four_burns_to_take_has_no_faults(
    site: Site, table: str, service: AtTable, person: str
) -> None:
    """In both themes, on a phone and on a desk: first its dialog, then the table behind it, in German too."""
    site.run("-m", "tests.browser.world", "--burns", table)
    faults = []
    for language in ("en-GB", "de-DE"):
        page = service(person, locale=language)
        dialog = page.locator("#major-burn")
        expect(dialog).to_be_visible()
        faults += [f"dialog: {fault}" for fault in _faults_in_all_looks(page)]
        dialog.get_by_role("button", name=re.compile("Minimise|Verkleinern")).click()
        expect(dialog).to_be_hidden()
        faults += [f"table: {fault}" for fault in _faults_in_all_looks(page)]
    assert not faults, "\n".join(faults)


def _faults_in_all_looks(page: Page) -> Iterator[str]:
    page.evaluate(AXE_SCRIPT)
    for width, theme in product((1280, 390, 320), THEMES):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        if (over := _too_wide(page)) > 0:
            yield f"{over} px too wide at {width} px"
        yield from (f"{width} px, {theme}: {fault}" for fault in found_by_axe(page))


def _faults_at(page: Page, path: str, look: Look) -> Iterator[str]:
    answer = page.goto(path)
    assert answer, path
    assert answer.ok, f"{path}: {answer.status}"
    width, theme = look
    page.emulate_media(color_scheme=theme)
    for measured, _ in LOOKS:
        page.set_viewport_size({"width": measured, "height": 800})
        if (over := _too_wide(page)) > 0:
            yield f"{path} at {measured} px is {over} px too wide"
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(AXE_SCRIPT)
    yield from (f"{path} at {width} px, {theme}: {fault}" for fault in found_by_axe(page))


def _too_wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def found_by_axe(page: Page) -> Iterator[str]:
    # Its list of passed checks is many times as long, and not needed.
    for fault in page.evaluate("options => axe.run(options).then(found => found.violations)", OPTIONS):
        where = "; ".join(node["html"][:160] for node in fault["nodes"][:3])
        yield f"{fault['id']}, {fault['help']}: {where}"
