from types import SimpleNamespace

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Membership, Role
from people.models import User


@pytest.fixture
def cast(db, client):
    from django.test import Client

    campaign = Campaign.objects.create(slug="ashes", name="Ashes", systems=["storyteller"])

    def one(name, role):
        user = User.objects.create_user(name, password="x", display_name=name.capitalize())
        member = None
        if role:
            member = Membership.objects.create(campaign=campaign, user=user, role=role, joined_at=timezone.now())
        seat = Client()
        seat.force_login(user)
        return SimpleNamespace(user=user, member=member, client=seat)

    removed = one("removed", Role.PLAYER)
    removed.member.left_at = timezone.now()
    removed.member.save()
    return SimpleNamespace(
        campaign=campaign,
        gm=one("gm", Role.GM),
        player=one("mo", Role.PLAYER),
        other_player=one("iva", Role.PLAYER),
        spectator=one("watcher", Role.SPECTATOR),
        outsider=one("out", None),
        removed=removed,
    )
