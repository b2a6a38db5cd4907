"""What a browser checks by itself: the dice of a session, the log that it has seen, and a GM's rolls that it witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PROCESS_OF, AtTable
from tests.browser.hands import answered, field, last_card, pick_traits, say
from tests.browser.seats import Sit
from tests.browser.servers import Site
from tests.static.vectors import COMPUTED, vectors

WITNESS = "**/witness/"


def test_a_session_is_green_and_turns_red_when_a_face_is_changed_in_the_database(
    service: AtTable, table: str, site: Site
) -> None:
    page = service("mo")
    given = vectors(500, seed=3)
    computed = page.evaluate(f'async (given) => ({COMPUTED})(await import("/static/js/fairness.js"), given)', given)
    assert computed == given

    play_an_evening(site, table)
    verify(page, table)
    expect(page.locator("#verify")).to_have_attribute("data-state", "right")
    expect(page.locator("[data-verdict=fits]")).to_have_count(3)
    assert page.locator("[data-part=receipt]").input_value().startswith("Afterburn receipt, session 1\ncampaign ")

    site.run("-c", CHANGE_A_FACE, table)
    verify(page, table)
    expect(page.locator("#verify")).to_have_attribute("data-state", "wrong")
    expect(page.locator("[data-part=faults] li")).to_have_count(1)
    expect(page.locator("[data-part=rolls] [data-verdict=wrong]")).to_have_count(1)
    expect(page.locator("[data-part=rolls] li").first).to_have_attribute("data-verdict", "wrong")

    # One whose dice came from no seed is not called right.
    verify(page, "ashes-over-harrow")
    expect(page.locator("#verify")).to_have_attribute("data-state", "unproved")
    expect(page.locator("[data-part=summary]")).to_contain_text("have no proof and can’t be checked")


def test_a_browser_warns_when_the_log_is_not_the_one_it_has_seen(service: AtTable, table: str, site: Site) -> None:
    page = service("mo")
    say(page, "I was here")
    expect(page.locator("#feed .line").last).to_contain_text("I was here")
    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#chain-alarm")).to_be_hidden()

    site.run("-c", FORGE_THE_LAST_ENTRY, table)
    page.reload()
    expect(page.locator("#chain-alarm")).to_be_visible()
    expect(page.locator("#chain-alarm")).to_contain_text("of “table” has changed")
    page.reload()
    expect(page.locator("#chain-alarm")).to_be_visible()
    page.get_by_role("button", name="Continue with the current log").click()
    expect(page.locator("#chain-alarm")).to_be_hidden()
    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#chain-alarm")).to_be_hidden()


def test_a_browser_is_told_plainly_that_a_backup_was_restored(service: AtTable, table: str, site: Site) -> None:
    page = service("mo")
    say(page, "I was here")
    expect(page.locator("#feed .line").last).to_contain_text("I was here")

    site.run("-c", GO_BACK_BY_ONE, table)
    page.reload()
    expect(page.locator("#chain-alarm")).to_be_visible()
    expect(page.locator("#chain-alarm [data-about=restored]")).to_be_visible()
    expect(page.locator("#chain-alarm [data-about=changed]")).to_be_hidden()
    page.get_by_role("button", name="Continue with the current log").click()
    expect(page.locator("#chain-alarm")).to_be_hidden()
    expect(page.locator("#feed")).to_contain_text("The server was restored from a backup")

    say(page, "We go on")
    expect(page.locator("#feed .line").last).to_contain_text("We go on")
    # No backup explains changes from now on.
    site.run("-c", FORGE_THE_LAST_ENTRY, table)
    page.reload()
    expect(page.locator("#chain-alarm [data-about=changed]")).to_be_visible()


def test_an_open_page_warns_when_what_comes_does_not_follow_what_it_has_seen(
    service: AtTable, table: str, site: Site
) -> None:
    page = service("mo")
    say(page, "I was here")
    expect(page.locator("#feed .line").last).to_contain_text("I was here")
    site.run("-c", FORGE_THE_LAST_ENTRY, table)
    say(page, "And so on")
    expect(page.locator("#chain-alarm [data-about=changed]")).to_be_visible()
    page.reload()
    expect(page.locator("#chain-alarm [data-about=changed]")).to_be_visible()


def test_a_page_that_was_away_while_a_backup_was_restored_is_told_though_the_log_is_longer_by_now(
    service: AtTable, table: str, site: Site
) -> None:
    page, other = service("mo"), service("iva")
    say(page, "I was here")
    expect(page.locator("#feed .line").last).to_contain_text("I was here")
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_attribute("data-state", "reconnecting")
    site.run("-c", GO_BACK_BY_ONE, table)
    for words in ("We go on", "and on"):
        say(other, words)
        expect(other.locator("#feed .line").last).to_contain_text(words)
    page.context.set_offline(False)
    expect(page.locator("#chain-alarm [data-about=restored]")).to_be_visible()
    page.get_by_role("button", name="Continue with the current log").click()
    expect(page.locator("#feed")).to_contain_text("We go on")


def test_what_the_browser_makes_up_goes_into_the_dice_and_is_new_for_every_roll(service: AtTable) -> None:
    page = service("mo", fresh=True)
    sent = []
    page.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/rolls/") else None)
    for _ in range(2):
        pick_traits(page)
        with page.expect_response(lambda answer: answer.url.endswith("/rolls/")):
            page.locator("#roll [type=submit]").click()
        answered(page)
    seeds = [data.split("client_seed=")[1].split("&")[0] for data in sent]
    assert len(set(seeds)) == 2 and all(len(bytes.fromhex(seed)) == 16 for seed in seeds)


def test_lines_that_are_lost_go_from_open_pages_and_new_ones_come(service: AtTable, table: str, site: Site) -> None:
    page, other = service("mo"), service("iva")
    say(page, "Lost again")
    for one in (page, other):
        expect(one.locator("#feed")).to_contain_text("Lost again")
    site.run("-c", GO_BACK_SILENTLY, table)
    for one in (page, other):
        expect(one.locator("#feed")).not_to_contain_text("Lost again")
        expect(one.locator("#chain-alarm [data-about=changed]")).to_be_visible()
        expect(one.locator("#connection")).to_have_attribute("data-state", "live")
    say(other, "Said instead")
    for one in (page, other):
        expect(one.locator("#feed")).to_contain_text("Said instead")


@pytest.fixture(scope="module")
def fair_servers(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the addresses of two server processes whose dice can be checked."""
    fairness = replace(site, settings="tests.browser.fair")
    with fairness.serve() as one, fairness.serve() as other:
        yield one, other


