"""What is done at the table page, with what the others see and hear of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import TO_GRACE, TO_TROUBLE, expect_scale, field, last_card, pick_traits, roll_from_sheet, say
from tests.flows.hostile import ELEMENTS, MARK

HIGHEST_CARD, HIGHEST_NOTE = 80, 24
"""The pixels that a plain roll takes up in the feed, and a note of one line with it."""

KEEP_WHAT_IS_SAID = """() => {
  window.said = "";
  const announcer = document.getElementById("announcer");
  new MutationObserver(() => { said += announcer.textContent; }).observe(announcer, { childList: true });
}"""


def test_a_burn_is_answered_by_its_player_and_what_it_does_is_chosen_by_who_may(service: AtTable) -> None:
    mo, iva, gm = service("mo"), service("iva"), service("gm")
    roll_from_sheet(mo, TO_GRACE)
    for other in (iva, gm):
        expect(other.locator(".offer")).to_contain_text("Grace Burn available.")
        expect(other.get_by_role("button", name="Take it")).to_be_hidden()
        expect(other.get_by_role("button", name="Bank it")).to_be_hidden()
    expect(mo.locator("#waiting")).to_be_hidden()  # it is said in the band of the Scale, and not again among what waits
    expect(mo).to_have_title(re.compile(r"^\(1\) "))

    mo.get_by_role("button", name="Take it").click()
    expect_scale(mo, 0)
    pick_traits(mo)
    expect(mo.locator("#odds")).to_contain_text("14 % chance of a Burn")  # from a Scale at 0
    expect(mo.locator("#roll-dice")).to_have_text("5 dice")
    mo.get_by_role("button", name="Choose what it does").click()
    expect(gm.get_by_role("button", name="Choose what it does")).to_be_hidden()
    mo.get_by_label("Someone’s opinion of you improves").check()
    expect(mo.get_by_label("Whose opinion changes").locator("option")).to_have_text([world.NPC])
    mo.get_by_label("+1 die on your next action roll").check()
    mo.get_by_role("button", name="Burn", exact=True).click()
    expect(mo.locator(".offer")).to_have_count(0)
    expect(mo.locator(".momentum")).to_contain_text("on the next action roll, from a Burn")
    expect_scale(gm, 0)
    expect(mo.locator("#roll-dice")).to_have_text("6 dice")
    roll_from_sheet(mo, (4, 4, 4, 6, 6, 6))
    expect(last_card(mo).locator(".die")).to_have_count(6)
    pick_traits(mo)
    expect(mo.locator("#roll-dice")).to_have_text("5 dice")

    what_a_trouble_burn_does_is_the_gms_choice(mo, gm)

    roll_from_sheet(mo, TO_GRACE[:4])
    mo.get_by_role("button", name="Bank it").click()
    for page in (mo, iva, gm):
        expect(page.locator(".offer")).to_have_count(0)
        expect(page.locator("#burns")).to_contain_text("Banked Grace")
    expect(iva.get_by_role("button", name="Spend")).to_be_hidden()
    expect(mo.get_by_role("button", name="Spend")).to_be_visible()


def what_a_trouble_burn_does_is_the_gms_choice(mo: Page, gm: Page) -> None:
    for effect, words in (("A Discipline misfires", "Every glass in the house rings."), ("−1 die", "")):
        roll_from_sheet(mo, TO_TROUBLE)
        mo.get_by_role("button", name="Take it").click()
        gm.get_by_role("button", name="Choose what it does").click()
        expect(mo.get_by_role("button", name="Choose what it does")).to_have_count(0)
        gm.get_by_label(effect).check()
        gm.get_by_label("In words").fill(words)
        gm.get_by_role("button", name="Burn", exact=True).click()
        for page in (mo, gm):
            expect(page.locator("#feed .line").last).to_contain_text(words)
            expect(page.locator(".offer")).to_have_count(0)
    pick_traits(mo)
    expect(mo.locator("#roll-dice")).to_have_text("4 dice")


@pytest.mark.thorough
def test_what_is_refused_stays_as_typed_with_a_reason(service: AtTable) -> None:
    mo = service("mo")
    mo.locator("#roll .more summary").click()
    field(mo, "note").fill("through the skylight")
    for name, wrong, words in (
        ("pool", "perception + juggling", "juggling"),
        ("pool", "101", "100"),
        ("faces", "7 1 12", "from 1 to 10"),
    ):
        field(mo, "pool").fill("perception + alertness")
        field(mo, name).fill(wrong)
        mo.locator("#roll [type=submit]").click()
        expect(mo.locator("#roll-errors li")).to_contain_text(words)
        expect(field(mo, name)).to_have_attribute("aria-invalid", "true")
        expect(field(mo, name)).to_have_value(wrong)
        expect(field(mo, "note")).to_have_value("through the skylight")
    expect(mo.locator("#feed .card")).to_have_count(0)


@pytest.mark.thorough
def test_a_whisper_is_read_out_once_although_it_comes_to_a_gm_twice(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    gm.evaluate(KEEP_WHAT_IS_SAID)
    for words in ("/w iva Behind the third mirror.", "Let us go on."):
        say(mo, words)
        expect(mo.get_by_label("Message")).to_have_value("")
    expect(gm.locator("#announcer")).to_contain_text("Let us go on.")
    assert gm.evaluate("said").count("Behind the third mirror.") == 1


@pytest.mark.thorough
def test_six_rolls_fit_on_a_laptops_screen(service: AtTable) -> None:
    mo = service("mo")
    dice.load(9, 8, 2, 2, 2)
    say(mo, "/r perception+alertness d8 # past the dogs")
    expect(last_card(mo)).to_contain_text("past the dogs")
    height = last_card(mo).locator("xpath=..").evaluate("line => line.getBoundingClientRect().height")
    assert height <= HIGHEST_CARD + HIGHEST_NOTE


def test_who_is_removed_is_told_so_and_hears_no_more(service: AtTable, table: str) -> None:
    mo, gm, iva = service("mo"), service("gm"), service("iva")  # the GM's server is not Mo's
    operation = gm.context.new_page()
    operation.goto(f"/c/{table}/members/")
    row = operation.get_by_role("listitem").filter(has_text=re.compile(r"\bMo\b"))
    row.get_by_text("Remove", exact=False).first.click()
    row.get_by_role("button", name="Remove Mo").click()
    expect(mo.locator("#connection")).to_contain_text("so nothing new arrives here")
    say(gm, "Now that he is gone …")
    expect(iva.locator("#feed .line").last).to_contain_text("Now that he is gone …")
    assert "Now that he is gone" not in mo.content()
    answer = mo.reload()
    assert answer and answer.status == 404


def test_a_gm_answers_an_offer_while_its_player_s_page_is_not_open(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    roll_from_sheet(mo, TO_GRACE)
    expect(gm.locator(".offer")).to_contain_text("Grace Burn available.")
    expect(gm.get_by_role("button", name="Take it")).to_be_hidden()
    mo.goto("/")
    expect(gm.get_by_role("button", name="Take it")).to_be_visible()
    gm.get_by_role("button", name="Bank it").click()
    expect(gm.locator("#burns")).to_contain_text("Banked Grace")


MADE = """mark => [
  window[mark.replace("-", "_")] ?? 0,
  document.querySelectorAll(`${mark}, [${mark}]`).length,
  document.querySelectorAll("#feed :is(script, iframe, svg[onload], img[src='x'], a[href^='javascript'])").length,
]"""
"""What has become of the words: whether a script ran, and the elements that should not be there."""


def test_whatever_somebody_says_is_text_on_the_screens_of_others(service: AtTable) -> None:
    iva, mo = service("iva"), service("mo")
    for words in (*ELEMENTS, "That is all."):
        say(mo, words)
        expect(mo.get_by_label("Message")).to_have_value("")
    for page in (iva, mo):
        expect(page.locator("#feed")).to_contain_text("That is all.")
        expect(page.locator("#feed")).to_contain_text("SECRET_KEY")
        made = page.evaluate(MADE, MARK)
        assert made == [0, 0, 0]
    iva.reload()
    expect(iva.locator("#feed")).to_contain_text("That is all.")
    assert iva.evaluate("mark => document.querySelectorAll(`${mark}, [${mark}]`).length", MARK) == 0
