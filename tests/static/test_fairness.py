"""What a reader's browser computes is what the server computed."""

from __future__ import annotations

import hashlib
import hmac
import random
from datetime import UTC, datetime

from campaigns import chain
from tests.static.node import run
from tests.static.vectors import COMPUTED, vectors

HASHED = """({ hex, unhex, sha256, hmac }, given) =>
    given.map(([key, text]) => [hex(sha256(unhex(text))), hex(hmac(unhex(key), unhex(text)))])"""


def test_two_thousand_random_throws_come_out_alike():
    given = vectors(2000, seed=1)
    assert run(COMPUTED, given, "fairness.js") == given


def test_hashes_are_right_for_every_length_around_a_block():
    chance = random.Random(2)
    given = [(chance.randbytes(length % 150), chance.randbytes(length)) for length in range(260)]
    right = [[hashlib.sha256(text).hexdigest(), hmac.new(key, text, "sha256").hexdigest()] for key, text in given]
    assert run(HASHED, [[key.hex(), text.hex()] for key, text in given], "fairness.js") == right


def test_a_chain_is_linked_alike():
    first = chain.first_link("campaign", "member:7")
    at = datetime(2026, 5, 1, 19, 30, 0, 12, tzinfo=UTC)
    event = {"stream": "member:7", "seq": 1, "kind": "campaigns.said", "actor": None, "commitment": "ab" * 32}
    right = chain.link(first, campaign_id="campaign", at=at, **event)
    given = event | {"campaign": "campaign", "at": chain.moment(at)}
    linked = """({ firstLink, link }, given) =>
        [firstLink("campaign", "member:7"), link(firstLink("campaign", "member:7"), given)]"""
    assert run(linked, given, "fairness.js") == [first, right]
