"""A Major Burn stops the room: on every screen, on both processes, for those who were away, and until it is narrated."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import answer_late, expect_scale, pick_traits, roll_from_sheet
from tests.browser.servers import Site

FIRST = (7, 1, 1, 3, 2)  # one success that a 1 cancels, then 1, 3 and 2: the Scale falls to -3
SECOND = (1, 1, 1, 1, 1)  # and by another five to -8
NARRATED = "The balcony gives way."
ORACLES = (1, 4)  # the first storyline, and the fourth of the Trouble oracle


def test_a_major_burn_stays_on_every_screen_until_the_gm_narrates_it(service: AtTable) -> None:
    screens = mo, iva, gm, away = service("mo"), service("iva"), service("gm"), service("watcher")
    roll_from_sheet(mo, FIRST)
    expect_scale(away, -3)
    away.context.set_offline(True)
    expect(away.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    roll_from_sheet(mo, (*SECOND, *ORACLES))
    for screen in (mo, iva, gm):
        expect_major(screen)
    expect(dialog(away)).to_be_hidden()
    away.context.set_offline(False)
    expect_major(away)
    for screen in screens:
        screen.reload()
        expect_major(screen)
        expect_scale(screen, 0)

    for screen, seen in ((mo, 1), (iva, 2)):
        dialog(screen).get_by_role("button", name="I’ve seen it").click()
        expect(dialog(screen).get_by_role("button", name="I’ve seen it")).to_be_hidden()
        dialog(screen).get_by_role("button", name="Minimise").click()
        expect(dialog(screen)).to_be_hidden()
        expect(screen.locator("#major-bar")).to_be_visible()
        expect(dialog(gm).locator(".major-faces > .is-lit")).to_have_count(seen)
    refused_meanwhile(iva)

    dialog(gm).get_by_role("button", name="Narrate", exact=True).click()
    gm.get_by_label("What happens").fill("The balcony gives way.\n\nNobody *sees* who reached for him.")
    expect(away.locator("#major-draft")).to_contain_text("The balcony gives way.")
    gm.get_by_role("button", name="Tell the table").click()
    for screen in screens:
        expect(dialog(screen)).to_contain_text("The balcony gives way.")
        dialog(screen).get_by_role("button", name="Continue", exact=True).click()
        expect(screen.locator("#feed .narrated").last).to_contain_text("The balcony gives way.")
        expect(screen.locator("#feed .narrated em").last).to_have_text("sees")
        expect(dialog(screen)).to_be_hidden()
        expect(screen.locator("#major-bar")).to_be_hidden()
    roll_from_sheet(iva, (9, 10, 7, 4, 5))
    expect_scale(away, 2)


@pytest.mark.thorough
def test_the_gm_reads_what_was_narrated_although_the_news_came_before_the_answer(service: AtTable) -> None:
    gm = service("gm")
    fall(service("mo"))
    go_on = dialog(gm).get_by_role("button", name="Continue", exact=True)
    answer_late(gm, "**/narrate/", expect(go_on).to_be_visible)
    narrate(gm)
    gm.get_by_role("button", name="Tell the table").click()
    expect(gm.get_by_label("What happens")).to_have_count(0)
    go_on.click()
    expect(dialog(gm)).to_be_hidden()


@pytest.mark.thorough
def test_put_off_it_closes_on_every_screen_and_the_bar_stays(service: AtTable, table: str) -> None:
    mo, iva, gm = screens = service("mo"), service("iva"), service("gm")
    fall(mo)
    for screen in screens:
        expect_major(screen)
    dialog(gm).get_by_role("button", name="Continue; narrate later").click()
    for screen in screens:
        expect_put_off(screen)
    iva.reload()
    mo.goto(f"/c/{table}/clocks/")
    for screen in (iva, mo, service("watcher")):
        expect_put_off(screen)
    mo.goto(f"/c/{table}/")
    roll_from_sheet(mo, (9, 10, 7, 4, 5))
    expect_scale(gm, 2)


@pytest.mark.thorough
def test_put_off_it_stays_where_it_is_read_later_and_where_a_gm_writes(service: AtTable) -> None:
    mo, gm, beside = service("mo"), service("gm"), service("gm")
    fall(mo)
    narrate(beside)
    dialog(gm).get_by_role("button", name="Continue; narrate later").click()
    expect_put_off(mo)
    expect(beside.get_by_label("What happens")).to_have_value(NARRATED)
    mo.locator("#major-show").click()
    expect(dialog(mo)).to_contain_text("To be narrated later")
    service("iva")
    expect(mo.locator("#presence [data-person]")).to_have_count(3)
    expect(dialog(mo)).to_be_visible()


@pytest.mark.thorough
def test_what_the_gm_does_not_go_on_with_is_no_longer_shown_and_the_burn_still_is(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    fall(mo)
    narrate(gm)
    draft = mo.locator("#major-draft")
    expect(draft).to_contain_text(NARRATED)
    dialog(gm).get_by_role("button", name="Cancel").click()
    expect(draft).to_be_hidden()
    expect_major(gm)
    expect_major(mo)
    expect(gm.get_by_label("What happens")).to_have_count(0)


@pytest.mark.thorough
def test_who_was_away_while_it_was_narrated_finds_nothing_of_what_was_being_written(service: AtTable) -> None:
    mo, gm, beside = service("mo"), service("gm"), service("watcher")
    fall(mo)
    narrate(gm)
    expect(mo.locator("#major-draft")).to_contain_text(NARRATED)
    mo.context.set_offline(True)
    expect(mo.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    gm.get_by_role("button", name="Tell the table").click()
    expect(
        dialog(beside).get_by_role("button", name="Continue", exact=True)
    ).to_be_visible()  # at the same server as Mo
    mo.context.set_offline(False)
    expect(mo.locator("#feed .narrated").last).to_contain_text(NARRATED)
    expect(dialog(mo)).to_be_hidden()
    expect(mo.locator(".major-written")).to_be_empty()


@pytest.mark.thorough
def test_faces_light_up_for_those_who_have_seen_it_and_not_when_someone_comes(service: AtTable) -> None:
    mo, gm = service("mo"), service("gm")
    fall(mo)
    service("watcher")
    expect(mo.locator("#presence [data-person]")).to_have_count(3)
    faces, words = dialog(gm).locator(".major-faces > *"), dialog(mo).locator(".major-seen")
    expect(faces).to_have_count(1)  # neither the GM nor who watches is waited for
    expect(words).to_have_text("Waiting for you.")
    iva = service("iva")
    expect(faces).to_have_count(2)
    expect(words).to_have_text("Waiting for you and Iva.")
    expect(dialog(gm).locator(".major-faces > .is-lit")).to_have_count(0)
    dialog(iva).get_by_role("button", name="I’ve seen it").click()
    expect(dialog(gm).locator(".major-faces > .is-lit")).to_have_count(1)
    expect(faces).to_have_count(2)
    expect(words).to_have_text("Iva has seen it. Waiting for you.")
    dialog(mo).get_by_role("button", name="I’ve seen it").click()
    expect(words).to_have_text("Iva has seen it. Waiting for the GM’s narration.")
    expect(dialog(gm).locator(".major-seen")).to_have_text("Iva and Mo have seen it. Waiting for the GM’s narration.")


def fall(page: Page) -> None:
    """Roll twice from the sheet, so that the second roll is a Major Burn."""
    roll_from_sheet(page, FIRST)
    roll_from_sheet(page, (*SECOND, *ORACLES))


def narrate(gm: Page, words: str = NARRATED) -> None:
    """Write what happens, and do not send it yet."""
    dialog(gm).get_by_role("button", name="Narrate", exact=True).click()
    gm.get_by_label("What happens").fill(words)


def refused_meanwhile(page: Page) -> None:
    """Try an action roll before the narration: it is refused with words, and the form keeps what was filled in."""
    pick_traits(page)
    page.locator("#roll [type=submit]").click()
    expect(page.locator("#roll-errors")).to_contain_text("Major")
    expect(page.locator("#roll [name=pool]")).to_have_value(re.compile("perception", re.IGNORECASE))
    for name in ("perception", "alertness"):
        page.locator(f"[data-trait={name}]").click()


def dialog(page: Page) -> Locator:
    return page.locator("#major-burn")


def expect_major(page: Page) -> None:
    expect(dialog(page)).to_be_visible()
    expect(dialog(page).get_by_role("heading")).to_have_text("Major Trouble")
    expect(dialog(page).locator(".oracle-die")).to_have_text([re.compile(r"1\s*$"), re.compile(r"4\s*$")])


def expect_put_off(page: Page) -> None:
    """Expect that nothing stops this page, and that it says what is to come."""
    expect(page.locator("#major-burns [data-deferred]")).to_have_count(1)
    expect(page.locator("#major-bar")).to_be_visible()
    expect(dialog(page)).to_be_hidden()


def test_a_major_burn_is_told_in_acts_and_a_press_goes_on_at_once(service: AtTable) -> None:
    mo, iva = service("mo", reduced_motion="no-preference"), service("iva")
    expect(mo.locator("#presence [data-person]")).to_have_count(2)
    roll_from_sheet(mo, FIRST)
    expect_scale(mo, -3)
    roll_from_sheet(mo, (*SECOND, *ORACLES))
    expect(dialog(mo)).to_be_visible()
    expect(dialog(mo).locator(".is-told-in-acts")).to_be_visible()
    seen = dialog(mo).get_by_role("button", name="I’ve seen it")
    expect(seen).to_be_hidden()
    while dialog(mo).locator(".is-told-in-acts").count():
        mo.keyboard.press("Enter")
    expect(seen).to_be_visible()
    expect(dialog(mo).locator(".is-lit")).to_have_count(0)  # the presses went on, and did nothing else
    expect(mo.locator("#major-said")).to_have_text("Waiting for you and Iva.")
    # Without motion all of it is there at once.
    expect(dialog(iva).get_by_role("button", name="I’ve seen it")).to_be_visible()
    expect(dialog(iva).locator(".is-told-in-acts")).to_have_count(0)


SIZES = ((1280, 800), (1024, 768), (390, 844))
NARRATED_LINES = 9  # of narration there is room for
LONG = "The lamps gutter, all of them at once, and in the dark a chair is drawn back that no one was sitting in. " * 12
MEASURED = """() => {
  const [dialog, box] = [document.getElementById("major-burn"), (one) => one.getBoundingClientRect().toJSON()];
  const shown = (where) => [...dialog.querySelectorAll(where)].filter((one) => one.checkVisibility());
  const told = shown(".major-written, .narration.prose")[0];
  return {
    cards: shown(".oracle-card").map(box), narration: box(told),
    buttons: shown(".major-foot button").map(box), foot: box(shown(".major-foot")[0]),
    says: shown(".oracle-says").filter((one) => getComputedStyle(one).clipPath === "none").length,
    size: getComputedStyle(told).fontSize, line: parseFloat(getComputedStyle(told).lineHeight), middle: innerHeight / 2,
    scrolls: dialog.scrollHeight > dialog.clientHeight || dialog.scrollWidth > dialog.clientWidth,
    outside: [...shown(".oracle-card, .major-foot button, .major-foot p, .major-head > *"), told].map(box).filter(
      ({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight),
  };
}"""


@pytest.mark.parametrize("oracles", [(2, 4), (2, 9, 4), (10, 2, 9, 4)])
def test_all_of_it_is_on_the_screen_at_once_in_both_languages(
    service: AtTable, site: Site, table: str, oracles: tuple[int, ...]
) -> None:
    site.run("-m", "tests.browser.world", "--long", table)
    gm, mo, iva = service("gm"), service("mo"), service("iva", locale="de-DE")
    roll_from_sheet(mo, FIRST)
    roll_from_sheet(mo, (*SECOND, *oracles))
    narrate(gm, LONG)
    for page in (mo, iva):
        expect(page.locator("#major-draft")).to_contain_text(LONG.strip())
        for width, height in SIZES:
            expect_on_screen(page, width, height, len(oracles))
    gm.get_by_role("button", name="Tell the table").click()
    for page in (mo, iva):
        expect(page.locator(".is-told .narration")).to_be_visible()
        for width, height in SIZES:
            expect_on_screen(page, width, height, len(oracles))


def expect_on_screen(page: Page, width: int, height: int, oracles: int) -> None:
    """Expect that a screen of this size shows all dice, below them nine lines of narration, and below these the buttons."""
    page.set_viewport_size({"width": width, "height": height})
    seen = page.evaluate(MEASURED)
    cards, narration, foot = seen["cards"], seen["narration"], seen["foot"]
    where = f"{oracles} oracles at {width} x {height}: {seen}"
    assert (seen["outside"], seen["scrolls"], len(cards), seen["says"]) == ([], False, oracles, 0), where
    assert all(card["bottom"] <= narration["top"] for card in cards), where
    assert narration["top"] < seen["middle"], where
    assert narration["bottom"] <= foot["top"] <= min(button["top"] for button in seen["buttons"]), where
    assert foot["bottom"] == height, where
    assert narration["height"] >= NARRATED_LINES * seen["line"], where
    assert seen["size"] == ("18px" if width < 400 else "22px"), where
    rows = {round(card["top"] + card["height"] / 2) for card in cards}
    assert len(rows) == (1 if width > 400 or oracles == 2 else 2), where
