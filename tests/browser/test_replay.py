"""A small evening, played again in a real browser: forwards at ten times its speed, and back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import TO_GRACE, expect_scale, roll_from_sheet, say
from tests.browser.servers import Site
from tests.browser.test_verify import START

PRESSED = "#feed button, #feed form, .middle-top button, .side-right .rows button, :is([hx-get], [hx-post])"
PRESSED += ":not(#x-card-form, #resume, #search-form)"  # every page has them


def test_a_session_plays_by_itself_and_steps_back(service: AtTable, table: str, site: Site) -> None:
    mo = play_an_evening(service, table, site)
    lines = mo.locator("#feed .line")
    expect(lines.last).to_contain_text("Shall we?")  # the first thing that happened
    begins, frame = lines.first.bounding_box(), mo.locator(".feed-frame").bounding_box()
    assert begins
    assert frame
    assert 0 <= begins["y"] - frame["y"] < 60  # at the head of the page, and not below an empty one
    mo.set_viewport_size({"width": 1024, "height": 768})
    player = mo.locator("#player").bounding_box()
    assert player and player["height"] < 200  # where it is played has room beside its buttons
    expect_scale(mo, 0)
    expect(mo.locator("h1, h2, h3").first).to_contain_text("Replay of Session 1")
    mo.get_by_label("Speed").select_option("10×")
    mo.get_by_role("button", name="Play").click()
    expect(mo.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(lines.last).to_contain_text("End of session 1")
    expect(mo.get_by_role("button", name="Play")).to_be_visible()
    expect_scale(mo, 3)
    expect(mo.locator("#burns")).to_contain_text("Banked Grace")
    assert mo.locator(PRESSED).count() == 0

    last = count(mo)
    while mo.locator("#burns > *").count():
        mo.keyboard.press("ArrowLeft")
    expect(mo.locator(".offer")).to_contain_text("Grace Burn available.")
    expect(lines.last).not_to_contain_text("banks the Grace Burn")
    expect(mo.locator("#announcer")).to_contain_text("Silas Grey")
    mo.keyboard.press("ArrowRight")
    expect(mo.locator("#burns")).to_contain_text("Banked Grace")
    assert count(mo) < last
    a_moment_has_an_address_of_its_own(mo)


def a_moment_has_an_address_of_its_own(mo: Page) -> None:
    mo.get_by_label("Position in the session").press("Home")
    expect(mo.locator("#feed .line")).to_have_count(0)
    expect(mo).not_to_have_url(re.compile("#"))
    mo.get_by_role("button", name="Next roll").click()
    expect(mo.locator("#feed .card")).to_have_count(1)
    expect_scale(mo, 3)
    expect(mo).to_have_url(re.compile("#event-"))
    where, stood = mo.url, mo.locator("[data-part=count]").inner_text()
    mo.goto("about:blank")
    mo.goto(where)
    expect(mo.locator("[data-part=count]")).to_have_text(stood)
    expect(mo.locator("#feed .card")).to_have_count(1)
    mo.get_by_role("button", name="Next scene").click()
    expect(mo.locator("#scenes [aria-current]")).to_have_text("Scene 1, The roof")
    expect(mo.locator("#scene-title")).to_have_text("Scene 1, The roof")


def play_an_evening(service: AtTable, table: str, site: Site) -> Page:
    """Return Mo's browser at the replay of an evening with a Burn, a scene, and some talk."""
    mo = service("mo")
    say(mo, "Shall we?")
    expect(mo.locator("#feed .line").last).to_contain_text("Shall we?")
    roll_from_sheet(mo, TO_GRACE)
    mo.get_by_role("button", name="Bank it").click()
    expect(mo.locator("#burns")).to_contain_text("Banked Grace")
    site.run("-c", END, table)
    mo.goto(f"/c/{table}/sessions/1/replay/")
    expect(mo.locator("[data-part=count]")).to_have_text(re.compile(r"^[1-9]\d* of \d+$"))
    return mo


def count(page: Page) -> int:
    return int(page.locator("[data-part=count]").inner_text().split()[0])


END = (
    START
    + """
from campaigns.services.play import end_session, open_scene
gm = Membership.objects.select_related("campaign", "user").get(campaign=campaign, role=Role.GM)
open_scene(gm, "The roof", key=uuid4())
end_session(gm, key=uuid4())
"""
)
