"""Forged in the Dark in another language: what is stored is the same, and what is read is in the language of whoever reads."""

from __future__ import annotations

from django.urls import reverse
from django.utils import translation

from rulesets.forged import sheet
from rulesets.forged.ruleset import Forged
from tests.rulesets.forged.procedures.staged import SET, begin, press
from tests.rulesets.forged.table.forged import players_say, scoundrel
from tests.rulesets.forged.table.test_codes import all_kinds


def german(cast, play):
    return cast.player.client.get(
        reverse("table", args=[play.campaign.slug]), HTTP_ACCEPT_LANGUAGE="de"
    ).content.decode()


def test_a_card_is_read_in_the_language_of_whoever_reads_it(play, cast):
    players_say(play)
    all_kinds(play)
    page = german(cast, play)
    for words in ("Schleichen 1", "verzweifelt", "große Wirkung", "Teilerfolg", "mittlerer Schaden (Stufe 2)"):
        assert words in page
    for words in ("Prowl 1", "great effect", "Partial success", "moderate harm"):
        assert words not in page


def test_a_staged_action_stores_no_words_of_ours(play):
    cross = scoundrel(play)
    with translation.override("de"):
        procedure = press(play.gm, begin(play.mo, cross), "set", **SET | {"position": "desperate"})
    stored = str([procedure.state, *(event.payload for event in play.events())])
    assert "desperate" in stored and "verzweifelt" not in stored


def test_an_action_is_found_by_its_name_in_either_language(play):
    values = scoundrel(play).values
    with translation.override("de"):
        assert sheet.action(values, "schleichen").name == sheet.action(values, "prowl").name == "prowl"
        assert sheet.attribute(values, "wendigkeit") == sheet.attribute(values, "prowess")


def test_statistics_keep_a_trait_under_one_name_and_read_it_in_each_language():
    expectation = Forged.expectation
    with translation.override("de"):
        assert expectation.trait_words("Prowl") == "Schleichen"
        assert expectation.trait_words("Fortune") == "Schicksal"
        assert expectation.trait_words("What somebody typed") == "What somebody typed"


def test_one_coin_is_one_in_german():
    with translation.override("de"):
        assert [sheet.coins(count) for count in (0, 1, 2)] == ["0 Münzen", "1 Münze", "2 Münzen"]
