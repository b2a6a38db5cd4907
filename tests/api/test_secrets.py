"""No token is told a word that is not meant for its member: every answer, for everybody, with a canary in each private field."""

from __future__ import annotations

import pytest

from campaigns.views.log import FORMS
from tests.api.callers import Caller, calls
from tests.api.matrix import GET, MATRIX
from tests.api.test_permissions import paths
from tests.canaries import canary, numbers_of_gms
from tests.flows.checks import SECRETS

__all__ = ["paths"]


@pytest.fixture(autouse=True)
def the_ear_knows_the_numbers_of_checks():
    with numbers_of_gms(*SECRETS):
        yield


def whole_log(caller: Caller) -> str:
    """Return each stream with the lines of its export. The suite checks every answer for secrets (tests/conftest.py)."""
    heard = ""
    for stream in caller.get("/streams").json():
        after = "0"
        while after:
            page = caller.get(f"/streams/{stream['name']}/events", limit=200, after=after)
            heard += page.content.decode()
            heard += caller.get(f"/streams/{stream['name']}/lines", limit=200, after=after).content.decode()
            after = page.json()["next"]
    return heard


def test_every_answer_to_everybody_is_free_of_what_others_know(played, cast, paths):
    heard = {}
    for name, somebody in cast.everybody.items():
        if somebody.membership is None or somebody.membership.left_at:
            continue
        caller = calls(somebody)
        heard[name] = whole_log(caller)
        for operation, path in paths.items():
            if MATRIX[operation][0] == GET:
                heard[name] += caller.get(path).getvalue().decode(errors="ignore")
        for form in FORMS:
            heard[name] += caller.get("/export", form=form).getvalue().decode()
        for card in caller.get("/characters").json():
            for part in ("", "/ledger", "/rolls"):
                heard[name] += caller.get(f"/characters/{card['id']}{part}").content.decode()
    for what in ("notes", "clock", "npc", "note"):
        assert canary("gm", what) in heard["gm"], what
    assert canary("mo", "whisper") in heard["player"] and canary("mo", "whisper") in heard["gm"]
