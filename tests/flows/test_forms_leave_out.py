"""Every form that lists characters, crews, clocks or procedures leaves out what its reader may not know; and what is settled at
the table offers a GM, too, only those of whom players know."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Clock, ClockVisibility, Event, Role
from characters.models import Character
from rolls.models import Audience, Procedure
from rolls.registry import procedures_of
from rolls.services.rolls import make_roll
from rules.procedures import OPEN
from rulesets.descriptors.terms import DescriptorsInput
from tests.cast import Cast
from tests.dom import parse
from tests.flows.matrix import GET, MATRIX
from tests.flows.robot import Robot, offers_of
from tests.flows.test_twin_procedures import SHEETS
from tests.rolls.steps import offers
from tests.sheets import create_character

UNKNOWN, KNOWN = "Unseen", "Plainly seen"


@pytest.fixture
def table(cast: Cast, patience) -> Cast:
    """Make one thing of each kind that players know, and one that they do not know; the latter is always first by name."""
    for person in cast.everybody.values():
        assert person.client  # signed in before the robot looks at pages without a trace
    for system, sheet in SHEETS.items():
        for name, shown in ((KNOWN, True), (f"A {UNKNOWN}", False)):
            made = {"campaign": cast.campaign, "system": system, "sheet": sheet}
            create_character(name=f"{name} {system}", shown=shown, **made)
            if system == "forged":
                create_character(name=f"{name} crew", shown=shown, **made | {"is_crew": True, "sheet": {}})
        for owner in (cast.player.member, cast.other_player.member):
            create_character(campaign=cast.campaign, name=f"Own {system}", owner=owner, system=system, sheet=sheet)
    for order, (name, sight) in enumerate(
        ((UNKNOWN, ClockVisibility.SECRET), (KNOWN, ClockVisibility.VISIBLE)), start=1
    ):
        clock = Clock.objects.create(
            campaign=cast.campaign, name=f"{name} clock", segments=4, visibility=sight, order=order, kind="project"
        )
        after = {"segments": 4, "order": order + 10, "opened": False, "after": clock, "visibility": sight}
        Clock.objects.create(campaign=cast.campaign, name=f"{UNKNOWN} later {order}", **after)
    ask = DescriptorsInput(pool="3", against="1", versus=f"{UNKNOWN} tide")
    make_roll(cast.gm.member, ask, audience=Audience.GM, key=uuid4())
    return cast


def reads(person, url: str) -> str:
    answer = person.client.get(url)
    if answer.status_code != 200 or answer.streaming or not answer["Content-Type"].startswith("text/html"):
        return ""
    return answer.content.decode()


def listed(page: str) -> Iterator[str]:
    """Yield everything that forms on a page offer, and what they say beside that."""
    for node in parse(page).walk():
        if node.tag in ("form", "datalist"):
            yield str(node)


def pages_of(cast: Cast) -> Iterator[str]:
    """Yield every address with the names of what there is."""
    slug = cast.campaign.slug
    there = {
        "character_id": [*Character.objects.filter(owner=None, shown=True).values_list("pk", flat=True)[:2]],
        "clock_id": [*Clock.objects.shown().values_list("pk", flat=True)],
        "system": [*SHEETS],
        "uid": [*Event.objects.filter(stream__name="table").values_list("uid", flat=True)[:1]],
    }
    for name, (how, _, wanted) in MATRIX.items():
        if GET not in how:
            continue
        if not wanted:
            yield reverse(name, args=[slug])
        for thing in there.get(wanted, ()):
            yield reverse(name, args=[slug, thing])


def openings(cast: Cast) -> list[tuple[str, str, str, Role]]:
    return [
        (system, kind, reverse("procedure_new", args=[cast.campaign.slug, system, kind]), rules.opened_by)
        for system, kind, rules in procedures_of(cast.campaign.systems)
        if OPEN in rules.forms
    ]


def test_no_form_of_any_page_lists_for_players_what_they_do_not_know(table):
    urls = [*pages_of(table), *(url for _, _, url, _ in openings(table))]
    assert len(urls) > 60
    for person in (table.player, table.other_player, table.spectator):
        for url in urls:
            assert UNKNOWN not in reads(person, url), (person.user, url)


def test_the_same_forms_list_for_a_gm_what_there_is(table):
    """This shows that there was something to leave out."""
    found = {url for url in pages_of(table) if any(UNKNOWN in form for form in listed(reads(table.gm, url)))}
    assert len(found) > 5


def test_what_a_gm_opens_at_the_table_lists_none_of_whom_players_do_not_know(table):
    for system, kind, url, _ in openings(table):
        page = reads(table.gm, url)
        assert page and UNKNOWN not in page, (system, kind)


def test_no_step_of_what_is_open_lists_them_either(table):
    """All procedures of all games are tried, a few steps on, whoever reads the form: a GM could pass on what players do
    not know.
    """
    robot = Robot(table, lambda operation, **_: operation(uuid4()))
    seen, looked, listing = set(), set(), set()
    for _ in robot.settles():
        going_on = Procedure.objects.filter(closed_at=None, stream="table")
        offered = {(one.system, one.kind, offer.name) for one in going_on for offer in offers(one)}
        for who in ("gm", "player"):
            if offered <= {about[:3] for about in seen if about[3] == who}:
                continue
            seen |= {(*about, who) for about in offered}
            person = table.everybody[who]
            page = parse(reads(person, reverse("table", args=[table.campaign.slug])))
            for one in going_on:
                card = page.by_id(f"procedure-{one.pk}-act")
                for name, _, form in offers_of(card) if card else ():
                    if form and (one.system, one.kind, name, who) not in looked:
                        looked.add((one.system, one.kind, name, who))
                        read = reads(person, form)
                        assert UNKNOWN not in read, (one.kind, name, who)
                        listing |= {(one.kind, name)} if KNOWN in read else set()
    assert len(looked) > 10
    assert listing
