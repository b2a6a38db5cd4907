"""The page on which a GM rewrites the oracles of the Scale, and the table of its moves."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from campaigns.live.render import to_text
from campaigns.services.play import start_session
from rolls.models import Audience
from scale.models import OracleTable, Scale
from scale.queries import history
from scale.rules.oracles import STARTED_WITH
from scale.services.burns import entries_version
from scale.words import TABLES
from tests.answers import queries

GRACE = STARTED_WITH["grace"]
PLUS_4 = (10, 9, 8, 8, 5)


def url(cast, name, *args):
    return reverse(name, args=[cast.campaign.slug, *args])


def typed(entries=GRACE, **changes):
    """Return what the form of a table sends."""
    data = {"key": uuid4(), "expected": entries_version(entries)}
    for face, entry in enumerate(entries, 1):
        data |= {f"title_{face}": entry.title, f"text_{face}": entry.text}
        if entry.shift:
            data[f"shift_{face}"] = "on"
    return {name: value for name, value in (data | changes).items() if value is not None}


def save(cast, name="grace", who="gm", **changes):
    return getattr(cast, who).client.post(url(cast, "oracle", name), typed(**changes))


def test_the_page_shows_every_table(cast):
    page = cast.gm.client.get(url(cast, "oracles")).content.decode()
    for name in TABLES:
        assert f'id="oracle-{name}"' in page
        assert STARTED_WITH[name][9].title in page
    assert "Rewritten" not in page


def test_an_entry_is_rewritten_and_put_back(cast):
    assert save(cast, title_3="Storm", text_3="", shift_3="on", shift_8=None).status_code == 302
    entries = OracleTable.objects.get().entries
    assert entries[2] == {"title": "Storm", "text": "", "shift": True}
    assert entries[7]["shift"] is False
    assert "Rewritten for this campaign." in cast.gm.client.get(url(cast, "oracles")).content.decode()
    page = cast.gm.client.get(url(cast, "oracle", "grace"))
    answer = cast.gm.client.post(
        url(cast, "oracle_reset", "grace"), {"key": uuid4(), "expected": page.context["expected"]}
    )
    assert answer.status_code == 302
    assert not OracleTable.objects.exists()


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"title_1": ""}, "This field is required."),
        ({"title_1": "x" * 61}, "the limit is 60"),
        ({"text_1": "x" * 1001}, "the limit is 1\u202f000"),
        ({"text_10": "a\x00b"}, "can’t be shown"),
    ],
)
def test_bad_input_comes_back_with_a_reason_and_what_was_typed(cast, changes, words):
    answer = save(cast, title_2="Kept while you mend it", **changes)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "Kept while you mend it" in answer.content.decode()
    assert not OracleTable.objects.exists()


def test_a_stale_form_comes_back_with_both_and_can_then_be_saved(cast):
    save(cast, title_1="Theirs", shift_9=None)
    answer = save(cast, title_1="Mine")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'value="Mine"' in page
    assert "It now says: Theirs" in page
    assert "It now says: no shift" in page
    assert save(cast, title_1="Mine", expected=answer.context["form"].data["expected"]).status_code == 302
    assert OracleTable.objects.get().entries[0]["title"] == "Mine"


def test_a_second_result_cannot_ask_for_a_third(cast):
    entries = STARTED_WITH["grace_shift"]
    save(cast, "grace_shift", entries=entries, title_1="Mine", shift_1="on")
    assert not any(entry["shift"] for entry in OracleTable.objects.get().entries)


def test_a_table_that_is_not_there_is_not_found(cast):
    assert cast.gm.client.get(url(cast, "oracle", "weather")).status_code == 404
    assert cast.gm.client.post(url(cast, "oracle_reset", "weather"), {"key": uuid4()}).status_code == 404


@pytest.fixture
def moves(play):
    """Return the address of the table of a session in which the Scale moved three times, once by a roll that few saw."""
    start_session(play.gm, "Evening", key=uuid4())
    play.roll(*PLUS_4)
    play.roll(9, audience=Audience.SELF, note="xylophone")
    play.roll(2)
    return reverse("scale_moves", args=[play.campaign.slug, play.scale.pk]) + "?session=1"


def rows(answer):
    assert answer.status_code == 200
    return re.findall(r"#event-[^>]+>(\d+)</a>", answer.content.decode())


@pytest.mark.parametrize("who", ["gm", "other_player", "spectator"])
def test_the_moves_are_listed_page_by_page_with_and_without_scripts(cast, moves, monkeypatch, who):
    monkeypatch.setattr(history, "LISTED", 2)
    client = getattr(cast, who).client
    plain, part = client.get(moves), client.get(moves, headers={"hx-request": "true"})
    further = unescape(re.search(r'href="([^"]+\?session=1&amp;after=\d+)"', plain.content.decode())[1])
    assert rows(plain) == rows(part) == ["1", "2"] and rows(client.get(further)) == ["3"]
    assert "<html" in plain.content.decode() and "<html" not in part.content.decode()
    assert "xylophone" not in plain.content.decode() and "HX-Request" in part["Vary"]


def test_the_page_of_a_session_leads_to_the_moves_and_has_none_of_them(cast, moves, play):
    for name, *args in (("session", 1), ("session_totals", 1), ("scale",)):
        page = cast.player.client.get(url(cast, name, *args))
        assert f'href="{moves}"' in page.content.decode() and "<td>" not in page.content.decode()


def test_the_moves_take_as_many_queries_however_many_there_are(cast, moves, play):
    asked = queries(cast.player.client, moves)
    for _ in range(3):
        play.roll(9)
    assert queries(cast.player.client, moves) == asked


def test_moves_of_a_scale_or_in_a_session_that_is_not_there_are_not_found(cast, moves):
    for scale, number in ((uuid4(), 1), (Scale.objects.get().pk, 2)):
        assert cast.gm.client.get(url(cast, "scale_moves", scale), {"session": number}).status_code == 404


def test_a_storyline_that_is_a_question_is_followed_by_its_own_mark_alone():
    burn = {"kind": "trouble", "reached": -8, "character": {"name": "Silas"}, "storyline": "Who stands in the fog?"}
    told = " ".join(to_text(render_to_string("scale/_major_burn.html", {"burn": burn})).split())
    assert "It strikes: Who stands in the fog?" in told and "fog?." not in told
