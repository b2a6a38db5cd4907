"""A replay begins and ends as the table stood then: with what the table page shows at that moment."""

from __future__ import annotations

from uuid import uuid4

from django.urls import reverse

from campaigns.services import play
from tests.dom import Node, apply, parse

PANELS = ("scales", "offers", "major-burns", "clocks", "storylines", "burns")
WHO = ("gm", "player", "spectator")


def test_after_its_last_step_a_replay_shows_what_the_table_shows(played, cast):
    play.end_session(cast.gm.member, key=uuid4())
    for who in WHO:
        client = getattr(cast, who).client
        replayed = parse(_page(client, "replay", cast.campaign.slug, 2))
        for moment in _moments(client, cast.campaign.slug):
            apply(replayed, moment["html"])
        table = parse(_page(client, "table", cast.campaign.slug))
        for panel in PANELS:
            assert _shown(replayed, panel) == _shown(table, panel) != {}, (who, panel)


def test_a_replay_begins_with_what_the_table_shows_when_a_session_begins(played, cast):
    play.end_session(cast.gm.member, key=uuid4())
    play.start_session(cast.gm.member, "Third", key=uuid4())
    tables = {who: parse(_page(getattr(cast, who).client, "table", cast.campaign.slug)) for who in WHO}
    play.say(cast.gm.member, "Good night", key=uuid4())
    play.end_session(cast.gm.member, key=uuid4())
    for who, table in tables.items():
        begun = parse(_page(getattr(cast, who).client, "replay", cast.campaign.slug, 3))
        for panel in PANELS:
            assert _shown(begun, panel) == _shown(table, panel) != {}, (who, panel)


def _page(client, name: str, *args: object) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def _moments(client, slug: str):
    url = reverse("replay_events", args=[slug, 2])
    while url:
        told = client.get(url).json()
        yield from told["moments"]
        url = told["further"]


def _shown(page: Node, panel: str) -> dict[str | None, str]:
    """Return the content of a panel, by id, without its buttons, and without what is pressed at the table alone."""
    box = page.by_id(panel)
    assert box
    return {
        part.attrs.get("id"): str(_bare(part)).replace(" tabindex='0'", "")
        for part in box.children
        if isinstance(part, Node)
    }


def _bare(node: Node) -> Node:
    kept = [part for part in node.children if not (isinstance(part, Node) and part.attrs.get("class") == "actions")]
    node.children = [_bare(part) if isinstance(part, Node) else part for part in kept]
    return node
