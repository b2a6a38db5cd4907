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


def test_a_form_to_another_page_has_the_token_and_a_key():
    html = drawn('{% form_to "guide" %}<b>Go</b>{% endform_to %}', csrf_token="abc")
    assert 'name="csrfmiddlewaretoken" value="abc"' in html
    assert '<input type="hidden" name="key">' in html


def test_a_box_is_ticked_by_what_is_so():
    assert " checked" not in drawn('{% check_field "Heat" "heat" checked=so %}', so=0)
    assert " checked>" in drawn('{% check_field "Heat" "heat" checked=so %}', so=2)
