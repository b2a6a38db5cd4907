"""Routes of a campaign: like pages they are entered by a Viewer, and like forms they change something once for each key."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, TypeAlias, get_args, get_type_hints
from uuid import UUID

from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from ninja import Body, Header, Router, Schema
from pydantic import UUID4, AfterValidator, Field

from api.auth import Token
from campaigns.errors import InvalidForm
from campaigns.models import Role

Slug: TypeAlias = Annotated[str, Field(max_length=80, pattern="^[-a-zA-Z0-9_]+$")]
Number: TypeAlias = Annotated[int, Field(ge=1, le=2**31 - 1)]
Limit: TypeAlias = Annotated[int, Field(ge=1, le=200)]

KEY: Final = "Idempotency-Key"
KEY_WORDS: Final = "A random UUID. The same again, with the same content, gives the first answer again."
CAMPAIGN: Final = "/campaigns/{slug}"

Version: TypeAlias = Annotated[str, AfterValidator(lambda sent: sent.removeprefix("W/").strip('"'))]
"""A version that was seen, as it is or as an ETag: a weak one, too, since a compressed answer's is weak."""
IfMatch: Final = Header(..., alias="If-Match", description="The version that was seen.", max_length=80)

View: TypeAlias = Callable[..., Any]


class CampaignRouter(Router):
    """The routes of one noun. Each is a function of a Viewer and of its own parameters; its docstring is its
    description in the document. Routes that change something also take the `key`, which is sent as a header.
    """

    def reads(self, path: str, least: Role = Role.SPECTATOR, **how: Any) -> Callable[[View], View]:
        """Add a route that shows something to those with at least this role."""
        return self._route("GET", path, Token(least), how)

    def asks(self, path: str, least: Role = Role.SPECTATOR, **how: Any) -> Callable[[View], View]:
        """Add a route that answers a question in its body, and changes nothing."""
        return self._route("POST", path, Token(least), how)

    def writes(
        self, path: str, least: Role = Role.PLAYER, *, method: str = "POST", **how: Any
    ) -> Callable[[View], View]:
        """Add a route by which those with at least this role change something."""
        return self._route(method, path, Token(least, writes=True), how)

    def _route(self, method: str, path: str, token: Token, how: dict[str, Any]) -> Callable[[View], View]:
        if body := how.pop("body", None):
            content = {"application/json": {"schema": body}}
            how["openapi_extra"] = {"requestBody": {"content": content, "required": True}}

        def add(view: View) -> View:
            names: dict[str, Any] = {
                "operation_id": view.__name__,
                "url_name": view.__name__,
                "summary": view.__name__.replace("_", " ").capitalize(),
            }
            self.api_operation([method], f"{CAMPAIGN}{path}", auth=token, **names, **how)(_entered(view, path))
            return view

        return add


def client_seed(given: str, key: UUID) -> tuple[str, str]:
    """Return the client seed, which is mixed into the dice with the server's, and who made it: "client" or "server".

    The server derives it from the key, so that a repeated request makes the same roll.
    """
    if given:
        return given, "client"
    return salted_hmac("afterburn.client_seed", str(key), algorithm="sha256").hexdigest()[:32], "server"


def _entered(view: View, path: str) -> View:
    """Return the view as ninja calls it: with the request and the campaign's slug instead of the viewer."""
    hints = get_type_hints(view, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[parameter.name]) for parameter in inspect.signature(view).parameters.values()
    ][1:]
    # One that streams its answer has to know how it was asked for.
    wants_request = any(parameter.name == "request" for parameter in parameters)
    parameters = [parameter for parameter in parameters if parameter.name != "request"]
    asked = {name for parameter in parameters for name in _of_query(parameter, path)}

    @functools.wraps(view)
    def entered(request: HttpRequest, slug: str, **given: Any) -> Any:
        if others := set(request.GET) - asked:
            raise InvalidForm.unknown(others)
        if wants_request:
            given["request"] = request
        return view(request.viewer, **given)  # type: ignore[attr-defined]

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    head = [inspect.Parameter("request", kind), inspect.Parameter("slug", kind, annotation=Slug)]
    entered.__signature__ = inspect.Signature([*head, *map(_as_sent, parameters)])  # type: ignore[attr-defined]
    return entered


def _as_sent(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return the parameter as it is sent: a random `key` as a header, and `body` as the body."""
    parameter = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    if parameter.name == "body":
        return parameter.replace(default=Body(...))
    if parameter.name == "key":
        return parameter.replace(annotation=UUID4, default=Header(..., alias=KEY, description=KEY_WORDS))
    return parameter


def _of_query(parameter: inspect.Parameter, path: str) -> Iterable[str]:
    """Return a parameter's names in an address: its own name, or those of the fields of a `Query[…]` of several."""
    if (fields := _fields_of(parameter)) is not None:
        return fields
    is_asked = parameter.default is not inspect.Parameter.empty and not hasattr(parameter.default, "_param_source")
    return [parameter.name] if is_asked and "{" + parameter.name + "}" not in path else []


def _fields_of(parameter: inspect.Parameter) -> Iterable[str] | None:
    for kind in get_args(parameter.annotation)[:1]:
        if isinstance(kind, type) and issubclass(kind, Schema):
            return kind.model_fields
    return None
