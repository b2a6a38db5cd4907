"""The composer's forms: what they make, what they refuse, and that a refusal changes nothing."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from characters.services.cards import Card, make_character
from characters.services.fields import set_field
from rolls.models import Audience, Roll, RollRequest
from rolls.services.requests import Call, ask_for_roll
from rolls.services.roll_making import words_of
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn, Momentum
from tests.doors import send
from tests.news import news
from tests.stored import reread, store


@pytest.fixture
def silas(cast):
    mo = cast.player.member
    character = make_character(mo, Card("Silas", "", mo), key=uuid4())
    for field, value in (("perception", 3), ("alertness", 2)):
        character = set_field(mo, character, field, value, expected=character.value(field), key=uuid4())
    return character


def test_a_roll_is_made_from_traits_and_answered_with_nothing(cast, silas, dice):
    dice(7, 1, 1, 3, 2)
    answer = send(cast.player, "roll", character=silas.pk, pool="perception + alertness", difficulty=6)
    assert (answer.status_code, answer.content) == (204, b"")
    roll = Roll.objects.get()
    assert (roll.faces, roll.character, words_of(roll)) == ([7, 1, 1, 3, 2], silas, "Perception + Alertness")


def test_a_slash_command_does_what_the_form_does(cast, silas, dice):
    dice(7, 1, 1, 3, 2)
    said = "/r perception+alertness d7 +0 # who is there?"
    assert send(cast.player, "compose", text=said, voice=f"character:{silas.pk}").status_code == 204
    roll = Roll.objects.get()
    assert (roll.character, roll.ask["difficulty"], roll.ask["note"]) == (silas, 7, "who is there?")


def test_dice_from_a_physical_table_are_marked(cast):
    assert send(cast.player, "roll", pool="5", faces="7, 0 1 3 2").status_code == 204
    assert Roll.objects.filter(hand_rolled=True, faces=[7, 10, 1, 3, 2]).exists()
    table = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert ", rolled by hand:" in table


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("pool", {"pool": "0"}),
        ("pool", {"pool": "101"}),
        ("pool", {"pool": "1" * 100}),
        ("pool", {"pool": ""}),
        ("pool", {"pool": "perzeption"}),
        ("pool", {"pool": "willpower+alertness"}),
        ("pool", {"pool": "90", "modifier": "11"}),
        ("pool", {"pool": "5\x00"}),
        ("difficulty", {"difficulty": "1"}),
        ("difficulty", {"difficulty": "11"}),
        ("difficulty", {"difficulty": "NaN"}),
        ("modifier", {"modifier": "99"}),
        ("kind", {"kind": "prayer"}),
        ("audience", {"audience": "nobody"}),
        ("faces", {"faces": "7 1"}),
        ("faces", {"faces": "7 1 1 3 11"}),
        ("note", {"note": "x" * 201}),
        ("willpower", {"willpower": "on", "character": ""}),
    ],
)
def test_bad_input_is_named_at_its_field_and_changes_nothing(cast, silas, field, wrong):
    answer = send(cast.player, "roll", **{"character": silas.pk, "pool": "5"} | wrong)
    assert answer.status_code == 422
    assert answer.headers["HX-Retarget"] == "#roll-errors"
    assert f'data-field="{field}"' in answer.content.decode()
    assert not Roll.objects.exists()


def said():
    return {event.stream.name: event.described["words"] for event in news() if event.kind == "campaigns.said"}


def test_a_whisper_as_a_command_reaches_whom_it_names_alone(cast):
    whisper = {"voice": "narration", "to": cast.spectator.member.pk, "text": "/w OTHER  behind the mirror"}
    assert send(cast.player, "compose", form="say", **whisper).status_code == 204
    assert said() == dict.fromkeys((cast.player.member.stream, cast.other_player.member.stream), "behind the mirror")


NO_COMMAND = "isn’t a command, so nothing was sent. Commands: /r, /roll"
NOT_SAID = [
    ("/r 5 ??", "/r 5 d7"),
    *((f"/w{to}", "") for to in (" nobody psst", " removed psst", " outsider psst", " mo psst", " other", "")),
    *((line, NO_COMMAND) for line in ("/nod gladly", "/5d6", "/whsiper other psst", "/ psst")),
    ("Hello.\n/w other psst", "Send it by itself."),
]


@pytest.mark.parametrize(("text", "words"), NOT_SAID)
@pytest.mark.parametrize("voice", ["player", "whisper"])
def test_a_command_that_cannot_be_read_and_a_whisper_to_nobody_are_refused_and_nothing_is_said(
    cast, text, words, voice
):
    answer = send(cast.player, "compose", form="say", text=text, voice=voice, to=cast.other_player.member.pk)
    assert (answer.status_code, answer["HX-Retarget"], said()) == (422, "#say-errors", {})
    assert 'data-field="text"' in answer.content.decode() and words in answer.content.decode()


@pytest.mark.parametrize("before", ["\uff0fw other ", "\n/w other ", "\t\u200b/w other "])
def test_a_whisper_is_one_whatever_its_keyboard_made_of_the_command(cast, before):
    assert send(cast.player, "compose", form="say", text=f"{before}psst", voice="player").status_code == 204
    assert set(said()) == {cast.other_player.member.stream, cast.player.member.stream}


def test_what_one_does_and_says_as_another_is_written_in_a_line(cast, silas):
    assert send(cast.player, "compose", form="say", text="/me nods", voice=f"character:{silas.pk}").status_code == 204
    assert send(cast.player, "compose", form="say", text="/as silas Good evening.", voice="player").status_code == 204
    told = [event.stored.payload for event in news().filter(kind="campaigns.said").order_by("pk")]
    assert [(one["words"], one["voice"]["name"]) for one in told] == [("*nods*", "Silas"), ("Good evening.", "Silas")]


def test_names_to_speak_as_are_the_same_in_every_language(cast, silas):
    store(cast.player.user, language="de")
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert f"&quot;character:{silas.pk}&quot;: &quot;Silas&quot;" in page and "als Silas" in page
    assert send(cast.player, "compose", form="say", text="/as silas Guten Abend.", voice="player").status_code == 204
    assert said() == {"table": "Guten Abend."}


def test_nobody_speaks_as_who_is_not_theirs_nor_as_who_is_hidden(cast, silas):
    make_character(cast.gm.member, Card("Unseen", "", None, shown=False), key=uuid4())
    for person, whom in ((cast.other_player, "silas"), (cast.gm, "unseen")):
        answer = send(person, "compose", form="say", text=f"/as {whom} I confess", voice="player")
        assert (answer.status_code, said()) == (422, {})
        assert "You have no voice called" in answer.content.decode()


def test_a_gm_asks_for_a_roll_in_a_line_and_nobody_else_does(cast):
    line = "/ask mo perception+alertness d8 # the lock"
    assert send(cast.gm, "compose", form="say", text=line, voice="narration").status_code == 204
    asked = RollRequest.objects.get()
    assert (asked.member, asked.reason, asked.terms["difficulty"]) == (cast.player.member, "the lock", 8)
    assert asked.terms["traits"] == ["perception", "alertness"]
    answer = send(cast.player, "compose", form="say", text="/ask other 5", voice="player")
    assert (answer.status_code, said(), RollRequest.objects.count()) == (422, {}, 1)
    assert "Only the GM can request rolls" in answer.content.decode()
    answer = send(cast.gm, "compose", form="say", text="/ask all 5 d99", voice="player")
    assert (answer.status_code, RollRequest.objects.count()) == (422, 1)


def test_the_odds_follow_the_form(cast, silas):
    url = reverse("odds", args=[cast.campaign.slug])
    shown = cast.player.client.get(url, {"character": silas.pk, "pool": "perception+alertness"}).content.decode()
    assert "expected Scale +0.43" in shown
    assert "odds-bar" not in cast.player.client.get(url, {"pool": "10**9"}).content.decode()
    assert (
        "odds-bar"
        not in cast.other_player.client.get(url, {"character": silas.pk, "pool": "perception"}).content.decode()
    )


def test_the_odds_of_what_is_asked_for_are_those_of_who_will_see_it(cast, silas):
    Momentum.objects.create(character=silas, die_modifier=1)
    url = reverse("odds", args=[cast.campaign.slug])
    blind = {"audience": Audience.GM, "key": uuid4()}
    mine = ask_for_roll(cast.gm.member, Call(StorytellerInput()), member=cast.player.member.pk, **blind)
    others = ask_for_roll(
        cast.gm.member, Call(StorytellerInput()), member=cast.other_player.member.pk, **blind | {"key": uuid4()}
    )
    form = {"character": silas.pk, "pool": "perception+alertness"}
    for more, dice in (({}, 6), ({"audience": "gm"}, 5), ({"request": mine.pk}, 5), ({"request": others.pk}, 6)):
        assert f"{dice} dice" in cast.player.client.get(url, form | more).content.decode()


@pytest.mark.parametrize("sent", [{}, {"kind": "action"}, {"kind": "willpower"}])
def test_willpower_is_rolled_as_willpower_whatever_the_form_says(cast, silas, dice, sent):
    dice(9, 9, 9)
    assert send(cast.player, "roll", character=silas.pk, pool="willpower", **sent).status_code == 204
    dice(9, 9, 9)
    command = {"text": "/r will", "voice": f"character:{silas.pk}"}
    assert send(cast.player, "compose", form="say", **command).status_code == 204
    assert [roll.kind for roll in Roll.objects.all()] == ["willpower", "willpower"]
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert page.count('<p class="quiet">The Scale stays: a Willpower roll</p>') == 2


def test_a_gm_corrects_and_voids_and_reveals(cast, dice):
    dice(7, 1, 5)
    roll = make_roll(cast.gm.member, StorytellerInput(dice=3), audience=Audience.GM, key=uuid4())
    form = cast.gm.client.get(reverse("roll_correction", args=[cast.campaign.slug, roll.pk])).content.decode()
    assert 'value="6"' in form
    assert send(cast.gm, "roll_reveal", roll.pk).status_code == 204
    corrected = {"difficulty": 5, "kind": "action", "ability": 0, "note": "", "reason": "easier"}
    assert send(cast.gm, "roll_correct", roll.pk, **corrected).status_code == 204
    newest = Roll.objects.latest("at")
    assert (newest.faces, newest.ask["difficulty"]) == (roll.faces, 5)
    assert send(cast.gm, "roll_void", newest.pk, reason="twice").status_code == 204
    assert not Roll.objects.filter(voided_at=None).exists()


def test_a_player_answers_what_the_gm_asks_for(cast, silas):
    call = {"member": cast.player.member.pk, "pool": "perception", "difficulty": 8, "reason": "a noise"}
    assert send(cast.gm, "request_ask", **call).status_code == 204
    asked = RollRequest.objects.get()
    changed = {"pool": "perception", "difficulty": 7}
    assert send(cast.gm, "request_change", asked.pk, **changed).status_code == 204
    rolled = {"character": silas.pk, "pool": "perception", "request": asked.pk}
    assert send(cast.player, "roll", difficulty=8, **rolled).status_code == 409
    assert send(cast.other_player, "roll", difficulty=7, pool="3", request=asked.pk).status_code == 404
    assert send(cast.player, "roll", difficulty=7, **rolled).status_code == 204
    assert reread(asked).closed_at


def test_a_request_for_somebody_elsewhere_is_refused(cast):
    for member in (cast.removed.member.pk, 10**6):
        assert send(cast.gm, "request_ask", member=member, pool="wits").status_code == 404
    assert send(cast.gm, "request_ask", difficulty=12).status_code == 422
    assert not RollRequest.objects.exists()
    assert cast.gm.client.get(reverse("request_form", args=[cast.campaign.slug, uuid4()])).status_code == 404


def test_the_effect_of_a_burn_is_chosen_by_whose_it_is(cast, silas, dice):
    dice(10, 9, 8, 8, 5)
    make_roll(cast.player.member, StorytellerInput(character=silas.pk, dice=5), audience=Audience.TABLE, key=uuid4())
    burn = Burn.objects.get()
    assert send(cast.other_player, "burn_take", burn.pk).status_code == 403
    assert send(cast.player, "burn_take", burn.pk).status_code == 204
    make_character(cast.gm.member, Card("Orsolya"), key=uuid4())
    make_character(cast.gm.member, Card("Unseen", "", None, shown=False), key=uuid4())
    form = cast.player.client.get(reverse("burn_effect", args=[cast.campaign.slug, burn.pk])).content.decode()
    assert "Orsolya" in form
    assert "Unseen" not in form
    assert send(cast.player, "burn_choose", burn.pk, effect="wish").status_code == 422
    assert send(cast.player, "burn_choose", burn.pk, effect="die").status_code == 204
    assert send(cast.player, "burn_choose", burn.pk, effect="die").status_code == 409
