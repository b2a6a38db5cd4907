"""Words of code that runs without Django, in the language of whoever reads them."""

import json
from gettext import NullTranslations

import pytest
from django.apps import apps
from django.template import Context, Template

from languages import text
from languages.text import gettext, gettext_lazy, ngettext, npgettext, pgettext, pgettext_lazy


class Loud(NullTranslations):
    """Shouts each message, and its context."""

    def gettext(self, message):
        return message.upper()

    def ngettext(self, singular, plural, number):
        return (singular if number == 1 else plural).upper()

    def pgettext(self, context, message):
        return f"{context}: {message}".upper()

    def npgettext(self, context, singular, plural, number):
        return f"{context}: {self.ngettext(singular, plural, number)}".upper()


@pytest.fixture
def loud():
    text.install(Loud())
    yield
    apps.get_app_config("languages").ready()


def test_each_function_asks_the_translations_that_are_installed(loud):
    assert gettext("die") == "DIE"
    assert [ngettext("die", "dice", number) for number in (1, 2)] == ["DIE", "DICE"]
    assert pgettext("to roll", "die") == "TO ROLL: DIE"
    assert npgettext("to roll", "die", "dice", 3) == "TO ROLL: DICE"


def test_a_lazy_text_is_translated_when_it_is_read():
    label, verb = gettext_lazy("Prowess"), pgettext_lazy("verb", "roll")
    assert [f"{label}", label + "!", f"{verb:>5}", label.lower(), gettext_lazy("%d of 9") % 3] == [
        "Prowess",
        "Prowess!",
        " roll",
        "prowess",
        "3 of 9",
    ]
    text.install(Loud())
    try:
        assert [str(label), "WESS" in label, len(label), str(verb)] == ["PROWESS", True, 7, "VERB: ROLL"]
        assert Template("{{ label }}").render(Context({"label": label})) == "PROWESS"
    finally:
        apps.get_app_config("languages").ready()


def test_a_lazy_text_compares_as_the_word_it_is_now(loud):
    assert gettext_lazy("Wits") == "WITS"
    assert sorted([gettext_lazy("b"), gettext_lazy("a")]) == ["A", "B"]
    assert {"Wits": 3}.get(gettext_lazy("Wits")) is None  # in another language it is another word


def test_a_lazy_text_never_gets_into_what_is_stored():
    with pytest.raises(TypeError):
        json.dumps({"label": gettext_lazy("Wits")})


def test_a_template_escapes_it_as_any_other_text():
    assert Template("{{ label }}").render(Context({"label": gettext_lazy("<b>")})) == "&lt;b&gt;"
