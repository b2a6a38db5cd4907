"""Two people who press in the same instant, each on their own server process: what is done all are told of, and who was too late
reads why until they dismiss it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack

from playwright.sync_api import Locator, Page, Route, expect

from tests import dice
from tests.browser import test_arc_checks as checks
from tests.browser import test_contest as contests
from tests.browser import test_forged_action as actions
from tests.browser import test_forged_downtime as downtimes
from tests.browser import test_turns as turns
from tests.browser.conftest import AtTable
from tests.browser.hands import field, open_form
from tests.browser.servers import Site
from tests.browser.test_attack import declare as attack
from tests.browser.test_pressed_twice import begin as begin_conflict
from tests.browser.test_pressed_twice import now

PRESSES = re.compile(r"/(act|rolls)/$")
REFUSALS = "#refusals > *, #desk .errors:not(:empty)"
TOLD = "#feed, #procedures, #tokens"


def press_at_once(*buttons: Locator) -> list[int]:
    """The statuses of what each sends. It is held until all were pressed, and then let go together."""
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
    """How many of them were refused. All screens show what the others did (the words of each), and whoever was refused reads
    why after that, until they dismiss it."""
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
    """What sends the form of a step in which that was typed."""
    contests.button(page, button).click()
    form = page.locator("#desk")
    form.get_by_label(label).fill(words)
    return form.get_by_role("button", name="Go on")


def test_a_contest_and_a_recovery(service: AtTable, site: Site, table: str) -> None:
    screens = mo, iva, gm = contests.at_the_ford(service, site, table)
    contests.begin(mo)
    contests.fill_both_pools(mo, iva, gm)
    dice.load(9, 8, 2, 6, 4)
    ready = {
        contests.button(mo, "Ready Abigail"): "is ready for Abigail",
        contests.button(iva, "Ready Bob"): "is ready for Bob",
    }
    assert settle_at_once(screens, ready) == 0
    for page in screens:
        expect(contests.contest(page)).to_contain_text("wins")
    won = "Abigail" if contests.contest(gm).get_by_text("Abigail wins").count() else "Bob"
    lost = "Bob" if won == "Abigail" else "Abigail"
    winner, loser = (mo, iva) if won == "Abigail" else (iva, mo)
    makes = written(winner, f"Make a Scene Descriptor {won}", "What is true now, in this scene", "Out of breath")
    takes = written(loser, f"Take a level 2 Injury {lost}", "What the Injury is called", "Cut arm")
    assert settle_at_once(screens, {makes: "Out of breath", takes: "takes a level 2 Injury"}) == 0

    open_form(iva, "Recovery")
    for name in ("Abigail", "Bob"):
        iva.locator("#desk").get_by_role("checkbox", name=name).check()
    iva.locator("#desk").get_by_role("button", name="Begin").click()
    # As many dice that fall alike: neither takes one off it, and what is rolled against stays what both have seen.
    dice.load(*[5] * 20)
    contests.fill(mo, "Abigail", "Old grudge", kind="Recovery")
    contests.fill(iva, "Bob", "Shield wall", kind="Recovery")
    # Ready is who has seen both pools.
    expect(contests.contest(iva, "Recovery")).to_contain_text("Old grudge")
    expect(contests.contest(mo, "Recovery")).to_contain_text("Shield wall")
    ready = {
        contests.button(mo, "Ready Abigail"): "is ready for Abigail",
        contests.button(iva, "Ready Bob"): "is ready for Bob",
    }
    assert settle_at_once(screens, ready) == 0


def test_a_refreshment_scene(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.descriptors", table)
    screens = mo, iva, _ = service("mo"), service("iva"), service("gm")
    open_form(mo, "Refreshment Scene")
    mo.locator("#desk [name=caller]").select_option(label="Abigail")
    mo.locator("#desk [name=partner]").select_option(label="Bob")
    mo.locator("#desk").get_by_role("button", name="Begin").click()
    both = {
        contests.button(mo, "Never mind"): "does not ask any more for a Refreshment Scene",
        contests.button(iva, "Agree"): "agrees to a Refreshment Scene",
    }
    assert settle_at_once(screens, both) == 1


def test_a_staged_action(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    actions.announce(mo, "Cross", reason="across the yard unseen")
    actions.press(gm, "Risky, standard effect")
    help_and_push = {
        step(iva, "Thorn helps: 1 stress"): "help of Thorn +1",
        step(mo, "Push for +1 die: 2 stress"): "push +1",
    }
    assert settle_at_once(screens, help_and_push) == 0
    dice.load(4, 2, 1, 1, 1)
    actions.press(mo, actions.ROLL)
    actions.inflict(gm, "Moderate harm (level 2)")
    gm.locator("#desk [name=words]").fill("Shot in the leg")
    gm.locator("#desk").get_by_role("button", name="Add another").click()
    expect(gm.locator("#desk [name=words]")).to_have_value("")
    actions.filled_in(gm, code="moderate harm (level 2)", whom="Thorn", words="Cut on the wall")
    consequences = {
        step(mo, re.compile("Take it .*Shot in the leg")): "takes a consequence: Cross",
        step(iva, re.compile("Take it .*Cut on the wall")): "takes a consequence: Thorn",
    }
    assert settle_at_once(screens, consequences) == 0


def test_a_group_action(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--scoundrels", table)
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    actions.announce(iva, "Thorn", group=True, reason="over the wall together")
    set_and_join = {
        step(gm, "Risky, standard effect"): "sets risky, standard effect for Thorn",
        step(mo, "Cross joins"): "joins in: Cross",
    }
    assert settle_at_once(screens, set_and_join) == 0
    dice.load(6, 6, 6, 6)
    rolls = {step(mo, "Roll Cross"): "Full success", step(iva, "Roll Thorn"): "Full success"}
    assert settle_at_once(screens, rolls) == 0
    for page in screens:
        expect(page.locator("#procedures > *")).to_have_count(0)


def test_loads_and_a_downtime(service: AtTable, site: Site, table: str) -> None:
    for more in ("--scoundrels", "--crew"):
        site.run("-m", "tests.browser.world", more, table)
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    downtimes.begin(gm, "Loads")
    for page in (mo, iva):
        page.locator("#tokens summary").first.click()
    loads = {
        mo.locator("#tokens").get_by_role("button", name="Light, up to 3 Cross"): "chooses a light load for Cross",
        iva.locator("#tokens").get_by_role("button", name="Heavy, up to 6 Thorn"): "chooses a heavy load for Thorn",
    }
    assert settle_at_once(screens, loads) == 0
    downtimes.begin(gm, "Downtime", target="2")
    dice.load(5)
    actions.press(gm, "Write it down")
    actions.press(gm, "The dead stir")
    dice.load(4, 4, 4, 4, 4)
    chosen = {activity(mo, "Cross"): "Reduce heat", activity(iva, "Thorn"): "Reduce heat"}
    assert settle_at_once(screens, chosen) == 0
    for page in screens:
        expect(page.locator("#procedures").get_by_text("Reduce heat")).to_have_count(2)


def activity(page: Page, who: str) -> Locator:
    """What sends the activity that was chosen for them."""
    activities = page.get_by_role("group", name=f"Choose an activity {who}")
    activities.get_by_role("button", name="Reduce heat").click()
    return page.locator("#desk form [type=submit]")


def step(page: Page, words: str | re.Pattern[str]) -> Locator:
    return page.locator("#procedures").get_by_role("button", name=words, exact=isinstance(words, str))


def test_an_opposed_action_and_a_conflict(service: AtTable) -> None:
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    open_form(gm, "Opposed action")
    form = gm.locator("#desk form")
    for side, who in (("a", "Silas Grey"), ("b", "Corvina Hale")):
        form.locator(f"[name={side}_character]").select_option(label=who)
        form.locator(f"[name={side}_pool]").fill("wits")
    form.get_by_role("button", name="Begin").click()
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
    done = {page.get_by_role("button", name=f"Done {first}"): f"ends the turn of {first}" for page in (mo, gm)}
    assert settle_at_once(screens, done) == 1
    for page in screens:
        expect(now(page)).to_have_text("Corvina Hale")


def test_an_attack(service: AtTable) -> None:
    screens = mo, iva, _ = service("mo"), service("iva"), service("gm")
    attack(mo)
    answers = {
        step(iva, "Take it"): "Corvina Hale doesn’t defend",
        step(mo, "Call it off"): "calls off the attack of Silas Grey",
    }
    assert settle_at_once(screens, answers) == 1


def test_an_opposed_check(service: AtTable, site: Site, table: str) -> None:
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    site.run("-m", "tests.browser.world", "--thief", table)
    for page in (mo, iva):
        page.reload()
    checks.call_in_a_fight(gm, "Tibor", "tamper", against=("Dorina", "watch"))
    dice.load(5, 5)
    rolls = {page.get_by_role("button", name="Roll it"): "Opposed check: Tibor" for page in (mo, iva)}
    assert settle_at_once(screens, rolls) == 0
    for page in screens:
        expect(page.locator("#procedures > *")).to_have_count(0)


def test_an_event_in_turns(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    screens = mo, iva, gm = service("mo"), service("iva"), service("gm")
    turns.begin(gm, {"Dorina": "surprised", "Tibor": "aware"}, [("Dog", {"som": 9})])
    declared = {declares(page, "Declare Tibor", "strikes"): "declares for Tibor" for page in (mo, gm)}
    assert settle_at_once(screens, declared) == 1
    both = {
        mo.get_by_role("button", name="Done Tibor"): "ends the action of Tibor",
        declares(iva, "Go on with it Dorina", "the lock"): "lets Dorina go on, surprised",
    }
    assert settle_at_once(screens, both) == 0


def declares(page: Page, button: str, words: str) -> Locator:
    page.get_by_role("button", name=button).click()
    page.locator("#desk").get_by_label("What is done").fill(words)
    return page.locator("#desk").get_by_role("button", name="Go on")
