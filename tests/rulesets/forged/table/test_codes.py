"""The log and the rows of forged rolls hold codes and names; what they say to people is drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from rolls.services.requests import Call, ask_for_roll, change_request
from rolls.services.rolls import correct_roll, void_roll
from rulesets.forged import words
from rulesets.forged.rules.action import MENUS, Attribute, Direction, Effect, Influences, Position, build
from rulesets.forged.terms import ActionTerms, FortuneTerms, ResistanceTerms
from rulesets.forged.words import ATTRIBUTE_WORDS, EFFECT_WORDS, FOLLOWS, POSITION_WORDS, STEPS, WITHDRAW
from tests.rulesets.forged.table.forged import players_say, roll, scoundrel


@pytest.fixture(autouse=True)
def said_by_players(play):
    players_say(play)


def all_kinds(play):
    """Make every kind of roll with everything that a card can show, requested, corrected and voided."""
    cross, thorn = scoundrel(play), scoundrel(play, "Thorn", play.other)
    ask = {"character": cross.pk, "action": "skirmish", "note": "in the rain"}
    everything = {"helper": thorn.pk, "bargain": "a witness", "harm1": True, "harm2": True, "setup": True, "ability": 1}
    roll(
        play,
        6,
        6,
        1,
        2,
        **ask | {"character": cross} | everything,
        push_effect=True,
        position="desperate",
        effect="zero",
    )
    made = roll(play, 4, 1, 1, 2, character=cross, action="prowl", trade="effect", push_die=True)
    corrected = correct_roll(
        play.gm, made.pk, {"reduced": True, "position": "controlled"}, reason="misread", key=uuid4()
    )
    void_roll(play.gm, corrected.pk, key=uuid4())
    for face, position in ((1, "controlled"), (4, "controlled"), (1, "risky"), (4, "risky"), (1, "desperate")):
        roll(play, face, face, action="Brawl", rating=2, position=position)
    roll(play, 5, 2, 1, kind="resistance", character=cross, consequence="gut stabbed")
    roll(play, 6, 6, kind="fortune", by=play.gm, trait=3, advantages=1, disadvantages=2)
    asked = Call(ActionTerms(action="Prowl", position="desperate", effect="great"))
    request = ask_for_roll(play.gm, asked, member=play.mo.pk, key=uuid4())
    harm = Call(ResistanceTerms(attribute="resolve", consequence="severe harm", resisting="avoids"))
    for call in (harm, Call(FortuneTerms(trait=2))):
        change_request(play.gm, request.pk, call, key=uuid4())


def rolled(play):
    return [event for event in play.events() if event.kind.startswith("rolls.")]


def test_every_code_has_a_word_of_its_own():
    """This covers the GM's choices, influences on an effect, positions, effects and attributes: none is shown as its code."""
    assert {code for menu in MENUS.values() for code in menu} - {WITHDRAW} <= FOLLOWS.keys()
    everything = Influences(
        ability=1, setup=True, push=True, trade=Direction.EFFECT, level1_harm=True, critical=True, reduced=True
    )
    assert {step.why for step in build(Effect.ZERO, everything).steps} == STEPS.keys()
    for codes, said in ((Position, POSITION_WORDS), (Effect, EFFECT_WORDS), (Attribute, ATTRIBUTE_WORDS)):
        assert set(codes) == said.keys()


def test_a_card_draws_position_and_effect_by_their_words(play, cast, monkeypatch):
    monkeypatch.setitem(words.POSITION_WORDS, Position.DESPERATE, "hopeless")
    monkeypatch.setitem(words.EFFECTS_SAID, Effect.GREAT, "grand effect")
    roll(play, 4, action="Brawl", rating=1, position="desperate", effect="great")
    card = cast.player.client.get(reverse("table", args=[play.campaign.slug])).content.decode()
    shown = card[card.index('class="card roll forged') :]
    assert "hopeless, grand effect" in shown and "Grand effect" in shown
    assert ">desperate<" not in shown and "great effect" not in shown


def test_the_words_of_every_code_are_drawn(play):
    all_kinds(play)
    told = [event.described for event in rolled(play) if event.kind == "rolls.roll_made"]
    assert [step["why"] for step in told[0]["steps"]] == [
        "special ability",
        "set-up",
        "push",
        "level 1 harm",
        "critical",
    ]
    assert [extra["words"] for extra in told[0]["extras"]] == ["help from Thorn", "Devil’s Bargain", "harm"]
    assert [cost["why"] for cost in told[0]["costs"]] == ["push", "help"]
    assert [die["why"] for die in told[0]["dice"]] == [
        *("the highest", "another 6: critical", "not the highest", "not the highest")
    ]
    menus = {item for payload in told for item in payload.get("follows", {}).get("menu", [])}
    assert {
        "reduced effect",
        "lost opportunity",
        "lesser harm (level 1)",
        "now risky",
        "complication (2 ticks)",
    } <= menus
    assert not any("_" in words for words in menus)
