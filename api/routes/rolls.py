"""Rolls: made, requested, answered, voided; and their exact odds before they fall."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, client_seed
from api.routes.events import told_of
from campaigns.errors import Invalid, InvalidForm, NotFound, existing
from campaigns.forms.fields import valid
from campaigns.live.render import plain
from campaigns.models import Role, Viewer
from characters.models import Character
from rolls.forms.base import CorrectionForm, ReasonForm, RollForm
from rolls.forms.requests import CallForm
from rolls.forms.statistics import StatisticsForm
from rolls.forms.tables import TableRollForm
from rolls.models import Audience, Procedure, Roll, RollRequest, RollTable
from rolls.queries.kept import kept_rolls as kept_of
from rolls.queries.requests import open_requests, seen_request
from rolls.queries.statistics import statistics as statistics_of
from rolls.registry import RULESETS, commands_of, rules_called
from rolls.services import tables
from rolls.services.requests import ask_for_roll, close_request, withdraw_roll
from rolls.services.rolls import correct_roll, reveal_roll, void_roll
from rolls.services.tables import written
from rolls.slash import is_roll
from rolls.views.rolls import odds_context, odds_of, roll_or_announce, slash_form
from rolls.views.tables import drawn_table, existing_table

router = CampaignRouter(tags=["Rolls"])

SYSTEM: Final = {"type": "string", "description": "The rules, by name; the campaign’s first unless it is said."}
TEXT: Final = {"type": "string", "maxLength": 500, "description": "A slash command, in place of fields: “/r 5 d7”."}
LONGEST_TEXT: Final = 500


def any_roll() -> dict[str, Any]:
    """Return the schema of any roll's body. Which further fields there are depends on its rules (`GET /rulesets`)."""
    common = form_schema(RollForm)
    properties = {"system": SYSTEM, "text": TEXT, **common["properties"]}
    return common | {"properties": properties, "additionalProperties": True}


