"""Messages are looked up once for each language."""

import pytest
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from languages import lookup


@pytest.fixture
def asked(monkeypatch):
    """Return what Django's catalogues are asked for, from now on."""
    asked, catalogues = [], translation.gettext
    for function in (lookup._gettext, lookup._ngettext, lookup._pgettext, lookup._npgettext):
        function.cache_clear()

    def gettext(message):
        asked.append((translation.get_language(), message))
        return catalogues(message)

    monkeypatch.setattr(translation, "gettext", gettext)
    return asked


def said(language):
    with translation.override(language):
        return lookup.gettext("Dice")


def test_a_message_is_given_in_the_language_that_is_active():
    assert [said(language) for language in ("en-gb", "de", "en-gb", "de")] == ["Dice", "Würfel", "Dice", "Würfel"]


def test_a_message_is_asked_for_once_in_each_language(asked):
    for language in ("en-gb", "de", "en-gb", "de"):
        said(language)
    assert asked == [("en-gb", "Dice"), ("de", "Dice")]


def test_plurals_and_meanings_are_told_apart():
    rolls = "{share} % of {count} roll", "{share} % of {count} rolls"
    with translation.override("de"):
        assert [lookup.ngettext(*rolls, count) for count in (1, 2)] == [
            "{share} % von {count} Wurf",
            "{share} % von {count} Würfen",
        ]
        assert [lookup.pgettext(meaning, "Roll") for meaning in ("verb", "noun")] == ["Würfeln", "Wurf"]
        assert lookup.npgettext("of nothing", "one", "several", 2) == "several"


def test_words_are_safe_html_only_where_the_message_is():
    plain, safe = "<b>dice</b>", mark_safe("<b>dice</b>")
    kinds = [isinstance(lookup.gettext(message), SafeString) for message in (plain, safe, plain)]
    assert kinds == [False, True, False]
