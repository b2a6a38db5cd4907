"""What is still open before a GM closes a scene or ends the session, for the list shown then (campaigns/queries/play.py)."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_lazy

from campaigns.models import Viewer
from campaigns.models.members import TABLE
from campaigns.queries.play import ClosingAction, ExpiringItem
from campaigns.signals import endings_asked
from rolls.models import Audience, Procedure
from rolls.queries.procedures import described_open, open_to
from rolls.queries.requests import open_requests
from rolls.registry import procedure_called, rules_of
from rules.checked import restored
from rules.effects import led
from rules.procedures import Button

ENDS, CHANGES, GOES_ON = "ends", "changes", "goes_on"
"""What happens to a procedure: it ends, changes, or goes on."""

WORDS = {
    ENDS: gettext_lazy("ends with the scene"),
    CHANGES: gettext_lazy("loses what wasn’t chosen"),
    GOES_ON: gettext_lazy("continues afterwards"),
}


@receiver(endings_asked)
def open_procedures_of_scene(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    """Return the tokens that vanish and all other open procedures, with what becomes of them and what every player may
    do: {procedure, becomes, buttons}.
    """
    found = {one.pk: becomes for one in open_to(viewer) if (becomes := _becomes(one))}
    there = [one for one in open_to(viewer) if one.pk in found]
    drawn = described_open(viewer, there) if there else []
    return [
        ExpiringItem(
            "rolls/_ending.html",
            {"procedure": told, "becomes": WORDS[found[one.pk]], "buttons": _anybodys(told)},
            key=f"{one.pk} {found[one.pk]}",
            private=one.stream != TABLE,
        )
        for one, told in zip(there, drawn, strict=True)
    ]


@receiver(endings_asked)
def requests_of_session(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    """Return requested rolls that nobody has made, listed before a session ends. Those of procedures are listed with these."""
    if closes is not ClosingAction.SESSION:
        return []
    return [
        ExpiringItem(
            "rolls/_ending_request.html", {"asked": one}, key=one["id"], private=one["audience"] != Audience.TABLE
        )
        for one in open_requests(viewer)
        if not one["procedure"]
    ]


@receiver(endings_asked)
def endings_of_rules(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    return [ending for rules in rules_of(viewer.campaign) for ending in rules.endings(viewer, closes)]


def _becomes(procedure: Procedure) -> str:
    """Return the code for what becomes of a procedure; "" for a token that stays."""
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None:
        return ""
    state = restored(rules.state, procedure.state)
    after = led(rules.at_scene_end(state)).state
    if rules.is_over(after):
        return ENDS
    if rules.token:
        return CHANGES if after != state else ""
    return CHANGES if rules.waiting(after) != rules.waiting(state) else GOES_ON


def _anybodys(procedure: dict[str, Any]) -> list[Button]:
    return [button for button in procedure.get("buttons", ()) if button.open_to_all and button.form]
