"""Draw parts of pages: icons, signed numbers, dots. Pure display, no data of the campaign."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import nh3
from django import template
from django.forms.utils import flatatt
from django.template import Context
from django.template.defaulttags import CsrfTokenNode
from django.template.loader import get_template
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from campaigns import rulesets
from campaigns.live.render import kept
from campaigns.models import Event, Role
from campaigns.text import as_read, signed

# Markdown to HTML that is safe to show to everyone: what people say at the table, and no more than that.
#
# There are two independent barriers: markdown-it escapes all typed HTML, and nh3 lets only the elements below through.


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


register = template.Library()

MOST_PIPS = 100


@register.simple_tag(takes_context=True)
def heading_of_page(context: Context) -> SafeString:
    """Return the words in the block `heading` of a page, for its title. A heading that holds more needs a title beside it."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block("heading")
    return SafeString(block.render(context).strip())


@register.simple_tag
@lru_cache(maxsize=64)
def icon(name: str) -> SafeString:
    """Return the Lucide icon templates/icons/<name>.svg, inline and hidden from screen readers: words beside it give
    its meaning.
    """
    drawing = get_template(f"icons/{name}.svg").render()
    drawing = re.sub(r"<!--.*?-->|\s+", lambda match: "" if match[0].startswith("<!") else " ", drawing)
    return mark_safe(drawing.strip().replace("<svg", '<svg aria-hidden="true"'))  # noqa: S308  # our own files


@register.simple_tag
def page_icons(*names: str) -> SafeString:
    """Return the icons that the lines of a page repeat, once: each line has `icon_of_page` of them, which is a tenth as long."""
    return mark_safe(f"<svg hidden>{''.join(map(_symbol, names))}</svg>")  # noqa: S308  # our own files


def _symbol(name: str) -> str:
    drawing = str(icon(name)).replace("<svg", "<symbol").replace("</svg>", "</symbol>")
    for gone in ('aria-hidden="true" ', f'class="lucide lucide-{name}" ', 'xmlns="http://www.w3.org/2000/svg" '):
        drawing = drawing.replace(gone, "")
    return re.sub(r' (?:width|height)="24"', "", drawing).replace("<symbol", f'<symbol id="icon-{name}"')


@register.simple_tag
def icon_of_page(name: str) -> SafeString:
    """Draw one of those icons that templates/base.html draws for all lines of a page (`page_icons`)."""
    return format_html('<svg class="lucide" aria-hidden="true"><use href="#icon-{}"></use></svg>', name)


DRAWN = {4, 6, 8, 10, 12, 20}


@register.simple_tag
@lru_cache(maxsize=128)
def die_shape(*sides: int | str | None) -> SafeString:
    """Draw the die of the first of these `sides` that is a number, from the shapes of its page (templates/_dice_shapes.html).

    Unknown ones are drawn as a d6. The face is written in words beside it.
    """
    known = next((int(number) for number in sides if number), 6)
    return format_html('<svg aria-hidden="true"><use href="#d{}"/></svg>', known if known in DRAWN else 6)


@register.filter
def moment(text: str) -> datetime | None:
    """Return the time of a moment in a payload, "2026-11-28T19:30:00Z"; None for what is none."""
    return parse_datetime(text)


@register.filter
def data_of(event: Event) -> SafeString:
    """Return an attribute that says which character acts or speaks in an event; nothing where none does."""
    payload = event.payload if isinstance(event.payload, dict) else {}
    named = (payload.get(name) for name in ("character", "voice"))
    thing_id = next((value["id"] for value in named if isinstance(value, dict) and "id" in value), "")
    return format_html('data-of="{}"', thing_id) if thing_id else SafeString("")


@register.simple_tag
def key() -> SafeString:
    """Return the place of a form's key. The browser makes it (page.js), since the same HTML goes to many people."""
    return mark_safe('<input type="hidden" name="key">')


@register.simple_tag
def errors(form: str, of: object = "") -> SafeString:
    """Return the place for the errors of the form with this id, in which `{}` is replaced by `of`."""
    return format_html('<div class="errors" id="{}-errors" role="alert"></div>', form.format(of))


@register.simple_tag
def text_input(name: str, maxlength: int, **attributes: object) -> SafeString:
    """Draw a line to type into, for which browsers suggest nothing."""
    return format_html(
        "<input{}>", _attributes({"name": name, "maxlength": maxlength, "autocomplete": "off", **attributes})
    )


