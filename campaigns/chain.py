"""The hash chain of a stream, which makes any later change, removal or reordering of its events noticeable.

commitment = SHA-256(salt || canonical(payload)), so that payload can be erased without breaking the chain;
hash n     = SHA-256(hash n-1 || canonical([campaign, stream, seq, at, kind, actor, commitment])).
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any


def canonical(value: Any) -> bytes:
    """JSON in its one form: sorted keys, no spaces, ASCII. Raises TypeError for floats: they have no one form."""
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"facts hold no floats: {value!r}")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_floats(item)


def first_link(campaign_id: str, stream: str) -> str:
    """The hash before a stream's first event, in hex."""
    return hashlib.sha256(canonical(["afterburn chain 1", campaign_id, stream])).hexdigest()


def commit(salt: str, payload: dict[str, Any]) -> str:
    """What binds payload to their event; `salt` is 16 bytes in hex."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(payload)).hexdigest()


def moment(at: datetime) -> str:
    """A time as it is hashed: UTC, ISO 8601, to the microsecond."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def link(
    previous: str,
    *,
    campaign_id: str,
    stream: str,
    seq: int,
    at: datetime,
    kind: str,
    actor: int | None,
    commitment: str,
) -> str:
    """The hash of one event, in hex."""
    fields = [campaign_id, stream, seq, moment(at), kind, actor, commitment]
    return hashlib.sha256(bytes.fromhex(previous) + canonical(fields)).hexdigest()
