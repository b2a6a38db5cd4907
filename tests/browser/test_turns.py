"""Events in turns of VI-VIII-X as two players and a GM play them, one of them by phone: the ambush of arc.txt, V.6.

The other example there is played by the rules alone (tests/rulesets/arc/rules/test_tracker.py).
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import bring, count_presses, open_form, presses
from tests.browser.servers import Site
from tests.browser.world import guard_of, thief

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def test_the_example_of_an_ambush_is_played_through_on_every_page(service: AtTable, site: Site, table: str) -> None:
    gm, mo, iva = at_the_table(service, site, table)
    dice.load(9, 2, 5)
    begin(gm, {"Dorina": "aware", "Tibor": "surprised"}, [("Figure", {"som": 7, "many": 3})])
    for page in (gm, mo, iva):
        expect(page.locator(".turns .who")).to_have_text(["Dorina", "Figure 2", "Figure 3", "Figure 1", "Tibor"])
        expect(page.locator("#feed")).to_contain_text("Figure 1 9, Figure 2 2, Figure 3 5")
    bring(mo.locator("#procedures > .procedure"))
    mo.get_by_role("button", name="Carry on Tibor").click()
    fill(mo, "the lock", skill="Tamper, skill score 5")
    expect(iva.locator("#procedures")).to_contain_text("surprised, carrying on with what they began")

    gm.get_by_role("button", name="Reaction check", exact=True).click()
    form = gm.locator("#desk")
    form.get_by_role("checkbox", name="Dorina").check()
    form.get_by_role("button", name="Cornered").click()
    expect(iva.get_by_role("button", name="Declare Dorina")).to_be_hidden()
    dice.unload()
    dice.load(7)
    iva.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (gm, mo):
        expect(page.locator(".turns > [aria-current] .who")).to_have_text("Figure 2")
        expect(page.locator("#procedures")).to_contain_text("lost this turn")
    for name in ("Figure 2", "Figure 3", "Figure 1"):
        gm.get_by_role("button", name=f"Skip {name}").click()
        expect(gm.get_by_role("button", name=f"Skip {name}")).to_have_count(0)
    dice.unload()
    dice.load(3, 8)
    expect(gm.get_by_role("button", name="Next turn", exact=True)).to_be_visible()
    gm.get_by_role("button", name="Next turn", exact=True).click()
    for page in (gm, mo, iva):
        expect(page.locator(".turns .who")).to_have_text(["Dorina", "Tibor", "Figure 2", "Figure 3", "Figure 1"])


def test_a_turn_of_three_takes_a_gm_seven_presses(service: AtTable, site: Site, table: str) -> None:
    gm, *_ = at_the_table(service, site, table)
    those = ("Dog", "Cat", "Owl")
    begin(gm, {}, [(name, {"som": som}) for som, name in enumerate(those, start=2)])
    count_presses(gm)
    for name in those:
        gm.get_by_role("button", name=f"Declare {name}").click()
        form = gm.locator("#desk")
        form.get_by_label("Action", exact=True).fill("waits at the gate")
        form.get_by_role("button", name="Declare and finish").click()
        expect(form.locator("form")).to_have_count(0)
    gm.get_by_role("button", name="Next turn", exact=True).click()
    expect(gm.locator("#procedures")).to_contain_text("seconds 6 to 12")
    assert presses(gm) == 7


def at_the_table(service: AtTable, site: Site, table: str) -> tuple[Page, Page, Page]:
    """Open the browsers of the GM, of Mo on a phone, and of Iva."""
    site.run("-m", "tests.browser.world", "--thief", table)
    mo = service("mo", character=thief(table), **PHONE)
    return service("gm"), mo, service("iva", character=guard_of(table))


def begin(gm: Page, how: dict[str, str], nameless: list[tuple[str, dict[str, int]]]) -> None:
    open_form(gm, "Event in turns")
    form = gm.locator("#desk")
    for name, code in how.items():
        select = form.locator("label", has_text=name).locator("select")
        value = select.locator(f"option[value^='{code}:']").get_attribute("value")
        select.select_option(value)
    for at, (name, figures) in enumerate(nameless):
        form.locator("summary").nth(at).click()
        form.locator(f"[name=n{at}-name]").fill(name)
        for field, figure in figures.items():
            form.locator(f"[name=n{at}-{field}]").fill(str(figure))
    form.get_by_role("button", name="Start").click()
    expect(gm.locator("#procedures")).to_contain_text("Turn 1")


def fill(page: Page, words: str, *, skill: str) -> None:
    form = page.locator("#desk")
    form.get_by_label("Action", exact=True).fill(words)
    form.get_by_role("checkbox", name=skill).check()
    form.get_by_role("button", name="Continue").click()
    expect(form.locator("form")).to_have_count(0)
