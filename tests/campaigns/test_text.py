"""What may be written, and what is said about what may not."""

import pytest
from django import forms

from campaigns.forms.fields import LineField, TextField
from languages.letters import same


class Note(forms.Form):
    name = LineField(max_length=20)
    words = TextField(required=False)


def errors(**data):
    return Note({"name": "Vesper", **data}).errors


def test_text_keeps_its_lines_and_loses_the_space_around_it():
    note = Note({"name": "  Vesper ", "words": "one\r\ntwo\rthree\t!\n\n"})
    assert note.is_valid()
    assert note.cleaned_data == {"name": "Vesper", "words": "one\ntwo\nthree\t!"}


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x85", "\ud800", "\u202e", "\u2066"])
@pytest.mark.parametrize("field", ["name", "words"])
def test_control_characters_are_named_and_refused(field, letter):
    assert errors(**{field: f"a{letter}b"})[field] == [
        f"It has a character that can’t be shown (U+{ord(letter):04X}). Delete it and try again."
    ]


def test_ten_thousand_characters_fit_and_one_more_does_not():
    assert not errors(words="é" * 10_000)
    assert errors(words="é" * 10_001)["words"] == ["That’s 10\u202f001 characters; the limit is 10\u202f000."]


def test_line_ends_count_once_as_browsers_count_them():
    assert not errors(words="x" + "\r\n" * 9_998 + "x")


def test_a_line_is_one_line():
    assert errors(name="a\nb")["name"] == errors(name="a\tb")["name"] == ["This has to fit on one line."]
    assert errors(name="n" * 21)["name"] == ["That’s 21 characters; the limit is 20."]


@pytest.mark.parametrize("nothing", ["", "   ", "\n\n", "\u200b", "\u2060 \u200d"])
def test_what_cannot_be_seen_is_nothing(nothing):
    assert errors(name=nothing)["name"] == ["This field is required."]


def test_other_scripts_and_emoji_are_text_like_any_other():
    assert not errors(name="Ζωή 👩‍🚀 שלום", words="שלום עולם")


@pytest.mark.parametrize(
    "sign",
    ["\u200b", "\u00ad", "\ufeff", "\u2060", "\u200d", "\u200e", "\u3164", "\u115f", "\u2800", "\ufe0f", "\u034f"],
)
def test_a_name_has_no_signs_that_no_one_sees(sign):
    refused = [f"It has an invisible character (U+{ord(sign):04X}). Type it instead of pasting it."]
    assert errors(name=f"Ves{sign}per")["name"] == errors(name=f"Vesper {sign}x")["name"] == refused
    assert not errors(words=f"Ves{sign}per")


@pytest.mark.parametrize("sign", ["\u3164", "\u2800 \u115f"])
def test_a_name_of_letters_without_ink_is_none(sign):
    assert errors(name=sign)["name"] == ["This field is required."]


@pytest.mark.parametrize("name", ["❤️ Ada", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "می\u200cخواهم", "👩\u200d👧"])
def test_what_changes_how_other_letters_look_may_stand_in_a_name(name):
    assert not errors(name=name)


def test_letters_are_kept_in_one_form_however_they_were_typed():
    note = Note({"name": "Rene\u0301", "words": "u\u0308ber"})
    assert note.is_valid() and note.cleaned_data == {"name": "Ren\u00e9", "words": "\u00fcber"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("René", "rene\u0301"),
        ("JÜRGEN", "jurgen"),
        ("İlker", "ilker"),
        ("Işıl", "isil"),
        ("Weiß", "WEISS"),
        ("a  b", " A b"),
        ("Ｎｏｒａ", "No\u00adra"),
    ],
)
def test_names_are_compared_without_case_accents_and_what_no_one_sees(one, other):
    assert same(one, other) and not same(one, f"{other}x")


def test_browsers_are_told_the_limits():
    assert Note().fields["name"].widget.attrs["maxlength"] == "20"
    assert Note().fields["words"].widget.attrs["maxlength"] == "10000"
