"""Sheets by the API: read and written field by field, and nobody overwrites what they have not seen."""

from __future__ import annotations

from uuid import uuid4

import pytest

from characters.models import Character
from characters.services import cards
from tests.api.callers import calls

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


@pytest.fixture
def silas(cast):
    return cards.make_character(cast.player.member, cards.Card("Silas", "", cast.player.member), key=uuid4())


def test_a_field_is_set_once_for_what_was_seen(cast, silas):
    caller = calls(cast.player)
    path = f"/characters/{silas.pk}/fields/strength"
    seen = caller.get(path)
    assert seen["ETag"] == f'"{seen.json()["version"]}"'
    key, headers = uuid4(), {"If-Match": seen["ETag"]}
    first = caller.post(path, {"value": 3, "why": "trained"}, key=key, method="PATCH", **headers)
    assert first.status_code == 200 and first.json()["value"] == 3, first.content
    assert caller.post(path, {"value": 3, "why": "trained"}, key=key, method="PATCH", **headers).json() == first.json()
    late = calls(cast.gm).post(path, {"value": 4}, method="PATCH", **headers)
    assert late.status_code == 409
    assert late.json()["current"] == 3 and late.json()["by"] == "Mo"
    assert Character.objects.get(pk=silas.pk).value("strength") == 3


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_the_version_of_a_compressed_answer_is_one_that_was_seen(cast, silas, encoding):
    caller = calls(cast.player)
    path = f"/characters/{silas.pk}/fields/description"
    words = " ".join(map(str, range(200)))
    first = caller.post(path, {"value": words}, method="PATCH", **{"If-Match": caller.get(path)["ETag"]})
    assert first.status_code == 200, first.content
    seen = caller.client.get(caller.url(path), **caller.headers, headers={"Accept-Encoding": encoding})
    assert seen["Content-Encoding"] == encoding and seen["ETag"].startswith('W/"')
    answer = caller.post(path, {"value": "Tall"}, method="PATCH", **{"If-Match": seen["ETag"]})
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("value", [99, "many", {"a": 1}, [1], 1.5, None])
def test_what_a_field_cannot_hold_is_refused(cast, silas, value):
    caller = calls(cast.player)
    path = f"/characters/{silas.pk}/fields/strength"
    answer = caller.post(path, {"value": value}, method="PATCH", **{"If-Match": caller.get(path)["ETag"]})
    assert answer.status_code == 422 and answer.json()["errors"][0]["field"], answer.content


def test_an_unknown_part_of_a_body_is_refused(cast, silas):
    path = f"/characters/{silas.pk}/fields/strength"
    answer = calls(cast.player).post(path, {"value": 1, "because": "x"}, method="PATCH", **{"If-Match": '"0"'})
    assert answer.status_code == 422 and answer.json()["errors"][0]["field"] == "because"


def test_rows_come_and_go(cast, silas):
    caller = calls(cast.player)
    rows = next(iter(silas.rules.lists.values()))
    columns = {rows.title: "Fencing"}
    added = caller.post(f"/characters/{silas.pk}/lists/{rows.name}", {"columns": columns})
    assert added.status_code == 200, added.content
    sheet = caller.get(f"/characters/{silas.pk}").json()
    (shown,) = [entry for entry in sheet["lists"] if entry["name"] == rows.name]
    (row,) = shown["rows"]
    assert row["id"] == added.json()["id"] and row["fields"][0]["field"].startswith(f"{rows.name}/{row['id']}/")
    path = f"/characters/{silas.pk}/lists/{rows.name}/{row['id']}"
    assert caller.post(path, method="DELETE", **{"If-Match": '"0"'}).status_code == 409
    assert caller.post(path, method="DELETE", **{"If-Match": f'"{row["version"]}"'}).status_code == 200


def test_others_see_the_card_and_not_the_sheet(cast, silas):
    caller = calls(cast.other_player)
    (card,) = caller.get("/characters").json()
    assert card["name"] == "Silas" and not card["mine"]
    fields = caller.get(f"/characters/{silas.pk}").json()["fields"]
    assert {field["visibility"] for field in fields} <= {"public"}
    assert caller.get(f"/characters/{silas.pk}/fields/strength").status_code == 404
    answer = caller.post(f"/characters/{silas.pk}/fields/strength", {"value": 1}, method="PATCH", **{"If-Match": '"0"'})
    assert answer.status_code in (403, 404)
