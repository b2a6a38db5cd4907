"""The OpenAPI document as a contract: whatever it allows, and what it forbids, is answered as it says, and nothing with a 5xx."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api import auth
from api.api import api
from tests.api.callers import Caller, calls
from tests.api.matrix import BESIDE_DJANGO
from tests.api.test_permissions import named

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ALLOWED, FORBIDDEN = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
SOME = settings(
    max_examples=4,
    # The same on every machine, and no slower on a slow one.
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def cases(operation: Any, parameters: dict[str, str]) -> st.SearchStrategy[Case]:
    """Return valid and invalid input for an operation, mostly with names of things that exist."""
    wanted = {name: parameters[name] for name in re.findall(r"{(\w+)}", operation.path) if name in parameters}
    return st.one_of(
        operation.as_strategy(ALLOWED, path_parameters=wanted),
        operation.as_strategy(ALLOWED, path_parameters={name: wanted[name] for name in wanted if name == "slug"}),
        operation.as_strategy(FORBIDDEN, path_parameters=wanted),
    )


@pytest.fixture
def connection_kept():
    """Requests leave the test's connection to the database open, as those of Django's own client do."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_every_answer_is_what_the_document_says(played, cast, connection_kept, monkeypatch):
    monkeypatch.setattr(auth, "MOST_REQUESTS", 10**6)
    callers = [calls(cast.gm), calls(cast.player), calls(cast.gm, writes=False)]
    contract = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema(), default=str)))
    contract.app = WSGIHandler()
    names = {name: str(value) for name, value in named(played).items()}
    names |= {"slug": cast.campaign.slug, "system": "storyteller"}
    statuses: set[int] = set()
    for found in contract.exclude(operation_id=sorted(BESIDE_DJANGO)).get_all_operations():
        ask(found.ok(), callers, names, statuses)
    assert {200, 403, 404, 422} <= statuses


def test_the_document_is_valid():
    document = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    schemathesis.openapi.from_dict(document).validate()
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    assert document["servers"] and all("security" in operation for operation in operations)


def ask(operation: Any, callers: list[Caller], names: dict[str, str], statuses: set[int]) -> None:
    """Ask for an operation in some of the ways that there are. Raises FailureGroup where an answer breaks the contract."""

    @SOME
    @given(case=cases(operation, names), caller=st.sampled_from(callers), key=st.uuids(version=4))
    def answered(case: Case, caller: Caller, key: UUID) -> None:
        # A random UUID is the one thing that the document cannot say in full: as often as not there is a good one.
        headers = {"Authorization": f"Bearer {caller.token}", "Accept-Encoding": "identity"}
        headers |= {"Idempotency-Key": str(key)} if key.int % 4 else {}
        response = case.call(headers=headers)
        statuses.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    answered()