@register.simple_tag
def number_input(name: str, **attributes: object) -> SafeString:
    """Draw a field for a whole number."""
    return format_html("<input{}>", _attributes({"type": "number", "name": name, **attributes}))


@register.simple_tag
def text_field(words: str, name: str, maxlength: int, **attributes: object) -> SafeString:
    """Draw a line to type into under these words. Of any field, `class`, `data_for` and `hidden` are those of both."""
    of_both, own = _for_both(attributes)
    return format_html(FIELD, of_both, words, text_input(name, maxlength, **own))


@register.simple_tag
def number_field(words: str, name: str, **attributes: object) -> SafeString:
    """Draw a field for a whole number under these words."""
    of_both, own = _for_both(attributes)
    return format_html(FIELD, of_both, words, number_input(name, **own))


@register.simple_tag
def select_field(
    words: str,
    name: str,
    choices: Iterable[tuple[object, str]],
    chosen: object = "",
    *,
    none: str = "",
    none_last: str = "",
    **attributes: object,
) -> SafeString:
    """Draw a choice among (value, words) under these words; that of none of them is called `none`, or `none_last` at the end."""
    of_both, own = _for_both(attributes)
    before, after = (options([("", given)] if given else [], None) for given in (none, none_last))
    drawn = (_attributes({"name": name, **own}), before, options(choices, chosen), after)
    return format_html(FIELD, of_both, words, format_html("<select{}>{}{}{}</select>", *drawn))


@register.simple_tag
def check_field(words: str, name: str, *, checked: object = False, **attributes: object) -> SafeString:
    """Draw a box to tick with these words behind it."""
    of_both, own = _for_both({"class": "check", **attributes})
    return format_html("<label{}>{} {}</label>", of_both, _box(name, own, checked), words)


@register.simple_tag
def check_slot(words: str, name: str, *, checked: object = False, **attributes: object) -> SafeString:
    """Draw a box to tick among the slots of a roll; a `class` is added to theirs."""
    of_both, own = _for_both({**attributes, "class": f"slot slot-check {attributes.get('class', '')}".rstrip()})
    return format_html("<label{}>{} <span>{}</span></label>", of_both, _box(name, own, checked), words)


def _box(name: str, attributes: Mapping[str, object], checked: object) -> SafeString:
    return format_html(
        '<input type="checkbox" name="{}"{}>', name, _attributes({**attributes, "checked": bool(checked)})
    )


FIELD = "<label{}>\n<span>{}</span>\n{}\n</label>"


def _for_both(attributes: Mapping[str, object]) -> tuple[SafeString, dict[str, object]]:
    """Split attributes into those of the label, drawn, and those of its field."""
    of_both = {name: value for name, value in attributes.items() if name in ("class", "data_for", "hidden")}
    return _attributes(of_both), {name: value for name, value in attributes.items() if name not in of_both}


@register.simple_tag
def fetches(where: str, *arguments: object, into: str = "desk", link: bool = False) -> SafeString:
    """Return the attributes of what fetches a part of the page into the element with the id `into`; a `link` leads there, too."""
    url = _address(where, arguments)
    drawn = _attributes({"href": link and url, "hx-get": url, "hx-target": f"#{into}", "hx-swap": "innerHTML"})
    return SafeString(drawn.lstrip())


def _address(where: str, arguments: Iterable[object]) -> str:
    """Return an address as it is, or that of a name with its arguments."""
    return where if where.startswith("/") else reverse(where, args=list(arguments))


def _attributes(attributes: Mapping[str, object]) -> SafeString:
    """Return the attributes of an element: with hyphens for underscores, and without those that are empty."""
    given = ((name.replace("_", "-"), value) for name, value in attributes.items())
    return flatatt({name: value for name, value in given if value is not None and value is not False and value != ""})


@register.simple_block_tag
def section(
    content: str,
    heading: str,
    id: str,
    of: object = "",
    *,
    label: bool = False,
    **attributes: object,
) -> SafeString:
    """Draw a section of a page with its heading, by default a card; a `label` is a small heading.

    The heading has the `id`, in which `{}` is replaced by `of`.
    """
    own_id = id.format(of)
    drawn = _attributes({"class": "card", **attributes, "aria-labelledby": own_id})
    head = _attributes({"class": "label" if label else "", "id": own_id})
    return format_html("<section{}>\n<h2{}>{}</h2>{}</section>", drawn, head, heading, content)


