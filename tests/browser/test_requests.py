"""Rolls that the GM asks for or a player announces, on the pages of both, while they change or drop them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import ask_mo, field, fill_in_for_mo, last_card, open_more, pick_traits, roll_by
from tests.browser.servers import Site
from tests.browser.world import thief

NOTIFICATIONS = """() => {
  window.told = [];
  window.Notification = class {
    static permission = "default";
    static requestPermission = async () => { told.push("may I?"); return (Notification.permission = "granted"); };
    constructor(title, { body }) { told.push(`${title}: ${body}`); }
    addEventListener() {}
    close() { told.push("closed"); }
  };
  document.hasFocus = () => false;
}"""


def test_a_roll_that_is_asked_for_waits_at_the_table_and_in_the_title_of_every_tab(
    service: AtTable, table: str
) -> None:
    mo, iva, gm = service("mo"), service("iva"), service("gm")
    other = mo.context.new_page()
    other.goto(mo.url)
    expect(other.locator("#connection")).to_have_attribute("data-state", "live")
    mo.evaluate(NOTIFICATIONS)
    ask_mo(gm)
    asked = mo.get_by_role("button", name="Roll it")
    for page in (mo, iva):
        expect(page.locator("#requests")).to_contain_text("Wits + Stealth, difficulty 8")
    for page in (mo, other):
        expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(iva.get_by_role("button", name="Roll it")).to_be_hidden()
    expect(iva).not_to_have_title(re.compile(r"^\("))
    assert mo.evaluate("told") == []  # not chosen yet
    mo.get_by_text("Tell me").click()
    mo.get_by_role("button", name="A notification").click()
    expect(mo.get_by_role("button", name="A notification")).to_have_attribute("aria-pressed", "true")

    asked.click()
    expect(asked).to_be_hidden()
    expect(field(mo, "difficulty")).to_have_value("8")
    expect(mo.locator("#answers")).to_have_text(
        "Your GM asks for Wits + Stealth, difficulty 8 for Silas Grey Don’t answer this request"
    )
    dice.load(8, 8, 3)
    mo.keyboard.press("Enter")
    for page in (mo, iva, gm):
        expect(last_card(page)).to_contain_text("Wits + Stealth · difficulty 8")
        expect(page.locator("#requests > *")).to_have_count(0)
    for page in (mo, other):
        expect(page).not_to_have_title(re.compile(r"^\("))
    expect(mo.locator("#answers")).to_be_hidden()
    pick_traits(mo, "wits", "stealth")
    dice.load(5, 4, 3)
    mo.locator("#roll [type=submit]").click()
    for page in (mo, gm):
        expect(page.locator("#feed .line .card")).to_have_count(2)

    ask_mo(gm)
    expect(other.get_by_role("button", name="Roll it")).to_be_visible()
    gm.get_by_role("button", name="Cancel request").click()
    for page in (mo, other):
        expect(page.locator("#requests > *")).to_have_count(0)
    words = f"Waiting for you: {table}: To roll: Wits + Stealth, difficulty 8"
    assert mo.evaluate("told") == ["may I?", words, "closed"]


def test_a_phone_says_that_a_roll_is_asked_for_where_the_thumb_is(service: AtTable) -> None:
    mo, iva = (service(who, viewport={"width": 360, "height": 740}) for who in ("mo", "iva"))
    gm = service("gm")
    expect(mo.get_by_role("button", name="Clocks")).to_be_visible()
    gm.get_by_role("button", name="Request a roll").click()
    expect(gm.get_by_label("Who rolls")).to_be_focused()
    fill_in_for_mo(gm)
    expect(gm.get_by_role("button", name="Request a roll")).to_be_focused()
    asked = mo.get_by_role("button", name="Roll it")
    expect(asked).to_be_visible()
    assert below(mo, "#requests", ".feed-frame") and below(mo, ".composer", "#requests")
    asked.click()
    expect(mo.locator("#requests")).to_be_hidden()  # the roll form says so now
    expect(iva.get_by_role("button", name="Roll it")).to_be_hidden()
    dice.load(9, 9, 3)
    mo.locator("#roll [type=submit]").click()
    expect(mo.locator("#requests > *")).to_have_count(0)


def below(page: Page, one: str, other: str) -> bool:
    """Return whether `one` begins below the end of `other`, so that neither covers the other."""
    box, above = page.locator(one).bounding_box(), page.locator(other).bounding_box()
    return bool(box and above and box["y"] >= above["y"] + above["height"] - 1)


def test_a_form_that_answers_a_request_follows_what_the_gm_changes_and_outlives_it(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    ask_mo(gm)
    mo.get_by_role("button", name="Roll it").click()
    open_more(mo)
    field(mo, "modifier").fill("1")
    gm.get_by_role("button", name="Edit", exact=True).click()
    gm.locator(".request-form [name=difficulty]").select_option("7")
    gm.locator(".request-form [type=submit]").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM changed it: Wits + Stealth, difficulty 7")
    expect(field(mo, "difficulty")).to_have_value("7")
    expect(field(mo, "modifier")).to_have_value("1")
    # The key for rolling first shows what has changed since the form was filled in.
    mo.locator("#main").focus()
    mo.keyboard.press("r")
    expect(mo.locator("#roll [type=submit]")).to_be_focused()
    expect(mo.locator("#feed .card")).to_have_count(0)
    dice.load(9, 9, 3, 3)
    mo.keyboard.press("Enter")
    expect(last_card(gm)).to_contain_text("difficulty 7")

    ask_mo(gm)
    # The fields below More, which the modifier has opened, may cover the request.
    mo.get_by_role("button", name="Roll it").press("Enter")
    expect(field(mo, "difficulty")).to_have_value("8")
    gm.get_by_role("button", name="Cancel request").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM no longer asks for Wits + Stealth")
    mo.get_by_role("button", name="Don’t answer this request").click()
    expect(mo.locator("#answers")).to_be_hidden()
    dice.load(9, 9, 3)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(gm)).to_contain_text("Wits + Stealth · difficulty 8")


# Another of their characters than the one at hand, who goes by other rules


def test_rolls_for_another_character_of_theirs_need_no_other_page(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    mo, gm = service("mo"), service("gm")
    expect(mo.locator("#hand h2")).to_have_text("Silas Grey")
    the_form_of_other_rules_is_for_the_character_who_goes_by_them(mo)
    what_is_asked_of_one_is_rolled_for_that_one_with_one_press(mo, gm)
    assert mo.evaluate("performance.getEntriesByType('navigation').length") == 1
    assert "key=" not in mo.url


def the_form_of_other_rules_is_for_the_character_who_goes_by_them(mo: Page) -> None:
    roll_by(mo, "VI-VIII-X", "arc")
    expect(mo.locator("#roll")).to_contain_text("Rolling for Tibor")
    field(mo, "kind").select_option("reaction")
    dice.load(4)
    mo.locator("#roll [type=submit]").click()
    expect(last_card(mo)).to_contain_text("as Tibor")
    roll_by(mo, "Storyteller", "storyteller")
    expect(field(mo, "pool")).to_be_visible()
    expect(mo.locator("#roll")).not_to_contain_text("Rolling for")


def what_is_asked_of_one_is_rolled_for_that_one_with_one_press(mo: Page, gm: Page) -> None:
    gm.get_by_role("button", name="Ask Tibor for a roll").click()
    gm.get_by_label("Who rolls").wait_for()
    gm.locator(".request-form [name=kind]").select_option("reaction")
    gm.get_by_role("button", name="Request", exact=True).click()
    expect(mo.locator("#requests")).to_contain_text("for Tibor")
    dice.load(4)
    mo.locator("#requests").get_by_role("button", name="Roll it").click()
    for page in (mo, gm):
        expect(page.locator("#feed .line .card.roll")).to_have_count(2)
        expect(last_card(page)).to_contain_text("as Tibor")
        expect(page.locator("#requests > *")).to_have_count(0)


# What a player announces, the GM sets and the player rolls


def announce(page: Page) -> None:
    pick_traits(page, "control", "Tamper")
    page.get_by_role("button", name="Announce").click()


def test_a_player_announces_the_gm_sets_it_and_the_player_rolls(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    mo, gm = service("mo", character=thief(table)), service("gm")
    mo.get_by_label("Visible to").select_option("self")
    announce(mo)
    expect(gm.locator("#requests")).to_contain_text("Control + Tamper")
    expect(gm.locator("#requests")).to_contain_text("announced by Mo")
    expect(mo.get_by_role("button", name="Roll it")).to_have_count(0)
    gm.get_by_role("button", name="Set terms").click()
    gm.locator(".request-form [name=level]").select_option("difficult")
    gm.locator(".request-form [name=other]").fill("-2")
    gm.locator(".request-form [type=submit]").click()
    mo.get_by_role("button", name="Open in the roll box").click()
    expect(mo.locator("#answers")).to_contain_text("Your GM asks for Control + Tamper, difficult threshold, other −2")
    expect(mo.get_by_role("button", name="Announce")).to_be_hidden()
    dice.load(5)
    mo.keyboard.press("Enter")
    for page in (mo, gm):
        expect(last_card(page)).to_contain_text("Success")
        expect(page.locator("#requests > *")).to_have_count(0)
    expect(mo.get_by_role("button", name="Announce")).to_be_visible()
    expect(field(mo, "threshold")).to_be_disabled()
    a_player_counters_by_the_card(mo, gm)


def a_player_counters_by_the_card(mo: Page, gm: Page) -> None:
    roll_by(gm, "VI-VIII-X", "arc")
    field(gm, "kind").select_option("opposed")
    for name, value in (("stat", "6"), ("us", "5"), ("skill", "6")):
        field(gm, name).fill(value)
    dice.load(4)
    gm.locator("#roll [type=submit]").click()
    mo.get_by_role("button", name="Counter").click()
    expect(mo.locator("#roll")).to_contain_text("Counters Madam Orsolya")
    announce(mo)
    expect(gm.locator("#requests")).to_contain_text("Control + Tamper, counters Madam Orsolya, A check")


def test_a_storyteller_roll_is_announced_by_leaving_the_difficulty_to_the_gm(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    pick_traits(mo)
    roll = mo.locator("#roll [type=submit]")
    expect(roll).to_contain_text("Roll 5 dice")
    field(mo, "difficulty").select_option(label="the GM sets it")
    expect(roll).to_have_text(re.compile("^\\s*Announce\\s*$"), use_inner_text=True)
    expect(mo.locator("#odds .odds-bar")).to_be_hidden()
    expect(field(mo, "willpower")).to_be_hidden()
    mo.locator("#roll .more summary").click()
    field(mo, "automatic").check()
    field(mo, "difficulty").select_option(label="6 standard")
    expect(roll).to_have_text(re.compile("^\\s*Announce\\s*$"), use_inner_text=True)
    roll.click()
    expect(gm.locator("#requests")).to_contain_text("Perception + Alertness, asks for an automatic success")
    gm.get_by_role("button", name="Set terms").click()
    expect(gm.get_by_label("Allow automatic success")).to_be_checked()
    gm.locator(".request-form [name=difficulty]").select_option(label="5 straightforward")
    gm.locator(".request-form [type=submit]").click()
    mo.get_by_role("button", name="Roll it").click()
    expect(roll).to_contain_text("Roll")
    field(mo, "automatic").check()
    roll.click()
    expect(last_card(gm)).to_contain_text("difficulty 5")
    expect(last_card(gm)).to_contain_text("Marginal")
    expect(field(mo, "automatic")).not_to_be_checked()
