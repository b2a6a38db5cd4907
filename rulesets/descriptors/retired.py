"""What was once claimed, and is settled at the table now: logs tell of it as before. Whatever still waits can only be refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Name, Schema
from characters.advancement import ClaimKind, Given, Standing, Told, Wording
from characters.sheets.fields import Field

NOW: Final = "This is settled at the table now, and written on the sheet by that. Refuse what still waits."


@dataclass
class RetiredClaim:
    """It is offered no more."""

    label: str
    wording: Wording

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        raise Invalid(NOW)

    def grant(self, standing: Standing, kept: Given) -> NoReturn:
        raise Invalid(NOW)

    def at_once(self, campaign: Campaign) -> bool:
        return False


class Hit(Schema):
    successes: int
    instead: bool


class Recovered(Schema):
    name: Name
    dice: int
    successes: int


class Refreshed(Schema):
    other: Name | None = None


class Kept(Schema):
    name: Name
    dice: int


def _hit(payload: Told) -> str:
    many = "1 success" if payload["successes"] == 1 else f"{payload['successes']} successes"
    return f"Hit with {many}{', an Injury instead' if payload['instead'] else ''}"


def _recovery(payload: Told) -> str:
    name, dice, left = payload["name"], payload["dice"], max(0, payload["dice"] - payload["successes"])
    if not payload["successes"]:
        return f"{name} withstands recovery"
    return f"Recovery: {name} {dice}D, {f'now {left}D' if left else 'gone'}"


def _refreshment(payload: Told) -> str:
    return f"A Refreshment Scene with {payload['other'] or 'somebody'}; the GM may make things worse for it, once"


RETIRED: Final[Mapping[str, ClaimKind]] = MappingProxyType(
    {
        "hit": RetiredClaim("A roll was lost", Wording(Hit, _hit)),
        "recovery": RetiredClaim("A recovery roll was made", Wording(Recovered, _recovery)),
        "refreshment": RetiredClaim("A Refreshment Scene was played", Wording(Refreshed, _refreshment)),
        "keep": RetiredClaim(
            "Something that sticks is there for good",
            Wording(Kept, lambda payload: f"{payload['name']} {payload['dice']}D is there for good"),
        ),
    }
)
