"""An OpenID Connect provider on this machine, as people meet it over HTTP: it signs in whoever comes as the person it is told."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from time import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

CLIENT, SECRET = "afterburn", "of-this-site-alone"
KEY = ec.generate_private_key(ec.SECP256R1())


@dataclass
class Provider:
    """`person`: the claims of whoever signs in next; `asked`: the requests that came, as (path, query or form)."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "7", "preferred_username": "nell"})
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    is_broken: bool = False

    @property
    def app(self) -> dict[str, Any]:
        """Return what config/settings.py makes of a host's keys."""
        settings = {"server_url": self.url, "oauth_pkce_enabled": True}
        return {"provider_id": "oidc", "name": "Lamps", "client_id": CLIENT, "secret": SECRET, "settings": settings}

    def discovery(self) -> dict[str, Any]:
        names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        ends = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in names.items()}
        return ends | {"issuer": self.url, "jwks_uri": f"{self.url}/jwks"}

    def authorize(self, asked: dict[str, str]) -> str:
        """Return where the browser goes back to. Raises KeyError for a request without what belongs to it."""
        assert asked["client_id"] == CLIENT and asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split()
        code = token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        """Return the tokens for a code, once. Raises KeyError or AssertionError for anything else."""
        asked = self.codes.pop(form["code"])
        proof = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        assert proof == asked["code_challenge"] and form["client_secret"] == SECRET
        assert form["redirect_uri"] == asked["redirect_uri"]
        claims = self.person | {"iss": self.url, "aud": CLIENT, "iat": int(time()), "exp": int(time()) + 60}
        return {"access_token": "lit", "token_type": "Bearer", "id_token": jwt.encode(claims, KEY, "ES256")}


@contextmanager
def serving() -> Iterator[Provider]:
    """Yield a provider that answers at its `url`."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            where = urlsplit(self.path)
            self.answer(where.path, {name: values[0] for name, values in parse_qs(where.query).items()})

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(self.path, {name: values[0] for name, values in parse_qs(form).items()})

        def answer(self, path: str, given: dict[str, str]) -> None:
            provider.asked.append((path, given))
            if provider.is_broken:
                self.say(503, {})
            elif path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(given))
                self.end_headers()
            elif path == "/token":
                try:
                    self.say(200, provider.token(given))
                except (KeyError, AssertionError):
                    self.say(400, {"error": "invalid_grant"})
            elif path == "/userinfo":
                self.say(200, provider.person)
            else:
                self.say(200, provider.discovery())

        def say(self, status: int, body: dict[str, Any]) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
