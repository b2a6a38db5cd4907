"""Who, beyond its members, a thing of a campaign can belong to. This app knows no characters: the apps above tell it of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.utils.functional import SimpleLazyObject

from campaigns.models import Campaign, Membership
from campaigns.signals import answers, owners_asked


@dataclass(frozen=True)
class Owner:
    """`key` is that of an EventSubject, such as "character:<uuid>". `player` acts for it, if anybody does.

    `shown` says whether players know of it, `active` whether it may still be given something.
    """

    key: str
    name: str
    player: Membership | None
    shown: bool = True
    active: bool = True


def owners_of(campaign: Campaign) -> Mapping[str, Owner]:
    """Return every owner by its key, retired and hidden ones too; read when the first is asked for."""
    owners: Any = SimpleLazyObject(
        lambda: {owner.key: owner for owners in answers(owners_asked, Campaign, campaign=campaign) for owner in owners}
    )
    return cast(Mapping[str, Owner], owners)
