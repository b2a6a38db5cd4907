"""The example of a witness at a table at which everything has happened: it finds no fault where there is none."""

from __future__ import annotations

import pytest

from tests.examples.witnesses import witness
from tests.flows.evening import evening, played

__all__ = ["evening", "played"]


@pytest.mark.run_on("sqlite", "postgresql")
def test_nobodys_witness_finds_a_fault_where_everything_was_as_it_should(played, cast, tmp_path):
    for person in (cast.gm, cast.player, cast.spectator):
        watching = witness(person, tmp_path / person.user.username)
        assert watching.faults == [] and watching.heads["table"][0] > 100
