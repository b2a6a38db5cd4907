"""Web Push: the host's key (VAPID, RFC 8292), and messages that only the browser can read (RFC 8291, RFC 8188).

These need no more of a library than its cryptography: pywebpush would bring aiohttp, requests and five more packages, and
send by itself, past the fence of webhooks/sending.py.
"""

from __future__ import annotations

import json
import os
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import cache
from typing import Any, Final

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.crypto import salted_hmac

from webhooks.sending import Target

KEPT: Final = timedelta(days=1)
"""For so long a push service keeps a message for a device that is off."""
VALID: Final = timedelta(hours=12)
"""For so long a push service may take our signature; the limit is a day."""
RECORD: Final = 4096
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of P-256: private keys are the numbers below it."""


def coded(data: bytes) -> str:
    """Return the letters that stand for bytes in addresses and headers."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes behind such letters. Raises ValueError for anything else."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


@cache
def _host_key(secret: str) -> ec.EllipticCurvePrivateKey:
    made = salted_hmac("afterburn.push", "the key of this host", secret=secret, algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(made) % (ORDER - 1) + 1, ec.SECP256R1())


def host_key() -> ec.EllipticCurvePrivateKey:
    """Return the key by which push services know this host. Like the secrets of webhooks it follows from SECRET_KEY and is not
    stored: several servers have the same, and a stolen database can send nothing.
    """
    return _host_key(settings.SECRET_KEY)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as 65 bytes, the form in which browsers and push services exchange it."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def key_of(p256dh: str) -> ec.EllipticCurvePublicKey:
    """Return a browser's public key. Raises ValueError for what is none."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh))


def headers(endpoint: str, topic: str, now: datetime) -> dict[str, str]:
    """Return the headers of a message to a push service. A later message of the same topic (up to 32 letters) replaces it."""
    target, mail = Target.of(endpoint), parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    claims = {
        "aud": f"{target.scheme}://{target.host_header}",
        "exp": int((now + VALID).timestamp()),
        "sub": f"mailto:{mail}" if mail else settings.SITE_URL,
    }
    signed = ".".join(coded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(host_key().sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{signed}.{coded(r.to_bytes(32) + s.to_bytes(32))}"
    return {
        "Authorization": f"vapid t={token}, k={coded(point(host_key().public_key()))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Topic": topic,
        "Urgency": "normal",
    }


def encrypted(message: bytes, p256dh: str, auth: str, *, own: Any = None, salt: bytes = b"") -> bytes:
    """Return a short message as only the browser with these keys can read it. `own` and `salt` are random but in a test."""
    theirs, own, salt = key_of(p256dh), own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    sender = point(own.public_key())
    secret = _derived(own.exchange(ec.ECDH(), theirs), decoded(auth), b"WebPush: info\0" + point(theirs) + sender, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    # A single record, which ends with a 2.
    sealed = AESGCM(key).encrypt(nonce, message + b"\2", None)
    return salt + struct.pack(">IB", RECORD, len(sender)) + sender + sealed


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
