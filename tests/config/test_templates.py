"""What templates have for those who read them is not sent, and nothing else is lost."""

from __future__ import annotations

import pytest
from django.template.loader import get_template

from config.templates import without_layout


def test_indentation_goes_and_line_breaks_stay_between_what_is_sent():
    assert without_layout("<p>\n    One\n\n    <b>two</b>\n</p>\n") == "<p>\nOne\n<b>two</b>\n</p>\n"


@pytest.mark.parametrize(
    "tag", ["{% if a %}", "{% load look %}{# why #}", "{% for one in all %}", "{% endwith %}", "{# only a remark #}"]
)
def test_a_line_of_what_puts_nothing_into_the_page_leaves_no_line_break(tag):
    assert without_layout(f"One\n  {tag}\n  two\n") == f"One\n{tag}two\n"


@pytest.mark.parametrize(
    "tag", ["{{ name }}", "{% icon 'pin' %}", "{% include 'x.html' %}", "{% if a %}one{% endif %}"]
)
def test_after_what_may_put_something_there_the_line_break_stays(tag):
    assert without_layout(f"One\n  {tag}\n  two\n") == f"One\n{tag}\ntwo\n"


def test_what_is_shown_as_it_stands_is_sent_as_it_stands():
    assert without_layout("<pre>\n  one\n</pre>") == "<pre>\n  one\n</pre>"


def test_values_keep_all_that_is_in_them(db):
    drawn = get_template("campaigns/_campaign_name.html").render({"name": "A  \n   {% if x %}\n name"})
    assert "A  \n   {% if x %}\n name" in drawn


def test_mails_and_other_texts_keep_their_lines():
    drawn = get_template("account/email/password_reset_key_message.txt").render({"password_reset_url": "/x/"})
    assert "\n\n" in drawn
