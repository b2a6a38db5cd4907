"""Statistics of a campaign’s rolls, and exact odds for everyone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from api import schemas
from api.router import CampaignRouter
from campaigns.errors import InvalidForm, NotFound
from campaigns.forms.fields import valid
from campaigns.live.render import plain
from campaigns.models import Viewer
from rolls.forms.statistics import StatisticsForm
from rolls.queries.statistics import statistics as statistics_of
from rolls.registry import rules_called

router = CampaignRouter(tags=["Statistics and odds"])
top = Router(tags=["Statistics and odds"])


@router.reads("/statistics", response=schemas.Statistics)
def statistics(
    viewer: Viewer, player: str = "", character: str = "", trait: str = "", system: str = "", session: str = ""
) -> dict[str, Any]:
    """Get statistics of the rolls this token can see, filtered as on the page. `choices` lists the values of each filter."""
    asked = {"player": player, "character": character, "trait": trait, "system": system, "session": session}
    chosen = {name: value for name, value in asked.items() if value}
    counted = statistics_of(viewer, chosen)
    valid(StatisticsForm(counted.choices, chosen))
    told: dict[str, Any] = plain(counted)
    return told


@top.get(
    "/odds/{system}",
    response=schemas.OddsPage,
    operation_id="odds_of_system",
    url_name="odds_of_system",
    summary="Odds of a system",
    openapi_extra={"security": []},
)
def odds_of_system(request: HttpRequest, system: str) -> dict[str, Any]:
    """Get the exact odds of a game. `/odds/` lists the settings that the query takes. No token needed."""
    rules = rules_called(system)
    if rules is None or rules.odds is None:
        raise NotFound
    form = rules.odds.form(request.GET)
    if others := set(request.GET) - set(form.fields):
        raise InvalidForm.unknown(others)
    valid(form)
    return {"sections": plain(rules.odds.sections(**form.cleaned_data))}
