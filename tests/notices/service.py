"""A push service on this machine, and the browsers that it serves: it takes what is sent to them over HTTP, and they read it.

They decrypt by the text of RFC 8291 and 8188, from the receiving end.
"""

from __future__ import annotations

import json
import os
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hmac import HMAC

CURVE = ec.SECP256R1()


def letters(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def digest(key: bytes, *parts: bytes) -> bytes:
    made = HMAC(key, hashes.SHA256())
    made.update(b"".join(parts))
    return made.finalize()


@dataclass
class Browser:
    """A subscription: `key` and `auth` never leave it. `received` is what it could read."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    received: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    @property
    def form(self) -> dict[str, str]:
        """Return what the page's script sends of it."""
        return {"endpoint": self.endpoint, "p256dh": letters(self.public), "auth": letters(self.auth)}

    def read(self, body: bytes) -> bytes:
        salt, (size, length), rest = body[:16], struct.unpack(">IB", body[16:21]), body[21:]
        sender, sealed = rest[:length], rest[length:]
        assert len(sealed) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        ikm = digest(digest(self.auth, shared), b"WebPush: info\x00", self.public, sender, b"\x01")
        prk = digest(salt, ikm)
        key = digest(prk, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = digest(prk, b"Content-Encoding: nonce\x00\x01")[:12]
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        message, end, zeros = padded.rpartition(b"\x02")
        assert end and not zeros.strip(b"\x00")
        return message


@dataclass
class PushService:
    """`answers` has the status for each path, 201 if there is none; a path in `silent` is answered when the test ends."""

    url: str = ""
    browsers: dict[str, Browser] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    over: Event = field(default_factory=Event)

    def subscribe(self, name: str) -> Browser:
        path = f"/push/{name}"
        self.browsers[path] = Browser(self.url + path)
        return self.browsers[path]

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        self.asked.append(path)
        if path in self.silent:
            self.over.wait(20)
        status = self.answers.get(path, 201)
        if status == 201:
            browser = self.browsers[path]
            must_be_signed(headers["Authorization"], self.url)
            assert (
                headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0 and len(headers["Topic"]) <= 32
            )
            browser.received.append(json.loads(browser.read(body)))
            browser.headers.append(headers)
        return status


def must_be_signed(authorization: str, audience: str) -> None:
    """Fail if a request is not signed as RFC 8292 says, with the key that it names."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    raw = data(signature)
    encoded = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data(parts["k"]))
    key.verify(encoded, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(data(claims))
    assert scheme == "vapid" and json.loads(data(head))["alg"] == "ES256"
    assert told["aud"] == audience and told["sub"].startswith(("mailto:", "http"))


@contextmanager
def serving() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(service.take(self.path, dict(self.headers), body))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
