"""Markdown to HTML that is safe to show to everyone: what people say at the table, and no more than that.

There are two independent barriers: markdown-it escapes all typed HTML, and nh3 lets only the elements below through.
"""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from campaigns.kept_texts import kept

ELEMENTS = {"p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
REL = "noopener nofollow"
KEPT = 2**20  # bytes of HTML


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # markdown-it's name
        """Return whether the URL is a full address with an allowed scheme; otherwise it stays plain text."""
        return url.lower().startswith(tuple(f"{scheme}:" for scheme in SCHEMES))


_parser = _Parser(
    "js-default", {"html": False, "linkify": False, "typographer": False, "breaks": True, "maxNesting": 10}
)
# An image would tell its server who reads along. A heading would put itself into the page's own outline.
_parser.disable(["image", "heading", "lheading", "table"])


@kept(KEPT, lambda text: text)  # a page draws the same fifty lines again and again
def to_html(text: str) -> SafeString:
    """Return safe HTML of a Markdown text: only ELEMENTS, only ATTRIBUTES and `rel`, only links to SCHEMES."""
    clean = nh3.clean(
        _parser.render(text),
        tags=ELEMENTS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        url_relative="deny",
        link_rel=REL,
    )
    return mark_safe(clean)  # noqa: S308  # nh3 has just made it safe
