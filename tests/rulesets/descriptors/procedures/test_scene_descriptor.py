"""Scene Descriptors on the table (descriptors.txt, "What does success do?", the second)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Forbidden, Invalid
from campaigns.services.play import close_scene, end_session, open_scene

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def tied(table):
    return table.begin(table.gm, "scene_descriptor", name="Tied up", dice=3)


def test_a_gm_puts_one_there_and_players_do_not(table):
    with pytest.raises(Forbidden):
        table.begin(table.player, "scene_descriptor", name="Mine", dice=20)
    table.begin(table.gm, "scene_descriptor", name="The hall is on fire", dice=2)
    (there,) = table.there()
    assert (there["chip"], there["token"]) == ("The hall is on fire 2D", True)
    assert table.said() == "Scene Descriptor: “The hall is on fire” 2D."


def test_anybody_pays_one_will_to_make_it_stick_to_anybody(table, tied):
    buttons = {button["name"]: button for button in table.there()[0]["buttons"]}
    assert buttons["stick"]["open_to_all"]
    assert not buttons["reduce"]["open_to_all"]
    assert not buttons["end"]["members"]
    table.do(table.other, tied, "stick", to=table.abigail.pk, payer=table.bob.pk)
    assert (table.rows(table.abigail, "stuck"), table.will(table.bob), table.will(table.abigail)) == (
        [("Tied up", 3)],
        8,
        9,
    )
    assert table.said() == "“Tied up” 3D stuck to Abigail. Bob paid 1 Will."
    assert table.there() == []


def test_players_pay_with_characters_of_their_own_alone_and_never_with_hidden_ones(table, tied):
    with pytest.raises(Invalid, match="Choose from the list"):
        table.do(table.player, tied, "stick", to=table.bob.pk, payer=table.bob.pk)
    for to, payer in ((table.shade, table.abigail), (table.bob, table.shade)):
        with pytest.raises(Invalid) as refused:
            table.do(table.player, tied, "stick", to=to.pk, payer=payer.pk)
        assert "Shade" not in refused.value.message
    table.do(table.gm, tied, "stick", to=table.bob.pk, payer=table.warden.pk)
    assert table.will(table.warden) == 8


@pytest.mark.parametrize("ends", [close_scene, open_scene, end_session])
def test_it_ends_with_the_scene_and_that_is_told(table, tied, ends):
    ends(table.gm, key=uuid4())
    assert (table.there(), table.said()) == ([], "“Tied up” 3D ended with the scene.")
    with pytest.raises(Blocked):
        table.do(table.player, tied, "stick", to=table.bob.pk, payer=table.abigail.pk)
