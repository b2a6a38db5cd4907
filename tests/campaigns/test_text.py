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


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        pytest.param(
            ("  Vesper ", "one\r\ntwo\rthree\t!\n\n"),
            ("Vesper", "one\ntwo\nthree\t!"),
            id="lines stay and the space around goes",
        ),
        pytest.param(
            ("Rene\u0301", "u\u0308ber"), ("Ren\u00e9", "\u00fcber"), id="letters have one form however they were typed"
        ),
    ],
)
def test_text_is_kept_as_it_is_meant(typed, kept):
    note = Note(dict(zip(("name", "words"), typed, strict=True)))
    assert note.is_valid() and (note.cleaned_data["name"], note.cleaned_data["words"]) == kept


CONTROLS = ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x85", "\ud800", "\u202e", "\u2066"]
UNSEEN = ["\u200b", "\u00ad", "\ufeff", "\u2060", "\u200d", "\u200e", "\u3164", "\u115f", "\u2800", "\ufe0f", "\u034f"]
NOTHING = ["", "   ", "\n\n", "\u200b", "\u2060 \u200d", "\u3164", "\u2800 \u115f"]
REFUSED = [
    *(
        (field, f"a{sign}b", f"It has a character that can’t be shown (U+{ord(sign):04X}). Delete it and try again.")
        for field in ("name", "words")
        for sign in CONTROLS
    ),
    *(
        ("name", name, f"It has an invisible character (U+{ord(sign):04X}). Type it instead of pasting it.")
        for sign in UNSEEN
        for name in (f"Ves{sign}per", f"Vesper {sign}x")
    ),
    *(("name", nothing, "This field is required.") for nothing in NOTHING),
    ("name", "a\nb", "This has to fit on one line."),
    ("name", "a\tb", "This has to fit on one line."),
    ("name", "n" * 21, "That’s 21 characters; the limit is 20."),
    ("words", "é" * 10_001, "That’s 10\u202f001 characters; the limit is 10\u202f000."),
]


@pytest.mark.parametrize(("field", "typed", "why"), REFUSED)
def test_what_may_not_be_written_is_said_to_be_so(field, typed, why):
    assert errors(**{field: typed})[field] == [why]


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("words", "é" * 10_000),
        # Line ends count once, as browsers count them.
        ("words", "x" + "\r\n" * 9_998 + "x"),
        ("name", "Ζωή 👩‍🚀 שלום"),
        ("words", "שלום עולם"),
        *(("words", f"Ves{sign}per") for sign in UNSEEN),
        # What changes how other letters look.
        *(("name", name) for name in ("❤️ Ada", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "می\u200cخواهم", "👩\u200d👧")),
    ],
)
def test_text_of_any_script_may_be_written(field, typed):
    assert not errors(**{field: typed})


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
