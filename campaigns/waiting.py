"""Tasks that wait for a person, as the table page shows them to that person, and to GMs with names (templates/_waiting.html).

A task is drawn from the same values in an event as on a page: the description of a procedure, a request, a claim or a
ruleset's own object makes a `Pending` of it, and the part `live` of its events draws that beside its card. So a reload
shows the same as before (rolls/queries/home.py).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One who is waited for: `name` ("" for the GMs) and what for, as "to choose a box".

    `own` are words for whoever it is, where they differ. `members` may do it beside the GMs; without any, it waits for the
    GMs. `whom` and `character` say for whom of a procedure it is, which finds its control on the card.
    """

    name: str
    words: str
    members: tuple[int, ...] = ()
    whom: str = ""
    character: str = ""
    own: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A card that waits for people: clicking one of its `waits` leads to the element `leads`.

    `id` is that of its card, `order` the millisecond since when it has waited. `actions` is a template of further
    buttons for GMs, which draws `told`. The entry goes when it has no `waits` left, or at `until` (its `data-until`).
    """

    id: str
    title: str
    order: int
    waits: tuple[Wait, ...]
    leads: str = ""
    actions: str = ""
    told: object = None
    until: str = ""

    def __post_init__(self) -> None:
        if not self.leads:
            object.__setattr__(self, "leads", self.id)
