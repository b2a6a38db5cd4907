"""The tags that translate: what they draw is what Django's draw, in whatever language a template is drawn next."""

import pytest
from babel.messages.catalog import Catalog
from django.template import Context, Template, TemplateSyntaxError
from django.templatetags import i18n
from django.test import override_settings
from django.utils import translation

from config import catalogues
from languages import lookup
from languages.templatetags.messages import Message, Sentence

SOURCES = {
    "a message": '{% translate "Dice" %}',
    "a meaning": '{% translate "Roll" context "verb" %}',
    "a percent sign": '{% translate "100% of <b>it</b>" %}',
    "under a name": '{% translate "Dice" as words %}{{ words }}, {{ words }}',
    "a message of the page": "{% translate name %}",
    "unchanged": '{% translate "Dice" noop %}',
    "a filtered one": '{% translate "Dice"|upper %}',
    "values": "{% blocktranslate trimmed with face=number sides=6 %}\n{{ face }} on a d{{ sides }}\n{% endblocktranslate %}",
    "a value that is escaped": "{% blocktranslate %}{{ markup }} rolled{% endblocktranslate %}",
    "a value that is not there": "{% blocktranslate %}[{{ nothing }}]{% endblocktranslate %}",
    "a number as it is written": "{% blocktranslate with metres=half %}{{ metres }} m{% endblocktranslate %}",
    "one of a plural": "{% blocktranslate count count=one %}{{ count }} die{% plural %}{{ count }} dice{% endblocktranslate %}",
    "several": "{% blocktranslate count count=number %}{{ count }} die{% plural %}{{ count }} dice{% endblocktranslate %}",
    "a plural with a meaning": '{% blocktranslate count n=number context "x" %}one{% plural %}{{ n }}{% endblocktranslate %}',
    "values under a name": "{% blocktranslate asvar words %}{{ number }} dice{% endblocktranslate %}{{ words }}",
}
VALUES = {"name": "Dice", "number": 3, "one": 1, "half": 2.5, "markup": "<i>Iva</i>"}


def drawn(source):
    return Template(source).render(Context(VALUES))


@pytest.mark.parametrize("language", ["en-gb", "de"])
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_tag_draws_what_the_one_of_django_draws(source, language):
    with translation.override(language):
        assert drawn(source) == drawn("{% load i18n %}" + source)


def test_a_template_is_drawn_in_one_language_after_another():
    template, words = Template(SOURCES["values"]), []
    for language in ("en-gb", "de", "en-gb"):
        with translation.override(language):
            words.append(template.render(Context(VALUES)))
    assert words == ["3 on a d6", "3 auf einem W6", "3 on a d6"]


def test_only_a_message_that_the_page_names_is_left_to_django():
    nodes = [Template(SOURCES[name]).nodelist[0] for name in ("a message", "values", "a message of the page")]
    assert [type(node) for node in nodes] == [Message, Sentence, i18n.TranslateNode]


def test_a_translation_with_a_value_that_the_message_has_not_is_left_out(monkeypatch):
    monkeypatch.setattr(lookup, "gettext", lambda words: "%(whom)s würfelt" if translation.get_language() else words)
    with translation.override("de"):
        assert drawn("{% blocktranslate %}{{ name }} rolls{% endblocktranslate %}") == "Dice rolls"


def test_a_tag_without_its_end_is_no_template():
    with pytest.raises(TemplateSyntaxError):
        Template("{% blocktranslate %}{{ name }}")


def test_a_language_decides_what_stands_before_a_colon(tmp_path):
    path = tmp_path / "fr" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    catalogue = Catalog(locale="fr", charset="utf-8")
    catalogue.add(": ", "\N{NARROW NO-BREAK SPACE}: ", context="between a label and what it says")
    path.write_bytes(catalogues.compiled(catalogue))
    source = "{{ name }}{% colon %}{{ number }}"
    assert drawn(source) == "Dice: 3"
    with override_settings(LOCALE_PATHS=[str(tmp_path)]), translation.override("fr"):
        assert drawn(source) == "Dice\N{NARROW NO-BREAK SPACE}: 3"
