"""Who sees, hears or moves otherwise: what axe finds on every page, high contrast, and what a screen reader says by itself."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain, cycle, pairwise, product
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from rolls.registry import all_rules
from tests import dice
from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import field, last_card, pick_traits, roll_from_sheet, sign_up
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
    "/notices/",
    "/profile/delete/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/logout/",
    "/away/",
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
    "world/",
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
    "a player": ("mo", [CAMPAIGN + page for page in ("characters/new/", "", "safety/", "characters/", "notices/")]),
    "a spectator": ("watcher", [CAMPAIGN]),
}
"""Who opens which pages. If a GM sees all that others do on a page, only a GM opens it."""

TIME = r"\d\d:\d\d"
LINKED = [
    ("oracles/", "Edit"),
    ("clocks/", "History"),
    ("characters/", "Silas Grey", "Edit card"),
    ("characters/", "Silas Grey", "Edit card", "Choose a face"),
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


def test_who_is_invited_reads_the_invitation_and_an_empty_home_without_faults(sit: Sit) -> None:
    gm = sit("gm")
    gm.goto(f"{CAMPAIGN}invitations/")
    gm.locator("main").get_by_role("button", name="Create link").click()
    page = sit("", fresh=True)
    faults = [fault for look in LOOKS for fault in _faults_at(page, gm.locator("#link").input_value(), look)]
    page.goto("/")
    sign_up(page)
    faults += [fault for look in LOOKS for fault in _faults_at(page, "/", look)]
    expect(page.get_by_text("You’re not in a campaign yet.")).to_be_visible()
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


# Forced colours: what colours tell apart elsewhere is told by form


LEAST = 0.05
"""The smallest part of an element's pixels that must differ between two of its states."""


def ink(thing: Locator) -> float:
    """Return the share of pixels, 0 to 1, that clearly differ from the reader's background."""
    shades = Image.open(io.BytesIO(thing.screenshot())).convert("L").histogram()
    light = thing.page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    return sum(shades[:128] if light else shades[128:]) / sum(shades)


def expect_apart(*things: Locator) -> None:
    inks = sorted(map(ink, things))
    assert all(more - less > LEAST for less, more in pairwise(inks)), inks


@pytest.fixture(params=THEMES)
def mo(service: AtTable, request: pytest.FixtureRequest) -> Page:
    return service("mo", forced_colors="active", color_scheme=request.param)


def test_what_is_filled_chosen_or_counts_does_not_look_like_the_rest(mo: Page, service: AtTable, table: str) -> None:
    gm = service("gm")
    perception = mo.locator("[data-trait=perception]")
    expect_apart(perception.locator(".dot.on").first, perception.locator(".dot:not(.on)").first)
    clock = mo.locator(".clock-face").first
    empty_clock, empty_scale, not_pressed = ink(clock), ink(mo.locator(".scale-bar").first), ink(perception)
    pick_traits(mo)
    mo.locator("#main").focus()
    assert abs(ink(perception) - not_pressed) > LEAST
    for ticks in ("1 of 4", "2 of 4"):
        gm.get_by_role("button", name=f"Tick {world.CLOCK}", exact=True).click()
        expect(mo.get_by_role("img", name=ticks)).to_be_visible()
        assert ink(clock) > empty_clock + LEAST
        empty_clock = ink(clock)

    bar = mo.locator("#odds .odds-bar")
    expect(bar.locator(".odds-good")).to_be_visible()
    expect_apart(bar.locator(".odds-bad rect"), bar.locator(".odds-good rect"))
    roll_from_sheet(mo, (7, 1, 1, 3, 2))
    cancelled, cancels, *_, plain = faces(mo, 5)
    expect_apart(cancelled, cancels)
    expect_apart(cancels, plain)
    assert ink(mo.locator(".scale-bar").first) > empty_scale + LEAST
    roll_from_sheet(mo, (9, 1, 8, 8, 5))
    success, one, *_, blank = faces(mo, 5)
    expect_apart(success, one, blank)

    willpower = mo.get_by_role("slider", name="Willpower")
    willpower.press("ArrowLeft")
    expect(willpower.locator(".cell")).to_have_attribute("data-value", "4")  # drawn by the socket
    mo.locator("#main").focus()
    expect_apart(willpower.locator(".dot.on").first, willpower.locator(".dot:not(.on)").first)
    mo.goto(f"/c/{table}/characters/{world.character_of('mo', table)}/")
    dots = mo.locator(".entry[data-field=perception] .dot")
    expect_apart(dots.first, dots.last)


def faces(page: Page, number: int) -> list[Locator]:
    """Return the faces of the last roll, of so many dice."""
    dice_of_it = last_card(page).locator(".die")
    expect(dice_of_it).to_have_count(number)
    return [die.locator(".face") for die in dice_of_it.all()]


# What is read out


KEEP_WHAT_IS_SAID = """() => {
  window.said = [];
  for (const region of document.querySelectorAll("#announcer, #odds-said")) {
    new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true });
  }
}"""


def test_a_roll_is_told_with_its_note(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    iva.evaluate(KEEP_WHAT_IS_SAID)
    dice.load(9, 7, 2, 4, 5)
    field(mo, "pool").fill("5")
    mo.locator("#roll .more summary").click()
    field(mo, "note").fill("through the skylight")
    mo.locator("#roll [type=submit]").click()
    expect(iva.locator("#announcer")).to_contain_text("9, 7, 2, 4, 5")
    (told,) = iva.evaluate("said")
    assert told.startswith("Mo as Silas Grey, ")
    assert told.endswith(" Note: through the skylight.")
    assert told.count("skylight") == 1


def test_odds_are_told_once_when_the_hands_rest(service: AtTable) -> None:
    mo = service("mo")
    mo.evaluate(KEEP_WHAT_IS_SAID)
    said = mo.locator("#odds-said")
    expect(said).to_have_attribute("role", "status")  # polite
    pool = "perception + alertness"
    field(mo, "pool").press_sequentially(pool)
    odds = mo.locator("#odds .sentence")
    expect(said).to_contain_text("5 dice: ")
    expect(said).to_contain_text(odds.inner_text())
    at_six = odds.inner_text()
    field(mo, "difficulty").select_option("8")
    expect(odds).not_to_have_text(at_six)
    expect(said).to_contain_text(odds.inner_text())
    told = mo.evaluate("said")
    assert len(told) == len(set(told)) < len(pool)
