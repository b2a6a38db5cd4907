"""One evening's operations at the table page, each with what the others see of it and what they do not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser import world
from tests.browser.conftest import AtTable
from tests.browser.hands import expect_scale, field, last_card, pick_traits, roll_from_sheet, say

TO_GRACE = (9, 10, 9, 4, 5)  # +1 for each 9 and 10
TO_TROUBLE = (7, 1, 1, 3, 2)  # a success that a 1 cancels, then -1 for each of the others

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
def test_a_whisper_arrives_only_where_it_should(service: AtTable) -> None:
    mo, iva, gm, watcher = service("mo"), service("iva"), service("gm"), service("watcher")
    for page in (mo, iva, gm):
        page.evaluate(KEEP_WHAT_IS_SAID)
    mo.get_by_label("Voice").select_option("whisper")
    mo.get_by_role("checkbox", name="Iva").check()
    say(mo, "Behind the third mirror.")
    mo.get_by_label("Voice").select_option("player")
    say(mo, "Let us go on.")
    for page in (mo, iva, gm, watcher):
        expect(page.locator("#feed .line").last).to_contain_text("Let us go on.")
        expect(page.locator("#announcer")).to_contain_text("Let us go on.")
    for page in (mo, iva, gm):
        expect(page.locator("#feed")).to_contain_text("Behind the third mirror.")
        assert page.evaluate("said").count("Behind the third mirror.") == 1  # it comes to a GM twice
    by_command(mo, iva, watcher)
    assert "third mirror" not in watcher.content() and "cellar" not in watcher.content()
    assert "psst" not in iva.content() + watcher.content()


def by_command(mo: Page, iva: Page, watcher: Page) -> None:
    """Type commands: a refused one stays in the box, a whisper reaches one person, and a roll is made as by the form."""
    box, errors = mo.get_by_label("Message"), mo.locator("#say-errors")
    for typed, why in (
        ("/wisper iva psst", "isn’t a command"),
        ("/w nobody psst", "No one here is called"),
        ("/r d7", "Type a number of dice"),
    ):
        say(mo, typed)
        expect(errors).to_contain_text(why)
        expect(box).to_have_value(typed)
    say(mo, "/w iva In the cellar.")
    expect(box).to_have_value("")
    expect(errors).to_be_empty()
    say(mo, "//w is how one whispers")
    for page in (mo, iva, watcher):
        expect(page.locator("#feed .line").last).to_contain_text("/w is how one whispers")
    expect(iva.locator("#feed")).to_contain_text("In the cellar.")
    mo.get_by_label("Voice").select_option(label=f"as {world.CHARACTERS['mo']}")
    dice.load(9, 8, 2, 2, 2)
    say(mo, "/r perception+alertness d8 # past the dogs")
    for page in (mo, iva, watcher):
        expect(last_card(page)).to_contain_text("Perception + Alertness · difficulty 8")
        expect(last_card(page)).to_contain_text("past the dogs")
        # Only its lines and a note: six rolls fit on a laptop's screen.
        height = last_card(page).locator("xpath=..").evaluate("line => line.getBoundingClientRect().height")
        assert height <= HIGHEST_CARD + HIGHEST_NOTE
    expect(box).to_have_value("")


def test_a_secret_roll_leaves_nothing_on_a_players_page_until_it_is_shown(service: AtTable) -> None:
    mo, iva, gm = service("mo"), service("iva"), service("gm")
    field(gm, "pool").fill("3")
    field(gm, "audience").select_option(label="only the GM")
    gm.locator("#roll .more summary").click()
    field(gm, "kind").select_option("soak")
    field(gm, "note").fill("Does he notice?")
    gm.locator("#roll [type=submit]").click()
    expect(last_card(gm)).to_contain_text("Does he notice?")
    say(gm, "Nothing stirs.")
    expect(mo.locator("#feed .line").last).to_contain_text("Nothing stirs.")
    expect(mo.locator("#feed .card")).to_have_count(0)
    assert "Does he notice?" not in mo.content()
    mo.reload()
    assert "Does he notice?" not in mo.content()
    show_everybody(gm)
    expect(last_card(mo)).to_contain_text("Does he notice?")

    # What one player has seen before appears only once on their page when it is shown to all.
    field(mo, "audience").select_option(label="me and the GM")
    roll_from_sheet(mo, (9, 8, 2, 2, 2))
    expect(gm.locator("#feed .card")).to_have_count(2)
    expect(iva.locator("#feed .card")).to_have_count(1)
    show_everybody(gm)
    for page in (mo, iva, gm):
        expect(page.locator("#feed .line").last).to_contain_text("showed everyone a roll by Mo")
        expect(page.locator("#feed .card")).to_have_count(2)
        page.reload()
        expect(page.locator("#feed .line").last).to_contain_text("showed everyone a roll by Mo")
        expect(page.locator("#feed .card")).to_have_count(2)


def show_everybody(gm: Page) -> None:
    gm.locator("#feed .roll-more summary").last.click()
    gm.get_by_role("button", name="Show to everyone").last.click()


def test_a_clock_ticked_from_the_panel_moves_on_every_screen(service: AtTable) -> None:
    mo, watcher, gm = service("mo"), service("watcher"), service("gm")
    expect(gm.locator("#clocks")).to_contain_text(world.SECRET_CLOCK)
    for filled in (1, 2):
        gm.get_by_role("button", name=f"Tick {world.CLOCK}", exact=True).click()
        expect(gm.get_by_role("img", name=f"{filled} of 4")).to_be_visible()
    for page in (mo, watcher, gm):
        expect(page.get_by_role("img", name="2 of 4")).to_be_visible()
    gm.get_by_role("button", name=f"Tick {world.SECRET_CLOCK}", exact=True).click()
    expect(gm.get_by_role("img", name="1 of 4")).to_be_visible()
    for page in (mo, watcher):
        expect(page.get_by_role("img", name="2 of 4")).to_be_visible()
        assert world.SECRET_CLOCK not in page.content()


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
def test_keys_alone_are_enough_to_speak_to_roll_and_to_ask_for_help(service: AtTable) -> None:
    mo = service("mo")
    mo.keyboard.press("?")
    expect(mo.get_by_role("dialog", name="Keys and commands")).to_be_visible()
    mo.keyboard.press("Escape")
    expect(mo.get_by_role("dialog", name="Keys and commands")).to_be_hidden()
    mo.keyboard.press("/")
    expect(mo.get_by_label("Message")).to_be_focused()
    mo.keyboard.type("Is r a key? No / not here.")
    mo.keyboard.press("Enter")
    expect(mo.locator("#feed .line").last).to_contain_text("Is r a key? No / not here.")
    for trait in ("perception", "alertness"):
        mo.locator(f"[data-trait={trait}]").focus()
        mo.keyboard.press("Space")
    dice.load(6, 6, 3, 4, 5)
    mo.keyboard.press("r")
    expect(last_card(mo)).to_contain_text("Perception + Alertness")


def test_who_is_removed_is_told_so_and_hears_no_more(service: AtTable, table: str) -> None:
    iva, gm, mo = service("iva"), service("gm"), service("mo")
    operation = gm.context.new_page()
    operation.goto(f"/c/{table}/members/")
    row = operation.get_by_role("listitem").filter(has_text="Iva")
    row.get_by_text("Remove", exact=False).first.click()
    row.get_by_role("button", name="Remove Iva").click()
    expect(iva.locator("#connection")).to_contain_text("so nothing new arrives here")
    say(gm, "Now that she is gone …")
    expect(mo.locator("#feed .line").last).to_contain_text("Now that she is gone …")
    assert "Now that she is gone" not in iva.content()
    answer = iva.reload()
    assert answer
    assert answer.status == 404
