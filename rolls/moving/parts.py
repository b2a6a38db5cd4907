"""What of a campaign moves to another server: the rows of all models that belong to campaigns, as their foreign keys say.

A file is a ZIP archive: `manifest.json`, `rows/<model>.jsonl` with one row a line, and `files/<SHA-256>` for pictures. Rows are
numbered in the file where they are numbered in the database; a campaign, its things and its people keep what its log knows them
by, since the chain binds that: their UUIDs, and `Membership.number`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, ForeignKey, Model

from campaigns.models import Campaign, EventSubject

FORMAT: Final = "afterburn campaign 1"
MANIFEST: Final = "manifest.json"

LEFT: Final = frozenset(
    {
        # What opens doors, or sends something to an address.
        "campaigns.ApiToken",
        "campaigns.Invitation",
        "webhooks.Delivery",
        "webhooks.Webhook",
        # Of accounts and browsers of one server.
        "campaigns.IdempotencyKey",
        "campaigns.Presence",
        "notices.Choice",
        "notices.Notice",
        # Nobody else knows whose they are: they move in the manifest, without that.
        "campaigns.Boundaries",
    }
)
"""The models whose rows stay behind."""

UNTAKEN: Final = {
    "campaigns.Campaign": {
        "slug",
        "lock",
        "watch_hash",
        "is_sample",
        "doors",
        "created_at",
        "bringing",
        "pause_key",
        "imported_at",
    },
    "campaigns.Membership": {"user_id", "here_at", "last_visit", "alike"},
}
"""The columns that stay behind; on arrival they begin as those of a new row."""

NUMBERED_SUBJECTS: Final = {
    "session": "campaigns.GameSession",
    "recap": "campaigns.GameSession",
    "remembered": "campaigns.GameSession",
    "scene": "campaigns.Scene",
    "epoch": "rolls.SeedEpoch",
}
"""The models whose ids are numbers in the keys of subjects, by how these begin."""
_SUBJECT: Final = re.compile(rf"({'|'.join(NUMBERED_SUBJECTS)}):([0-9]+)(:.*)?")


@cache
def paths() -> dict[type[Model], str]:
    """Return the models whose rows belong to a campaign, each with the lookup that leads there."""
    found: dict[type[Model], str] = {Campaign: "pk"}
    rest = [one for one in apps.get_models(include_auto_created=True) if one._meta.managed and not one._meta.proxy]
    while True:
        leading = {model: path for model in rest if model not in found and (path := _path(model, found))}
        if not leading:
            return found
        found |= leading


def _path(model: type[Model], found: dict[type[Model], str]) -> str:
    keys = [field for field in foreign_keys(model) if not field.null and field.related_model in found]
    keys.sort(key=lambda field: field.related_model is not Campaign)
    return next((f"{key.name}__{found[key.related_model]}".removesuffix("__pk") for key in keys), "")


@cache
def taken() -> list[type[Model]]:
    """Return the models whose rows move, each after those that its rows name; subjects, whose keys may name any, come last."""
    rest = [one for one in paths() if one._meta.label not in LEFT]
    rest.sort(key=lambda one: (one is EventSubject, one._meta.label))
    done: list[type[Model]] = []
    while rest:
        ready = next(one for one in rest if not any(key.related_model in rest for key in _others(one)))
        done.append(ready)
        rest.remove(ready)
    return done


def _others(model: type[Model]) -> Iterator[Any]:
    return (key for key in foreign_keys(model) if key.related_model is not model)


def foreign_keys(model: type[Model]) -> list[Any]:
    """Return the foreign keys of a model."""
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def columns(model: type[Model]) -> list[Field[Any, Any]]:
    """Return the columns of a model that move."""
    left = UNTAKEN.get(model._meta.label, ())
    return [field for field in model._meta.concrete_fields if field.attname not in left]


def is_numbered(model: type[Model]) -> bool:
    """Return whether its rows have numbers of their database for ids, and others wherever they come."""
    return isinstance(model._meta.pk, models.AutoField)


def entry_of(model: type[Model]) -> str:
    """Return the name of the file in an archive that holds the rows of a model."""
    return f"rows/{model._meta.label}.jsonl"


def renamed(key: str, numbers: dict[str, dict[Any, Any]]) -> str:
    """Return the key of a subject with another number in it, as `numbers` has it by model. Raises KeyError for one that has
    none."""
    match = _SUBJECT.fullmatch(key)
    return f"{match[1]}:{numbers[NUMBERED_SUBJECTS[match[1]]][int(match[2])]}{match[3] or ''}" if match else key


def migrations() -> list[str]:
    """Return the names of the migrations that have made the tables of these rows."""
    apps_of_rows = {model._meta.app_label for model in taken()}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in apps_of_rows)
