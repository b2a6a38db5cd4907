"""The permission matrix: every address of a campaign and every service, every person. One without a row fails."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import cycle
from pkgutil import walk_packages
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

import campaigns
import characters
import notices
import rolls
import rulesets
import scale
import webhooks
import world
from campaigns.consumers import websocket_urlpatterns
from campaigns.errors import Forbidden, NotFound
from campaigns.models import Campaign, Event, Role
from campaigns.services import log
from tests.answers import alike
from tests.flows.matrix import ALL, ASKS_ITSELF, ELSEWHERE, GMS, MATRIX, PLAYERS, POST, SAME, SERVICES, routes


def names() -> dict[str, object]:
    """Return every named address of ours with its view."""
    # The admin's have a matrix of their own (test_hosts.py), and so has the API (tests/api/test_permissions.py).
    return {route.name: route.callback for route in routes(without=("admin", "api", "accounts/"))}


def test_every_address_has_a_row_and_every_row_an_address():
    assert set(names()) - ELSEWHERE == set(MATRIX)


def test_every_view_asks_for_the_role_that_its_row_says():
    views = names()
    for name, (_, least, _) in MATRIX.items():
        assert views[name].least_role == least, name


def test_there_is_a_socket_of_persons_and_one_of_the_spectator_link_and_the_tests_of_sockets_know_them():
    assert [str(route.pattern) for route in websocket_urlpatterns] == [
        "c/<slug:slug>/live/",
        "c/<slug:slug>/live/<str:token>/",
    ]


@pytest.fixture
def addresses(played, cast) -> dict[str, tuple[str, Role, str]]:
    """Return (method, least role, address) by name."""
    values = {
        "uid": played.roll.event.uid,
        "roll_id": played.roll.pk,
        "saved_id": uuid4(),
        "request_id": played.request.pk,
        "burn_id": played.fired.pk,
        "major_id": played.major.pk,
        "oracle": "grace",
        "character_id": played.character.pk,
        "picture": played.character.picture,
        "digest": Campaign.objects.get().cover,
        "entry_id": played.entry.pk,
        "claim_id": played.claim.pk,
        "scale_id": played.scale.pk,
        "name": "grace",
        "member_id": cast.other_player.member.pk,
        "invitation_id": played.invitation.pk,
        "token_id": played.token.pk,
        "webhook_id": played.delivery.webhook_id,
        "delivery_id": played.delivery.pk,
        "number": 1,
        "scene_number": 1,
        "storyline_id": played.storyline.pk,
        "clock_id": played.clock.pk,
        "template_id": played.template.pk,
        "kept_id": played.character_template.pk,
        "system": "storyteller",
        "kind": "extended",
        "procedure_id": played.procedure.pk,
        "step": "set",
        "picture_id": played.picture.pk,
        "line": played.picture.uid,
        "showing": played.showing.uid,
        "date_id": played.date.pk,
        "page_id": played.page.pk,
        "page_digest": played.page.picture,
        "table_id": played.table.pk,
    }
    found = {}
    for name, (how, least, wanted) in MATRIX.items():
        named = {SAME.get(word, word): values[word] for word in wanted.split()}
        found[name] = (how, least, reverse(name, kwargs={"slug": cast.campaign.slug, **named}))
    return found


def test_strangers_get_the_answer_of_a_campaign_that_is_not_there(addresses, cast):
    strangers = cycle((cast.outsider.client, cast.removed.client, Client()))
    for client, (name, (how, _, url)) in zip(strangers, addresses.items(), strict=False):
        nowhere = url.replace(f"/{cast.campaign.slug}/", "/no-such-table/")
        for method in how.split():
            ours, missing = (getattr(client, method.lower())(place) for place in (url, nowhere))
            assert ours.status_code == missing.status_code == 404, (name, method)
            assert alike(ours, missing), (name, method)


def test_a_smaller_role_is_refused_and_writes_nothing(addresses, cast):
    before = Event.objects.count()
    for person, role in ((cast.spectator, ALL), (cast.player, PLAYERS)):
        for name, (how, least, url) in addresses.items():
            for method in how.split() if name not in ASKS_ITSELF else ():
                answer = getattr(person.client, method.lower())(url)
                assert (answer.status_code == 403) == (not role.at_least(least)), (name, method, answer.status_code)
    assert Event.objects.count() == before


def test_a_post_without_a_key_changes_nothing(addresses, cast):
    for name, (how, _, url) in addresses.items():
        if POST in how and name != "see_as":
            assert cast.gm.client.post(url).status_code in (409, 422), name


def test_what_is_not_there_answers_as_what_is_hidden(played, cast):
    secret = {"clock": played.hidden_clock.pk, "page_card": played.hidden_page.pk}
    for name in ("character", "character_card", "character_export", "clock", "page", "page_card", "page_edit"):
        hidden = secret.get(name, played.hidden_npc.pk)
        answers = [
            cast.player.client.get(reverse(name, args=[cast.campaign.slug, thing])) for thing in (hidden, uuid4())
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert alike(*answers)


def test_the_face_of_a_hidden_npc_answers_as_one_that_is_not_there(played, cast):
    faces = [(played.hidden_npc.pk, played.hidden_npc.picture), (uuid4(), "0" * 32)]
    answers = [cast.player.client.get(reverse("portrait", args=[cast.campaign.slug, *face])) for face in faces]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert alike(*answers)


def test_only_a_gm_sees_it_as_others_would(addresses, cast):
    for person in (cast.player, cast.spectator):
        assert person.client.post(addresses["see_as"][2], {"as": "player"}).status_code == 403


def services() -> dict[str, Callable]:
    """Return everything that was made a service, by its app or game and its name."""
    found = {}
    for app in (campaigns, characters, notices, rolls, rulesets, scale, webhooks, world):
        for module in walk_packages(app.__path__, f"{app.__name__}."):
            if ".migrations" in module.name or ".management" in module.name:
                continue
            for one in vars(import_module(module.name)).values():
                code = getattr(one, "__code__", None)
                if code and (code.co_name, code.co_filename) == ("run", log.__file__):
                    home = one.__module__.removeprefix("rulesets.").split(".")[0]
                    found[f"{home}.{one.__name__}"] = one
    return found


def test_every_service_has_a_row_and_refuses_smaller_roles_and_those_who_left(cast):
    asks = {
        f"{app}.{name}": least
        for least, apps in SERVICES.items()
        for app, names in apps.items()
        for name in names.split()
    }
    found = services()
    assert found.keys() == asks.keys()
    for name, least in asks.items():
        for person, role in ((cast.spectator, ALL), (cast.player, PLAYERS), (cast.gm, GMS), (cast.removed, None)):
            # What it is asked for is looked at only once the role is enough.
            refusal = NotFound if role is None else TypeError if role.at_least(least) else Forbidden
            with pytest.raises(refusal):
                found[name](person.member, key=uuid4(), nonsense=name)
