"""Oracle tables: ours until the GM rewrites them, and ours again when they are put back."""

from dataclasses import asdict
from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Conflict, Invalid
from campaigns.models import Campaign
from scale.models import OracleTable
from scale.rules.oracles import STARTED_WITH, Entry
from scale.services.burns import change_oracle, entries_version, reset_oracle, tables_of
from scale.words import entries_read
from tests.answers import refusal
from tests.news import news

OURS = STARTED_WITH["grace"]
THEIRS = (Entry("Storm", "The xylophone rings.", True), *OURS[1:])


def entries(campaign):
    return tables_of(campaign)["grace"]


def change(who, new, *, expected=OURS, name="grace", **how):
    how = {"expected": entries_version(expected), "key": uuid4()} | how
    return change_oracle(who.member, name, new, **how)


def reset(who, *, expected, key=None):
    return reset_oracle(who.member, "grace", expected=entries_version(expected), key=key or uuid4())


def test_a_campaign_that_rewrote_nothing_has_the_defaults_and_no_rows(cast):
    assert entries(cast.campaign) == OURS
    assert not OracleTable.objects.exists()


def test_the_gms_entries_stand_in_for_ours_in_this_campaign_alone(cast):
    change(cast.gm, THEIRS)
    assert entries(cast.campaign) == THEIRS
    assert entries(Campaign.objects.create(slug="other", name="Other")) == OURS


def test_other_tables_stay_as_they_are(cast):
    change(cast.gm, THEIRS)
    assert tables_of(cast.campaign) == {**STARTED_WITH, "grace": THEIRS}


def test_only_gms_hear_of_it_and_what_was_there_stays_in_the_log(cast):
    change(cast.gm, THEIRS)
    event = news().get()
    assert (event.kind, event.stream.name) == ("scale.oracle_changed", "gm")
    theirs = {"title": "Storm", "text": "The xylophone rings.", "shift": True}
    assert event.payload["changes"] == [{"face": 1, "before": None, "after": theirs}]
    assert event.described["changes"] == [{"face": 1, "before": asdict(OURS[0]), "after": theirs}]
    assert event.described["called"] == "Grace Oracle"


def test_saving_what_is_there_and_putting_back_what_is_ours_is_no_news(cast):
    change(cast.gm, OURS)
    reset(cast.gm, expected=OURS)
    assert not news().exists()
    assert not OracleTable.objects.exists()


def test_putting_back_gives_our_texts_again(cast):
    change(cast.gm, THEIRS)
    reset(cast.gm, expected=THEIRS)
    assert entries(cast.campaign) == OURS
    assert news().last().described["reset"] is True
    assert news().last().described["changes"][0]["before"]["title"] == "Storm"


def test_what_another_gm_wrote_meanwhile_is_not_lost(cast):
    change(cast.gm, THEIRS)
    refused = refusal(Conflict, change, cast.gm, [Entry("Mine", "Mine."), *OURS[1:]])
    assert refused.current["entries"][0]["title"] == "Storm"
    assert refused.by == cast.gm.member.name
    with pytest.raises(Conflict):
        reset(cast.gm, expected=OURS)
    assert entries(cast.campaign) == THEIRS


@pytest.mark.parametrize("count", [0, 9, 11])
def test_a_table_has_ten_entries(cast, count):
    with pytest.raises(Invalid, match="needs 10 entries"):
        change(cast.gm, (OURS * 2)[:count])


def test_a_table_that_was_rewritten_before_our_words_changed_keeps_them_in_each_readers_language(cast):
    places = (
        (name, face) for name, table in STARTED_WITH.items() for face in range(10) if "no one" in table[face].text
    )
    name, face = next(places)
    before = [asdict(entry) for entry in STARTED_WITH[name]]
    before[face]["text"] = before[face]["text"].replace("no one", "nobody")
    OracleTable.objects.create(campaign=cast.campaign, name=name, entries=before)
    assert tables_of(cast.campaign)[name] == STARTED_WITH[name]
    with translation.override("de"):
        assert "niemand" in entries_read(name, tables_of(cast.campaign)[name])[face].text
