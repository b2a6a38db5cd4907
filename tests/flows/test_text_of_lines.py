"""What is saved as text says what the log shows: for every kind of event, for every role."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.urls import reverse
from markdown_it import MarkdownIt

from campaigns.kinds import kinds
from campaigns.live.render import render_body, to_markdown, to_text
from campaigns.models import Event, Role
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.dom import Node, parse

INLINE = {"a", "b", "code", "del", "em", "s", "span", "strong", "time"}
UNREAD = {"button", "form", "summary", "svg"}
BREAK = "\n"


@pytest.fixture
def drawn(played) -> list[tuple[str, str]]:
    """Return the kind and the HTML of every line of the evening, as each role sees it."""
    events = list(Event.objects.order_by("pk").with_related().select_related("campaign"))
    assert {event.kind for event in events} == {*kinds()}
    return [(event.kind, str(render_body(event, role))) for event in events for role in Role]


def test_text_says_what_the_line_says(drawn):
    for kind, html in drawn:
        assert [_bare(line) for line in to_text(html).splitlines()] == _read(parse(html)), kind


def test_markdown_says_what_the_line_says(drawn):
    reader = MarkdownIt("commonmark", {"html": True}).enable("strikethrough")
    for kind, html in drawn:
        assert "".join(_read(parse(reader.render(to_markdown(html))))) == "".join(_read(parse(html))), kind


@pytest.mark.parametrize("form", ["csv", "markdown", "page"])
def test_rolls_by_hand_and_in_private_are_saved_in_one_sentence(cast, form):
    for audience in (Audience.TABLE, Audience.SELF):
        make_roll(cast.player.member, StorytellerInput(dice=3), audience=audience, key=uuid4(), faces=[9, 3, 2])
    answer = cast.player.client.get(reverse("log_export", args=[cast.campaign.slug]), {"as": form})
    text = answer.getvalue().decode()
    assert text.count("rolled by hand: 9, 3, 2. Marginal, 1 success.") == 2
    assert text.count("Marginal, 1 success") == 2 and "no success: below 6" not in text


def _read(line: Node) -> list[str]:
    """Return the paragraphs of a line as people read it, a roll as its one sentence; without any blanks."""
    return [words for part in _words(line).split(BREAK) if (words := _bare(part))]


def _words(node: Node) -> str:
    return "".join(_parts(node))


def _parts(node: Node) -> Iterator[str]:
    edge = "" if node.tag in INLINE else BREAK
    yield edge
    for child in _told(node):
        yield f" {child} " if isinstance(child, str) else _words(child)
    yield edge


def _told(node: Node) -> list[Node | str]:
    if node.tag in UNREAD or "roll-more" in _classes(node):
        return []
    if {"card", "roll"} <= _classes(node):
        return [part for part in node.walk() if _classes(part) & {"sentence", "roll-note"}]
    return node.children


def _classes(node: Node) -> set[str]:
    return set((node.attrs.get("class") or "").split())


def _bare(text: str) -> str:
    return "".join(text.split())
