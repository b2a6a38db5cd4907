"""What is said: out of character, in narration, in a whisper; and who hears it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.errors import Invalid
from campaigns.forms.play import SayForm
from campaigns.live.render import render_line
from campaigns.models import Campaign, Membership, Role
from campaigns.models.log import Subject
from campaigns.models.play import Manner
from campaigns.services import play
from campaigns.services.log import service
from tests.news import news

SILAS = Subject("character:6f3c0000-0000-4000-8000-000000000000", "Silas Grey")


@service(Role.PLAYER)
def say_as(work, voice, words, *, key):
    return play.speak(work, Manner.CHARACTER, words, voice=voice)


def heard(campaign):
    """Return the events of what was said, by stream."""
    events = news()
    return {event.stream.name: event for event in events}


def line(event, role=Role.PLAYER):
    return " ".join(render_line(event, role).split())


def test_out_of_character_is_for_everybody(cast):
    event = play.say(cast.player.member, "Who is *watching* us?", key=uuid4())
    assert (event.stream.name, event.payload["manner"], event.payload["voice"]) == ("table", "player", None)
    assert "<b>Mo</b>" in line(event)
    assert "Who is <em>watching</em> us?" in line(event)


def test_narration_has_a_look_of_its_own(cast):
    event = play.narrate(cast.gm.member, "The music drops.", key=uuid4())
    assert 'class="narrated prose"' in line(event)


def test_in_character_names_the_voice_and_who_lends_it(cast):
    event = say_as(cast.player.member, SILAS, "Good evening.", key=uuid4())
    assert event.payload["voice"] == {"id": "6f3c0000-0000-4000-8000-000000000000", "name": "Silas Grey"}
    assert event.subjects.filter(key=SILAS.key, name="Silas Grey").exists()
    assert '<b>Silas Grey</b> <span class="quiet">(Mo)</span>' in line(event)


def test_a_whisper_stands_with_each_who_hears_it_and_with_the_speaker_only(cast):
    play.whisper(cast.player.member, "He lies.", to=[cast.other_player.member, cast.spectator.member], key=uuid4())
    told = heard(cast.campaign)
    assert set(told) == {cast.player.member.stream, cast.other_player.member.stream, cast.spectator.member.stream}
    assert len({event.uid for event in told.values()}) == 1
    for event in told.values():
        assert [person["name"] for person in event.payload["to"]] == ["Other Player", "Spectator"]
        assert "</b> whispered to Other Player, Spectator. GMs can read it too" in line(event)


def test_a_whisper_to_the_gm_stands_with_the_gm(cast):
    play.whisper(cast.player.member, "May I?", to=[cast.gm.member], key=uuid4())
    assert set(heard(cast.campaign)) == {cast.player.member.stream, cast.gm.member.stream}


def test_one_does_not_whisper_to_nobody_or_to_oneself(cast):
    for to in ([], [cast.player.member]):
        with pytest.raises(Invalid, match="Choose someone to whisper to"):
            play.whisper(cast.player.member, "He lies.", to=to, key=uuid4())
    assert not news().exists()


def test_a_whisper_to_one_who_has_left_reaches_nobody(cast):
    with pytest.raises(Invalid, match="Nothing was sent"):
        play.whisper(cast.player.member, "He lies.", to=[cast.other_player.member, cast.removed.member], key=uuid4())
    assert not news().exists()


def test_a_whisper_does_not_leave_the_campaign(cast):
    other = Campaign.objects.create(slug="other", name="Other")
    stranger = Membership.objects.create(
        campaign=other, user=cast.outsider.user, role=Role.PLAYER, joined_at=timezone.now()
    )
    with pytest.raises(Invalid):
        play.whisper(cast.player.member, "He lies.", to=[stranger], key=uuid4())


def test_what_is_said_cannot_touch_the_page(cast):
    words = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![x](http://a.example/) {{ 7|add:"1" }}'
    for event in (
        play.say(cast.player.member, words, key=uuid4()),
        play.narrate(cast.gm.member, words, key=uuid4()),
        play.whisper(cast.player.member, words, to=[cast.gm.member], key=uuid4()),
    ):
        html = line(event)
        assert "<img" not in html
        assert 'href="javascript' not in html
        assert "{{ 7|add" in html


# The composer's form


def form(by, characters=(SILAS,), **data):
    return SayForm(by.member, {"text": "Hm.", **data}, characters=characters)


def test_a_player_speaks_as_a_character_as_oneself_or_in_a_whisper(cast):
    values = [value for value, _ in form(cast.player).fields["voice"].choices]
    assert values == ["character:6f3c0000-0000-4000-8000-000000000000", "player", "whisper"]
    assert "narration" in [value for value, _ in form(cast.gm).fields["voice"].choices]


@pytest.mark.parametrize(
    ("voice", "manner"),
    [("player", Manner.PLAYER), (SILAS.key, Manner.CHARACTER)],
)
def test_the_voice_says_the_manner(cast, voice, manner):
    said = form(cast.player, voice=voice)
    assert said.is_valid()
    assert said.manner == manner


def test_a_whisper_needs_listeners(cast):
    assert form(cast.player, voice="whisper").errors["to"] == ["Choose someone to whisper to."]
    said = form(cast.player, voice="whisper", to=[cast.gm.member.pk])
    assert said.is_valid()
    assert list(said.cleaned_data["to"]) == [cast.gm.member]


@pytest.mark.run_on("sqlite", "postgresql")
def test_bad_words_and_voices_are_named(cast):
    assert form(cast.player, voice="narration").errors["voice"] == [
        "You can’t speak this way any more. Reload the page and choose again."
    ]
    assert form(cast.player, voice="player", text=" ").errors["text"] == ["Write something first."]
    assert "can’t be shown" in form(cast.player, voice="player", text="\x1b[2J").errors["text"][0]
    assert "the limit is 10\u202f000" in form(cast.player, voice="player", text="x" * 10_001).errors["text"][0]
    for to in ([cast.removed.member.pk], [cast.player.member.pk], ["x"], ["999999"], [str(2**63)]):
        assert "has left the campaign" in form(cast.player, voice="whisper", to=to).errors["to"][0]


def test_a_voice_of_somebody_else_is_none_of_yours(cast):
    assert "voice" in form(cast.player, characters=(), voice=SILAS.key).errors
