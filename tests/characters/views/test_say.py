"""What is said in the composer, and in whose streams it stands."""

from uuid import uuid4

import pytest

from campaigns.models import Event
from tests.characters.operations import send


def say(person, cast, voice):
    return send(person, "compose", cast, voice=voice, text="A word.")


def said():
    events = Event.objects.filter(kind="campaigns.said").select_related("stream", "stored").order_by("id")
    return [
        (event.stream.name, event.payload["manner"], (event.payload["voice"] or {}).get("name")) for event in events
    ]


def as_character(character):
    return f"character:{character.pk}"


@pytest.mark.parametrize(
    ("who", "whose", "plainly", "manner"),
    [("player", "silas", "player", "player"), ("gm", "npc", "narration", "narration")],
)
def test_each_speaks_as_their_characters_and_without_them(request, cast, who, whose, plainly, manner):
    character = request.getfixturevalue(whose)
    for voice in (as_character(character), plainly):
        assert say(getattr(cast, who), cast, voice).status_code == 204
    assert said() == [("table", "character", character.name), ("table", manner, None)]


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
