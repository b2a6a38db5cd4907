"""Letters as they are compared: whatever their case and accents."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.letters import fold, seen


@pytest.mark.parametrize(
    "typed, folded",
    [
        ("Zoé’s Wächter", "zoe’s wachter"),
        ("GROSSE Straße", "grosse strasse"),
        ("Iı İi", "ii ii"),
        ("e\u0301ﬁ\u200bx", "efix"),
        ("幽霊 がぎ", "幽霊 かき"),
        ("Щука", "щука"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("한글", unicodedata.normalize("NFD", "한글")),
        ("a\ud800B", "a\ud800b"),
        ("", ""),
    ],
)
def test_case_accents_and_what_no_one_sees_do_not_count(typed, folded):
    assert fold(typed) == folded


@given(st.text())
def test_a_text_is_folded_as_a_whole_as_its_letters_are(text):
    parts = unicodedata.normalize("NFKD", seen(text))
    assert fold(text) == "".join(one for one in parts if not unicodedata.combining(one)).upper().casefold()
