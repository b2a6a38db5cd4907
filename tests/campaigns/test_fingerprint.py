"""Digests of what an operation was asked: alike for the same, different for anything else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

import pytest

from campaigns.chain import fingerprint
from campaigns.models import Campaign, Role


@dataclass(frozen=True)
class RollInput:
    dice: int
    traits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    dice: int
    traits: tuple[str, ...] = ()


KEY = UUID(int=7)


def test_the_same_content_has_the_same_digest():
    def content():
        return ["say", {"text": "Hi", "to": {3, 1, 2}}, RollInput(5, ("wits",)), KEY, date(2026, 1, 2), Role.GM, None]

    assert fingerprint(*content()) == fingerprint(*content())


def test_the_order_of_names_does_not_count_but_that_of_values_does():
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint([1, 2]) != fingerprint([2, 1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RollInput(5), RollInput(6)),
        (RollInput(5), Call(5)),
        (True, 1),
        ("1", 1),
        (None, ""),
        (Role.GM, Role.PLAYER),
        ([], [None]),
    ],
)
def test_different_content_has_a_different_digest(one, other):
    assert fingerprint(one) != fingerprint(other)


def test_a_model_is_told_by_its_kind_and_key_and_not_by_what_it_holds_now():
    assert fingerprint(Campaign(pk=KEY, name="Before")) == fingerprint(Campaign(pk=KEY, name="After"))
    assert fingerprint(Campaign(pk=KEY)) != fingerprint(Campaign(pk=UUID(int=8)))


@pytest.mark.parametrize("value", [0.5, len, object(), {"x": 0.5}])
def test_what_has_no_one_form_is_refused(value):
    with pytest.raises(TypeError):
        fingerprint(value)