@register.simple_block_tag
def operation(
    content: str,
    where: str,
    *arguments: object,
    id: str,
    of: object = "",
    **attributes: object,
) -> SafeString:
    """Draw a form that is one operation: with its key, and under its fields the place for errors.

    `where` is the name of an address with its arguments, or the address itself. In its `id` `{}` is replaced by `of`.
    """
    url = _address(where, arguments)
    drawn = _attributes({"id": id.format(of), "hx-post": url, "hx-swap": "none", **attributes})
    return format_html("<form{}>\n{}{}{}\n</form>", drawn, key(), content, errors(id, of))


@register.simple_block_tag(takes_context=True)
def form_to(context: Context, content: str, where: str, *arguments: object, **attributes: object) -> SafeString:
    """Draw a form that is one operation and leads to another page: with its token and the place of its key.

    `where` is the name of an address with its arguments, or the address itself.
    """
    drawn = _attributes({**attributes, "method": "post", "action": _address(where, arguments)})
    return format_html("<form{}>\n{}{}{}</form>", drawn, CsrfTokenNode().render(context), key(), content)


@register.simple_tag
def link_to(words: str, where: str, *arguments: object, about: object = "", **attributes: object) -> SafeString:
    """Draw a link as a button, by default a bare one. What it is `about` is told to those who don't see where it stands."""
    drawn = _attributes({"class": "button bare", "href": _address(where, arguments), **attributes})
    return format_html("<a{}>{}{}</a>", drawn, words, _about(about))


@register.simple_tag(takes_context=True)
def button_to(
    context: Context, words: str, where: str, *arguments: object, about: object = "", **attributes: object
) -> SafeString:
    """Draw a form that is a single button, by default a bare one, `about` something (`link_to`); `form_class` is the form's."""
    of_form = {"class": attributes.pop("form_class", "")}
    drawn = _attributes({"class": "bare", "type": "submit", **attributes})
    button = format_html("<button{}>{}{}</button>", drawn, words, _about(about))
    return form_to(context, button, where, *arguments, **of_form)


def _about(thing: object) -> SafeString:
    return format_html('<span class="visually-hidden">: {}</span>', thing) if thing else SafeString("")


@register.simple_tag
def shortcut(does: str, *keys: str) -> SafeString:
    """Draw an entry of a list of keys: what any of these does."""
    return entry(format_html_join(" ", "<kbd>{}</kbd>", ((key,) for key in keys)), does)


@register.simple_tag
def entry(term: str, words: object, **attributes: object) -> SafeString:
    """Draw an entry of a list of terms: what one means, or the figure that it stands for, to which the attributes belong."""
    return format_html("<dt>{}</dt>\n<dd{}>{}</dd>", term, _attributes(attributes), words)


@register.simple_tag
def options(choices: Iterable[tuple[object, str]], chosen: object = "") -> SafeString:
    """Return the options of a select, of (value, words); the `chosen` value is the one it begins with, else the first."""
    marks = {str(chosen): " selected"}
    drawn = ((value, marks.get(str(value), ""), words) for value, words in choices)
    return format_html_join("\n", '<option value="{}"{}>{}</option>', drawn)


@register.filter
def shortened(label: str, short: str) -> SafeString:
    """Return a label, of which a short form is shown in a narrow place."""
    return format_html('<span class="wide" data-short="{}">{}</span>', short, label)


@register.filter
def markdown(text: str) -> SafeString:
    return to_html(as_read(text))


register.filter(signed)
register.filter(as_read)
register.filter("about_rules", rulesets.about)


@register.filter
def pips(rating: int, maximum: int) -> list[bool]:
    """Return one item for each dot or box up to `maximum` (or `rating`, where that is more): True where it is filled."""
    if max(rating, maximum) > MOST_PIPS:
        raise ValueError(f"{max(rating, maximum)} pips are no rating")
    return [at < rating for at in range(max(rating, maximum))]


@register.filter
def newest_amendment(event: Event, kind: str) -> Event | None:
    """Return the last event of this kind that amends this one; no query for events that were read `whole`."""
    later = [amendment for amendment in event.amendments.all() if amendment.kind == kind]
    return max(later, key=lambda amendment: amendment.pk, default=None)


@register.filter
def names(people: Iterable[Mapping[str, Any]]) -> str:
    """Return the names of persons as payloads have them, with commas between them."""
    return ", ".join(person["name"] for person in people)


@register.filter
def a_role(role: str) -> str:
    """Return a role as in a sentence: "a GM", "a player", "a spectator"."""
    return Role(role).phrase
