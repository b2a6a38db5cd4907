"""What people write becomes HTML with nothing in it that they could do harm with."""

import sys
from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from hypothesis import example, given, settings
from hypothesis import strategies as st

from campaigns.templatetags.look import ATTRIBUTES, ELEMENTS, REL, SCHEMES, to_html

PIECES = [
    *"<>\"'`&;:/\\[]()!#*_~-+=|. \n\t0a",
    "](",
    "![x](",
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href='javascript:alert(1)' style='x' id='feed' class='burn' onclick='x'>",
    "javascript:alert(1)",
    "JaVaScRiPt&colon;alert(1)",
    "data:text/html,x",
    "//evil.example/",
    "/c/ashes/archive/",
    "http://a.example/?a=1&b=2",
    'https://a.example/"onmouseover=x',
    "mailto:a@example.org",
    "&lt;script&gt;",
    "&#x3c;b&#x3e;",
    "<!--",
    "-->",
    "<![CDATA[",
    "```\n",
    "\n\n> ",
    "\n1. ",
    "[a]: javascript:x\n",
    "\u202e",
    "\u2028",
    "\ufeff",
]
markdown = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def refuse(self, data):
        raise AssertionError(f"a comment, a declaration or an instruction: {data}")

    handle_comment = handle_decl = unknown_decl = handle_pi = refuse


@given(markdown)
@example("[x](<javascript:alert(1)>)")
@example("<javascript:alert(1)>")
@example("![x](http://a.example/pixel.png)")
@example("[]()")
@settings(max_examples=200)
@pytest.mark.thorough
def test_no_element_or_attribute_outside_the_list_ever(text):
    for tag, attributes in Elements(to_html(text)).found:
        assert tag in ELEMENTS
        assert set(attributes) <= ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set())
        if tag == "a":
            assert attributes["rel"] == REL
            # [words]() has no address at all: then it is only text.
            assert attributes.get("href", "https:").split(":")[0].lower() in SCHEMES


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**hold** the *door*", "<p><strong>hold</strong> the <em>door</em></p>"),
        ("one\ntwo", "<p>one<br>\ntwo</p>"),
        ("7. the seventh", '<ol start="7">\n<li>the seventh</li>\n</ol>'),
        ("# not a heading", "<p># not a heading</p>"),
        ("<b>typed</b> & done", "<p>&lt;b&gt;typed&lt;/b&gt; &amp; done</p>"),
        (
            "[map](https://maps.example/)",
            '<p><a href="https://maps.example/" rel="noopener nofollow">map</a></p>',
        ),
        ("[leave](/c/ashes/members/leave/)", "<p>[leave](/c/ashes/members/leave/)</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
    ],
)
def test_reads_as_people_mean_it(text, html):
    assert to_html(text).strip() == html


def test_an_image_is_a_link_that_nobody_fetches_unasked():
    assert "<img" not in to_html("![map](https://maps.example/m.png)")
    assert 'href="https://maps.example/m.png"' in to_html("![map](https://maps.example/m.png)")


def calls(text):
    """Return the number of function calls to draw a text: a measure of time that is the same on every machine."""
    counted = [0]

    def count(frame, event, argument):
        counted[0] += event == "call"

    sys.setprofile(count)
    try:
        to_html(text)
    finally:
        sys.setprofile(None)
    return counted[0]


@pytest.mark.parametrize("piece", ["[", "![", "*a_", "`", "> ", "- ", "[a](", "**a ", "<", "1. ", "\\", "~~"])
@pytest.mark.thorough
def test_the_work_for_the_worst_text_grows_as_its_length_does(piece):
    to_html(piece)
    assert calls((piece * 10_000)[:10_000]) < 3 * calls((piece * 5_000)[:5_000])


def test_is_a_filter_in_templates():
    template = Template("{% load look %}{{ words|markdown }}")
    assert template.render(Context({"words": "*so* <it> begins"})).strip() == "<p><em>so</em> &lt;it&gt; begins</p>"
