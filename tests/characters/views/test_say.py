"""What is said in the composer, and in whose streams it stands."""

from uuid import uuid4

from django.urls import reverse

from campaigns.models import Event

HTMX = {"HTTP_HX_REQUEST": "true"}


def say(person, cast, voice, text="A word.", **more):
    data = {"key": str(uuid4()), "voice": voice, "text": text, **more}
    return person.client.post(reverse("compose", args=[cast.campaign.slug]), data, **HTMX)


def said():
    events = Event.objects.filter(kind="campaigns.said").select_related("stream", "stored").order_by("id")
    return [
        (event.stream.name, event.payload["manner"], (event.payload["voice"] or {}).get("name")) for event in events
    ]


def as_character(character):
    return f"character:{character.pk}"


def test_a_player_speaks_as_their_character_and_as_themselves(cast, silas):
    assert say(cast.player, cast, as_character(silas)).status_code == 204
    assert say(cast.player, cast, "player").status_code == 204
    assert said() == [("table", "character", "Silas Grey"), ("table", "player", None)]


def test_a_gm_narrates_and_speaks_as_npcs(cast, npc):
    assert say(cast.gm, cast, "narration").status_code == 204
    assert say(cast.gm, cast, as_character(npc)).status_code == 204
    assert said() == [("table", "narration", None), ("table", "character", "Vesper")]


def test_nobody_speaks_as_what_is_not_theirs(cast, silas, npc, hidden):
    for voice in (as_character(silas), as_character(npc), as_character(hidden), f"character:{uuid4()}", "narration"):
        answer = say(cast.other_player, cast, voice)
        assert answer.status_code == 422
        assert "You can’t speak this way any more." in answer.content.decode()
    assert said() == []


def test_a_hidden_npcs_voice_is_refused_with_what_to_do(cast, hidden):
    answer = say(cast.gm, cast, as_character(hidden))
    assert answer.status_code == 422
    assert "Reveal them first, or narrate." in answer.content.decode()
