"""The hash chain: one form for every value, and every tampering noticed."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from campaigns import chain

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

AT = datetime(2026, 3, 1, 20, 15, 0, 7, tzinfo=UTC)
FIELDS = {
    "campaign_id": "c1",
    "stream": "table",
    "seq": 1,
    "at": AT,
    "kind": "campaigns.said",
    "actor": 3,
    "commitment": "ab" * 32,
}


def test_json_has_one_form_whatever_order_it_came_in():
    assert chain.canonical({"b": [1, None, True], "a": "Ö"}) == b'{"a":"\\u00d6","b":[1,null,true]}'
    assert chain.canonical({"b": 1, "a": 2}) == chain.canonical({"a": 2, "b": 1})


@pytest.mark.parametrize("value", [1.0, {"deep": [1, {"x": 0.5}]}, float("nan"), (1.5,)])
def test_floats_have_no_one_form(value):
    with pytest.raises(TypeError):
        chain.canonical(value)


def test_a_time_is_hashed_alike_in_every_zone():
    east = AT.astimezone(timezone(timedelta(hours=9)))
    assert chain.moment(east) == chain.moment(AT) == "2026-03-01T20:15:00.000007Z"


def test_a_link_is_the_hash_that_the_documents_promise():
    first = chain.first_link("c1", "table")
    fields = json.dumps(
        ["c1", "table", 1, "2026-03-01T20:15:00.000007Z", "campaigns.said", 3, "ab" * 32], separators=(",", ":")
    )
    by_hand = hashlib.sha256(bytes.fromhex(first) + fields.encode()).hexdigest()
    assert chain.link(first, **FIELDS) == by_hand


def test_a_commitment_is_the_hash_of_salt_and_payload():
    by_hand = hashlib.sha256(bytes.fromhex("00" * 16) + b'{"words":"Hi"}').hexdigest()
    assert chain.commit("00" * 16, {"words": "Hi"}) == by_hand


@pytest.mark.parametrize(
    "change",
    [
        {"campaign_id": "c2"},
        {"stream": "gm"},
        {"seq": 2},
        {"at": AT + timedelta(microseconds=1)},
        {"kind": "campaigns.told"},
        {"actor": None},
        {"commitment": "ac" * 32},
    ],
)
def test_everything_in_a_link_counts(change):
    first = chain.first_link("c1", "table")
    assert chain.link(first, **FIELDS | change) != chain.link(first, **FIELDS)


def test_no_two_streams_begin_alike():
    begins = {chain.first_link(campaign, stream) for campaign in ("c1", "c2") for stream in ("table", "gm")}
    assert len(begins) == 4
