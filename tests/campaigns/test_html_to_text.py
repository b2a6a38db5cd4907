"""What a rendered line says, as text and as Markdown that holds nothing but text."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from campaigns.live.render import escaped, to_markdown, to_text
from campaigns.templatetags.look import to_html

PAGES = MarkdownIt("commonmark", {"html": True})  # a reader that would let HTML through


DRAWING = '<svg aria-hidden="true"><rect width="18" /><path d="M7 11"></path></svg>'
ROLLED = (
    '<div class="card roll"><p class="sentence">Mo rolls 3, 4, rolled by hand.</p>'
    f'<p class="roll-marks"><span class="chip">{DRAWING}rolled by hand</span></p><ul class="dice"><li>3</li></ul></div>'
)
READ = {
    "paragraphs and lists become lines": (
        to_text,
        "<div><b>Mo</b>\n  <div><p>One<br>two</p><ul><li>three</li></ul></div></div>",
        "Mo\nOne\ntwo\nthree",
    ),
    "what can be pressed is left out": (
        to_text,
        "<p>Said</p><details class='roll-more'><summary>More</summary><p>Void</p></details><form><p>no</p></form>"
        "<button>Do</button><svg><title>icon</title></svg><p>after</p>",
        "Said\nafter",
    ),
    "of a card its sentence and its note are left": (
        to_text,
        '<div class="card roll is-success"><p class="visually-hidden sentence">Mo rolls 3, 4.</p>'
        '<ul class="dice"><li>3</li></ul><p class="roll-note">a note</p></div><p>Taken back</p>',
        "Mo rolls 3, 4.\na note\nTaken back",
    ),
    "a drawing in a card does not bring back the rest of it": (to_text, ROLLED, "Mo rolls 3, 4, rolled by hand."),
    "nor does it in Markdown": (to_markdown, ROLLED, "Mo rolls 3, 4, rolled by hand."),
    "after a drawing the line goes on": (to_text, f"<p>{DRAWING}One<br/>two</p><p>three</p>", "One\ntwo\nthree"),
    "emphasis stays in Markdown": (
        to_markdown,
        to_html("It is *very* **late**.\n\n* one\n* two"),
        "It is *very* **late**.\n\n- one\n\n- two",
    ),
}


@pytest.mark.parametrize("what", READ)
def test_a_line_is_read_as_it_is_seen(what):
    read, html, text = READ[what]
    assert read(html) == text


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "&lt;b&gt;",
        "[a](javascript:alert(1))",
        "![a](https://example.org/x.png)",
        "# head",
        "1. one",
        "- one",
        "> quoted",
        "`code`",
        "***",
        "\\<b>",
        "<https://example.org>",
    ],
)
def test_what_was_typed_stays_text_in_markdown(typed):
    html = PAGES.render(escaped(typed))
    assert html.count("<") == 2 and html.startswith("<p>")
    assert to_text(html) == typed


def test_an_underlined_line_becomes_no_heading():
    assert "<h1>" in PAGES.render("a\n===") and "<h" not in PAGES.render(escaped("a\n==="))


def test_typed_html_is_text_after_both_ways():
    assert "<" not in to_markdown(to_html("<b onclick=x>hi</b>")).replace("\\<", "")
