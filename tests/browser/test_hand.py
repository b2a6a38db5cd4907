"""What a player has at hand: rolls asked for and saved ones, commands that complete, drafts that stay, the way to what is new."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import answer_late, field, last_card, open_more, pick_traits, say


def text(page: Page):
    return page.get_by_label("Message")


def live(page: Page) -> None:
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


def drafts(page: Page) -> list[str]:
    return page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('afterburn-draft:'))")


def test_what_was_typed_is_there_after_a_reload_and_another_page_until_it_is_sent(service: AtTable) -> None:
    mo = service("mo")
    table = mo.url
    mo.get_by_label("Voice").select_option("whisper")
    mo.get_by_label("Iva", exact=True).check()
    text(mo).fill("Behind the mirror.\nTonight.")
    pick_traits(mo)
    open_more(mo)
    field(mo, "modifier").fill("2")
    mo.reload()
    expect(text(mo)).to_have_value("Behind the mirror.\nTonight.")
    expect(mo.get_by_label("Iva", exact=True)).to_be_checked()
    expect(field(mo, "pool")).to_have_value("perception + alertness")
    expect(mo.locator("#roll-dice")).to_have_text("7 dice")
    mo.goto(f"{table}characters/new/storyteller/")
    mo.locator("#guided [name=name]").fill("Aurel")
    expect(mo.locator("#guided")).not_to_have_class("htmx-request")
    mo.goto(table)
    live(mo)
    expect(mo.get_by_label("Voice")).to_have_value("whisper")
    text(mo).press("Enter")
    expect(mo.locator("#feed")).to_contain_text("Behind the mirror.")
    mo.locator("#roll [type=submit]").click()
    expect(last_card(mo)).to_contain_text("Perception + Alertness")
    mo.goto(f"{table}characters/new/storyteller/")
    expect(mo.locator("#guided [name=name]")).to_have_value("Aurel")
    assert len(drafts(mo)) == 1  # lines and rolls are no longer kept


def test_a_page_without_htmx_gives_back_what_was_typed_until_it_is_saved_and_to_nobody_else(service: AtTable) -> None:
    mo = service("mo")
    mo.goto("/profile/")
    name = mo.get_by_label("Name at the table")
    was = name.input_value()
    name.fill("Mo the Unsent")
    mo.goto("/accounts/password/change/")
    for secret in mo.locator("main [type=password]").all():
        secret.fill("hunter2 hunter2")
    mo.goto("/profile/")
    assert "hunter2" not in mo.evaluate("JSON.stringify(sessionStorage)")
    expect(name).to_have_value("Mo the Unsent")
    name.fill(f"{was} ")
    mo.get_by_role("button", name="Save").click()
    expect(name).to_have_value(was)
    assert drafts(mo) == []
    name.fill("Mo the Unsent")
    mo.evaluate("sessionStorage.setItem('afterburn-draft-owner', 'somebody else')")
    mo.reload()
    expect(name).to_have_value(was)
    assert drafts(mo) == []


def test_whispering_asks_to_whom_with_another_character_at_hand_too(service: AtTable) -> None:
    gm = service("gm")
    gm.get_by_label("Quick NPC").fill("Door guard pool 4")
    gm.locator("#npc-line").get_by_role("button", name="Create").click()
    expect(gm.locator("#hand h2")).to_have_text("Door guard")
    gm.get_by_label("Voice").select_option("whisper")
    expect(gm.locator("#say-to")).to_be_visible()
    gm.locator("#npcs").get_by_role("link", name="Madam Orsolya").click()
    expect(gm.locator("#hand h2")).to_have_text("Madam Orsolya")
    expect(gm.locator("#say-to")).to_be_hidden()


def test_all_that_goes_by_a_character_is_theirs_though_the_list_they_were_chosen_from_is_another(
    service: AtTable,
) -> None:
    gm, too = service("gm"), service("gm", fresh=True)

    def drawn_again() -> None:
        too.get_by_label("Quick NPC").fill("Door guard")
        too.locator("#npc-line").get_by_role("button", name="Create").click()
        expect(gm.locator("#npcs").get_by_role("link", name="Door guard")).to_be_visible()

    answer_late(gm, re.compile(r"/c/[^/]+/\?character="), drawn_again)
    gm.get_by_label("Voice").select_option("whisper")
    gm.locator("#npcs").get_by_role("link", name="Madam Orsolya").click()
    expect(gm.locator("#hand h2")).to_have_text("Madam Orsolya")
    expect(gm.get_by_label("Voice")).not_to_have_value("whisper")
    expect(gm.locator("#say-to")).to_be_hidden()
    expect(gm.locator("#hand-name")).to_have_text("Madam Orsolya")


def test_a_gm_no_longer_speaks_as_whom_a_player_has_taken_and_goes_on_whispering(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo")
    table = gm.url
    gm.goto(f"{table}characters/new/")
    form = gm.locator("form", has=gm.get_by_role("button", name="Create character"))
    form.get_by_role("textbox", name="Name").fill("Mara Venn")
    form.get_by_label("The whole sheet, and a player can take the character").check()
    form.get_by_role("button", name="Create character").click()
    expect(gm.get_by_role("heading", name="Mara Venn")).to_be_visible()
    gm.goto(table)
    live(gm)
    voice = gm.get_by_label("Voice")
    voice.select_option(label="as Mara Venn")
    voice.select_option("whisper")
    mo.goto(f"{table}characters/new/")
    mo.get_by_role("button", name="Play Mara Venn").click()
    expect(voice.get_by_role("option", name="as Mara Venn", include_hidden=True)).to_have_count(0)
    expect(voice).to_have_value("whisper")
    expect(voice.locator("option", has_text="as Madam Orsolya")).to_have_count(1)


def test_commands_and_names_complete_by_keys_and_what_is_none_is_not_said(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    options = mo.locator("#say-commands [role=option]")
    text(mo).press_sequentially("/")
    expect(options.first).to_be_visible()
    text(mo).press_sequentially("w")
    expect(options).to_have_text(["/w whisper to someone"])
    text(mo).press("Tab")
    expect(text(mo)).to_have_value("/w ")
    text(mo).press_sequentially("i")
    expect(text(mo)).to_have_attribute("aria-activedescendant", "say-command-0")
    text(mo).press("Enter")
    expect(text(mo)).to_have_value("/w Iva ")
    text(mo).press_sequentially("Behind the mirror.")
    expect(options).to_have_count(0)
    text(mo).press("Enter")
    expect(iva.locator("#feed")).to_contain_text("Behind the mirror.")
    text(mo).press_sequentially("/")
    text(mo).press("ArrowDown")
    second = options.nth(1).locator("b").inner_text()
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    text(mo).press("Escape")
    expect(options).to_have_count(0)
    expect(text(mo)).to_have_value("/")
    assert second.startswith("/")
    say(mo, "/nod gladly")
    expect(mo.locator("#say-errors")).to_contain_text("isn’t a command, so nothing was sent")
    expect(text(mo)).to_have_value("/nod gladly")


def test_a_roll_is_saved_by_a_name_put_back_by_a_press_and_made_by_another(service: AtTable) -> None:
    mo = service("mo")
    pick_traits(mo)
    field(mo, "difficulty").select_option("7")
    mo.get_by_text("Save this roll").click()
    mo.get_by_label("Name", exact=True).first.fill("Listen")
    mo.get_by_role("button", name="Save", exact=True).click()
    listen = mo.get_by_role("button", name="Listen", exact=True)
    expect(listen).to_be_visible()
    field(mo, "pool").fill("3")
    field(mo, "difficulty").select_option("6")
    listen.click()
    expect(field(mo, "pool")).to_have_value("perception + alertness")
    expect(field(mo, "difficulty")).to_have_value("7")
    expect(listen).to_have_attribute("aria-pressed", "true")
    dice.load(9, 9, 3, 3, 3)
    mo.keyboard.press("Enter")
    expect(last_card(mo)).to_contain_text("difficulty 7")
    expect(mo.locator("#kept li:not(.is-saved) button")).to_have_text(["Perception + Alertness"])
    mo.get_by_role("button", name="Remove Listen").click()
    expect(listen).to_have_count(0)


def test_new_lines_do_not_move_who_reads_above_and_are_counted(service: AtTable) -> None:
    mo, iva = service("mo"), service("iva")
    for number in range(3):
        say(iva, "\n\n".join(f"Line {number}.{part}" for part in range(12)))
        expect(mo.locator("#feed .line").last).to_contain_text(f"Line {number}.11")
    frame = mo.locator(".feed-frame")
    frame.evaluate("(frame) => { frame.scrollTop = -300; }")
    first = mo.locator("#feed .line").nth(1)
    at = first.bounding_box()["y"]
    for words in ("One.", "Two."):
        say(iva, words)
        expect(mo.locator("#feed .line").last).to_contain_text(words)
    new = mo.get_by_role("button", name="2 new")
    expect(new).to_be_visible()
    assert abs(first.bounding_box()["y"] - at) < 2
    new.click()
    expect(new).to_be_hidden()
    expect(mo.get_by_text("Two.", exact=True)).to_be_in_viewport()
