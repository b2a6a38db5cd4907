"""What templates draw by one tag: forms, inputs, parts of a page, dice, clocks."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.template import engines
from django.template.loader import render_to_string
from django.test.html import parse_html

from campaigns.forms.fields import QuickSelect
from campaigns.templatetags.clocks import slices
from campaigns.templatetags.look import DRAWN, die_shape

CHOICES = [
    ("", "All"),
    ("a", "One & <b>two</b>"),
    ('say "b"', "b"),
    ("Session 1: “The <Long> Wake”", [("1", "Scene 1"), ("2", "Scene 2")]),
]


def drawn(source, **context):
    return engines["django"].from_string("{% load look %}" + source).render(context)


def test_attributes_that_are_empty_are_left_out_and_a_zero_is_not():
    html = drawn('{% number_input "dice" min=0 max=30 value=now placeholder=hint data_once=True %}', now=0, hint=None)
    assert html == '<input max="30" min="0" name="dice" type="number" value="0" data-once>'


def test_a_line_to_type_into_has_what_is_in_it_escaped():
    html = drawn('{% text_input "reason" 200 value=said %}', said='"><script>')
    assert html == '<input autocomplete="off" maxlength="200" name="reason" value="&quot;&gt;&lt;script&gt;">'


def test_a_form_to_another_page_has_the_token_and_a_key():
    html = drawn('{% form_to "guide" %}<b>Go</b>{% endform_to %}', csrf_token="abc")
    assert 'name="csrfmiddlewaretoken" value="abc"' in html
    assert '<input type="hidden" name="key">' in html


def test_a_box_is_ticked_by_what_is_so():
    assert " checked" not in drawn('{% check_field "Heat" "heat" checked=so %}', so=0)
    assert " checked>" in drawn('{% check_field "Heat" "heat" checked=so %}', so=2)


def test_a_box_among_the_slots_of_a_roll_has_their_classes_and_its_own():
    html = drawn('{% check_slot "Push" "push" class="when-rolling" data_for="action" hidden=True %}')
    assert html.startswith('<label class="slot slot-check when-rolling" data-for="action" hidden>')
    assert "<span>Push</span>" in html


@pytest.mark.parametrize(("where", "place"), [("none", 0), ("none_last", 1)])
def test_a_choice_of_none_stands_first_or_last_and_is_not_the_chosen_one(where, place):
    html = drawn(f'{{% select_field "Clock" "clock" clocks "a" {where}="no clock" %}}', clocks=[("a", "Dawn")])
    options = re.findall(r"<option[^>]*>", html)
    assert options[place] == '<option value="">'
    assert options[1 - place] == '<option value="a" selected>'


def test_a_link_and_a_button_say_what_they_are_about_to_those_who_do_not_see_where_they_stand():
    for tag, end in (("link_to", "</a>"), ("button_to", "</button>")):
        html = drawn(f'{{% {tag} "Edit" "guide" about=thing %}}', thing="<Dawn>")
        assert f'Edit<span class="visually-hidden">: &lt;Dawn&gt;</span>{end}' in html
    assert "visually-hidden" not in drawn('{% link_to "Edit" "guide" %}')


def test_a_quick_select_says_the_same_as_djangos_own_whatever_is_chosen():
    for chosen in ("", "a", 'say "b"', "2", "nothing", None):
        for attrs in ({}, {"id": "id_what", "aria-invalid": "true", "required": True}):
            drawn = [
                parse_html(str(kind(choices=CHOICES).render("what", chosen, attrs)))
                for kind in (QuickSelect, forms.Select)
            ]
            assert drawn[0] == drawn[1]


def test_each_kind_of_die_that_has_a_shape_is_drawn_with_it():
    shapes = render_to_string("_dice_shapes.html")
    assert {f"d{sides}" for sides in DRAWN} == set(re.findall(r'<symbol id="(d\d+)"', shapes))
    for sides in DRAWN:
        assert f'"#d{sides}"' in die_shape(sides)


@pytest.mark.parametrize(("sides", "drawn"), [((8, 10), 8), ((None, 10), 10), (("", 6), 6), ((100,), 6), ((), 6)])
def test_a_die_is_drawn_by_the_first_sides_that_are_known_and_else_as_a_d6(sides, drawn):
    assert f'"#d{drawn}"' in die_shape(*sides)


@pytest.mark.parametrize("segments", range(2, 13))
def test_the_segments_close_the_circle(segments):
    corners = [re.fullmatch(r"M50 50L(\S+ \S+)A48 48 0 0 1 (\S+ \S+)Z", d).groups() for d in slices(segments)]
    assert len(corners) == segments
    assert all(end == start for (_, end), (start, _) in zip(corners, corners[1:] + corners[:1], strict=True))
    assert corners[0][0] == "50.00 2.00"


def test_segments_follow_each_other_clockwise():
    assert slices(4)[0] == "M50 50L50.00 2.00A48 48 0 0 1 98.00 50.00Z"
