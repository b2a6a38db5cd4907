"""Ids for tests of rules, which know things by short names."""

from __future__ import annotations

from uuid import NAMESPACE_OID, uuid5


def uid(name: str) -> str:
    """Return the same id for the same name."""
    return str(uuid5(NAMESPACE_OID, name))
