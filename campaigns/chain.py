"""The hash chain of a stream, which makes any later change, removal or reordering of its events noticeable.

commitment = SHA-256(salt || canonical(payload)), so that payload can be erased without breaking the chain;
hash n     = SHA-256(hash n-1 || canonical([campaign, stream, seq, at, kind, actor, commitment])).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from datetime import UTC, date, datetime
from enum import Enum
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import models
from pydantic import BaseModel


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value: sorted keys, no spaces, ASCII. Raises TypeError for floats, which have no
    canonical form.
    """
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
    """Return the hash before a stream's first event, in hex."""
    return hashlib.sha256(canonical(["afterburn chain 1", campaign_id, stream])).hexdigest()


def commit(salt: str, payload: dict[str, Any]) -> str:
    """Return the hash that binds a payload to its event; `salt` is 16 bytes in hex."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(payload)).hexdigest()


def moment(at: datetime) -> str:
    """Return a time as it is hashed: UTC, ISO 8601, to the microsecond."""
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
    """Return the hash of one event, in hex."""
    fields = [campaign_id, stream, seq, moment(at), kind, actor, commitment]
    return hashlib.sha256(bytes.fromhex(previous) + canonical(fields)).hexdigest()


def fingerprint(*content: Any) -> str:
    """Return SHA-256 in hex over a service's arguments: models by key, dataclasses and pydantic models by fields, bytes
    as they are.

    Raises TypeError for values without a canonical form (a float, a function), which is the caller's fault.
    """
    return hashlib.sha256(canonical(_plain(content))).hexdigest()


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, (bool, int, str)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, bytes):
        return ["bytes", hashlib.sha256(value).hexdigest()]
    if isinstance(value, models.Model):
        return f"{value._meta.label}:{value.pk}"
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, (UUID, date, Fraction)):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}]
    if isinstance(value, BaseModel):
        return [type(value).__name__, {name: _plain(item) for name, item in value}]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_plain(item) for item in value)
    raise TypeError(f"{type(value).__name__} has no digest")
