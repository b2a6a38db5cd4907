"""By what events are found: every kind has a topic, and what stands in the index is what the one telling says."""

from pathlib import Path

import pytest

from campaigns.events import SAID
from campaigns.kinds import EventKind, Indexed, Topic, kind_of, kinds, register, topics
from campaigns.models import Event, EventIndex
from campaigns.models.members import GM, TABLE
from campaigns.text import folded

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "templates", ROOT / "scale" / "templates", *(ROOT / "rulesets").glob("*/templates"))


def test_every_kind_of_event_has_a_topic_and_a_template():
    templates = {
        f"{path.parts[-3]}/events/{path.name}" for folder in FOLDERS for path in folder.glob("*/events/[!_]*.html")
    }
    assert {kind.template for kind in kinds().values()} == templates
    assert {kind for kind in kinds().values() if kind.topic not in topics()} == set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The roof *falls*.", ["the", "roof", "falls"]),
        ("Zoë's café, STRASSE / Straße", ["zoe", "s", "cafe", "strasse", "strasse"]),
        ("snake_case 2d10", ["snake", "case", "2d10"]),
        ('\'; DROP "TABLE" & | ! :* ( ) @', ["drop", "table"]),
        ("夜の鐘", ["夜", "の", "鐘"]),
        ("", []),
        ("x" * 10_000, ["x" * 64]),
    ],
)
def test_words_are_letters_and_digits_without_case_and_accents(text, words):
    assert folded(text) == words


def test_talk_narration_and_whispers_are_told_apart():
    topics = {"player": Topic.TALK, "character": Topic.TALK, "narration": Topic.NARRATION, "whisper": Topic.WHISPER}
    for manner, topic in topics.items():
        assert SAID.indexed({"manner": manner, "words": "x"}) == Indexed(topic, words="x")


def test_what_nobody_has_registered_stands_with_the_table():
    assert kind_of("tests.unheard_of").indexed({}) == Indexed(Topic.TABLE)


def test_a_second_kind_of_the_same_name_is_refused():
    with pytest.raises(ValueError, match=r"two kinds of event called campaigns.said"):
        register([EventKind("campaigns.said", topic=Topic.TALK)])


@pytest.mark.parametrize("payload", [{}, {"words": 1}, {"words": "Hm.", "headline": "Moderate"}])
def test_a_payload_that_says_less_or_more_than_its_schema_is_refused(cast, payload):
    said = {"manner": "player", "voice": None, "to": []}
    with pytest.raises(ValueError, match=r"words|headline"):
        SAID.check(said | payload)


def test_a_roll_is_found_by_its_system_its_outcome_and_its_note(played):
    entry = EventIndex.objects.get(event=played.roll.event)
    assert (entry.topic, entry.system, entry.outcome) == ("roll", "storyteller", "success")
    noted = EventIndex.objects.filter(event__kind="rolls.roll_made", words__contains="into the dark")
    assert noted.count() == 1


def test_burns_are_found_by_their_kind_and_major_ones_apart(played):
    kinds = dict(Event.objects.filter(kind__startswith="scale.burn_").values_list("kind", "index__topic"))
    assert kinds["scale.burn_offered"] == "burn"
    assert kinds["scale.burn_narrated"] == "major"
    fallen = EventIndex.objects.filter(event__kind="scale.major_burn").values_list("outcome", flat=True)
    assert set(fallen) <= {"major_grace", "major_trouble"}
    assert "the roof falls" in EventIndex.objects.get(event__kind="scale.burn_narrated").words
    assert set(EventIndex.objects.filter(event__kind__startswith="scale.").values_list("system", flat=True)) == {
        "scale"
    }


def test_every_event_has_its_entry_and_subjects_share_its_topic(played):
    assert not Event.objects.filter(index=None).exists()
    for event in Event.objects.select_related("index").prefetch_related("subjects"):
        assert {subject.topic for subject in event.subjects.all()} <= {event.index.topic}
        assert (event.index.campaign_id, event.index.stream_id) == (event.campaign_id, event.stream_id)


def test_no_entry_of_a_stream_holds_words_that_its_readers_may_not_know(played):
    public = " ".join(EventIndex.objects.filter(stream__name=TABLE).values_list("words", flat=True))
    assert "canary" not in public
    assert "canary gm notes" in " ".join(EventIndex.objects.filter(stream__name=GM).values_list("words", flat=True))
