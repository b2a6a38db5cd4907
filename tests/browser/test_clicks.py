"""What the commonest acts cost at the table (docs/clicks.md): a GM's two presses at most, and no page load; what several people
settle in steps, the presses of all of them together."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import (
    PHONE,
    count_presses,
    field,
    filled_in,
    last_card,
    leave_side,
    next_scene,
    open_form,
    open_party,
    presses,
)
from tests.browser.servers import Site
from tests.browser.test_contest import contest, fill
from tests.browser.world import CLOCK, NPC

MOST = 2
THREE = ("roll_for_who_is_away",)  # the one of the party is opened first


def test_no_common_act_of_a_gm_takes_more_than_two_presses_or_a_page(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--claim", table)
    gm = service("gm", fresh=True)
    came: list[str] = []
    gm.on("framenavigated", lambda frame: came.append(frame.url))
    for act in ACTS:
        count_presses(gm)
        act(gm)
        taken = presses(gm)
        assert 0 < taken <= MOST + (act.__name__ in THREE), f"{act.__name__}: {taken} presses"
    assert gm.evaluate("performance.getEntriesByType('navigation').length") == 1
    assert not [url for url in came if "character=" not in url], "a page was loaded"


def ask_one_player(gm: Page) -> None:
    face = gm.locator(".party-face").and_(gm.get_by_role("button", name="Ask Silas Grey for a roll"))
    face.click()
    expect(gm.get_by_label("Who rolls").locator("option:checked")).to_have_text("Silas Grey (Mo)")
    gm.get_by_label("Traits or dice").fill("wits + stealth")
    gm.get_by_role("button", name="Request", exact=True).click()
    expect(gm.locator("#requests")).to_contain_text("Wits + Stealth")
    expect(gm.locator("#dialog")).to_be_hidden()
    expect(face).to_be_focused()


def mark_damage(gm: Page) -> None:
    silas = open_party(gm, "Silas Grey")
    silas.get_by_role("button", name="Hurt").click()
    expect(silas.locator(".party-state").first).to_contain_text("Hurt −1")


def take_a_point(gm: Page) -> None:
    """Spend a point of Willpower; its character is open already."""
    willpower = gm.get_by_role("slider", name="Willpower").first
    willpower.locator(".dot").nth(4).click()
    expect(willpower).to_have_attribute("aria-valuenow", "4")


def make_an_npc(gm: Page) -> None:
    gm.get_by_label("Quick NPC").fill("Door guard pool 4")
    gm.locator("#npc-line").get_by_role("button", name="Create").click()
    expect(gm.locator("#hand h2")).to_have_text("Door guard")
    expect(field(gm, "pool")).to_have_value("4")
    expect(gm.locator("#roll-dice")).to_have_text("4 dice")
    expect(gm.locator("#odds .odds-bar")).to_be_visible()


def speak_as_them(gm: Page) -> None:
    gm.get_by_label("Voice").select_option(label="as Door guard")
    gm.get_by_label("Message").fill("Halt.")
    gm.get_by_label("Message").press("Enter")
    expect(gm.locator("#feed .line").last).to_contain_text("Halt.")


def roll_for_another_npc(gm: Page) -> None:
    gm.locator("#npcs").get_by_role("link", name=NPC).click()
    expect(gm.locator("#hand h2")).to_have_text(NPC)
    field(gm, "pool").fill("3")
    dice.load(7, 7, 3)
    gm.locator("#roll [type=submit]").click()
    expect(last_card(gm)).to_contain_text(f"as {NPC}")


def roll_for_who_is_away(gm: Page) -> None:
    open_party(gm, "Corvina Hale").get_by_role("link", name="Roll for Corvina Hale").click()
    expect(gm.locator("#hand h2")).to_have_text("Corvina Hale")
    field(gm, "pool").fill("perception")
    dice.load(7, 7, 3)
    gm.locator("#roll [type=submit]").click()
    expect(last_card(gm)).to_contain_text("as Corvina Hale for Iva")


def start_a_clock(gm: Page) -> None:
    gm.get_by_label("Quick clock").fill("Dawn 6")
    gm.locator("#clock-line").get_by_role("button", name="Create").click()
    expect(gm.locator("#clocks .clock", has_text="Dawn")).to_contain_text("0 of 6")
    expect(gm.get_by_label("Quick clock")).to_have_value("")


def tick_a_clock(gm: Page) -> None:
    gm.get_by_role("button", name=f"Tick {CLOCK}", exact=True).click()
    expect(gm.locator("#clocks .clock", has_text=CLOCK)).to_contain_text("1 of 4")


def write_down_a_storyline(gm: Page) -> None:
    gm.get_by_role("link", name="New storyline").click()
    gm.get_by_label("Title", exact=True).fill("What the guard saw")
    gm.get_by_role("button", name="Save storyline").click()
    expect(gm.locator("#storylines")).to_contain_text("What the guard saw")


def open_the_next_scene(gm: Page) -> None:
    next_scene(gm)
    expect(gm.locator("#now")).to_contain_text("Scene 1")


def confirm_a_claim(gm: Page) -> None:
    gm.locator("#waiting").get_by_role("button", name="Confirm").click()
    expect(gm.locator("#feed")).to_contain_text("Abigail earned 1 XP (Advances): Pride: it showed")


ACTS: tuple[Callable[[Page], None], ...] = (
    ask_one_player,
    mark_damage,
    take_a_point,
    make_an_npc,
    speak_as_them,
    roll_for_another_npc,
    roll_for_who_is_away,
    start_a_clock,
    tick_a_clock,
    write_down_a_storyline,
    open_the_next_scene,
    confirm_a_claim,
)


def test_a_player_on_a_phone_rolls_two_traits_without_leaving_the_sheet(service: AtTable) -> None:
    mo = service("mo", **PHONE)
    count_presses(mo)
    dice.load(7, 7, 3, 2, 5)
    mo.locator("[data-opens=sheet]").tap()
    for name in ("perception", "alertness"):
        mo.locator(f"[data-trait={name}]").tap()
    mo.locator("#sheet").get_by_role("button", name="Roll 5 dice", exact=True).tap()
    expect(last_card(mo)).to_contain_text("Perception + Alertness")
    expect(mo.locator("#sheet")).to_be_hidden()
    assert presses(mo) == 4


# What several people settle


@pytest.fixture
def screens(service: AtTable, site: Site, table: str) -> Callable[[str], tuple[Page, Page, Page]]:
    """Return a function that opens the browsers of Mo, Iva and the GM with the characters of a game, and counts their presses."""

    def those(who: str) -> tuple[Page, Page, Page]:
        site.run("-m", "tests.browser.world", who, table)
        mo, iva, gm = service("mo"), service("iva"), service("gm")
        count_presses(mo, iva, gm)
        return mo, iva, gm

    return those


def test_a_contest_of_two_with_two_descriptors_each_and_its_aftermath(
    screens: Callable[[str], tuple[Page, Page, Page]],
) -> None:
    mo, iva, gm = screens("--duel")
    open_party(mo, "Bob").get_by_role("button", name="Contest").click()
    fill(mo, "Swordplay", "Old grudge")
    fill(iva, "Shield wall", "Pride")
    for page in (mo, iva):  # a player who is ready has seen both pools
        expect(page.locator(".staged-score")).to_contain_text("5 – 3")
    mo.get_by_role("button", name="Ready Abigail").click()
    dice.load(9, 8, 2, 6, 4, 3, 3, 3)
    iva.get_by_role("button", name="Ready Bob").click()
    mo.get_by_role("button", name="No Scene Descriptor Abigail").click()
    iva.get_by_role("button", name=re.compile("Cross off box .* Bob")).click()
    expect(contest(gm)).to_have_count(0)
    assert presses(mo, iva, gm) == 10


def test_an_opposed_roll_of_a_player_and_an_npc_and_a_conflict_of_three(service: AtTable) -> None:
    gm, mo = service("gm"), service("mo")
    expect(gm.locator("#hand h2")).to_have_text(NPC)
    count_presses(gm)
    open_party(gm, "Silas Grey").get_by_role("button", name="Opposed action").click()
    form = gm.locator("#desk form")
    expect(form.locator("[name=a_character] option:checked")).to_have_text(NPC)
    form.locator("[name=a_pool]").fill("4")
    form.locator("[name=b_pool]").fill("perception + alertness")
    form.get_by_role("button", name="Start").click()
    expect(mo.locator("#requests")).to_contain_text("Perception + Alertness")
    assert presses(gm) == 3

    count_presses(gm)
    open_form(gm, "Conflict")
    gm.locator("#desk").get_by_role("checkbox", name=NPC).check()
    gm.locator("#desk").get_by_role("button", name="Start").click()
    expect(gm.locator("#procedures .turns > li")).to_have_count(3)
    assert presses(gm) == 4


def test_a_downtime_of_two_with_two_activities_each(screens: Callable[[str], tuple[Page, Page, Page]]) -> None:
    """A vice takes one press, any other activity two, and the GM four in all."""
    mo, iva, gm = screens("--scoundrels")
    open_form(gm, "Downtime")
    filled_in(gm)
    dice.load(3, 3, 3, 3)
    take(mo, "Cross", "Indulge the vice")
    expect(mo.locator(".staged-rows > li", has_text="Cross")).to_contain_text("1 activity left")
    for page, who, left in (
        (mo, "Cross", "no activities"),
        (iva, "Thorn", "1 activity"),
        (iva, "Thorn", "no activities"),
    ):
        take(page, who, "Train")
        filled_in(page)
        expect(page.locator(".staged-rows > li", has_text=who)).to_contain_text(f"{left} left")
    gm.get_by_role("button", name="End downtime").click()
    expect(gm.locator("#procedures > *")).to_have_count(0)
    assert presses(mo, iva, gm) == 11


def take(page: Page, who: str, activity: str) -> None:
    leave_side(page)
    activities = page.get_by_role("group", name=f"Choose an activity {who}")
    activities.get_by_role("button", name=activity).click()


def test_a_turn_of_three_takes_a_gm_seven_presses(service: AtTable, site: Site, table: str) -> None:
    site.run("-m", "tests.browser.world", "--thief", table)
    gm, those = service("gm"), ("Dog", "Cat", "Owl")
    open_form(gm, "Event in turns")
    form = gm.locator("#desk")
    for at, name in enumerate(those):
        form.locator("summary").nth(at).click()
        form.locator(f"[name=n{at}-name]").fill(name)
        form.locator(f"[name=n{at}-som]").fill(str(at + 2))
    form.get_by_role("button", name="Start").click()
    expect(gm.locator("#procedures")).to_contain_text("Turn 1")
    count_presses(gm)
    for name in those:
        gm.get_by_role("button", name=f"Declare {name}").click()
        form.get_by_label("Action", exact=True).fill("waits at the gate")
        form.get_by_role("button", name="Declare and finish").click()
        expect(form.locator("form")).to_have_count(0)
    gm.get_by_role("button", name="Next turn", exact=True).click()
    expect(gm.locator("#procedures")).to_contain_text("seconds 6 to 12")
    assert presses(gm) == 7
