"""The tokens that links end in. They are made from the key of the operation and the site's secret, so that a form sent twice
shows the same link twice; what is stored is only their hash, which opens no door."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from uuid import UUID

from django.utils.crypto import salted_hmac


def link_token(purpose: str, key: UUID) -> str:
    """43 letters, digits, "-" and "_" (256 bits)."""
    made = salted_hmac(f"afterburn.{purpose}", str(key), algorithm="sha256").digest()
    return urlsafe_b64encode(made).rstrip(b"=").decode()
