"""A page as a tree, and what static/js/live.js does to it: enough to ask whether live equals reload."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass(eq=False)
class Node:
    tag: str
    attrs: dict[str, str | None] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)
    parent: Node | None = None
    applied: dict[str, list[Node]] = field(default_factory=dict)
    """For a page into which something was put: all its elements, by id."""

    def walk(self) -> Iterator[Node]:
        """Yield the nodes in the order of the document. Without recursion: a test walks whole pages hundreds of times."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for child in reversed(node.children) if isinstance(child, Node)]

    def by_id(self, name: str) -> Node | None:
        return next((node for node in self.walk() if node.attrs.get("id") == name), None)

    def by_ids(self) -> dict[str, Node]:
        """Return all that `by_id` finds, in a single walk."""
        found: dict[str, Node] = {}
        for node in self.walk():
            if name := node.attrs.get("id"):
                found.setdefault(name, node)
        return found

    def ids(self) -> list[str]:
        return [name for node in self.walk() if (name := node.attrs.get("id"))]

    def __str__(self) -> str:
        """Return equal text for nodes that look and work the same."""
        attrs = "".join(f" {name}={' '.join((value or '').split())!r}" for name, value in sorted(self.attrs.items()))
        inside = "".join(str(child) for child in self.children)
        return f"<{self.tag}{attrs}>{inside}</{self.tag}>"


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Node("root")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs), parent=self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Node(tag, dict(attrs), parent=self.at))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.at.tag == tag, f"<{self.at.tag} {self.at.attrs}> is closed by </{tag}>"
        assert self.at.parent
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        if words := " ".join(data.split()):
            self.at.children.append(words)


def parse(html: str) -> Node:
    """Return the tree of a page or a fragment. Raises AssertionError for tags that are not closed in order."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder.at is builder.root, f"<{builder.at.tag} {builder.at.attrs}> is not closed"
    return builder.root


def apply(page: Node, html: str) -> None:
    """Put what the socket brought into a page, as live.js does. From the first time on nothing else may change the page."""
    if not page.applied:
        _learn(page, page)
    for part in parse(html).children:
        assert isinstance(part, Node), f"words outside of any element: {part}"
        if gone := part.attrs.get("data-remove"):
            _replace(page, _known(page, gone))
        elif until := part.attrs.get("data-remove-until"):
            for node in [node for node in page.walk() if node.attrs.get("data-until") == until]:
                _replace(page, node)
        else:
            _place(page, part)


def _place(page: Node, part: Node) -> None:
    there, into = _known(page, part.attrs.get("id") or ""), part.attrs.get("data-into")
    if there is not None:
        _keep_own(there, part)
        _replace(page, there, part)
    elif into and (container := _known(page, into.removeprefix("#"))):
        part.parent = container
        container.children.append(part)
        _learn(page, part)


def _keep_own(old: Node, new: Node) -> None:
    """Let what is a reader's own stay in a card that comes again, as apply.js does."""
    for slot in new.walk():
        if "data-own" in slot.attrs and (before := old.by_id(slot.attrs["id"] or "")):
            slot.children = [*before.children]
            for child in slot.children:
                if isinstance(child, Node):
                    child.parent = slot


def _replace(page: Node, old: Node | None, new: Node | None = None) -> None:
    if old is None or old.parent is None:
        return
    at = old.parent.children.index(old)
    old.parent.children[at : at + 1] = [new] if new else []
    for node in old.walk():
        if name := node.attrs.get("id"):
            page.applied[name].remove(node)
    if new:
        new.parent = old.parent
        _learn(page, new)


def _known(page: Node, name: str) -> Node | None:
    """Return what `by_id` finds, without a walk through the page for each part of each event."""
    found = page.applied.get(name) or [None]
    return found[0] if len(found) == 1 else page.by_id(name)


def _learn(page: Node, part: Node) -> None:
    for node in part.walk():
        if name := node.attrs.get("id"):
            page.applied.setdefault(name, []).append(node)
