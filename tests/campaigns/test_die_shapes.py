"""Dice are drawn from the shapes that their page has once."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string

from campaigns.templatetags.look import DRAWN, die_shape


def test_each_kind_of_die_that_has_a_shape_is_drawn_with_it():
    shapes = render_to_string("_dice_shapes.html")
    assert {f"d{sides}" for sides in DRAWN} == set(re.findall(r'<symbol id="(d\d+)"', shapes))
    for sides in DRAWN:
        assert f'"#d{sides}"' in die_shape(sides)


@pytest.mark.parametrize(("sides", "drawn"), [((8, 10), 8), ((None, 10), 10), (("", 6), 6), ((100,), 6), ((), 6)])
def test_a_die_is_drawn_by_the_first_sides_that_are_known_and_else_as_a_d6(sides, drawn):
    assert f'"#d{drawn}"' in die_shape(*sides)
