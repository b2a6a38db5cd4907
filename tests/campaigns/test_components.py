"""What templates draw by one tag (campaigns/templatetags/look.py): forms, inputs, parts of a page."""

from __future__ import annotations

from django.template import engines


def drawn(source, **context):
    return engines["django"].from_string("{% load look %}" + source).render(context)


def test_attributes_that_are_empty_are_left_out_and_a_zero_is_not():
    html = drawn('{% number_input "dice" min=0 max=30 value=now placeholder=hint data_once=True %}', now=0, hint=None)
    assert html == '<input max="30" min="0" name="dice" type="number" value="0" data-once>'


def test_a_line_to_type_into_has_what_is_in_it_escaped():
    html = drawn('{% text_input "reason" 200 value=said %}', said='"><script>')
    assert html == '<input autocomplete="off" maxlength="200" name="reason" value="&quot;&gt;&lt;script&gt;">'