@router.writes("/rolls", body=any_roll(), response=schemas.Rolled)
def make_roll(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Roll, with the fields the rules take (`GET /rulesets`) or with a slash command in `text` and a `character`.

    `request` answers a request from the GM. `announce` lets the GM set the roll first. `faces` are the results of real
    dice. Without a `client_seed` the server makes one and says so.
    """
    seed, by = client_seed(_text(body, "client_seed"), key)
    made = roll_or_announce(viewer, _roll_form(viewer, {**body, "client_seed": seed}), key)
    return {
        "roll": str(made.pk) if isinstance(made, Roll) else None,
        "request": str(made.pk) if isinstance(made, RollRequest) else None,
        "procedure": str(made.pk) if isinstance(made, Procedure) else None,
        "client_seed": seed,
        "client_seed_by": by,
        "event": told_of(viewer, made.event) if isinstance(made, Roll) else None,
    }


@router.asks("/odds", Role.PLAYER, body=any_roll(), response=schemas.Odds)
def odds(viewer: Viewer, body: Fields) -> dict[str, Any]:
    """Get the exact odds of a roll before making it. The fields are the same."""
    form = _roll_form(viewer, body)
    return {"odds": plain(odds_of(odds_context(viewer, form), form))}


@router.writes("/rolls/{roll_id}/void", Role.GM, body=form_schema(ReasonForm), response=schemas.Done)
def void(viewer: Viewer, roll_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Void a roll and undo everything it set off."""
    reason = filled(ReasonForm, body).cleaned_data["reason"]
    return {"id": str(void_roll(viewer.by, roll_id, reason=reason, key=key).pk)}


@router.writes(
    "/rolls/{roll_id}/correct",
    Role.GM,
    body=form_schema(CorrectionForm) | {"additionalProperties": True},
    response=schemas.Done,
)
def correct(viewer: Viewer, roll_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Read the same dice again with corrected terms. The rules say which terms can be corrected."""
    roll = existing(Roll.objects.filter(campaign=viewer.campaign, pk=roll_id).first())
    ruleset = RULESETS.get(roll.system)
    form = filled(ruleset.correction if ruleset else CorrectionForm, body)
    corrected = correct_roll(viewer.by, roll_id, form.changes, reason=form.cleaned_data["reason"], key=key)
    return {"id": str(corrected.pk)}


@router.writes("/rolls/{roll_id}/reveal", Role.GM, response=schemas.Done)
def reveal(viewer: Viewer, roll_id: UUID, key: UUID) -> dict[str, Any]:
    """Reveal a hidden roll to the whole table."""
    return {"id": str(reveal_roll(viewer.by, roll_id, key=key).pk)}


@router.reads("/requests", response=list[schemas.Request])
def requests(viewer: Viewer) -> list[dict[str, Any]]:
    """List the open roll requests this token can see."""
    return [plain(request) for request in open_requests(viewer)]


@router.writes("/requests", Role.GM, body=any_roll() | {"required": []}, response=schemas.Done)
def ask_for(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Ask one `member`, or every player of these rules, for a roll. `reason` says what it is for and `audience` who sees it;
    the rest are the fields of the roll."""
    call = filled(CallForm, {name: value for name, value in body.items() if name in CallForm.base_fields})
    rolled = _roll_form(viewer, {name: value for name, value in body.items() if name not in ("member", "reason")})
    given = call.cleaned_data
    audience = Audience(given["audience"] or Audience.TABLE)
    made = ask_for_roll(viewer.by, call.call(rolled), member=given["member"], audience=audience, key=key)
    return {"id": str(made.pk)}


@router.writes("/requests/{request_id}/answer", body=any_roll(), response=schemas.Rolled)
def answer(viewer: Viewer, request_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Roll what the GM asked for. You need not repeat what the request sets."""
    asked = seen_request(viewer, request_id)
    known = RULESETS[asked["system"]].form.base_fields if asked["system"] in RULESETS else {}
    fields = {name: value for name, value in plain(asked["fields"]).items() if name in known}
    return make_roll(viewer, {"system": asked["system"], **fields, **body, "request": str(request_id)}, key)


@router.writes("/requests/{request_id}/close", Role.GM, response=schemas.Done)
def close(viewer: Viewer, request_id: UUID, key: UUID) -> dict[str, Any]:
    """Close a request."""
    return {"id": str(close_request(viewer.by, request_id, key=key).pk)}


@router.writes("/requests/{request_id}/withdraw", response=schemas.Done)
def withdraw(viewer: Viewer, request_id: UUID, key: UUID) -> dict[str, Any]:
    """Withdraw a roll you announced."""
    return {"id": str(withdraw_roll(viewer.by, request_id, key=key).pk)}


@router.reads("/characters/{character_id}/rolls", Role.PLAYER, response=list[schemas.KeptRoll])
def kept_rolls(viewer: Viewer, character_id: UUID) -> list[dict[str, Any]]:
    """List the saved and recent rolls of a character you play."""
    current = existing(Character.objects.controlled_by(viewer.by).filter(pk=character_id).first())
    kept: dict[str, list[dict[str, Any]]] = plain(kept_of(viewer.by, current))
    return kept["saved"] + kept["recent"]


@router.reads("/tables", Role.GM, response=list[schemas.RollTable])
def roll_tables(viewer: Viewer) -> list[dict[str, Any]]:
    """List the roll tables."""
    return [table.ref | written(table) for table in RollTable.objects.filter(campaign=viewer.campaign)]


@router.reads("/tables/{table_id}", Role.GM, response=schemas.RollTableOdds)
def roll_table(viewer: Viewer, table_id: UUID) -> dict[str, Any]:
    """Get a roll table with its exact odds."""
    table = existing_table(viewer, table_id)
    return table.ref | written(table) | drawn_table(viewer, table)


@router.writes("/tables/{table_id}/roll", Role.GM, body=form_schema(TableRollForm), response=schemas.Rolled)
def roll_on_table(viewer: Viewer, table_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Roll on a table and on those that its result names: for everyone, or with `audience` `gm` in secret."""
    seed, by = client_seed(_text(body, "client_seed"), key)
    form = filled(TableRollForm, {**body, "client_seed": seed})
    event = tables.roll_table(viewer.by, RollTable(pk=table_id), **form.cleaned_data, key=key)
    return {
        "roll": event.payload["roll"],
        "client_seed": seed,
        "client_seed_by": by,
        "event": told_of(viewer, event),
    }


@router.reads("/rulesets", response=list[schemas.RollFields])
def rulesets(viewer: Viewer) -> list[dict[str, Any]]:
    """List the rules of this campaign: the fields their rolls take, as JSON Schema, and examples of slash commands."""
    here = [RULESETS[name] for name in viewer.campaign.systems if name in RULESETS]
    return [
        {
            "system": ruleset.name,
            "label": str(ruleset.label),
            "fields": form_schema(ruleset.form),
            "examples": [str(line) for line, _words in ruleset.slash.examples] if ruleset.slash else [],
        }
        for ruleset in here
    ]


def _roll_form(viewer: Viewer, body: Fields) -> RollForm:
    """Return the roll form, filled by a slash command or by fields. Raises InvalidForm, Invalid."""
    if text := _text(body, "text"):
        return _from_command(viewer, text, body)
    system = _text(body, "system") or next((name for name in viewer.campaign.systems if name in RULESETS), "")
    if system not in RULESETS:
        raise Invalid(_("There are no rules with this name."), field="system")
    return filled(RULESETS[system].form, body, also=("system", "text"))


def _from_command(viewer: Viewer, text: str, body: Fields) -> RollForm:
    if not is_roll(text, commands_of(viewer.campaign.systems)) or len(text) > LONGEST_TEXT:
        raise Invalid(_("That isn’t a slash command that rolls."), field="text")
    beside = filled(RollForm, body, also=("system", "text"))
    character = beside.cleaned_data["character"]
    seed = beside.cleaned_data["client_seed"]
    return valid(
        slash_form(viewer, {"text": text, "voice": f"character:{character}" if character else "", "client_seed": seed})
    )


def _text(body: Fields, name: str) -> str:
    value = body.get(name)
    return value if isinstance(value, str) else ""


# Statistics of a campaign’s rolls, and exact odds for everyone.


statistics_router = CampaignRouter(tags=["Statistics and odds"])
odds_top = Router(tags=["Statistics and odds"])


@statistics_router.reads("/statistics", response=schemas.Statistics)
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


@odds_top.get(
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
