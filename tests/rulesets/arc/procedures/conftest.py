"""An event in turns that is under way."""

from __future__ import annotations

import pytest

from tests.rulesets.arc.procedures.events import begin, line


@pytest.fixture
def fight(checks):
    """Vesper (SOM 3), a dog (5), Silas (6)."""
    return begin(checks.gm, checks.silas, checks.vesper, lines=[line("Dog")])
