"""What templates draw by one tag (campaigns/templatetags/look.py): forms, inputs, parts of a page."""

from __future__ import annotations

from django.template import engines


def drawn(source, **context):
    return engines["django"].from_string("{% load look %}" + source).render(context)


def test_an_operation_has_a_key_and_a_place_for_what_is_refused():
    html = drawn(
        '{% operation "guide" id="void-{}" of=roll class="form" %}<b>{{ words }}</b>{% endoperation %}',
        roll=7,
        words="<i>",
    )
    assert html == (
        '<form class="form" hx-post="/rules/" hx-swap="none" id="void-7">\n'
        '<input type="hidden" name="key"><b>&lt;i&gt;</b><div class="errors" id="void-7-errors" role="alert"></div>\n</form>'
    )


def test_an_operation_goes_to_a_named_address_with_its_arguments_or_to_one_that_is_given():
    assert 'hx-post="/rules/forged/"' in drawn('{% operation "guide_system" "forged" id="x" %}{% endoperation %}')
    assert 'hx-post="/c/ashes/say/"' in drawn('{% operation url id="x" %}{% endoperation %}', url="/c/ashes/say/")


def test_what_fetches_a_part_of_the_page_says_from_where_and_into_what():
    assert drawn('<button {% fetches "guide" %}>') == '<button hx-get="/rules/" hx-swap="innerHTML" hx-target="#desk">'
    leads = drawn('<a {% fetches "guide" into="hand" link=True %}>')
    assert leads == '<a href="/rules/" hx-get="/rules/" hx-swap="innerHTML" hx-target="#hand">'


def test_attributes_that_are_empty_are_left_out_and_a_zero_is_not():
    html = drawn('{% number_input "dice" min=0 max=30 value=now placeholder=hint data_once=True %}', now=0, hint=None)
    assert html == '<input max="30" min="0" name="dice" type="number" value="0" data-once>'


def test_a_line_to_type_into_has_what_is_in_it_escaped():
    html = drawn('{% text_input "reason" 200 value=said %}', said='"><script>')
    assert html == '<input autocomplete="off" maxlength="200" name="reason" value="&quot;&gt;&lt;script&gt;">'


def test_a_field_stands_under_its_words_and_shares_with_them_what_it_belongs_to():
    html = drawn(
        '{% select_field words "kind" kinds "b" class="slot" data_for="check" data_once=True %}',
        words="As <",
        kinds=[("a", "A"), ("b", "B")],
    )
    assert html == (
        '<label class="slot" data-for="check">\n<span>As &lt;</span>\n<select name="kind" data-once>'
        '<option value="a">A</option>\n<option value="b" selected>B</option></select>\n</label>'
    )
    assert drawn('{% number_field "Goal" "goal" min=1 max=50 %}') == (
        '<label>\n<span>Goal</span>\n<input max="50" min="1" name="goal" type="number">\n</label>'
    )
    assert '<input autocomplete="off" maxlength="200" name="why">' in drawn('{% text_field "Why" "why" 200 %}')


def test_a_section_is_named_by_its_heading():
    html = drawn('{% section title id="of-{}" of=3 label=True %}<p>In it</p>{% endsection %}', title="Bits & bobs")
    assert html == (
        '<section aria-labelledby="of-3" class="card">\n<h2 class="label" id="of-3">Bits &amp; bobs</h2><p>In it</p></section>'
    )
