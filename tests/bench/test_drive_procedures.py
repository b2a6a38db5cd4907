"""What the drive presses of procedures it reads from the pages: did it find nothing there, it would settle none."""

from __future__ import annotations

from uuid import uuid4

import pytest

from bench.drive.procedures import OPENED, SYSTEMS, buttons
from campaigns.services.campaigns import create_campaign

pytestmark = pytest.mark.django_db


def test_the_drive_finds_the_buttons_of_what_it_has_opened_and_what_it_presses_counts(cast):
    campaign = create_campaign(cast.gm.user, name="Driven", systems=[*SYSTEMS], key=uuid4())
    page, gm = f"/c/{campaign.slug}/", cast.gm.client

    def post(path, form):
        sent = form | {"client_seed": "c1" * 16, "key": str(uuid4())}
        return gm.post(f"{page}procedures/{path}/", sent, headers={"HX-Request": "true"}).status_code

    assert {address: post(f"open/{address}", fields) for address, fields in OPENED.items()} == dict.fromkeys(
        OPENED, 204
    )
    offered = buttons(gm.get(page).content.decode())
    pressed = {procedure: post(f"{procedure}/act", {"act": acts[0]}) for procedure, acts in offered if acts}
    assert pressed and set(pressed.values()) == {204}
