"""Catalogues of words: what is found in code, and that what lies there is what code and translations say."""

import re
from collections import defaultdict
from io import StringIO

import pytest
from django.core.management import call_command

from config import catalogues
from config.catalogues import BROWSER, DOMAINS, PYTHON, Home

PLACEHOLDERS = re.compile(r"%\(\w+\)[sd]|\{\w*(?:[:!][^}]*)?\}")


@pytest.fixture
def home(tmp_path):
    (tmp_path / "app" / "static").mkdir(parents=True)
    return Home(tmp_path / "app", (tmp_path / "app",))


def messages(home, domain=PYTHON):
    return {(message.context, message.id) for message in catalogues.template(home, domain) if message.id}


def test_what_python_says_is_found_with_its_plurals_and_contexts(home):
    (home.root / "words.py").write_text(
        '_("Roll")\nngettext("{n} die", "{n} dice", n)\npgettext("a verb", "roll")\nother("not this")\n'
    )
    assert messages(home) == {(None, "Roll"), (None, ("{n} die", "{n} dice")), ("a verb", "roll")}


def test_what_a_template_says_is_found_as_it_is_looked_up(home):
    (home.root / "page.html").write_text(
        """<p title="{% translate 'It’s' %}">{% heading _("Rolls") %}{{ x|default:_("none") }}
        {% blocktranslate trimmed with name=x.name %}
          {{ name }} rolls
          50%
        {% endblocktranslate %}
        {% blocktranslate count n=dice %}{{ n }} die{% plural %}{{ n }} dice{% endblocktranslate %}
        {% translate "roll" context "a verb" %} "don't" (</p>"""
    )
    assert messages(home) == {
        (None, "It’s"),
        (None, "Rolls"),
        (None, "none"),
        (None, "%(name)s rolls 50%%"),
        (None, ("%(n)s die", "%(n)s dice")),
        ("a verb", "roll"),
    }


def test_what_scripts_say_is_in_the_catalogue_of_the_browser(home):
    (home.root / "static" / "page.js").write_text('const words = gettext("Send again");\n')
    assert messages(home, BROWSER) == {(None, "Send again")}
    assert not messages(home)


def test_nobody_translates_migrations_or_the_demo(home):
    for name in ("migrations", "demo"):
        (home.root / name).mkdir()
        (home.root / name / "words.py").write_text('_("Not this")')
    assert not messages(home)


def test_writing_messages_again_changes_nothing(home, monkeypatch):
    (home.root / "words.py").write_text('_("Roll")\n')
    monkeypatch.setattr(catalogues, "homes", lambda: [home])
    call_command("makemessages", "--locale", "fr", stdout=StringIO())
    path = home.po("fr", PYTHON)
    path.write_text(re.sub("POT-Creation-Date: [^\\\\]*", "POT-Creation-Date: 2020-01-01 00:00+0000", path.read_text()))
    before = path.read_text()
    call_command("makemessages", "--locale", "fr", stdout=StringIO())
    assert path.read_text() == before and "Roll" in before


@pytest.mark.parametrize("language", catalogues.languages())
def test_a_message_has_one_translation_wherever_it_stands(language):
    """To Django all catalogues are one: of two translations one would be used in both places."""
    said = defaultdict(set)
    for home, domain in HOMES:
        for message in catalogues.read(home.po(language, domain), language):
            if message.id:
                said[domain, message.context, message.id].add(message.string)
    assert {key: strings for key, strings in said.items() if len(strings) > 1} == {}


HOMES = [(home, domain) for home in catalogues.homes() for domain in DOMAINS]


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize(("home", "domain"), HOMES, ids=[f"{home.root.name}-{domain}" for home, domain in HOMES])
class TestCatalogue:
    def test_holds_every_message_of_the_code_and_no_other(self, home, domain, language):
        kept = {
            (message.context, message.id)
            for message in catalogues.read(home.po(language, domain), language)
            if message.id
        }
        assert kept == messages(home, domain)

    def test_is_translated_whole_with_the_same_placeholders(self, home, domain, language):
        for message in catalogues.read(home.po(language, domain), language):
            if not message.id:
                continue
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            meant = message.id if isinstance(message.id, tuple) else (message.id,)
            assert all(said), message.id
            assert not message.fuzzy, message.id
            wanted = {*PLACEHOLDERS.findall(meant[-1])}
            assert all({*PLACEHOLDERS.findall(text)} <= wanted for text in said), message.id
            assert {*PLACEHOLDERS.findall(said[-1])} == wanted, message.id

    def test_is_compiled_as_it_stands(self, home, domain, language):
        path = home.po(language, domain)
        if path.exists():
            compiled = path.with_suffix(".mo").read_bytes()
            assert compiled == catalogues.compiled(catalogues.read(path, language))
