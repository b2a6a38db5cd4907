"""The API: its routes in one place, and the document that describes them (`/api/v1/openapi.json`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from api import problems
from api.bodies import BoundedParser
from api.routes import campaigns, characters, events, procedures, rolls, scale, world
from rolls.apps import RulesetConfig
from rolls.registry import LEFT_OUT

ABOUT: Final = """\
With a token, a program sees and does what its owner can, in one campaign, and nothing more. Every request that changes something
needs an `Idempotency-Key`, a random UUID: if you send it again with the same content, it happens once and you get the first
answer again. Errors are problem details (RFC 9457) that name the field."""

STREAM: Final[dict[str, Any]] = {
    "operationId": "follow",
    "summary": "Follow",
    "description": (
        "Events as they happen, as Server-Sent Events: `event` (an Event), `beat` every ten seconds ({heads, paused}), and `end` "
        "(a problem) where the token ends or is too far behind. Each has an id; sent back as `Last-Event-ID`, it says where "
        "to go on from."
    ),
    "tags": ["Events"],
    "parameters": [
        {"in": "path", "name": "slug", "required": True, "schema": {"type": "string"}},
        {
            "in": "header",
            "name": "Last-Event-ID",
            "required": False,
            "schema": {"type": "string"},
            "description": "The id of the last event that was received; without it, from now on.",
        },
        {
            "in": "query",
            "name": "after",
            "required": False,
            "schema": {"type": "string"},
            "description": "The same, for who cannot set the header.",
        },
    ],
    "security": [{"Token": []}],
    "responses": {200: {"description": "OK", "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
}

PROBLEM: Final = {
    "type": "object",
    "description": "What was refused, and why (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "For whoever reads it: what to do."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["field", "detail"],
            },
        },
        "current": {"description": "Of a 409: what it is now."},
        "by": {"type": "string", "description": "Of a 409: who wrote that."},
        "anyway": {"type": "object", "description": "Of a 409: the field that does it all the same, for who may."},
    },
    "required": ["type", "title", "status", "detail"],
}
REFUSED: Final = {
    "description": "Refused",
    "content": {problems.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


class Api(NinjaAPI):
    """With what ninja does not know of in its document: how routes refuse, and the stream of events (api/stream.py)."""

    def get_openapi_schema(self, **how: Any) -> OpenAPISchema:
        document = super().get_openapi_schema(**how)
        paths = {}
        for path, methods in document["paths"].items():
            if path.endswith("/events/{uid}"):
                paths[f"{path.removesuffix('{uid}')}stream"] = {"get": dict(STREAM)}
            paths[path] = methods
        for methods in paths.values():
            for operation in methods.values():
                operation["responses"] = {**operation["responses"], "4XX": REFUSED, "5XX": REFUSED}
        document["paths"] = paths
        document["components"]["schemas"]["Problem"] = PROBLEM
        return document


api = Api(
    title="Afterburn",
    version="1",
    description=ABOUT,
    urls_namespace="api",
    docs_url=None,
    servers=[{"url": "/", "description": "This site."}],
    openapi_extra={"info": {"license": {"name": "MIT", "identifier": "MIT"}}},
    openapi_url="openapi.json",
    parser=BoundedParser(),
)
problems.handle(api)
for routes in (
    campaigns.top,
    rolls.odds_top,
    campaigns.router,
    characters.router,
    characters.ledger_router,
    events.router,
    rolls.router,
    procedures.router,
    campaigns.clocks_router,
    campaigns.play_router,
    world.router,
    rolls.statistics_router,
    scale.router,
):
    api.add_router("", routes)
for app in apps.get_app_configs():
    # `router` in the module `api` of a ruleset (docs/rulesets.md).
    if isinstance(app, RulesetConfig) and app.name not in LEFT_OUT and (router := app.router()):
        api.add_router("", router)


# The document of the API as a page to read, drawn from the document itself.


SCHEMAS = "#/components/schemas/"


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """Show the API's operations, by tag."""
    return render(request, "api/docs.html", _drawn())


@cache
def _drawn() -> dict[str, Any]:
    """Return the document, which is the same for everyone and as long as the process lives."""
    document = api.get_openapi_schema()
    entries = [
        _entry(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    names = dict.fromkeys(tag for entry in entries for tag in entry["operation"]["tags"])
    return {
        "document": document,
        "site": f"{settings.SITE_URL}/api/v1",
        "tags": [
            {"name": name, "operations": [entry for entry in entries if name in entry["operation"]["tags"]]}
            for name in names
        ],
        "schemas": [
            {"name": name, "words": schema.get("description", ""), "fields": list(_properties("", schema))}
            for name, schema in document["components"]["schemas"].items()
        ],
    }


def _entry(path: str, method: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    fields = [
        {
            "where": parameter["in"],
            "name": parameter["name"],
            "required": parameter["required"],
            "type": _type(parameter["schema"]),
            "words": parameter.get("description", ""),
        }
        for parameter in operation["parameters"]
        if parameter["name"] != "slug"
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answer = operation["responses"].get(200, {}).get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "path": path.removeprefix("/api/v1"),
        "method": method.upper(),
        "operation": operation,
        "fields": [*fields, *_properties("body", body)],
        "answer": _type(answer) if answer else "",
    }


def _properties(where: str, schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, said in schema.get("properties", {}).items():
        yield {
            "where": where,
            "name": name,
            "required": name in schema.get("required", ()),
            "type": _type(said),
            "words": said.get("description", ""),
        }


def _type(schema: Mapping[str, Any]) -> str:
    """Return a few words for a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(SCHEMAS)
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    words = {"format": schema.get("format", ""), "type": schema.get("type", "anything")}
    return words["format"] or str(words["type"])
