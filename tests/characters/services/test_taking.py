"""Characters that are free: a player takes one with one press."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Conflict, Forbidden
from campaigns.live.render import render_line
from campaigns.models import Role
from characters.models import Character
from characters.services.cards import Card, card_version, change_character, hand_over, make_character, take_character
from tests.news import news


def free(cast, name="Mara Venn", **card):
    given = {"opened": True, "free": True} | card
    return make_character(cast.gm.member, Card(name, "The voice of the night", **given), key=uuid4())


def test_a_player_takes_it_once_and_its_sheet_is_theirs_from_then_on(cast):
    mara, key = free(cast), uuid4()
    for _ in range(2):
        taken = take_character(cast.player.member, mara, key=key)
    assert (taken.owner, taken.free, taken.opened) == (cast.player.member, False, False)
    (event,) = news().filter(kind="characters.character_changed")
    assert event.stream.name == "table" and "Mo plays <b>Mara Venn</b>." in render_line(event, Role.PLAYER)
    with pytest.raises(Conflict, match="Mara Venn is no longer free"):
        take_character(cast.other_player.member, mara, key=uuid4())


def test_nobody_takes_what_is_not_free(cast):
    npc = make_character(cast.gm.member, Card("The Surveyor", opened=True), key=uuid4())
    hidden = free(cast, "Nell", shown=False)
    retired = free(cast, "Jonas")
    Character.objects.filter(pk=retired.pk).update(retired_at=cast.campaign.created_at)
    assert not hidden.free
    for character in (npc, hidden, retired):
        with pytest.raises(Conflict):
            take_character(cast.player.member, character, key=uuid4())


def test_a_player_changes_nothing_else_of_it(cast):
    mara, mo = free(cast), cast.player.member
    with pytest.raises(Forbidden):
        change_character(mo, mara, Card("Mine", owner=mo), expected=card_version(mara), key=uuid4())
    assert not hand_over(cast.gm.member, mara, cast.other_player.member, key=uuid4()).free


def test_newcomers_and_the_list_of_characters_offer_it_and_a_press_leads_to_the_table(cast):
    mara, slug = free(cast), cast.campaign.slug
    take = reverse("character_take", args=[slug, mara.pk])
    for name in ("characters", "character_new"):
        assert take in cast.player.client.get(reverse(name, args=[slug])).content.decode()
        assert take not in cast.gm.client.get(reverse(name, args=[slug])).content.decode()
    assert take not in cast.spectator.client.get(reverse("characters", args=[slug])).content.decode()
    answer = cast.player.client.post(take, {"key": uuid4()})
    assert (answer.status_code, answer.url) == (302, f"/c/{slug}/?character={mara.pk}")
    late = cast.other_player.client.post(take, {"key": uuid4()})
    assert late.status_code == 409 and "no longer free" in late.content.decode()


def test_a_gm_frees_an_npc_on_its_card_and_takes_that_back(cast):
    npc = make_character(cast.gm.member, Card("Mara Venn"), key=uuid4())
    url = reverse("character_card", args=[cast.campaign.slug, npc.pk])
    for known, said in (("free", "is free: a player can take"), ("card", "can no longer be taken")):
        npc.refresh_from_db()
        form = {"name": npc.name, "concept": "", "known": known, "expected": card_version(npc), "key": uuid4()}
        assert cast.gm.client.post(url, form).status_code == 302
        npc.refresh_from_db()
        assert (npc.free, npc.opened) == (known == "free", known == "free")
        assert said in render_line(news().filter(kind="characters.character_changed").last(), Role.PLAYER)
    form = {"name": "Nell", "concept": "", "known": "free", "owner": cast.player.member.pk, "key": uuid4()}
    answer = cast.gm.client.post(reverse("character_new", args=[cast.campaign.slug]), form)
    assert answer.status_code == 422 and "Only NPCs can be taken." in answer.content.decode()


def test_whoever_has_just_joined_is_told_to_take_one_only_where_there_is_one(cast):
    def told() -> str:
        return cast.player.client.get(reverse("character_new", args=["ashes"]), {"welcome": ""}).content.decode()

    assert "Make a character, or look around first." in told()
    free(cast)
    assert "Take a character who’s ready to play, make your own, or look around first." in told()
