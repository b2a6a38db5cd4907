"""The page on which a table decides what the rules leave open."""

from __future__ import annotations

import re
from fractions import Fraction
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Event
from rolls.forms.settings import RulesForm
from rolls.registry import RULESETS
from rolls.settings import RollSettings, roll_settings
from rulesets.arc import settings as arc
from rulesets.descriptors import settings as descriptors
from rulesets.forged import rules as forged
from rulesets.storyteller import settings as storyteller
from tests.stored import store


@pytest.fixture
def url(cast):
    return reverse("rules_settings", args=[cast.campaign.slug])


def typed(**changes):
    """Return the form's data as the page shows it, with some fields changed."""
    form = RulesForm(now=RollSettings(), systems=list(RULESETS))
    shown = {name: form[name].value() for name in form.fields}
    data = {name: "on" if value is True else value for name, value in shown.items() if value is not False}
    data = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in data.items()}
    return data | {name.replace("__", "."): value for name, value in changes.items()} | {"key": str(uuid4())}


def settings_of(cast):
    cast.campaign.refresh_from_db()
    return roll_settings(cast.campaign)


def test_saved_as_it_is_shown_it_changes_nothing(cast, url):
    assert cast.gm.client.post(url, typed()).status_code == 302
    assert settings_of(cast) == RollSettings()


def test_a_table_is_filled_in_place_by_place_and_what_is_wrong_is_named(cast, url):
    page = cast.gm.client.get(url).content.decode()
    assert page.count('name="arc.dice"') == 10
    assert "<span>Skill score 10</span>" in page and "<span>Very easy</span>" in page
    steps = ["1", "4", "9", "16", "25", "36"]
    assert cast.gm.client.post(url, typed(arc__thresholds=steps)).status_code == 302
    assert settings_of(cast).of(arc.Settings).thresholds == (1, 4, 9, 16, 25, 36)
    for wrong, words in (
        (["1", "4", "many", "16", "25", "36"], "Average: enter a whole number."),
        (["1", "4", "3", "16", "25", "36"], "5 to 100"),
    ):
        answer = cast.gm.client.post(url, typed(arc__thresholds=wrong))
        assert (answer.status_code, words in answer.content.decode()) == (422, True)
        assert all(f'value="{one}"' in answer.content.decode() for one in wrong)
    answer = cast.gm.client.post(url, typed(arc__dice=["4"] * 10))
    assert "The die of skill score 5 needs 5 to" in answer.content.decode()


def test_every_kind_of_setting_can_be_decided(cast, url):
    changes = {
        "storyteller__botch_names": "a, b, c, d, e",
        "arc__burden_speed": "1, 1, 2/3, 1/2, 0",
        "descriptors__boxes": "8",
        "forged__gambits": "on",
    }
    assert cast.gm.client.post(url, typed(**changes)).status_code == 302
    now = settings_of(cast)
    assert now.of(storyteller.Settings).botch_names == ("a", "b", "c", "d", "e")
    assert now.of(arc.Settings).burden_speed[2] == Fraction(2, 3)
    assert now.of(descriptors.Settings).boxes == 8
    assert now.of(forged.Settings).gambits


def test_our_names_of_botches_are_kept_as_codes_whatever_language_they_are_typed_in(cast, url):
    store(cast.gm.user, language="de")
    assert 'value="leicht, ' in cast.gm.client.get(url).content.decode()
    german = "leicht, heikel, schwer, verheerend, katastrophal"
    cast.gm.client.post(url, typed(storyteller__botch_names=german))
    names = settings_of(cast).of(storyteller.Settings).botch_names
    assert names == ("minor", "heikel", "major", "disastrous", "catastrophic")
    changed = Event.objects.get(kind="rolls.settings_changed").described["changes"]
    assert [change["after"] for change in changed] == ["minor, heikel, major, disastrous, catastrophic"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("arc.dice", "4, 4, 6", "10 entries"),
        ("arc.dice", "4, four, 6", "Enter numbers"),
        ("arc.burden_speed", "1/0", "Enter numbers"),
        ("arc.thresholds", "9" * 5000, "the limit is"),
        ("descriptors.boxes", "0", f"{descriptors.WORDS['boxes']} must be a whole number from 1 to"),
        ("descriptors.boxes", str(10**9), "100"),
        ("forged.last_trauma", "NaN", "whole number"),
    ],
)
def test_what_cannot_be_decided_is_refused_at_its_field_and_keeps_what_was_typed(cast, url, field, value, words):
    answer = cast.gm.client.post(url, typed(**{field.replace(".", "__"): value}))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert words in answer.context["form"].errors[field][0]
    assert answer.context["form"][field].value() == value
    assert settings_of(cast) == RollSettings()


def test_only_the_rules_that_are_played_are_asked_for_and_the_others_stay(cast, url):
    cast.gm.client.post(url, typed(forged__boxes="7"))
    store(cast.campaign, systems=["arc"])
    html = cast.gm.client.get(url).content.decode()
    assert set(re.findall(r'name="(\w+)\.\w+"', html)) == {"arc"}
    cast.gm.client.post(url, {name: value for name, value in typed().items() if name.startswith(("arc.", "key"))})
    assert settings_of(cast).of(forged.Settings).boxes == 7
