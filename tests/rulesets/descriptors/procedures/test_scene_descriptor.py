"""Scene Descriptors on the table (descriptors.txt, "What does success do?", the second)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from campaigns.services.play import close_scene, end_session, open_scene

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def tied(table):
    return table.begin(table.gm, "scene_descriptor", name="Tied up", dice=3)


@pytest.mark.parametrize("ends", [close_scene, open_scene, end_session])
def test_it_ends_with_the_scene_and_that_is_told(table, tied, ends):
    ends(table.gm, key=uuid4())
    assert (table.there(), table.said()) == ([], "“Tied up” 3D ended with the scene.")
    with pytest.raises(Blocked):
        table.do(table.player, tied, "stick", to=table.bob.pk, payer=table.abigail.pk)
