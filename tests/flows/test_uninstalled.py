"""A campaign whose rules are not installed any more opens, says so, shows what there is, and lets people talk."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns import rulesets
from campaigns.live.render import render_line
from campaigns.models import Campaign, Event, Role
from characters.models import Character
from rolls.models import Roll
from rolls.registry import RULESETS
from tests.dom import parse
from tests.doors import read
from tests.flows.matrix import GET
from tests.rulesets.uninstall import uninstall

SAID = "These rules aren’t installed here any more"


@pytest.fixture(params=[*RULESETS, "all of them"])
def names(request) -> list[str]:
    return list(RULESETS) if request.param == "all of them" else [request.param]


@pytest.fixture
def gone(names, monkeypatch, played) -> list[str]:
    """Return the names of rulesets that were uninstalled after a campaign had used them."""
    for name in names:
        uninstall(monkeypatch, name)
    return names


OF_RULES = {
    *("character_guided", "character_export", "advances", "field_history"),
    *("request_form", "request_new", "roll_form", "odds", "kept_rolls"),
    *("procedure_form", "procedure_new", "procedure_on_card"),
    *("claim_new", "descriptors_keys", "scale_moves"),
}
"""Pages that are nothing without rules: they may be missing, or refused in words."""


@pytest.fixture(scope="module")
def answered() -> dict[str, int]:
    """Return a cache of pages' statuses while all rules are installed: each page is requested once, as the evening is
    the same.
    """
    return {}


def test_every_page_of_the_campaign_opens(names, monkeypatch, addresses, cast, answered):
    pages = {name: url for name, (how, _, url) in addresses.items() if GET in how.split() and name != "see_as"}
    answered.update(answered or {name: cast.gm.client.get(url).status_code for name, url in pages.items()})
    for name in names:
        uninstall(monkeypatch, name)
    # Without any rules every page, without those of one game some by chance.
    asked = answered if len(names) > 1 else dict(random.sample([*answered.items()], 15))
    for name, before in asked.items():
        status = cast.gm.client.get(pages[name]).status_code
        assert status == before or (name in OF_RULES and status in (404, 422)), (name, status)


def test_every_character_opens_and_one_without_its_rules_has_no_fields(gone, cast):
    everybody = Character.objects.filter(campaign=cast.campaign, deleted_at=None)
    for character in everybody:
        shown = read(cast.gm.client, "character", cast.campaign.slug, character.pk)
        assert character.name in shown
        if character.system in gone:
            assert f"The rules of this sheet ({character.system}) aren’t installed here." in shown
            assert not any(f'data-field="{field}"' in shown for field in character.sheet)
            kept = Character.objects.with_related().get(pk=character.pk)
            assert (kept.sheet, kept.secret) == (character.sheet, character.secret)


def test_the_table_and_the_settings_say_so(gone, cast):
    for name in ("table", "campaign_settings", "character_new"):
        shown = read(cast.gm.client, name, cast.campaign.slug)
        for one in gone:
            assert rulesets.label_of(one) == f"{one} (not installed)"
            assert one in shown and SAID in shown, name


def test_the_log_shows_each_roll_by_these_rules_with_what_came_of_it(gone, cast):
    rolls = Roll.objects.filter(campaign=cast.campaign, system__in=gone)
    told = Event.objects.filter(kind__startswith="rolls.").with_related().select_related("campaign")
    shown = parse("".join(render_line(event, Role.GM) for event in told))
    assert rolls
    for roll in rolls:
        card = shown.by_id(f"roll-{roll.pk}")
        assert card and (roll.ask.get("words") or roll.kind.replace("_", " ")) in str(card)
        assert ", ".join(map(str, roll.faces)) in str(card)
    for name in gone:
        assert read(cast.player.client, "log", cast.campaign.slug, system=name)


def test_people_talk_and_roll_by_what_is_left(gone, cast, dice):
    before = Event.objects.count()
    fields = {"key": uuid4(), "text": "Still here.", "voice": "player"}
    answer = cast.player.client.post(reverse("compose", args=[cast.campaign.slug]), fields)
    assert answer.status_code in (204, 302)
    assert Event.objects.count() == before + 1
    assert "Still here." in read(cast.spectator.client, "table", cast.campaign.slug)


def test_what_would_need_the_rules_is_refused_in_words(gone, cast, played):
    slug, headers = cast.campaign.slug, {"hx-request": "true", "hx-trigger": "roll"}
    for roll in {one.system: one for one in Roll.objects.filter(campaign=cast.campaign, voided_at=None)}.values():
        if roll.system not in gone:
            continue
        for name, args in (("roll_void", [roll.pk]), ("roll_correct", [roll.pk]), ("roll", [])):
            url = reverse(name, args=[slug, *args])
            answer = cast.gm.client.post(url, {"key": uuid4(), "system": roll.system, "pool": "5"}, headers=headers)
            assert answer.status_code in (409, 422), (name, answer.status_code)


def test_saving_the_settings_keeps_the_rules_that_are_gone(gone, cast):
    url = reverse("campaign_settings", args=[cast.campaign.slug])
    form = cast.gm.client.get(url).context["form"]
    left = [name for name in cast.campaign.systems if name in RULESETS] + gone
    fields = {"name": "Ashes", "pitch": "", "systems": left, "expected": form.initial["expected"], "key": uuid4()}
    assert cast.gm.client.post(url, fields).status_code == 302
    assert set(Campaign.objects.get(pk=cast.campaign.pk).systems) == set(left)


def test_what_is_installed_again_stands_where_it_stood(monkeypatch):
    before = list(RULESETS)
    with monkeypatch.context() as patch:
        uninstall(patch, before[0])
        assert list(RULESETS) == before[1:]
    assert list(RULESETS) == before


def test_ledgers_say_what_there_is_without_their_words(monkeypatch, played):
    """Silas bought something, and Abigail claimed something, by rules that are gone."""
    for name in ("storyteller", "descriptors"):
        uninstall(monkeypatch, name)
    told = Event.objects.select_related("stored").order_by("pk")
    bought = told.filter(kind="characters.xp_spent").first().described["entry"]
    claimed = [event.described["claim"]["words"] for event in told.filter(kind="characters.claim_made")]
    assert (bought["amount"], bought["unit"], bought["words"]) == (2, "Xp", "Other: canary-mo-bought")
    assert "Key: canary-mo-key, challenged" in claimed
