"""Of two who save the same form the second is told what the first has written, and may then save over it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.services import play
from campaigns.services.clocks import Draft, make_clock
from characters.services.cards import Card, make_character
from rolls.services.tables import write_table
from tests.flows.matrix import MATRIX
from world.models import PageKind
from world.services import make_page

EXPECTED = re.compile(r'name="expected" value="(\w*)"')

# The field that both change, and the others that the form needs
FORMS = {
    "boundaries": ("lines", {"veils": ""}),
    "campaign_settings": ("pitch", {"name": "Ashes", "systems": ["storyteller"]}),
    "character_card": ("concept", {"name": "Silas Grey", "known": "card"}),
    "clock_edit": ("name", {"kind": "progress", "segments": "6", "visibility": "visible", "owner": "gm"}),
    "page_edit": ("note", {"name": "The Gull", "kind": "place", "aliases": ""}),
    "recap": ("draft", {}),
    "roll_table": ("name", {"dice": "", "lines": "rain\nfog"}),
    "session_remember": ("words", {}),
    "scene_title": ("title", {}),
    "session_title": ("title", {}),
    "storyline": ("title", {"gm_notes": ""}),
}


@pytest.fixture
def things(cast) -> dict[str, object]:
    """Return what addresses name, at a table in its first scene."""
    gm, mo = cast.gm.member, cast.player.member
    play.start_session(gm, key=uuid4())
    play.open_scene(gm, key=uuid4())
    return {
        "number": 1,
        "scene_number": 1,
        "storyline_id": play.add_storyline(gm, "A debt", key=uuid4()).pk,
        "page_id": make_page(mo, "The Gull", PageKind.PLACE, key=uuid4()).pk,
        "table_id": write_table(gm, None, name="Weather", dice="", lines="rain\nfog", key=uuid4()).pk,
        "clock_id": make_clock(gm, Draft("Dawn", 6), key=uuid4()).pk,
        "character_id": make_character(mo, Card("Silas Grey", "Archivist", mo), key=uuid4()).pk,
    }


@pytest.mark.parametrize("name", FORMS)
def test_nobody_overwrites_what_they_have_not_seen_and_everybody_may_once_they_have(cast, things, name):
    url = reverse(name, kwargs={"slug": "ashes"} | {word: things[word] for word in MATRIX[name][2].split()})
    field, others = FORMS[name]
    theirs, mine = "Theirs", "Mine"
    if name == "session_remember":
        play.end_session(cast.gm.member, key=uuid4())

    def saved(words, expected):
        return cast.gm.client.post(url, others | {"key": uuid4(), field: words, "expected": expected})

    def shown():
        return cast.gm.client.get(url).content.decode()

    seen = EXPECTED.search(shown())[1]
    assert saved(theirs, seen).status_code == 302
    refused = saved(mine, seen)
    page = refused.content.decode()
    assert refused.status_code == 409 and mine in page
    assert ("Gm changed" in page) == (name != "boundaries")  # which are nobody’s
    assert f"It now says: {theirs}" in page
    assert theirs in shown() and mine not in shown()
    assert saved(mine, EXPECTED.search(page)[1]).status_code == 302
    assert mine in shown()
