"""Who acts for which characters, as procedures' rules ask about them."""

from __future__ import annotations

from django.utils import timezone

from campaigns.models import Role
from characters.models import Character
from rolls.queries.table import actors
from tests.stored import store


def test_players_act_for_their_own_and_for_those_that_they_share_while_these_are_in_play(cast):
    campaign, now = cast.campaign, timezone.now()
    mo, other = cast.player.member, cast.other_player.member

    def make(name, owner, *also, **more):
        made = Character.objects.create(campaign=campaign, name=name, owner=owner, system="arc", **more)
        made.co_owners.set(also)
        return str(made.pk)

    ada, ben, shared = make("Ada", mo), make("Ben", mo), make("Cid", mo, other)
    make("Dead", mo, other, died_at=now), make("Retired", mo, retired_at=now), make("Deleted", mo, deleted_at=now)
    make("Nobody's", None, other)
    found = {number: actor.characters for number, actor in actors(campaign).items()}
    assert found == {mo.number: {ada, ben, shared}, other.number: {shared}}


def test_a_player_without_a_character_is_there_and_who_left_or_only_watches_is_not(cast):
    mo, other = cast.player.member, cast.other_player.member
    Character.objects.create(campaign=cast.campaign, name="Ada", owner=other, system="arc")
    store(other, role=Role.SPECTATOR)
    assert {number: actor.characters for number, actor in actors(cast.campaign).items()} == {mo.number: frozenset()}
    store(mo, left_at=timezone.now())
    assert actors(cast.campaign) == {}
