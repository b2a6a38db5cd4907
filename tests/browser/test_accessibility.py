"""Every page on a small phone in the light and on a desk in the dark: axe finds nothing, and nothing scrolls sideways."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from rolls.registry import all_rules
from tests.browser.seats import Sit

LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((320, "light"), (1280, "dark"))
"""Colours are the same at any width, so each theme is looked at once: the other two pairs took as long and found nothing more.
A usual run looks at some pages, each in one of the two, by chance.
"""

# Of what axe can fetch beforehand none of its usual rules reads style sheets, and to parse them anew takes long.
OPTIONS = {"resultTypes": ["violations"], "selectors": False, "preload": {"assets": ["media"]}}

CAMPAIGN = "/c/ashes-over-harrow/"

SYSTEMS = [one.name for one in all_rules()]
RULES = ["/rules/", *(f"/rules/{system}/" for system in SYSTEMS)]
STRANGERS = [
    "/",
    "/c/ashes-over-harrow/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
]
ODDS = ["", *(f"{system}/" for system in SYSTEMS), "storyteller/?dice=x"]
STRANGERS += ["/odds/" + page for page in ODDS]
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
    "": STRANGERS + RULES,
    "gm": OWN + RULES[:2] + [CAMPAIGN + page for page in SEEN_BY_ALL + OF_GMS],
    "mo": [CAMPAIGN + page for page in [*SEEN_BY_ALL, "characters/new/"]],
    "watcher": [CAMPAIGN + page for page in SEEN_BY_ALL],
}

TIME = r"\d\d:\d\d"
LINKED = [
    ("oracles/", "Rewrite"),
    ("clocks/", "History"),
    ("characters/", "Silas Grey", "Change the card"),
    ("characters/", "Silas Grey", "XP, advances and claims"),
    ("storylines/", "Write"),
    ("log/?topic=talk", TIME, "Put these words right"),
    ("log/?topic=talk", TIME, "Put it under another scene"),
]
"""Lists, and what one of their links begins with whose page is looked at, too, and a link there: addresses known only to them."""


@pytest.mark.parametrize("person", PAGES, ids=lambda person: person or "a stranger")
def test_axe_finds_nothing_and_nothing_scrolls_sideways(sit: Sit, person: str) -> None:
    page = sit(person)
    found = [fault for path in random.sample(PAGES[person], 6) for fault in _faults_at(page, path)]
    assert not found, "\n".join(found)


def test_the_pages_behind_the_lists_have_no_faults_either(sit: Sit) -> None:
    page = sit("gm")
    found: list[str] = []
    for path, *steps in random.sample(LINKED, 3):
        page.goto(CAMPAIGN + path)
        for words in steps:
            # Some of them wait in a menu.
            links = page.locator("main").get_by_role("link", name=re.compile(f"^{words}"), include_hidden=True)
            link = links.first.get_attribute("href")
            assert link
            found += _faults_at(page, link)
    assert not found, "\n".join(found)


def test_who_is_invited_reads_the_invitation_without_faults(sit: Sit) -> None:
    gm = sit("gm")
    gm.goto(f"{CAMPAIGN}invitations/")
    gm.locator("main").get_by_role("button", name="Create link").click()
    page = sit("")
    found = list(_faults_at(page, gm.locator("#link").input_value()))
    assert not found, "\n".join(found)


def _faults_at(page: Page, path: str) -> Iterator[str]:
    answer = page.goto(path)
    assert answer, path
    assert answer.ok, f"{path}: {answer.status}"
    page.evaluate(AXE_SCRIPT)
    for width in {width for width, _ in LOOKS}:
        page.set_viewport_size({"width": width, "height": 800})
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if over > 0:
            yield f"{path} at {width} px is {over} px too wide"
    for width, theme in (random.choice(LOOKS),):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        yield from (f"{path} at {width} px, {theme}: {fault}" for fault in _found_by_axe(page))


def _found_by_axe(page: Page) -> Iterator[str]:
    # What it has looked at and found right is many times as long, and nobody reads it.
    for fault in page.evaluate("options => axe.run(options).then(found => found.violations)", OPTIONS):
        where = "; ".join(node["html"][:160] for node in fault["nodes"][:3])
        yield f"{fault['id']}, {fault['help']}: {where}"
