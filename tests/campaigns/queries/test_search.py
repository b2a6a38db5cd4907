"""Finding events: each filter alone and with others, a page at a time, and never what the viewer may not see."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.forms.log import LogFilter
from campaigns.kinds import LogOutcome, Result
from campaigns.models import Event, EventPayload, GameSession, Role, Scene, Viewer
from campaigns.models.log import Subject
from campaigns.models.members import GM, TABLE
from campaigns.queries import search
from campaigns.queries.search import EVERYTHING, OLDEST_FIRST, LogFilters, find
from campaigns.services import play
from campaigns.services.erasing import erase
from campaigns.services.log import happening_at, service
from rolls.registry import RULESETS
from tests.canaries import canary
from tests.cast import viewer
from tests.kinds import ANY_SAID

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

ALL = 10_000


def words(events):
    return [event.payload["words"] for event in events if event.kind == "campaigns.said"]


def said(who, wanted=EVERYTHING, beyond=None, most=ALL):
    return words(find(viewer(who), wanted, beyond, most))


@service(Role.PLAYER)
def tell(work, streams, *, about=(), key):
    """Record one operation in several streams, in the given order: {stream: words}."""
    for stream, told in streams.items():
        payload = {"manner": "player", "words": told, "voice": None, "to": []}
        event = work.record(ANY_SAID, payload, stream=stream, subjects=[Subject(key, key) for key in about])
    return event


@pytest.fixture
def talk(cast):
    """Play two sessions with some talk: Mo and Other Player out of character, the GM in narration."""
    play.say(cast.player.member, "Before it all", key=uuid4())
    play.start_session(cast.gm.member, "One", key=uuid4())
    play.open_scene(cast.gm.member, "Door", key=uuid4())
    play.say(cast.player.member, "The bells are silent", key=uuid4())
    play.narrate(cast.gm.member, "The bell tower burns", key=uuid4())
    play.end_session(cast.gm.member, key=uuid4())
    play.start_session(cast.gm.member, "Two", key=uuid4())
    play.say(cast.other_player.member, "Déjà vu, no bell", key=uuid4())


def test_newest_come_first_unless_asked_otherwise(cast, talk):
    ordered = ["Before it all", "The bells are silent", "The bell tower burns", "Déjà vu, no bell"]
    assert said(cast.player) == ordered[::-1]
    assert said(cast.player, OLDEST_FIRST) == ordered


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("bell", ["Déjà vu, no bell", "The bell tower burns", "The bells are silent"]),
        ("BELLS", ["The bells are silent"]),
        ("bell tow", ["The bell tower burns"]),
        ("deja", ["Déjà vu, no bell"]),
        ("vú", ["Déjà vu, no bell"]),
        ("ell", ["Déjà vu, no bell", "The bell tower burns", "The bells are silent"]),
        ("el", []),
        ("il tow", []),
        ("lent ells", ["The bells are silent"]),
        ("b", []),
        ("no b", []),
        ('"bells" silent*', ["The bells are silent"]),
        ("bells OR tower", []),
        ("'); DROP TABLE x; --", []),
        ("& | ! :* ( ) @ ' \"", []),
    ],
)
def test_every_word_begins_a_word_of_what_is_found(cast, talk, asked, found):
    assert said(cast.player, LogFilters(words=asked)) == found


def test_talk_is_filtered_by_topic_person_session_and_scene(cast, talk):
    first, second = GameSession.objects.order_by("number")
    scene = Scene.objects.get()
    cases = {
        LogFilters(topic="narration"): ["The bell tower burns"],
        LogFilters(who=cast.other_player.member.pk): ["Déjà vu, no bell"],
        LogFilters(session=second.pk): ["Déjà vu, no bell"],
        LogFilters(scene=scene.pk): ["The bell tower burns", "The bells are silent"],
        LogFilters(session=first.pk, topic="talk"): ["The bells are silent"],
        LogFilters(words="bell", who=cast.player.member.pk, session=first.pk): ["The bells are silent"],
        LogFilters(words="bell", topic="narration"): ["The bell tower burns"],
        LogFilters(topic="talk", session=first.pk, who=cast.gm.member.pk): [],
    }
    for wanted, found in cases.items():
        assert said(cast.player, wanted) == found, wanted


def test_what_is_asked_of_several_subjects_is_about_all_of_them(cast):
    for about, told in ((["a:1"], "one"), (["a:1", "b:2"], "both"), (["b:2"], "other")):
        tell(cast.player.member, {TABLE: told}, about=about, key=uuid4())
    assert said(cast.player, LogFilters(subjects=("a:1",))) == ["both", "one"]
    assert said(cast.player, LogFilters(subjects=("a:1", "b:2"))) == ["both"]
    assert said(cast.player, LogFilters(subjects=("a:1",), topic="talk", words="one")) == ["one"]
    assert said(cast.player, LogFilters(subjects=("a:1",), topic="roll")) == []
    assert said(cast.player, LogFilters(subjects=("c:3",))) == []


@pytest.mark.parametrize("walk", range(1, 8))
@pytest.mark.parametrize("wanted", [LogFilters(words="bell"), LogFilters(words="bell", oldest_first=True)])
def test_the_same_is_found_wherever_a_walk_through_the_log_ends(cast, talk, wanted, walk, monkeypatch):
    everywhere = said(cast.player, wanted)
    monkeypatch.setattr(search, "WALK", walk)
    for most in (1, 2, 3, ALL):
        assert said(cast.player, wanted, most=most) == everywhere[:most]


@pytest.mark.thorough  # on PostgreSQL a whole evening would have to be played for it
def test_rolls_are_filtered_by_outcome_and_system(played, cast):
    for wanted in (LogFilters(outcome="success"), LogFilters(outcome="success", system="storyteller", topic="roll")):
        events = find(viewer(cast.player), wanted, None, ALL)
        assert {RULESETS[event.payload["system"]].outcome_of(event.payload["outcome"]) for event in events} == {
            "success"
        }
    assert {event.payload["system"] for event in events} == {"storyteller"}
    assert find(viewer(cast.player), LogFilters(outcome="success", result="storyteller:success"), None, ALL) == events
    assert find(viewer(cast.player), LogFilters(outcome="success", result="storyteller:won"), None, ALL) == []
    silas = f"character:{played.character.pk}"
    majors = find(viewer(cast.player), LogFilters(subjects=(silas,), topic="major"), None, ALL)
    assert {event.kind for event in majors} >= {"scale.major_burn", "scale.burn_narrated"}
    fallen = find(viewer(cast.player), LogFilters(subjects=(silas,), outcome="major_grace"), None, ALL)
    assert set(fallen) == set(majors)
    assert find(viewer(cast.player), LogFilters(outcome="success", topic="burn"), None, ALL) == []


def test_a_span_of_time_has_its_first_moment_and_not_its_last(cast):
    start = timezone.now() + timedelta(days=1)
    for hours in range(4):
        with happening_at(start + timedelta(hours=hours)):
            play.say(cast.player.member, f"at {hours}", key=uuid4())
    hour = timedelta(hours=1)
    assert said(cast.player, LogFilters(since=start + hour, until=start + 3 * hour)) == ["at 2", "at 1"]
    assert said(cast.player, LogFilters(since=start + 3 * hour)) == ["at 3"]
    assert said(cast.player, LogFilters(since=start + 9 * hour)) == []
    assert said(cast.player, LogFilters(words="at", until=start + hour)) == ["at 0"]


@pytest.mark.parametrize(
    "wanted", [LogFilters(), LogFilters(words="line"), LogFilters(topic="talk"), LogFilters(subjects=("a:1",))]
)
def test_pages_follow_each_other_without_gap_or_repeat(cast, wanted, patience):
    for number in range(23):
        tell(cast.player.member, {TABLE: f"line {number}"}, about=["a:1"], key=uuid4())
    whole = find(viewer(cast.player), wanted, None, ALL)
    pages, beyond = [], None
    while page := find(viewer(cast.player), wanted, beyond, 5):
        assert len(page) <= 5
        pages += page
        beyond = page[-1]
    assert pages == whole
    assert len([event for event in whole if event.kind == "campaigns.said"]) == 23


# Invisible events


def test_nobody_finds_the_words_of_a_stream_that_is_not_theirs(cast):
    tell(cast.gm.member, {GM: canary("gm", "plan")}, about=["a:1"], key=uuid4())
    play.whisper(cast.player.member, canary("mo", "whisper"), to=[cast.gm.member], key=uuid4())
    for wanted in (LogFilters(words="canary"), LogFilters(subjects=("a:1",)), LogFilters(topic="whisper"), EVERYTHING):
        for who in (cast.other_player, cast.spectator):
            assert "canary" not in " ".join(said(who, wanted))
    assert said(cast.player, LogFilters(words="canary")) == [canary("mo", "whisper")]
    assert sorted(said(cast.gm, LogFilters(words="canary"))) == [canary("gm", "plan"), canary("mo", "whisper")]


def test_nobody_writes_himself_into_another_stream(cast):
    """The index holds the numbers of streams; writing such a number adds nothing there."""
    gm = Event.objects.filter(stream__name=TABLE)[0].stream_id
    play.whisper(cast.player.member, f"hello {gm} @{gm} stream_id", to=[cast.gm.member], key=uuid4())
    for asked in ("hello", str(gm), f"stream_id : {gm}"):
        assert said(cast.other_player, LogFilters(words=asked)) == []


def test_what_is_told_twice_is_found_once_in_its_richest_telling(cast):
    member = cast.player.member
    for streams in ({TABLE: "some of it", GM: "all of it"}, {member.stream: "of it, for you", TABLE: "of it, for all"}):
        tell(cast.gm.member, streams, about=["a:1"], key=uuid4())
    for wanted in (LogFilters(words="of it"), LogFilters(subjects=("a:1",)), EVERYTHING):
        assert said(cast.gm, wanted) == ["of it, for you", "all of it"]
        assert said(cast.player, wanted) == ["of it, for you", "some of it"]
        assert said(cast.other_player, wanted) == ["of it, for all", "some of it"]


def test_seen_as_a_player_a_gm_finds_what_a_player_finds(cast):
    tell(cast.gm.member, {GM: "secret bell"}, key=uuid4())
    looking = Viewer(cast.campaign, None, Role.PLAYER, real=cast.gm.member)
    assert find(looking, LogFilters(words="bell"), None, ALL) == []


def test_a_word_that_only_the_richer_telling_has_finds_nothing_for_the_others(cast):
    tell(cast.gm.member, {TABLE: "a door", GM: "a door and a trap"}, key=uuid4())
    assert said(cast.gm, LogFilters(words="trap")) == ["a door and a trap"]
    assert said(cast.player, LogFilters(words="trap")) == []


def test_words_that_are_erased_are_no_longer_found(cast):
    event = play.say(cast.player.member, "My address is Elm Street", key=uuid4())
    assert said(cast.other_player, LogFilters(words="elm")) == ["My address is Elm Street"]
    stored = EventPayload.objects.select_related("event").get(event=event)
    erase(stored, stored.payload | {"words": "(erased)"})
    assert said(cast.other_player, LogFilters(words="elm")) == []
    assert said(cast.other_player, LogFilters(words="erased")) == ["(erased)"]


@pytest.mark.parametrize("wanted", [LogFilters(), LogFilters(words="rain"), LogFilters(topic="narration")])
def test_a_page_costs_the_same_however_much_is_on_it(
    cast, wanted, django_assert_num_queries, django_assert_max_num_queries
):
    play.narrate(cast.gm.member, "It rains.", key=uuid4())
    with django_assert_max_num_queries(6) as few:
        find(viewer(cast.gm), wanted, None, 50)
    for _ in range(20):
        play.narrate(cast.gm.member, "It rains.", key=uuid4())
    with django_assert_num_queries(len(few)):
        find(viewer(cast.gm), wanted, None, 50)


def test_results_of_a_game_that_are_one_outcome_are_chosen_together_or_each_by_itself(cast, monkeypatch):
    misses = {"success": Result("Miss", LogOutcome.FAILURE), "failure": Result("Miss with a match", LogOutcome.FAILURE)}
    monkeypatch.setattr(RULESETS["storyteller"], "results", misses)
    mo = viewer(cast.player)
    mo.campaign.systems = ["storyteller"]
    form = LogFilter(mo, {"outcome": "storyteller:failure"})
    chosen = dict(form.fields["outcome"].choices)
    assert chosen["failure"] == "Miss / Miss with a match"
    assert (chosen["storyteller:success"], chosen["storyteller:failure"]) == ("Miss", "Miss with a match")
    assert form.is_valid(), form.errors
    assert (form.wanted.outcome, form.wanted.result) == ("failure", "storyteller:failure")


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("幽霊", ["夜の幽霊屋敷へ行く。", "幽霊はいない"]),
        ("屋敷", ["夜の幽霊屋敷へ行く。"]),
        ("霊屋", ["夜の幽霊屋敷へ行く。"]),
        ("夜", ["夜の幽霊屋敷へ行く。"]),
        ("屋敷 幽霊", ["夜の幽霊屋敷へ行く。"]),
        ("屋幽", []),
        ("ゆうれい", []),
        ("башня", ["Старая башня"]),
        ("ашн", ["Старая башня"]),
        ("ст", ["Старая башня"]),
        ("аш", []),
        ("หนังสือ", ["เธออ่านหนังสือ"]),
    ],
)
def test_scripts_without_blanks_and_other_alphabets_are_searched_letter_by_letter(cast, asked, found):
    for told in ("幽霊はいない", "夜の幽霊屋敷へ行く。", "Старая башня", "เธออ่านหนังสือ"):
        play.say(cast.player.member, told, key=uuid4())
    assert said(cast.player, LogFilters(words=asked)) == found
    assert said(cast.other_player, LogFilters(words=asked, oldest_first=True)) == found[::-1]


def test_words_inside_whispers_are_found_by_those_who_may_read_them(cast):
    play.whisper(cast.player.member, "The lighthousekeeper lies", to=[cast.other_player.member], key=uuid4())
    wanted = LogFilters(words="housekeep")
    assert said(cast.other_player, wanted) == said(cast.gm, wanted) == ["The lighthousekeeper lies"]
    assert said(cast.spectator, wanted) == []
