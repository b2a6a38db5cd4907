"""Who asks for what: things of another campaign, things that are not there, odd addresses, and people from elsewhere.

The matrix of addresses is in test_permissions.py; here its rows meet objects and people that do not belong to the campaign.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from campaigns.errors import NotFound
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.services import clocks, members, play
from campaigns.services.campaigns import create_campaign, show_as_sample, stop_watching
from characters.services import creation
from characters.services.cards import Card, retire_character
from rolls.registry import RULESETS
from tests.answers import alike
from tests.cast import Cast, Person, person
from tests.doors import watcher
from tests.flows.matrix import ASKS_ITSELF, GET, MATRIX, OF_ACCOUNTS, POST, SAME

NUMBERED = {"number", "scene_number", "name", "system", "picture", "kind", "step"}
"""Names that every campaign uses."""

ODD = (
    "0",
    "-1",
    "x",
    "%00",
    "..",
    "1e9",
    "9" * 30,
    "٣",
    "x" * 300,
    str(uuid4())[:-1],
    "00000000-0000-0000-0000-000000000000",
)
"""Values that occur in no address of ours."""


@dataclass
class Elsewhere:
    """Another campaign by the same rules, of people who have nothing to do with the first."""

    campaign: Campaign
    gm: Person
    player: Person


@pytest.fixture
def elsewhere(played: object, cast: Cast) -> Elsewhere:
    gm, player = person("foreign-gm", "Foreign Gm"), person("foreign-player", "Foreign Player")
    campaign = create_campaign(gm.user, name="Embers", systems=list(RULESETS), key=uuid4())
    gm.membership = Membership.objects.get(campaign=campaign)
    player.join(gm.member, Role.PLAYER)
    return Elsewhere(campaign, gm, player)


def asked(client: Client, method: str, url: str) -> HttpResponse:
    return client.post(url, {"key": uuid4()}) if method == POST else client.get(url)


def things(addresses: dict[str, tuple[str, Role, str]]) -> Iterator[tuple[str, str, Role, str, str]]:
    """Yield (name, method, least role, address, the same with an unknown id) of all addresses that name a thing."""
    for name, (how, least, url) in addresses.items():
        words = [word for word in MATRIX[name][2].split() if SAME.get(word, word) not in NUMBERED]
        if not words:
            continue
        missing = resolve(url).kwargs | {SAME.get(word, word): _nothing(word) for word in words}
        for method in how.split():
            yield name, method, least, url, reverse(name, kwargs=missing)


def _nothing(word: str) -> object:
    return 10**9 if word in ("member_id", "delivery_id") else uuid4()


def test_what_another_campaign_has_is_not_there(addresses, elsewhere, cast):
    """Another campaign's ids under one's own campaign's address answer 404, to its GM and its player."""
    before = Event.objects.count()
    for who, role in ((elsewhere.gm, Role.GM), (elsewhere.player, Role.PLAYER)):
        for name, method, least, url, missing in things(addresses):
            theirs, nothing = (
                asked(who.client, method, place.replace("/ashes/", f"/{elsewhere.campaign.slug}/"))
                for place in (url, missing)
            )
            assert alike(theirs, nothing), (name, method, theirs.status_code, nothing.status_code)
            refused = (403,) if not role.at_least(least) else (404, 422)
            assert theirs.status_code in refused, (name, method, theirs.status_code)
    assert Event.objects.count() == before


def test_no_service_finds_it_either(elsewhere, played):
    for service, thing in (
        (clocks.archive_clock, played.clock),
        (creation.drop_template, played.character_template.pk),
        (members.revoke_invitation, played.invitation),
        (play.resolve_storyline, played.storyline),
        (retire_character, played.character),
    ):
        with pytest.raises(NotFound):
            service(elsewhere.gm.member, thing, key=uuid4())
    with pytest.raises(NotFound):
        creation.make_from_template(elsewhere.gm.member, played.character_template, Card("Bolt"), key=uuid4())


def test_people_of_another_campaign_and_staff_of_the_site_are_strangers(addresses, elsewhere, cast):
    staff = person("staff", "Staff")
    staff.user.is_staff = staff.user.is_superuser = True
    staff.user.save()
    everybody = cycle((elsewhere.gm, elsewhere.player, staff))
    for who, (name, (how, _, url)) in zip(everybody, addresses.items(), strict=False):
        for method in how.split():
            ours, missing = (
                asked(who.client, method, place) for place in (url, url.replace("/ashes/", "/no-such-table/"))
            )
            assert ours.status_code == 404 and alike(ours, missing), (name, method, who.user.username)


def test_who_came_by_the_link_sees_what_a_spectator_sees_and_says_nothing(addresses, cast):
    linked = watcher(cast)
    before = Event.objects.count()
    for name, (how, _, url) in addresses.items():
        if GET in how and name not in OF_ACCOUNTS:
            assert linked.get(url).status_code == cast.spectator.client.get(url).status_code, name
        if POST in how and name not in ASKS_ITSELF:
            assert asked(linked, POST, url).status_code in (403, 404), name
    assert Event.objects.count() == before


@pytest.fixture
def sample(played: object, cast: Cast) -> Campaign:
    """Return the played campaign, shown to everyone; the spectator link is off."""
    stop_watching(cast.gm.member, key=uuid4())
    show_as_sample(cast.campaign)
    return cast.campaign


def test_at_the_sample_table_everybody_sees_what_a_spectator_sees_and_says_nothing(addresses, cast, sample):
    before = Event.objects.count()
    strangers = (Client(), cast.outsider.client, cast.removed.client)
    for stranger, (name, (how, _, url)) in zip(cycle(strangers), addresses.items(), strict=False):
        if GET in how and name not in OF_ACCOUNTS:
            assert stranger.get(url).status_code == cast.spectator.client.get(url).status_code, name
        if POST in how and name not in ASKS_ITSELF:
            assert asked(stranger, POST, url).status_code in (403, 404), name
    for stranger in strangers:
        assert stranger.post(addresses["see_as"][2], {"as": "player"}).status_code == 403
    assert Event.objects.count() == before


def test_beside_the_sample_every_campaign_is_as_closed_as_it_was(addresses, cast, sample, elsewhere):
    foreign = f"/{elsewhere.campaign.slug}/"
    for name, (how, _, url) in addresses.items():
        for method in how.split():
            theirs, nowhere = (
                asked(Client(), method, url.replace("/ashes/", to)) for to in (foreign, "/no-such-table/")
            )
            assert theirs.status_code == 404 and alike(theirs, nowhere), (name, method)


def test_an_address_that_no_page_has_is_not_there_and_breaks_nothing(addresses, cast):
    for how, _, url in addresses.values():
        for place in _odd(url):
            for method in how.split():
                answer = asked(cast.gm.client, method, place)
                assert answer.status_code in (400, 404, 422), (place, method, answer.status_code)


def _odd(url: str) -> Iterator[str]:
    """Yield the address with something odd in each place where it names a thing."""
    route, parts = resolve(url).route.split("/"), url.removeprefix("/").split("/")
    for place, piece in enumerate(route):
        if piece.startswith("<") and piece != "<slug:slug>":
            yield "/" + "/".join([*parts[:place], random.choice(ODD), *parts[place + 1 :]])


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options", "trace"])
def test_no_address_knows_another_way_of_asking(addresses, cast, method):
    ask: Callable[[str], HttpResponse] = getattr(cast.gm.client, method)
    for name, (how, _, url) in addresses.items():
        if method.upper() not in how.split():
            assert ask(url).status_code == 405, name