@pytest.fixture
def fair_table(sit: Sit, fair_servers: tuple[str, str], table: str) -> Callable[..., Page]:
    def sit_down(person: str, **options: Any) -> Page:
        page = sit(person, at=fair_servers[PROCESS_OF[person]], **options)
        page.goto(f"/c/{table}/")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        return page

    return sit_down


def test_a_players_open_page_witnesses_what_the_gm_rolls_for_all(fair_table: Callable[..., Page]) -> None:
    gm = fair_table("gm")
    # Without players the GM does not wait.
    with gm.expect_response(WITNESS) as asked:
        roll_five(gm)
    assert asked.value.status == 204
    expect(last_card(gm)).to_be_visible()
    expect(gm.locator("#feed")).not_to_contain_text("witnessed")

    mo = fair_table("mo")
    roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("verified by Mo")
    say(gm, "/r 3 d7 # at the gate")
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("at the gate")
        expect(last_card(page)).to_contain_text("verified by Mo")
        expect(page.locator("#witness > *")).to_have_count(0)

    # A page that does not answer is waited for, and then the roll has no witness. Players' rolls wait for none.
    asked_of: list[str] = []

    def refuse(route: Route) -> None:
        asked_of.append(route.request.url)
        route.abort()

    mo.route(WITNESS, refuse)
    with gm.expect_response("**/rolls/"):
        roll_five(gm)
    for page in (gm, mo):
        expect(last_card(page)).to_contain_text("not cross-checked")
    asked_of.clear()
    roll_five(mo)
    for page in (gm, mo):
        expect(page.locator("#feed .line .card")).to_have_count(5)
    assert not asked_of


def roll_five(page: Page) -> None:
    field(page, "pool").fill("5")
    page.locator("#roll [type=submit]").click()


def verify(page: Page, table: str) -> None:
    page.goto(f"/c/{table}/sessions/1/verify/")
    page.get_by_role("button", name="Verify", exact=True).click()


def play_an_evening(site: Site, table: str) -> None:
    """Make three rolls with dice that can be checked, and end the session, in a process without loaded dice."""
    site.run("-c", PLAY, table)


START = """
import sys, django
django.setup()
from django.conf import settings
from django.db import connection
from uuid import uuid4
from campaigns.models import Campaign, Event, EventPayload, Membership, Role
campaign = Campaign.objects.get(slug=sys.argv[1])
"""

PLAY = (
    START
    + """
settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
from campaigns.services.play import end_session
from rolls.models import Audience
from rolls.services.fairness import tell_seed
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
members = Membership.objects.select_related("campaign", "user").filter(campaign=campaign)
gm = members.get(role=Role.GM)
tell_seed(gm, key=uuid4())
for member in members.exclude(role=Role.SPECTATOR):
    make_roll(member, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4(), client_seed="c1" * 16)
end_session(gm, key=uuid4())
"""
)

CHANGE_A_FACE = (
    START
    + """
stored = EventPayload.objects.filter(event__campaign=campaign, event__kind="rolls.roll_made").order_by("pk").last()
faces = stored.payload["proof"]["faces"]
stored.payload["card"]["dice"][0]["face"] = faces[0] = faces[0] % 10 + 1
stored.save()
"""
)

FORGE_THE_LAST_ENTRY = (
    START
    + """
with connection.cursor() as cursor:
    cursor.execute("ALTER TABLE campaigns_event DISABLE TRIGGER event_no_change")
    last = Event.objects.filter(campaign=campaign, stream__name="table").latest("seq")
    Event.objects.filter(pk=last.pk).update(hash="ab" * 32)
    cursor.execute("ALTER TABLE campaigns_event ENABLE TRIGGER event_no_change")
"""
)

GO_BACK_BY_ONE = (
    START
    + """
from django.db import transaction
from campaigns.models import EventIndex, EventPayload, EventSubject, Stream
from rolls.services.fairness import mark_restored
# Nobody sees half of it: for a restore the servers are stopped.
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("ALTER TABLE campaigns_event DISABLE TRIGGER event_no_change")
    last = Event.objects.filter(campaign=campaign, stream__name="table").latest("seq")
    for kind in (EventPayload, EventIndex, EventSubject):
        kind.objects.filter(event=last).delete()
    last.delete()
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute("ALTER TABLE campaigns_event ENABLE TRIGGER event_no_change")
    before = Event.objects.filter(campaign=campaign, stream__name="table").latest("seq")
    Stream.objects.filter(campaign=campaign, name="table").update(seq=before.seq, head=before.hash)
    mark_restored(campaign)
"""
)

GO_BACK_SILENTLY = GO_BACK_BY_ONE.replace("    mark_restored(campaign)\n", "")
