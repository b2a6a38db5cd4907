"""The API: its routes in one place, and the document that describes them (`/api/v1/openapi.json`)."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from api import problems
from api.bodies import BoundedParser
from api.routes import campaigns, characters, clocks, events, ledger, play, procedures, rolls, scale, statistics
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
for top in (campaigns.top, statistics.top):
    api.add_router("", top)
for routes in (campaigns, characters, ledger, events, rolls, procedures, clocks, play, statistics, scale):
    api.add_router("", routes.router)
for app in apps.get_app_configs():
    # `router` in the module `api` of a ruleset (docs/rulesets.md).
    if isinstance(app, RulesetConfig) and app.name not in LEFT_OUT and (router := app.router()):
        api.add_router("", router)
