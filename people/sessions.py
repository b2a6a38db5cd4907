"""Django's sessions in the database, found by a query that is compiled once: every request begins with it."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from database.compiled import Parameter, compiled


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Any:
        found = _live.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found


@compiled(key=models.CharField(), now=models.DateTimeField())
def _live(key: Parameter, now: Parameter) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
