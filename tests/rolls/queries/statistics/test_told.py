"""The moments that people tell of, each with its exact odds, and nothing of what a viewer may not know."""

from dataclasses import replace
from itertools import product

import pytest
from django.urls import reverse

from rolls.models import Audience
from rolls.queries import statistics as page
from rolls.queries.statistics import statistics
from rolls.queries.statistics.rolled import rolled
from rolls.queries.statistics.told import in_words
from rulesets.storyteller.odds import joint
from tests.rolls.queries.statistics.test_statistics import viewer
from tests.rules.cast import read_faces

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]

# Only what is told of moves the Scale.
WON, LOST = (7, 7, 7, 5, 5), (5, 5, 5, 4, 4)
LUCKY, SWING = (10, 4, 4), (9, 9)


@pytest.fixture
def long_evening(play):
    """Twenty-four rolls of Mo's, and three of another's: too few to tell of them alone."""
    for faces in [WON, LOST] * 9 + [LOST] * 4:
        play.roll(*faces)
    play.roll(*LUCKY, difficulty=9)
    play.roll(*SWING)
    for _ in range(3):
        play.roll(*WON, by=play.other)
    return play


def told(play, who, name=""):
    return {moment.title: moment for moment in dict(statistics(viewer(play, who), {}).told).get(name, ())}


def test_luckiest_most_dramatic_and_longest_streak_are_sentences_with_their_odds(long_evening):
    found = told(long_evening, "mo")
    lucky, dramatic, streak = found.values()
    chance = float(joint(3, 9).success)
    assert lucky.sentence == f"Silas Grey’s least likely success. Success, or better: {in_words(chance)}."
    pairs = [read_faces([*faces], 6).delta for faces in product(range(1, 11), repeat=2)]
    further = in_words(sum(delta >= 2 for delta in pairs) / 100)
    assert dramatic.sentence == f"Silas Grey moved the Scale by +2. As far as that, or further: {further}."
    in_a_row = in_words(float(1 - joint(5, 6).success) ** 5)
    assert streak.sentence == f"Mo failed 5 times in a row: {in_a_row}."
    assert ([*lucky.faces], [*dramatic.faces], [*streak.faces]) == ([*LUCKY], [*SWING], [*LOST])
    assert len(streak.sparks) == 5 and not streak.is_lucky and dramatic.is_lucky


def test_each_person_who_has_rolled_enough_has_moments_of_their_own(long_evening):
    assert not told(long_evening, "other", "Mo")  # all is told of the table already
    assert not told(long_evening, "other", "Other Player")
    for faces in [LOST] * 17 + [LUCKY]:
        long_evening.roll(*faces, by=long_evening.other, difficulty=9 if faces == LUCKY else 6)
    assert told(long_evening, "mo")["Longest streak"].sentence.startswith("Other Player failed 17 times")
    assert [*told(long_evening, "mo", "Mo")] == ["Longest streak"]
    assert told(long_evening, "mo", "Mo")["Longest streak"].sentence.startswith("Mo failed 5 times")
    assert [*told(long_evening, "mo", "Other Player")] == ["Luckiest roll", "Most dramatic moment"]


def test_a_table_that_has_rolled_little_has_none(play):
    for faces in [WON, LOST] * 9:
        play.roll(*faces)
    assert not told(play, "mo")


def test_a_hidden_roll_is_told_of_to_nobody_else(long_evening, cast):
    hidden = long_evening.roll(
        10, by=long_evening.gm, audience=Audience.GM, character=long_evening.vesper.pk, difficulty=10
    )
    assert told(long_evening, "gm")["Luckiest roll"].uid == hidden.event.uid
    assert "Vesper" in told(long_evening, "gm")["Luckiest roll"].sentence
    for who in (cast.player, cast.spectator):
        shown = who.client.get(reverse("statistics", args=[cast.campaign.slug])).content.decode()
        assert "Luckiest roll" in shown and "Vesper" not in shown and str(hidden.event.uid) not in shown


def test_a_streak_with_odds_that_one_may_not_know_is_not_told(long_evening, monkeypatch):
    groups = rolled(viewer(long_evening, "mo"))
    first = next(group for group in groups if group.succeeded is False)
    one, others = replace(first, events=first.events[-1:], chance=None), replace(first, events=first.events[:-1])
    known = [group for group in groups if group != first]
    monkeypatch.setattr(page, "rolled", lambda *asked: [*known, one, others])
    streak = told(long_evening, "mo")["Longest streak"]  # of another, and shorter
    assert streak.sentence.startswith("Other Player succeeded 3 times in a row: ")


def test_odds_are_said_as_people_say_them():
    assert [in_words(odds) for odds in (0.42, 0.1, 0.031, 1 / 1250)] == ["42 %", "10 %", "1 in 32", "1 in 1,250"]
