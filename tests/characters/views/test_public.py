"""What those see of a character who know of it and do not read its sheet: portrait, card, and what is said to all."""

import re
from uuid import uuid4

import pytest

from campaigns.live.render import render_live
from campaigns.models import Role
from characters.services.cards import delete_character
from characters.services.fields import add_row, set_field
from tests.answers import queries
from tests.characters.operations import SECRET_NAME, at, change, page, put, text, told


@pytest.fixture
def told_of(cast, silas, npc, hidden):
    """Return Silas, with a value in every field of his that is not public, and in each that is."""
    mo = cast.player.member
    for field, words in (
        ("pronouns", "he/him"),
        ("description", "Smells of *old paper*."),
        ("notes", "canary-mo-notes"),
        ("nature", "canary-mo-nature"),
    ):
        silas = set_field(mo, silas, field, words, expected="", key=uuid4())
    silas = set_field(cast.gm.member, silas, "gm_notes", "canary-gm-notes", expected="", key=uuid4())
    silas = add_row(mo, silas, "known_links", {"to": str(npc.pk), "words": "Owes her"}, key=uuid4())
    silas = add_row(mo, silas, "known_links", {"words": "A brother at sea"}, key=uuid4())
    return add_row(mo, silas, "links", {"to": str(npc.pk), "words": "canary-mo-link"}, key=uuid4())


def test_others_see_what_is_said_to_all_and_nothing_else(cast, told_of, npc):
    for person in (cast.other_player, cast.spectator):
        answer = page(person, "character", cast, told_of.pk)
        said = text(answer)
        for words in ("Silas Grey", "Archivist · played by Mo", "he/him", "<em>old paper</em>", "A brother at sea"):
            assert words in said, words
        assert re.search(rf'href="{at("character", cast, npc.pk)}">Vesper</a> · Owes her', said)
        ids = set(re.findall(rf'id="character-{told_of.pk}-([^"]*)"', said))
        assert ids == {"portrait", "name", "card", "who", "pronouns", "described"}


def test_what_somebody_says_of_themselves_is_no_html(cast, silas):
    put(cast.player.member, silas, "description", "<img src=x onerror=alert(1)> <b>me</b>", "")
    said = text(page(cast.other_player, "character", cast, silas.pk))
    assert "<img src=x" not in said and "<b>me</b>" not in said


def test_a_link_to_one_who_is_hidden_or_deleted_since_is_left_out(cast, told_of, npc):
    change(cast.gm.member, npc, name=SECRET_NAME, shown=False)
    said = text(page(cast.other_player, "character", cast, told_of.pk))
    assert SECRET_NAME not in said and str(npc.pk) not in said and "Owes her" not in said
    change(cast.gm.member, npc, shown=True)
    assert "Owes her" in text(page(cast.other_player, "character", cast, told_of.pk))
    npc.refresh_from_db()
    delete_character(cast.gm.member, npc, npc.name, key=uuid4())
    assert "Owes her" not in text(page(cast.other_player, "character", cast, told_of.pk))


def test_a_changed_description_looks_live_as_after_a_reload(cast, told_of):
    put(cast.player.member, told_of, "description", "Smells of smoke.", "Smells of *old paper*.")
    live = re.search(r"<div class=\"prose\".*?</div>", re.sub(r"\s+", " ", render_live(told()[-1], Role.PLAYER)))
    assert live and live[0] in text(page(cast.other_player, "character", cast, told_of.pk))
    assert told()[-1].stream.name == "table"


def test_links_cost_one_query_however_many_there_are(cast, told_of, npc):
    url = at("character", cast, told_of.pk)
    before = queries(cast.other_player.client, url)
    for number in range(5):
        add_row(cast.player.member, told_of, "known_links", {"to": str(npc.pk), "words": f"{number}"}, key=uuid4())
    assert queries(cast.other_player.client, url) == before
