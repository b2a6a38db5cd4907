"""The campaign in which everything happens as each test finds it: played once in a run, and as it was whatever others did."""

from __future__ import annotations

import os

import pytest

from tests.cast import Cast, gathered
from tests.dice import load, unload
from tests.flows.played import Played, everything_happens
from tests.memory import remembered_by_all


@pytest.fixture
def evening(db: None, patience: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Cast, Played]:
    """Return the cast (the fixture `cast`, if a test asks for `played`) and what the evening ended with."""
    # Patience is for the test, too: to the first in a process all of it happened just now.
    folder = tmp_path_factory.getbasetemp()
    # Inside that of the run each of its processes has one of its own.
    return remembered_by_all(_evening, folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture
def played(evening: tuple[Cast, Played]) -> Played:
    return evening[1]


def _evening() -> tuple[Cast, Played]:
    unload()
    cast = gathered()
    played = everything_happens(cast, load)
    unload()
    return cast, played
