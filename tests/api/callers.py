"""Programs that ask the API, each with the token of somebody of the cast."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from campaigns.models import ApiToken
from campaigns.services.members import api_token, make_token
from tests.cast import Person

V1 = "/api/v1"


@dataclass
class Caller:
    """A program with a token. It has no cookies, and its answers are listened to as those of its member (tests/conftest.py)."""

    token: str
    slug: str
    username: str = ""
    client: Client = field(default_factory=Client)

    def get(self, path: str, **query: Any) -> HttpResponse:
        return self.client.get(self.url(path), query, **self.headers)

    def post(
        self, path: str, body: Any = None, *, key: Any = None, method: str = "POST", **headers: Any
    ) -> HttpResponse:
        content = b"" if body is None else json.dumps(body)
        return self.client.generic(
            method,
            self.url(path),
            content,
            content_type="application/json",
            **self.headers,
            headers={"Idempotency-Key": str(key or uuid4()), **headers},
        )

    def url(self, path: str) -> str:
        """Return an address of the campaign, or of the whole API if the path begins with two slashes."""
        return f"{V1}{path[1:]}" if path.startswith("//") else f"{V1}/campaigns/{self.slug}{path}"

    @property
    def headers(self) -> dict[str, str]:
        return {"HTTP_AUTHORIZATION": f"Bearer {self.token}", "reader": self.username}


def calls(person: Person, *, writes: bool = True, days: int | None = 30) -> Caller:
    """Return a program of this person, with a new token."""
    key = uuid4()
    make_token(person.member, "bot", writes=writes, days=days, key=key)
    return Caller(api_token(key), person.member.campaign.slug, person.user.username)


def token_of(caller: Caller) -> ApiToken:
    return ApiToken.objects.with_members().get(begins=caller.token[: ApiToken.BEGINS])
