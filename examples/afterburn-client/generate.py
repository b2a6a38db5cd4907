"""Write `afterburn_client/operations.py` from the OpenAPI document of a site: a type a schema, a method an operation.

    curl https://table.example/api/v1/openapi.json | python generate.py > afterburn_client/operations.py

What it writes is formatted by ruff, so that what is generated reads like what is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

HEAD = '''\
"""The types and operations of the API. Written by generate.py from its OpenAPI document: change that, not this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict
from uuid import UUID, uuid4

Body = Mapping[str, Any]
"""What is sent: the fields that the document names for the operation."""
'''
OPERATIONS = '''

class Operations:
    """What a program may ask for with its token. What is refused is raised as Refused (client.py).

    Whatever changes something takes a `key`: the same again, with the same content, gives the first answer again. Without one,
    the client makes one up for this call, and keeps it for as long as it has to try.
    """

    slug: str

    def _ask(
        self,
        method: str,
        path: str,
        named: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, object] | None = None,
        body: Body | None = None,
        if_match: str | None = None,
        key: UUID | None = None,
    ) -> Any:
        """Send a request to a path filled with `named`; return the JSON of the answer, or the bytes of other content."""
        raise NotImplementedError
'''
TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "dict[str, Any]",
}
KEY, IF_MATCH, SLUG = "Idempotency-Key", "If-Match", "slug"
JSON, EVENT_STREAM = "application/json", "text/event-stream"


def python_type(schema: Mapping[str, Any]) -> str:
    """Return the annotation of what a schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(python_type(choice) for choice in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list[{python_type(schema.get('items', {}))}]"
    values = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(values, dict) and values:
        return f"dict[str, {python_type(values)}]"
    return TYPES.get(schema.get("type", ""), "Any")


def docstring(words: str) -> str:
    """Return words as a docstring within the length of a line."""
    return '    """' + "\n".join(textwrap.wrap(words, 105)).replace("\n", "\n    ") + '"""\n'


def typed_dict(name: str, schema: Mapping[str, Any]) -> str:
    """Return the class of a schema."""
    text = f"\n\nclass {name}(TypedDict):\n"
    text += docstring(schema["description"]) + "\n" if "description" in schema else ""
    for field, described in schema["properties"].items():
        annotation = python_type(described)
        text += f"    {field}: {annotation if field in schema.get('required', ()) else f'NotRequired[{annotation}]'}\n"
        text += docstring(described["description"]) if "description" in described else ""
    return text


def method(path: str, verb: str, operation: Mapping[str, Any]) -> str:
    """Return the method of an operation."""
    taken, sent, named, query, keyword = ["self"], [repr(verb.upper()), repr(path)], [], [], []
    for parameter in operation.get("parameters", ()):
        name, annotation = parameter["name"], python_type(parameter["schema"])
        if name == SLUG:
            named.append("'slug': self.slug")
        elif parameter["in"] == "path":
            taken.append(f"{name}: str | UUID")
            named.append(f"{name!r}: {name}")
        elif parameter["in"] == "query":
            keyword.append(f"{name}: {annotation.removesuffix(' | None')} | None = None")
            query.append(f"{name!r}: {name}")
        elif name in (KEY, IF_MATCH):
            keyword.append("key: UUID | None = None" if name == KEY else "if_match: str")
    if JSON in operation.get("requestBody", {}).get("content", {}):
        taken.append("body: Body")
        sent.append("body=body")
    sent[2:2] = [f"{{{', '.join(named)}}}"] if named else []
    sent += [f"query={{{', '.join(query)}}}"] if query else []
    headers = [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "header"]
    sent += ["if_match=if_match"] if IF_MATCH in headers else []
    sent += ["key=key or uuid4()"] if KEY in headers else []
    taken += ["*", *keyword] if keyword else []
    content = next(iter(operation["responses"].values())).get("content", {})
    answer = python_type(content[JSON]["schema"]) if JSON in content else "bytes"
    words = docstring(operation.get("description") or f"{operation['summary']}.").replace("\n    ", "\n        ")
    return (
        f"\n    def {operation['operationId']}({', '.join(taken)}) -> {answer}:\n"
        f"    {words}        answer: {answer} = self._ask({', '.join(sent)})\n        return answer\n"
    )


def generated(document: Mapping[str, Any]) -> str:
    """Return the module for a document. Raises KeyError if it is no OpenAPI document, CalledProcessError without ruff."""
    text = HEAD
    for name, schema in sorted(document["components"]["schemas"].items()):
        text += typed_dict(name, schema)
    text += OPERATIONS
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            content = next(iter(operation["responses"].values())).get("content", {})
            if EVENT_STREAM not in content:
                text += method(path, verb, operation)
    command = [sys.executable, "-m", "ruff", "format", "--line-length", "120", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603  # our own words
    return done.stdout


if __name__ == "__main__":
    sys.stdout.write(generated(json.load(sys.stdin)))
