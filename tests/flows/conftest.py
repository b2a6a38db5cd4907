"""The campaign in which everything happens, played once for a module: each of its tests finds it as it was, whatever they do."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.cast import Cast, gathered
from tests.dice import load, unload
from tests.flows.played import Played, everything_happens


@pytest.fixture(scope="module")
def evening(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Cast, Played]]:
    """Around the transactions of the tests, which are savepoints in this one."""
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(FLOOD_DEEDS=1_000_000):
            unload()
            cast = gathered()
            yield cast, everything_happens(cast, load)
        unload()
        transaction.set_rollback(True)


@pytest.fixture
def cast(evening: tuple[Cast, Played], db: None) -> Cast:
    # Browsers are theirs from here on: a session that one test begins ends with it.
    return deepcopy(evening[0])


@pytest.fixture
def played(evening: tuple[Cast, Played], db: None) -> Played:
    return deepcopy(evening[1])
