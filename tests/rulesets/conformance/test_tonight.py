"""The first evening that a ruleset brings (tonight.toml): laid out in every language, finished, and translated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import translation

from campaigns.models import Campaign, Clock, Membership, Role, Scene, Storyline, Viewer
from campaigns.queries.handouts import shelf
from characters.faces import FACES
from characters.models import Character
from characters.rulesets import budget_of, budgets
from rolls.queries.tonight import WORDS, evenings
from rolls.registry import RULESETS
from rolls.services.founding import found_campaign
from tests.cast import Person, person

pytestmark = pytest.mark.django_db

OFFERED = [name for name, rules in RULESETS.items() if rules.tonight.exists()]
LANGUAGES = [language for language, _ in settings.LANGUAGES]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with translation.override(request.param):
        yield request.param


@pytest.fixture(params=OFFERED)
def campaign(request: pytest.FixtureRequest, language: str) -> Campaign:
    gm = person("ana", "Ana").user
    return found_campaign(gm, name="Tonight", pitch="", systems=[request.param], tonight=request.param, key=uuid4())


def test_three_characters_are_finished_and_free_to_take(campaign):
    system = campaign.systems[0]
    free = list(Character.objects.filter(campaign=campaign, free=True))
    assert len(free) == 3 and len({character.picture for character in free} & set(FACES)) == 3
    for character in free:
        assert character.concept and character.value("description") and character.value("pronouns"), character.name
        if system in budgets():
            reckoning = budget_of(campaign, system).reckon(character.values)
            assert not reckoning.faults, character.name
            assert {pot.name: pot.left for pot in reckoning.pots if pot.left} == {}, character.name


def test_six_npcs_have_a_face_a_concept_and_something_they_want(campaign):
    npcs = list(Character.objects.filter(campaign=campaign, free=False))
    assert len(npcs) == 6 and all(npc.is_npc for npc in npcs)
    assert len({npc.picture for npc in Character.objects.filter(campaign=campaign)} & set(FACES)) == 9
    assert all(npc.concept and npc.value("gm_notes") for npc in npcs)


def test_the_scene_is_open_with_clocks_and_storylines_and_players_know_nothing_of_the_rest(campaign):
    evening = evenings()[campaign.systems[0]]
    scene = Scene.objects.get(session__campaign=campaign, closed_at=None)
    assert scene.title == evening["scene"]["title"]
    assert Clock.objects.filter(campaign=campaign).count() >= 2 and Storyline.objects.filter(campaign=campaign).exists()
    (handout,) = shelf(_viewer(campaign, Membership.objects.get(campaign=campaign)))
    assert handout.audience == "gm" and handout.picture.title == evening["handout"]["title"]
    player = _player(campaign)
    assert not shelf(_viewer(campaign, player.member))
    pages = [player.client.get(f"/c/{campaign.slug}/{part}").content.decode() for part in ("", "characters/", "log/")]
    first_words = " ".join(evening["scene"]["words"].split()[:4])
    assert first_words in pages[0]
    hidden = [npc["name"] for npc in evening["npcs"] if not npc.get("shown")]
    secret = [clock["name"] for clock in evening["clocks"] if clock["visibility"] == "secret"]
    kept = [handout.picture.title, *(npc["sheet"]["gm_notes"][:20] for npc in evening["npcs"])]
    for words in [*hidden, *secret, *kept, *(story["words"][:20] for story in evening["storylines"])]:
        assert not any(words in page for page in pages), words


@pytest.mark.parametrize("system", OFFERED)
def test_it_says_everything_in_every_language(system):
    with translation.override("en-gb"):
        english = dict(_texts(evenings()[system]))
    for other in LANGUAGES:
        with translation.override(other):
            said = dict(_texts(evenings()[system]))
        assert said.keys() == english.keys()
        # Names may be the same everywhere.
        same = [place for place, text in said.items() if text == english[place] and not place.endswith("/name")]
        assert other.startswith("en") or not same


def _texts(part: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield what can be translated, by its place."""
    named = part.items() if isinstance(part, dict) else enumerate(part)
    for name, value in named:
        if isinstance(value, dict | list):
            yield from _texts(value, f"{place}/{name}")
        elif name in WORDS:
            yield f"{place}/{name}", value


def _viewer(campaign: Campaign, member: Membership) -> Viewer:
    return Viewer(campaign, member, Role(member.role))


def _player(campaign: Campaign) -> Person:
    newcomer = person("bo", "Bo")
    newcomer.join(Membership.objects.get(campaign=campaign, role=Role.GM), Role.PLAYER)
    return newcomer
