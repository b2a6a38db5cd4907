"""Who, beyond its members, a thing of a campaign can belong to. This app knows no characters: the apps above tell it of them.

An app registers a source once, when it is ready; a source lists all owners of a campaign, retired and hidden ones too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.utils.functional import SimpleLazyObject

from campaigns.models import Campaign, Membership


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


Source = Callable[[Campaign], Iterable[Owner]]

_sources: list[Source] = []


def register(source: Source) -> None:
    _sources.append(source)


def owners_of(campaign: Campaign) -> Mapping[str, Owner]:
    """Return every owner by its key, in the order their sources give; read when the first is asked for."""
    owners: Any = SimpleLazyObject(lambda: {owner.key: owner for source in _sources for owner in source(campaign)})
    return cast(Mapping[str, Owner], owners)
