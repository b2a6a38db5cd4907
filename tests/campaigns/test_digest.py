"""Digests of what a deed was asked: alike for the same, different for anything else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

import pytest

from campaigns.digest import digest
from campaigns.models import Campaign, Role


@dataclass(frozen=True)
class Ask:
    dice: int
    traits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    dice: int
    traits: tuple[str, ...] = ()


KEY = UUID(int=7)


def test_the_same_content_has_the_same_digest():
    def content():
        return ["say", {"text": "Hi", "to": {3, 1, 2}}, Ask(5, ("wits",)), KEY, date(2026, 1, 2), Role.GM, None]

    assert digest(*content()) == digest(*content())


def test_the_order_of_names_does_not_count_but_that_of_values_does():
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest([1, 2]) != digest([2, 1])


@pytest.mark.parametrize(
    ("one", "other"),
    [(Ask(5), Ask(6)), (Ask(5), Call(5)), (True, 1), ("1", 1), (None, ""), (Role.GM, Role.PLAYER), ([], [None])],
)
def test_different_content_has_a_different_digest(one, other):
    assert digest(one) != digest(other)


def test_a_model_is_told_by_its_kind_and_key_and_not_by_what_it_holds_now():
    assert digest(Campaign(pk=KEY, name="Before")) == digest(Campaign(pk=KEY, name="After"))
    assert digest(Campaign(pk=KEY)) != digest(Campaign(pk=UUID(int=8)))


@pytest.mark.parametrize("value", [0.5, len, object(), {"x": 0.5}])
def test_what_has_no_one_form_is_refused(value):
    with pytest.raises(TypeError):
        digest(value)
