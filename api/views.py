"""The document of the API as a page to read, drawn from the document itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from api.api import api

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
