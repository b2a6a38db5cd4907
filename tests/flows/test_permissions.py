"""The permission matrix: every address of a campaign, every person. An address without a row fails."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from campaigns.models import Role
from campaigns.routing import websocket_urlpatterns
from tests.answers import same_page
from tests.depth import some

GET, POST, BOTH = "GET", "POST", "GET POST"
ALL, PLAYERS, GMS = Role.SPECTATOR, Role.PLAYER, Role.GM

# name: (how it is asked, the least role, what it names in the played campaign)
MATRIX: dict[str, tuple[str, Role, str]] = {
    "table": (GET, ALL, ""),
    "compose": (POST, PLAYERS, ""),
    "say": (POST, PLAYERS, ""),
    "older": (GET, ALL, "uid"),
    "chain": (GET, ALL, ""),
    "log": (GET, ALL, ""),
    "log_day": (GET, ALL, ""),
    "log_export": (GET, ALL, ""),
    "log_amend": (BOTH, PLAYERS, "uid"),
    "log_refile": (BOTH, PLAYERS, "uid"),
    "log_event": (GET, ALL, "uid"),
    "moment_pin": (POST, PLAYERS, "uid"),
    "moment_unpin": (POST, PLAYERS, "uid"),
    "roll": (POST, PLAYERS, ""),
    "witness_ask": (POST, GMS, ""),
    "witness_give": (POST, PLAYERS, "roll_id"),
    "odds": (GET, PLAYERS, ""),
    "roll_form": (GET, PLAYERS, ""),
    "kept_rolls": (GET, PLAYERS, "character_id"),
    "roll_save": (POST, PLAYERS, ""),
    "roll_forget": (POST, PLAYERS, "saved_id"),
    "roll_void": (POST, GMS, "roll_id"),
    "roll_correction": (GET, GMS, "roll_id"),
    "roll_correct": (POST, GMS, "roll_id"),
    "roll_reveal": (POST, GMS, "roll_id"),
    "roll_follows": (BOTH, PLAYERS, "roll_id"),
    "request_ask": (POST, GMS, ""),
    "request_new": (GET, GMS, ""),
    "request_form": (GET, GMS, "request_id"),
    "request_change": (POST, GMS, "request_id"),
    "request_close": (POST, GMS, "request_id"),
    "request_withdraw": (POST, PLAYERS, "request_id"),
    "procedure_new": (GET, PLAYERS, "system kind"),
    "procedure_open": (POST, PLAYERS, "system kind"),
    "procedure_act": (POST, PLAYERS, "procedure_id"),
    "procedure_form": (GET, PLAYERS, "procedure_id step"),
    "procedure_back": (POST, GMS, "procedure_id"),
    "procedure_close": (POST, GMS, "procedure_id"),
    "burn_take": (POST, PLAYERS, "burn_id"),
    "burn_bank": (POST, PLAYERS, "burn_id"),
    "burn_spend": (POST, PLAYERS, "burn_id"),
    "burn_effect": (GET, PLAYERS, "burn_id"),
    "burn_choose": (POST, PLAYERS, "burn_id"),
    "burn_decide": (POST, GMS, "burn_id"),
    "burn_narration": (GET, GMS, "major_id"),
    "burn_narrate": (POST, GMS, "major_id"),
    "burn_defer": (POST, GMS, "major_id"),
    "burn_see": (POST, PLAYERS, "major_id"),
    "activation_use": (POST, PLAYERS, "character_id"),
    "order": (BOTH, GMS, ""),
    "scale": (GET, ALL, ""),
    "scale_undo": (POST, GMS, "scale_id"),
    "rules_settings": (BOTH, GMS, ""),
    "oracles": (GET, GMS, ""),
    "oracle": (BOTH, GMS, "name"),
    "oracle_reset": (POST, GMS, "name"),
    "characters": (GET, ALL, ""),
    "character_new": (BOTH, PLAYERS, ""),
    "character_guided": (BOTH, PLAYERS, "system"),
    "npc_new": (BOTH, GMS, ""),
    "character_templates": (BOTH, GMS, ""),
    "character_template": (POST, GMS, "kept_id"),
    "character_template_drop": (POST, GMS, "kept_id"),
    "character_from_template": (BOTH, PLAYERS, "kept_id"),
    "creation_settings": (BOTH, GMS, ""),
    "character": (GET, ALL, "character_id"),
    "character_card": (BOTH, PLAYERS, "character_id"),
    "character_field": (POST, PLAYERS, "character_id"),
    "row_add": (POST, PLAYERS, "character_id"),
    "row_remove": (POST, PLAYERS, "character_id"),
    "character_marks": (BOTH, PLAYERS, "character_id"),
    "party": (GET, ALL, ""),
    "character_undo": (POST, PLAYERS, "character_id"),
    "character_mark": (POST, PLAYERS, "character_id"),
    "field_history": (GET, ALL, "character_id"),
    "character_retire": (POST, PLAYERS, "character_id"),
    "character_return": (POST, PLAYERS, "character_id"),
    "character_die": (POST, PLAYERS, "character_id"),
    "character_copy": (POST, PLAYERS, "character_id"),
    "character_delete": (POST, PLAYERS, "character_id"),
    "character_hand_over": (POST, GMS, "character_id"),
    "character_portrait": (POST, PLAYERS, "character_id"),
    "character_portrait_remove": (POST, PLAYERS, "character_id"),
    "portrait": (GET, ALL, "character_id picture"),
    "character_export": (GET, ALL, "character_id"),
    "character_import": (BOTH, PLAYERS, ""),
    "advances": (GET, ALL, "character_id"),
    "advance_buy": (POST, PLAYERS, "character_id"),
    "advance_refund": (POST, GMS, "character_id entry_id"),
    "claim_make": (POST, PLAYERS, "character_id"),
    "claim_confirm": (POST, GMS, "claim_id"),
    "claim_refuse": (POST, GMS, "claim_id"),
    "awards": (BOTH, GMS, ""),
    "campaign_settings": (BOTH, GMS, ""),
    "campaign_archive": (POST, GMS, ""),
    "campaign_reopen": (POST, GMS, ""),
    "members": (GET, ALL, ""),
    "leave": (POST, ALL, ""),
    "member_role": (POST, GMS, "member_id"),
    "member_remove": (POST, GMS, "member_id"),
    "member_hand_over": (POST, GMS, "member_id"),
    "member_erase": (POST, ALL, "member_id"),
    "see_as": (POST, ALL, ""),
    "shared_picture": (GET, ALL, "picture_id"),
    "shared_picture_small": (GET, ALL, "picture_id"),
    "picture_show": (POST, PLAYERS, "line"),
    "picture_see": (POST, ALL, "showing"),
    "handout_keep": (POST, GMS, "line"),
    "handout_drop": (POST, GMS, "line"),
    "handouts": (GET, ALL, ""),
    "play_pause": (POST, ALL, ""),
    "play_resume": (POST, GMS, ""),
    "boundaries": (BOTH, ALL, ""),
    "pause_words": (POST, GMS, ""),
    "invitations": (BOTH, GMS, ""),
    "invitation_revoke": (POST, GMS, "invitation_id"),
    "spectator_link": (POST, GMS, ""),
    "sessions": (GET, ALL, ""),
    "session_start": (POST, GMS, ""),
    "session_end": (POST, GMS, ""),
    "session_plan": (BOTH, GMS, ""),
    "session_title": (BOTH, GMS, "number"),
    "session": (GET, ALL, "number"),
    "recap": (BOTH, GMS, "number"),
    "statistics": (GET, ALL, ""),
    "verify": (GET, ALL, "number"),
    "session_lines": (GET, ALL, "number"),
    "replay": (GET, ALL, "number"),
    "replay_events": (GET, ALL, "number"),
    "scene_open": (POST, GMS, ""),
    "scene_close": (POST, GMS, ""),
    "scene_title": (BOTH, GMS, "number scene_number"),
    "storylines": (GET, ALL, ""),
    "storyline_new": (BOTH, GMS, ""),
    "storyline": (BOTH, GMS, "storyline_id"),
    "storyline_resolve": (POST, GMS, "storyline_id"),
    "storyline_reopen": (POST, GMS, "storyline_id"),
    "storyline_move": (POST, GMS, "storyline_id"),
    "clocks": (GET, ALL, ""),
    "clock_new": (BOTH, GMS, ""),
    "clock": (GET, ALL, "clock_id"),
    "clock_edit": (BOTH, GMS, "clock_id"),
    "clock_tick": (BOTH, PLAYERS, "clock_id"),
    "clock_card": (BOTH, PLAYERS, "uid"),
    "clock_move": (POST, GMS, "clock_id"),
    "clock_archive": (POST, GMS, "clock_id"),
    "clock_restore": (POST, GMS, "clock_id"),
    "clock_keep": (POST, GMS, "clock_id"),
    "clock_template_drop": (POST, GMS, "template_id"),
}
# Several things that addresses call alike
SAME = {"major_id": "burn_id", "kept_id": "template_id", "line": "uid", "showing": "uid"}
# A GM leaves it in the role of whom they see it as; the view itself looks who that really is.
ASKS_ITSELF = {"see_as"}
# Beside campaigns: pages of one's own account, open to everybody (the rules and the odds are), or of the site's machinery.
ELSEWHERE = {
    "home",
    "profile",
    "profile_delete",
    "campaign_new",
    "campaign_import",
    "join",
    "watch",
    "healthz",
    "readyz",
    "metrics",
    "manifest",
    "demo_sign_in",
}
ELSEWHERE |= {"guide", "guide_system", "odds_page", "odds_system"}


def names() -> dict[str, object]:
    """Every named address of ours, with its view: the URLconf is what is asked, not a list beside it."""
    found: dict[str, object] = {}

    def collect(patterns: list) -> None:
        for pattern in patterns:
            if hasattr(pattern, "url_patterns"):
                # The admin's have a matrix of their own: test_hosts.py.
                if pattern.namespace != "admin" and str(pattern.pattern) != "accounts/":
                    collect(pattern.url_patterns)
            else:
                found[pattern.name] = pattern.callback

    collect(get_resolver().url_patterns)
    return found


def test_every_address_has_a_row_and_every_row_an_address():
    assert set(names()) - ELSEWHERE == set(MATRIX)


def test_every_view_asks_for_the_role_that_its_row_says():
    views = names()
    for name, (_, least, _) in MATRIX.items():
        assert views[name].least_role == least, name


def test_there_is_one_socket_and_the_tests_of_sockets_know_it():
    assert [str(route.pattern) for route in websocket_urlpatterns] == ["c/<slug:slug>/live/"]


@pytest.fixture
def addresses(played, cast) -> dict[str, tuple[str, Role, str]]:
    """(how, least role, address) by name."""
    values = {
        "uid": played.roll.event.uid,
        "roll_id": played.roll.pk,
        "saved_id": uuid4(),
        "request_id": played.request.pk,
        "burn_id": played.fired.pk,
        "major_id": played.major.pk,
        "character_id": played.character.pk,
        "picture": played.character.picture,
        "entry_id": played.entry.pk,
        "claim_id": played.claim.pk,
        "scale_id": played.scale.pk,
        "name": "grace",
        "member_id": cast.other_player.member.pk,
        "invitation_id": played.invitation.pk,
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
    }
    found = {}
    for name, (how, least, wanted) in MATRIX.items():
        named = {SAME.get(word, word): values[word] for word in wanted.split()}
        found[name] = (how, least, reverse(name, kwargs={"slug": cast.campaign.slug, **named}))
    return found


def test_strangers_get_the_answer_of_a_campaign_that_is_not_there(addresses, cast):
    for client in (cast.outsider.client, cast.removed.client, Client()):
        for name, (how, _, url) in some(addresses.items(), 40):
            nowhere = url.replace(f"/{cast.campaign.slug}/", "/no-such-table/")
            for method in how.split():
                ours, missing = (getattr(client, method.lower())(place) for place in (url, nowhere))
                assert ours.status_code == missing.status_code == 404, (name, method)
                assert _same(ours, missing), (name, method)


def test_a_smaller_role_is_refused(addresses, cast):
    for person, role in ((cast.spectator, ALL), (cast.player, PLAYERS)):
        for name, (how, least, url) in some(addresses.items(), 70):
            for method in how.split() if name not in ASKS_ITSELF else ():
                answer = getattr(person.client, method.lower())(url)
                assert (answer.status_code == 403) == (not role.at_least(least)), (name, method, answer.status_code)


def test_a_post_without_a_key_changes_nothing(addresses, cast):
    for name, (how, _, url) in some(addresses.items(), 70):
        if POST in how and name != "see_as":
            assert cast.gm.client.post(url).status_code in (409, 422), name


def test_a_way_of_asking_that_an_address_does_not_have_is_refused(addresses, cast):
    for name, (how, _, url) in addresses.items():
        for method in {GET, POST} - set(how.split()):
            assert getattr(cast.gm.client, method.lower())(url).status_code == 405, (name, method)


def test_what_is_not_there_answers_as_what_is_hidden(played, cast):
    for name, hidden in (("character", played.hidden_npc.pk), ("clock", played.hidden_clock.pk)):
        answers = [
            cast.player.client.get(reverse(name, args=[cast.campaign.slug, thing])) for thing in (hidden, uuid4())
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert _same(*answers)


def test_the_face_of_a_hidden_npc_answers_as_one_that_is_not_there(played, cast):
    faces = [(played.hidden_npc.pk, played.hidden_npc.picture), (uuid4(), "0" * 32)]
    answers = [cast.player.client.get(reverse("portrait", args=[cast.campaign.slug, *face])) for face in faces]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert _same(*answers)


def test_only_a_gm_sees_it_as_others_would(addresses, cast):
    for person in (cast.player, cast.spectator):
        assert person.client.post(addresses["see_as"][2], {"as": "player"}).status_code == 403


def _same(one, other) -> bool:
    return same_page(one, other) and one.headers == other.headers
