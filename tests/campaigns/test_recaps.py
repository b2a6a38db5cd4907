"""Recaps: a draft is the GMs', what is published is everybody's, and nobody overwrites unseen."""

import re
from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.models import Recap
from campaigns.services import play
from tests.news import news


def write(cast, session, words, *, publish=False):
    expected = play.recap_version(play.recap_of(session))
    return play.write_recap(cast.gm.member, session, words, publish=publish, expected=expected, key=uuid4())


def told():
    events = news().filter(kind__startswith="campaigns.recap").select_related("stream").order_by("pk")
    return [(event.kind.partition(".")[2], event.stream.name) for event in events]


def test_a_draft_is_told_to_gms_and_what_is_published_to_all(cast, session):
    write(cast, session, "They came.")
    assert Recap.objects.get().words == ""
    write(cast, session, "They came.", publish=True)
    assert Recap.objects.get().words == "They came."
    assert told() == [("recap_drafted", "gm"), ("recap_published", "table")]


def test_a_draft_written_after_publishing_stays_with_gms(cast, session):
    write(cast, session, "One", publish=True)
    write(cast, session, "Two")
    recap = Recap.objects.get()
    assert (recap.draft, recap.words) == ("Two", "One")


def test_what_changes_nothing_is_no_news(cast, session):
    for _ in range(2):
        write(cast, session, "One")
    for _ in range(2):
        write(cast, session, "One", publish=True)
    assert len(told()) == 2


def test_nothing_is_not_published(cast, session):
    with pytest.raises(Invalid):
        write(cast, session, "", publish=True)
    assert not Recap.objects.exists()


@pytest.mark.parametrize("question", ["What happened here?", "Was ist hier passiert?"])
def test_a_recap_with_a_scene_that_nobody_has_written_about_is_kept_but_not_published(cast, session, question):
    words = f"They came.\n\n**Scene 1**\n\n {question} \r\n"
    with pytest.raises(Invalid, match=re.escape(question)):
        write(cast, session, words, publish=True)
    write(cast, session, words)
    write(cast, session, f"“{question}” asked the watchman.", publish=True)
    assert told() == [("recap_drafted", "gm"), ("recap_published", "table")]
