"""Two people who press in the same instant, each on their own server process: what is done all are told of, and who was too late
reads why until they dismiss it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack

from playwright.sync_api import Locator, Page, Route, expect

from tests import dice
from tests.browser import test_contest as contests
from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form
from tests.browser.servers import Site
from tests.browser.test_pressed_twice import begin as begin_conflict
from tests.browser.test_pressed_twice import now

PRESSES = re.compile(r"/(act|rolls)/$")
REFUSALS = "#refusals > *, #desk .errors:not(:empty)"
TOLD = "#feed, #procedures, #tokens"


def press_at_once(*buttons: Locator) -> list[int]:
    """Press all buttons, hold their requests, and let them go together. Return the statuses of the answers."""
    held: list[Route] = []
    with ExitStack() as stack:
        for button in buttons:
            button.page.route(PRESSES, lambda route: held.append(route))
            stack.enter_context(button.page.expect_request_finished(lambda asked: bool(PRESSES.search(asked.url))))
            with button.page.expect_request(PRESSES):
                button.click()
        for route in held:
            route.continue_()
    for button in buttons:
        button.page.unroute(PRESSES)
    return [answer.status if (answer := route.request.response()) else 0 for route in held]


def settle_at_once(screens: tuple[Page, ...], presses: Mapping[Locator, str]) -> int:
    """Press at once. Return how many were refused.

    All screens show what the others did (the words of each), and whoever was refused sees why until they dismiss it.
    """
    statuses = press_at_once(*presses)
    late: list[Page] = []
    for (button, words), status in zip(presses.items(), statuses, strict=True):
        if status >= 400:
            late.append(button.page)
            continue
        for page in screens:
            expect(page.locator(TOLD).filter(has_text=words).first).to_be_visible()
    for page in late:
        read_and_dismiss(page)
    for page in {button.page for button in presses} - {*late}:
        expect(page.locator(REFUSALS)).to_have_count(0)
    return len(late)


def read_and_dismiss(page: Page) -> None:
    said = page.locator(REFUSALS)
    expect(said).to_have_count(1)
    expect(said).to_contain_text(re.compile(r"\w{3}"))
    dismiss = said.get_by_role("button", name="Dismiss").or_(page.locator("#desk").get_by_role("button", name="Cancel"))
    dismiss.click()
    expect(said).to_have_count(0)


def written(page: Page, button: str, label: str, words: str) -> Locator:
    """Fill in the form of a step, and return the button that sends it."""
    contests.button(page, button).click()
    form = page.locator("#desk")
    form.get_by_label(label).fill(words)
    return form.get_by_role("button", name="Continue")


def test_a_contest_and_a_recovery(service: AtTable, site: Site, table: str) -> None:
    screens = mo, iva, gm = contests.at_the_ford(service, site, table)
    contests.begin(mo)
    contests.fill_both_pools(mo, iva, gm)
    dice.load(9, 8, 2, 6, 4)
    ready = {
        contests.button(mo, "Ready Abigail"): "Abigail is ready",
        contests.button(iva, "Ready Bob"): "Bob is ready",
    }
    assert settle_at_once(screens, ready) == 0
    for page in screens:
        expect(contests.contest(page)).to_contain_text("wins")
    won = "Abigail" if contests.contest(gm).get_by_text("Abigail wins").count() else "Bob"
    lost = "Bob" if won == "Abigail" else "Abigail"
    winner, loser = (mo, iva) if won == "Abigail" else (iva, mo)
    makes = written(winner, f"Make a Scene Descriptor {won}", "What’s true now, in this scene", "Out of breath")
    takes = written(loser, f"Take a level 2 Injury {lost}", "Injury", "Cut arm")
    assert settle_at_once(screens, {makes: "Out of breath", takes: "took a level 2 Injury"}) == 0

    open_form(iva, "Recovery")
    for name in ("Abigail", "Bob"):
        iva.locator("#desk").get_by_role("checkbox", name=name).check()
    iva.locator("#desk").get_by_role("button", name="Start").click()
    # Enough dice that fall alike: neither takes one off, and both still roll against what they have seen.
    dice.load(*[5] * 20)
    contests.fill(mo, "Abigail", "Old grudge", kind="Recovery")
    contests.fill(iva, "Bob", "Shield wall", kind="Recovery")
    # Ready is who has seen both pools.
    expect(contests.contest(iva, "Recovery")).to_contain_text("Old grudge")
    expect(contests.contest(mo, "Recovery")).to_contain_text("Shield wall")
    ready = {
        contests.button(mo, "Ready Abigail"): "Abigail is ready",
        contests.button(iva, "Ready Bob"): "Bob is ready",
    }
    assert settle_at_once(screens, ready) == 0


def test_an_opposed_action_and_a_conflict(service: AtTable) -> None:
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    open_form(gm, "Opposed action")
    form = gm.locator("#desk form")
    for side, who in (("a", "Silas Grey"), ("b", "Corvina Hale")):
        form.locator(f"[name={side}_character]").select_option(label=who)
        form.locator(f"[name={side}_pool]").fill("wits")
    form.get_by_role("button", name="Start").click()
    for page in (mo, iva):
        page.get_by_role("button", name="Roll it").click()
        expect(field(page, "pool")).to_have_value("Wits")
    dice.load(7, 7, 3, 3)
    rolls = {page.locator("#roll [type=submit]"): "Opposed action: " for page in (mo, iva)}
    assert settle_at_once(screens, rolls) == 0
    for page in screens:
        expect(page.locator("#procedures > *")).to_have_count(0)

    dice.load(5, 9, 1)
    begin_conflict(gm)
    first = now(gm).inner_text()
    assert first == "Silas Grey"
    done = {page.get_by_role("button", name=f"Done {first}"): f"{first} acted." for page in (mo, gm)}
    assert settle_at_once(screens, done) == 1
    for page in screens:
        expect(now(page)).to_have_text("Corvina Hale")
