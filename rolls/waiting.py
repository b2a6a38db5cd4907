"""Procedures and requests as tasks that wait for a person (campaigns/waiting.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.kinds import Payload
from campaigns.waiting import Pending, Wait
from languages.text import colon


def procedure_waiting(told: Payload, label: str, waits: Iterable[Mapping[str, Any]]) -> Pending:
    """Return a procedure as a Pending. `waits` are those of the described procedure."""
    each = tuple(
        Wait(**{**one, "name": one["name"] if one["whom"] else "", "members": tuple(one["members"])}) for one in waits
    )
    title = f"{label}{colon()}{told['reason']}" if told["reason"] else label
    return Pending(id=f"procedure-{told['id']}", title=title, order=told["order"], waits=each)


def request_waiting(request: Payload) -> Pending:
    """Return a described request as a Pending. A procedure's request waits only as part of that procedure."""
    title = " · ".join(filter(None, (request["reason"] or _("A roll"), request["audience_words"])))
    words = request["words"]
    waits: tuple[Wait, ...] = ()
    if request["announced"]:
        waits = (
            Wait(
                name="",
                words=_("to set a roll announced by {name}: {words}").format(
                    name=request["whose"]["name"], words=words
                ),
            ),
        )
    elif (asked := request["waits_for"]) and not request.get("procedure"):
        names, members = ", ".join(one["name"] for one in asked), tuple(one["member"] for one in asked)
        waits = (Wait(name=names, words=_("to roll: {words}").format(words=words), members=members),)
    return Pending(id=f"request-{request['id']}", title=title, order=request["order"], waits=waits)
