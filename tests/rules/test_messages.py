"""Messages: stored as what they are made of, and read in the language of whoever reads them."""

import json

import pytest
from django.utils import translation

from campaigns.schema import UNREADABLE
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Row, Staged
from rules.messages import capital, gettext, joined, message_of, ngettext, read, stored, worded

GERMAN = [
    (gettext("{number} %", number=27), "27 %"),
    (ngettext("{count} die", "{count} dice", 1), "1 Würfel"),
    (ngettext("{count} die", "{count} dice", 3), "3 Würfel"),
    (worded(gettext_lazy("Fortune roll")), "Schicksalswurf"),
    (worded(pgettext_lazy("fortune", "good")), "gut"),
    (capital(joined("", (worded(pgettext_lazy("fortune", "bad")), "."))), "Schlecht."),
    (joined(", ", ("Moth", worded(pgettext_lazy("fortune", "bad")))), "Moth, schlecht"),
]


@pytest.mark.parametrize(("message", "words"), GERMAN)
def test_a_message_is_read_in_the_language_of_its_reader_after_it_was_stored(message, words):
    kept = json.loads(json.dumps(stored(message)))
    with translation.override("de"):
        assert str(message) == read(kept) == str(message_of(kept)) == words


def test_all_that_is_read_of_a_card_is_stored_with_what_follows_from_it():
    card = stored(Staged(title="The bridge", rows=[Row(words=gettext("{number} %", number=5), whose="Moth")]))
    assert read(card)["rows"][0]["words"] == "5 %"
    assert (card["title"], card["score"], card["for_others"]) == ("The bridge", None, [])


def test_what_a_sentence_does_not_name_stays_as_it_is_written():
    assert str(gettext("{who.__class__} and {nobody}", who="Moth")) == "{who.__class__} and {nobody}"
    assert str(gettext("{who} rolls", who="{other}")) == "{other} rolls"


@pytest.mark.parametrize("kept", [{"say": 5}, {"say": ["x"], "with": 3}, {"say": ["a"], "count": "many"}, {}])
def test_what_is_no_message_is_refused(kept):
    with pytest.raises(UNREADABLE):
        message_of(kept)
