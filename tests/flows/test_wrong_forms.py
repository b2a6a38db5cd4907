"""What is wrong in a form is said there, with what was typed, and nothing has happened."""

from __future__ import annotations

from uuid import uuid4, uuid5

import pytest
from django.urls import reverse

from campaigns.models import Campaign, Event, Invitation
from tests.flows.matrix import MATRIX

TYPED = {"name", "title", "pitch", "concept", "veils", "address"}
CLOCK = {"name": "Dawn", "kind": "mission", "segments": "6", "visibility": "visible", "owner": "gm", "filled": "0"}
RIVAL = {"kind": "racing", "rival_name": "The watch"}

# By its address: a form that would do, and what is changed in it with the words that come back
FORMS: dict[str, tuple[dict[str, object], list[tuple[dict[str, object], str]]]] = {
    "boundaries": (
        {"lines": "Drowning", "veils": "Fire"},
        [
            ({"lines": "x " * 70}, "longer than 120"),
            ({"lines": "\n".join(map(str, range(41)))}, "the limit is 40"),
            ({"lines": "a\x00b"}, "can’t be"),
        ],
    ),
    "campaign_new": (
        {"name": "Harrow", "pitch": "Who lit it?", "systems": ["storyteller"]},
        [
            ({"name": ""}, "required"),
            ({"name": "x" * 81}, "the limit is 80"),
            ({"name": "two\nlines"}, "one line"),
            ({"name": "bell\x07"}, "U+0007"),
            ({"pitch": "x" * 2001}, "the limit is 2\u202f000"),
            ({"systems": []}, "at least one"),
            ({"systems": ["chess"]}, "rules aren’t installed here"),
            ({"key": "nonsense"}, "no key"),
            # What follows from the key of another operation may be the id of something that it made.
            ({"key": uuid5(uuid4(), "rival")}, "no key"),
        ],
    ),
    "character_new": (
        {"name": "Silas", "concept": "Archivist", "known": "card"},
        [
            ({"name": ""}, "This field is required."),
            ({"name": "   "}, "This field is required."),
            ({"name": "x" * 81}, "the limit is 80"),
            ({"name": "a\x00b"}, "can’t be shown"),
            ({"name": "a\nb"}, "one line"),
            ({"concept": "y" * 20_000}, "the limit is 120"),
        ],
    ),
    "clock_new": (
        CLOCK,
        [
            ({"segments": "1"}, "2 to 12"),
            ({"segments": "13"}, "2 to 12"),
            ({"segments": "six"}, "2 to 12"),
            ({"segments": ""}, "required"),
            ({"name": ""}, "required"),
            ({"name": "x" * 81}, "the limit is 80"),
            ({"name": "Da\x00wn"}, "can’t be shown"),
            ({"kind": "cuckoo"}, "not one of the available"),
            ({"owner": "member:999999"}, "in this campaign now"),
            ({"owner": "character:nobody"}, "in this campaign now"),
            ({"kind": "linked"}, "Choose the clock that opens it"),
            ({"after": "nothing"}, "no longer on the table"),
            ({"kind": "racing"}, "in pairs"),
            (RIVAL, "how many segments"),
            (RIVAL | {"rival_segments": "13"}, "2 to 12"),
            ({"filled": "6"}, "full from the start"),
        ],
    ),
    "roll_table_new": (
        {"name": "Weather", "dice": "d6", "lines": "1-5 rain\n6 fog"},
        [
            ({"name": ""}, "required"),
            ({"name": "x" * 81}, "the limit is 80"),
            ({"name": "[[Street]]"}, "square brackets"),
            ({"dice": "d7"}, "not one of the available"),
            ({"lines": ""}, "required"),
            ({"lines": "rain"}, "Line 1: Begin with the numbers"),
            ({"lines": "1-6 a\x00b"}, "can’t be shown"),
            ({"lines": "1-6 [[weather]]"}, "lead back to itself"),
        ],
    ),
    "invitations": (
        {"role": "player", "days": "7", "uses": "1"},
        [
            (wrong, "")
            for wrong in (
                {"role": "king"},
                {"days": "2"},
                {"days": ""},
                {"uses": "0"},
                {"uses": "-1"},
                {"uses": "1001"},
                {"uses": "x"},
                {"key": "x"},
            )
        ],
    ),
    "dates_propose": (
        {"at": ["2030-01-31T19:30"]},
        [
            ({"at": ["soon"]}, "Enter a date and time"),
            ({"at": ["", " "]}, "Enter at least one"),
            ({"at": ["2020-01-31T19:30"]}, "in the next two years"),
            ({"at": ["9999-12-31T23:59"], "weeks": "2", "times": "12"}, "in the next two years"),
            ({"zone": "Middle/Earth"}, "Choose a time zone from the list"),
            ({"times": "13"}, "less than or equal to 12"),
            ({"weeks": "3"}, "Select a valid choice"),
            ({"minutes": "-1"}, "Select a valid choice"),
        ],
    ),
    "page_new": (
        {"name": "The Gull, place"},
        [
            ({"name": ""}, "Give the page a name."),
            ({"name": "The [[Gull]]"}, "Use a name without"),
            ({"name": "x" * 81}, "the limit is 80"),
            ({"name": "x" * 121}, "the limit is 120"),
            ({"name": "a\x00b"}, "can’t be shown"),
            ({"name": "a\nb"}, "one line"),
        ],
    ),
    "storyline_new": (
        {"title": "A debt", "gm_notes": "Forged"},
        [
            ({"title": ""}, "This field is required."),
            ({"title": "x" * 121}, "the limit is 120"),
            ({"title": "a\x00b"}, "can’t be shown"),
            ({"gm_notes": "n" * 10_001}, "the limit is 10\u202f000"),
            ({"whose": "999999"}, "has left the campaign"),
            ({"whose": "me"}, "has left the campaign"),
        ],
    ),
    "webhooks": (
        {"address": "https://example.org/hook", "format": "standard", "topics": ["roll"]},
        [
            ({"address": "ftp://example.org"}, "That’s not a web address."),
            ({"address": f"https://{'a.' * 130}org/"}, "That’s not a web address."),
            ({"address": "https://localhost/"}, "Nothing is sent there."),
            ({"address": "http://example.org/"}, "Use an address that starts with https://."),
            ({"address": ""}, "Enter the receiver’s address."),
            ({"topics": []}, "Choose what to send."),
            ({"topics": ["whisper"]}, "Choose from the list."),
            ({"format": "xml"}, "Choose a format."),
        ],
    ),
}


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize(
    ("name", "form", "wrong", "words"),
    [(name, form, wrong, words) for name, (form, faults) in FORMS.items() for wrong, words in faults],
)
def test_what_is_wrong_in_a_form_is_said_there_and_nothing_has_happened(cast, name, form, wrong, words):
    url = reverse(name, args=["ashes"] if name in MATRIX else [])
    before = [kept.objects.count() for kept in (Campaign, Event, Invitation)]
    answer = cast.gm.client.post(url, {"key": uuid4()} | form | wrong)
    page = answer.content.decode()
    assert answer.status_code == 422 and words in page
    assert [kept.objects.count() for kept in (Campaign, Event, Invitation)] == before
    assert all(str(form[field]) in page for field in TYPED & form.keys() - wrong.keys())
