"""The permission matrix of the API: every operation, every person. An operation without a row fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from api.api import api
from campaigns.models import Event, Membership, Role
from campaigns.services.campaigns import create_campaign
from campaigns.services.members import remove_member
from rolls.registry import RULESETS
from tests.api.callers import Caller, calls
from tests.api.matrix import BESIDE_DJANGO, GET, MATRIX, OF_NO_CAMPAIGN, writes
from tests.cast import person
from tests.flows.played import Played

ASKED = [name for name in MATRIX if name not in BESIDE_DJANGO]


def named(played: Played) -> dict[str, Any]:
    """Return the values for the names in paths, from the played campaign."""
    return {
        "character_id": played.character.pk,
        "field": "strength",
        "rows": "traits",
        "row_id": uuid4().hex,
        "uid": played.roll.event.uid,
        "stream": "table",
        "roll_id": played.roll.pk,
        "request_id": played.request.pk,
        "procedure_id": played.procedure.pk,
        "step": uuid4(),
        "scale_id": played.scale.pk,
        "burn_id": played.fired.pk,
        "major_id": played.major.pk,
        "clock_id": played.clock.pk,
        "storyline_id": played.storyline.pk,
        "picture_id": played.picture.pk,
        "date_id": played.date.pk,
        "page_id": played.page.pk,
        "table_id": played.table.pk,
    }


@pytest.fixture
def paths(played) -> dict[str, str]:
    return {name: MATRIX[name][2].format(**named(played)) for name in ASKED}


def ask(caller: Caller, name: str, path: str, **how: Any) -> Any:
    """Ask for an operation as its row says."""
    method, _, _, body = MATRIX[name]
    if method == GET:
        return caller.get(path)
    return caller.post(path, body, method=method.upper(), **{"If-Match": '"0"'}, **how)


def operations() -> Iterator[tuple[str, str, str]]:
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            yield operation["operationId"], method, path


def test_every_operation_has_a_row_and_every_row_an_operation():
    there = {name: (method, path) for name, method, path in operations()}
    assert set(there) - OF_NO_CAMPAIGN == set(MATRIX)
    for name, (method, _, path, _) in MATRIX.items():
        assert there[name][0] == method, name
        pieces = zip(path.split("/"), there[name][1].removeprefix("/api/v1/campaigns/{slug}").split("/"), strict=True)
        assert all(ours == theirs or "{" in theirs for ours, theirs in pieces), name


def test_without_a_token_that_works_nothing_is_told(paths, cast):
    removed = calls(cast.other_player)
    remove_member(cast.gm.member, cast.other_player.member, key=uuid4())
    nobody = Caller("afterburn_nothing", cast.campaign.slug)
    for name, path in paths.items():
        answers = [ask(caller, name, path) for caller in (removed, nobody)]
        assert [answer.status_code for answer in answers] == [401, 401], name
        assert answers[0].content == answers[1].content, name


def test_the_session_of_a_browser_is_no_token(paths, cast):
    for name, path in paths.items():
        if MATRIX[name][0] == GET:
            assert cast.gm.client.get(f"/api/v1/campaigns/{cast.campaign.slug}{path}").status_code == 401, name


def test_a_token_of_another_campaign_finds_nothing_here(paths, cast):
    gm = person("foreign-gm", "Foreign Gm")
    campaign = create_campaign(gm.user, name="Embers", systems=list(RULESETS), key=uuid4())
    gm.membership = Membership.objects.get(campaign=campaign)
    foreign = calls(gm)
    before = Event.objects.count()
    for name, path in paths.items():
        foreign.slug = cast.campaign.slug
        ours = ask(foreign, name, path)
        foreign.slug = "no-such-table"
        missing = ask(foreign, name, path)
        assert ours.status_code == missing.status_code == 404, name
        assert ours.content == missing.content, name
    assert Event.objects.count() == before


def test_what_another_campaign_has_is_not_there(paths, cast):
    """Another campaign's ids under one's own campaign's address answer 404."""
    gm = person("foreign-gm", "Foreign Gm")
    campaign = create_campaign(gm.user, name="Embers", systems=list(RULESETS), key=uuid4())
    gm.membership = Membership.objects.get(campaign=campaign)
    foreign, before = calls(gm), Event.objects.count()
    for name, path in paths.items():
        if "_id}" in MATRIX[name][2] or "{uid}" in MATRIX[name][2]:
            assert ask(foreign, name, path).status_code in (404, 422), name
    assert Event.objects.count() == before


def test_a_smaller_role_is_refused(paths, cast, settings):
    for somebody, role in ((cast.spectator, Role.SPECTATOR), (cast.player, Role.PLAYER)):
        caller = calls(somebody)
        for name, path in paths.items():
            refused = ask(caller, name, path).status_code == 403
            least = MATRIX[name][1]
            assert refused or role.at_least(least), name
            if not writes(name):
                assert refused == (not role.at_least(least)), name


def test_a_token_that_only_reads_changes_nothing(paths, cast):
    caller, before = calls(cast.gm, writes=False), Event.objects.count()
    for name, path in paths.items():
        assert (ask(caller, name, path).status_code == 403) == writes(name), name
    assert Event.objects.count() == before


def test_a_change_without_a_key_is_refused(paths, cast):
    caller, before = calls(cast.gm), Event.objects.count()
    for name, path in paths.items():
        if writes(name):
            method, _, _, body = MATRIX[name]
            answer = caller.client.generic(
                method.upper(),
                caller.url(path),
                b"" if body is None else "{}",
                content_type="application/json",
                HTTP_AUTHORIZATION=f"Bearer {caller.token}",
                HTTP_IF_MATCH="0",
            )
            fields = [error["field"] for error in answer.json()["errors"]]
            assert answer.status_code == 422 and "Idempotency-Key" in fields, name
    assert Event.objects.count() == before


def test_what_is_not_there_answers_as_what_is_hidden(played, cast):
    caller = calls(cast.player)
    hidden = {
        "character": (played.hidden_npc.pk, uuid4()),
        "clock": (played.hidden_clock.pk, uuid4()),
        "page": (played.hidden_page.pk, uuid4()),
        "event": (played.hidden_roll.event.uid, uuid4()),
        "stream_events": ("gm", "member:999999"),
    }
    for name, ids in hidden.items():
        path = MATRIX[name][2].split("{")[0]
        end = "/events" if name == "stream_events" else ""
        answers = [caller.get(f"{path}{thing}{end}") for thing in ids]
        assert [answer.status_code for answer in answers] == [404, 404], name
        assert answers[0].content == answers[1].content


def test_a_way_of_asking_that_there_is_not_is_a_problem_too(paths, cast):
    caller = calls(cast.gm)
    for name, path in paths.items():
        answer = caller.post(path, {}, method="OPTIONS")
        assert answer.status_code == 405 and answer["Content-Type"] == "application/problem+json", name
    nowhere = caller.get("/nowhere")
    assert nowhere.status_code == 404 and nowhere["Content-Type"] == "application/problem+json"
