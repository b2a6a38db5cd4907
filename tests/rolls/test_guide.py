"""The guide tells every rule with its mark and its source, and every setting with the default that really holds."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from characters.rulesets import budgets
from config import catalogues
from rolls.guide import Rule, System
from rolls.queries import guide
from rolls.registry import setting_value_words
from rolls.settings import groups
from rulesets.arc.settings import Settings as ArcSettings
from rulesets.descriptors.guide import example
from scale.rules.scale import Settings as ScaleSettings

SYSTEMS = [pytest.param(system, id=system.slug) for system in guide.guide()]
TAKEN = {"main", "menu", "account", "notice", "announcer", "contents-head", "contradictions", "contradictions-head"}
"""Ids of the page around the guide."""


def settings_in_the_rules() -> set[str]:
    """Return "<system>.<field>" of everything that the rules let campaigns decide."""
    return {f"{name}.{field}" for name, kind in groups().items() for field in kind.model_fields}


def told() -> dict[str, Rule]:
    """Return the guide's rules that name a setting, by setting."""
    return {rule.setting.name: rule for system in guide.guide() for rule in system.rules if rule.setting}


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_anchor_leads_to_one_place(system: System):
    anchors = ["first-evening", *(section.id for section in system.sections), *(rule.id for rule in system.rules)]
    assert len(set(anchors)) == len(anchors)
    assert not TAKEN & set(anchors)
    assert all(re.fullmatch(r"[a-z0-9-]+", anchor) for anchor in anchors)


def test_every_setting_of_the_rules_is_told_once():
    names = [rule.setting.name for system in guide.guide() for rule in system.rules if rule.setting]
    assert len(set(names)) == len(names)
    assert set(names) == settings_in_the_rules()


def test_the_default_comes_from_the_rules():
    for name, value in (("scale.shared", ScaleSettings().shared), ("arc.dice", ArcSettings().dice)):
        assert told()[name].setting.default == setting_value_words(name, value)


def test_defaults_are_told_as_people_read_them():
    assert setting_value_words("arc.dice", True) == "yes"
    assert setting_value_words("arc.burden_speed", (Fraction(1), Fraction(3, 4), Fraction(1, 2))) == "1, 3/4, 1/2"


def test_a_new_character_is_given_what_the_guided_page_gives():
    for slug, kind in budgets().items():
        rows = dict(told_by(slug, "creation-budget").table.rows)
        assert rows == {one.words: str(getattr(kind(), name)) for name, one in kind.settings().items()}


def test_the_printed_example_of_the_scale_comes_to_nothing_and_the_mended_one_to_one():
    examples = told_by("scale", "read-faces").examples
    assert [one.came.partition("; ")[2] for one in examples] == ["the Scale stays", "the Scale moves by +1"]
    assert [die.given for die in examples[0].pools[0][1]] == [1, 0, 0, -1, None]


def test_the_worked_checks_of_the_text_come_out_as_printed():
    came = [one.came for one in told_by("arc", "check-adjustment").examples]
    assert came == ["7 + 4 + 5 = 16: higher than 9, a success", "7 + 4 − 3 = 8: not higher than 9, a failure"]


def test_a_stalemate_is_told_as_one():
    assert example(a=[8, 2], b=[2, 8]).came == "a stalemate"


ENGLISH = """
name = "Embers"
[[first_evening]]
title = "Light it"
text = "Say how."
[roll]
title = "Rolls"
[roll.spark]
title = "A spark"
text = "One is enough."
mark = "stated"
"""


@pytest.fixture
def book(tmp_path):
    """Returns a guide of few words, as it is read with these German words beside it."""

    def read(german):
        (tmp_path / "guide.toml").write_text(ENGLISH)
        (tmp_path / "guide.de.toml").write_text(german)
        with translation.override("de"):
            return guide.book_at(tmp_path / "guide.toml", guide.WORDS)

    return read


def test_what_is_translated_is_read_in_that_language_and_the_rest_in_english(book):
    read = book('[[first_evening]]\ntitle = "Zünde es an"\n[roll.spark]\ntext = "Einer genügt."')
    assert read["first_evening"] == [{"title": "Zünde es an", "text": "Say how."}]
    assert read["roll"]["spark"] == {"title": "A spark", "text": "Einer genügt.", "mark": "stated"}


@pytest.mark.parametrize(
    "german",
    [
        '[roll.flame]\ntitle = "x"',
        '[roll.spark]\nmark = "derived"',
        "first_evening = []",
        'roll = "x"',
        "[name]\nof = 1",
    ],
)
def test_a_translation_that_does_not_fit_the_guide_is_an_error(book, german):
    with pytest.raises(ValueError):
        book(german)


def test_both_languages_have_the_same_rules():
    with translation.override("de"):
        german = guide.guide()
    assert [[rule.id for rule in system.rules] for system in german] == [
        [rule.id for rule in system.rules] for system in guide.guide()
    ]


def entries(book):
    return book if isinstance(book, dict) else dict(enumerate(book)) if isinstance(book, list) else {}


def left_in_english(book, words, place=""):
    """Yield where a text of a book has none in its translation."""
    for key, value in entries(book).items():
        said = entries(words).get(key)
        if key in guide.WORDS and isinstance(value, str) and not said:
            yield f"{place}/{key}"
        yield from left_in_english(value, said, f"{place}/{key}")


BOOKS = [*Path(settings.BASE_DIR).glob("rulesets/*/guide.toml"), Path(settings.BASE_DIR) / "scale/guide.toml"]


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.parent.name)
def test_a_guide_is_translated_whole(path, language):
    book, words = (tomllib.loads(file.read_text()) for file in (path, path.with_suffix(f".{language}.toml")))
    assert [*left_in_english(book, words)] == []


def told_by(system: str, rule: str) -> Rule:
    return next(one for one in guide.system(system).rules if one.id == rule)
