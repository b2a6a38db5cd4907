"""A page as a browser that follows the table holds it: what live.js does, on Django's own parsed elements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.test.html import Element, parse_html

_KEY = re.compile(r'(<input type="hidden" name="key")( value="[^"]*")?')
_TOKEN = re.compile(r"(csrfmiddlewaretoken\" value=\"|X-CSRFToken\": \")[A-Za-z0-9]+")


class Page:
    """The elements of a page by id. What every answer gets anew (keys, tokens) is left out."""

    def __init__(self, html: str) -> None:
        self.root = parse_html(_plain(html))

    def find(self, element_id: str) -> Element | None:
        return next((element for _, element in _walk(self.root) if _id(element) == element_id), None)

    def apply(self, html: str) -> set[str]:
        """Place a pushed parcel as live.js does; the ids of what it placed or removed."""
        touched = set()
        for part in _elements(parse_html(f"<div>{_plain(html)}</div>")):
            removes = dict(part.attributes).get("data-remove")
            touched.add(removes or _id(part))
            if removes:
                self._replace(removes, None)
            elif not self._replace(_id(part), part):
                self._put(part)
        return touched

    def _replace(self, element_id: str, new: Element | None) -> bool:
        for parent, element in _walk(self.root):
            if _id(element) == element_id:
                at = next(place for place, child in enumerate(parent.children) if child is element)
                parent.children[at : at + 1] = [new] if new is not None else []
                return True
        return False

    def _put(self, part: Element) -> None:
        into = dict(part.attributes).get("data-into", "")
        container = self.find(into.removeprefix("#")) if into else None
        if container is not None:
            container.children.append(part)


def _plain(html: str) -> str:
    return _TOKEN.sub(r"\1", _KEY.sub(r"\1", html))


def _id(element: Element) -> str:
    return dict(element.attributes).get("id", "")


def _elements(element: Element) -> Iterator[Element]:
    return (child for child in element.children if isinstance(child, Element))


def _walk(parent: Element) -> Iterator[tuple[Element, Element]]:
    for element in _elements(parent):
        yield parent, element
        yield from _walk(element)
