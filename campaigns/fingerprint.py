"""A digest of what an operation was asked to do, so that a key used twice can be told from a key used for something else."""

from __future__ import annotations

import dataclasses
import hashlib
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import models
from pydantic import BaseModel

from campaigns.chain import canonical


def fingerprint(*content: Any) -> str:
    """SHA-256 in hex over the arguments of a service: models by their key, dataclasses and pydantic models by their
    fields, bytes by their own.

    Raises TypeError for what has no one form (a float, a function), which is a fault of the caller.
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
