"""No test is left out by every part of a whole run, and what differs between the databases is in both."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.base import DatabaseOperations as PostgresOperations

from tests.databases import runs_here

BOTH = pytest.mark.run_on("sqlite", "postgresql")


def item(*marks, fixtures=()):
    found = {mark.name: mark.mark for mark in marks}
    return SimpleNamespace(fixturenames=fixtures, get_closest_marker=found.get)


PURE = item()
PLAIN = item(fixtures=("db",))
TRANSACTIONAL = item(pytest.mark.django_db(transaction=True))
MIGRATING = item(fixtures=("transactional_db",))
SEARCHING = item(pytest.mark.django_db, BOTH)
PURE_BESIDE = item(BOTH)
DEMO = item(pytest.mark.django_db, pytest.mark.run_on("postgresql"))
NOTIFYING = item(pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql"))
ALL = {
    "pure": PURE,
    "plain": PLAIN,
    "transactional": TRANSACTIONAL,
    "migrating": MIGRATING,
    "searching": SEARCHING,
    "pure beside": PURE_BESIDE,
    "demo": DEMO,
    "notifying": NOTIFYING,
}


@pytest.fixture
def chosen(monkeypatch):
    def choose(vendor, once):
        monkeypatch.setattr(type(connection._connections["default"]), "vendor", vendor)
        return {name for name, one in ALL.items() if runs_here(one, once=once)}

    return choose


def test_a_whole_run_has_each_test_once_and_what_differs_on_both(chosen):
    sqlite, postgresql = chosen("sqlite", True), chosen("postgresql", True)
    assert sqlite | postgresql == set(ALL)
    assert sqlite & postgresql == {"transactional", "migrating", "searching"}
    assert "plain" in sqlite and {"demo", "notifying"} <= postgresql


def test_on_both_databases_everything_runs_that_uses_one_and_is_not_about_the_other(chosen):
    assert chosen("sqlite", False) == set(ALL) - {"notifying"}
    assert chosen("postgresql", False) == set(ALL) - {"pure", "pure beside"}


@pytest.mark.django_db
def test_a_database_is_emptied_once_more_after_a_deadlock(monkeypatch):
    tried = []

    def in_a_deadlock_at_first(self, statements):
        tried.append(statements)
        if len(tried) == 1:
            raise OperationalError("deadlock detected")

    monkeypatch.setattr(BaseDatabaseOperations, "execute_sql_flush", in_a_deadlock_at_first)
    PostgresOperations(connection).execute_sql_flush([])
    assert len(tried) == 2
