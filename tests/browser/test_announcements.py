"""What a screen reader says at the table page by itself."""

from __future__ import annotations

from playwright.sync_api import expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import field

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
