"""An attack of one player on another, in their browsers: Mo’s is a phone, and the GM looks on. Offers of who is absent, too."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import open_form
from tests.browser.test_contest import PHONE, sideways
from tests.browser.test_table import TO_GRACE, roll_from_sheet


def declare(page: Page) -> None:
    """Silas strikes at Corvina with what he sees, for 3 dice of lethal damage."""
    open_form(page, "Attack")
    form = page.locator("#desk form")
    form.get_by_label("Attack roll").fill("perception + alertness")
    form.get_by_label("Character").last.select_option(label="Corvina Hale")
    form.get_by_label("Damage dice").fill("2")
    form.get_by_label("Damage type").select_option("lethal")
    form.get_by_label("Add Strength and Potence").check()
    form.get_by_role("button", name="Start").click()


def test_an_attack_is_declared_dodged_and_soaked_and_its_levels_are_marked(service: AtTable) -> None:
    mo, iva, gm = service("mo", **PHONE), service("iva"), service("gm")
    declare(mo)
    for page in (mo, iva, gm):
        expect(page.locator("#procedures")).to_contain_text("Silas Grey attacks Corvina Hale")
        expect(page.locator("#procedures .pool-odds")).to_contain_text("misses")
    expect(mo.get_by_role("button", name="Take the hit")).to_be_hidden()
    assert not sideways(mo)

    dice.load(7, 7, 7, 5, 5, 7)
    iva.get_by_role("button", name="Defend…").click()
    iva.locator("#desk [name=how]").select_option("dodge")
    iva.locator("#desk").get_by_role("button", name="Continue").click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Silas Grey hit Corvina Hale by 2")
    expect(iva.get_by_role("button", name="Roll damage")).to_be_hidden()

    dice.load(7, 7, 7, 5)
    mo.get_by_role("button", name="Roll damage: 4 dice").click()
    dice.load(7)
    iva.get_by_role("button", name="Soak", exact=True).click()
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Corvina Hale took 2 health levels (lethal)")
        expect(page.locator("#procedures > *")).to_have_count(0)
    expect(gm.locator("#party > li", has_text="Corvina Hale")).to_contain_text("Hurt \N{MINUS SIGN}1")


def test_a_gm_answers_an_offer_while_its_player_s_page_is_not_open(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    roll_from_sheet(mo, TO_GRACE)
    expect(gm.locator(".offer")).to_contain_text("Grace Burn available.")
    expect(gm.get_by_role("button", name="Take it")).to_be_hidden()
    mo.goto("/")
    expect(gm.get_by_role("button", name="Take it")).to_be_visible()
    gm.get_by_role("button", name="Bank it").click()
    expect(gm.locator("#burns")).to_contain_text("Banked Grace")
