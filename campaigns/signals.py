"""The signals by which apps above take part in what this one does.

All are sent within the transaction, and a receiver that raises stops the operation. Receivers of those that ask return an answer
(`answers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.dispatch import Signal

event_recorded = Signal()
"""Sent by its kind, with `work` and `event`, after an event is recorded; see `on_event`."""
words_erased = Signal()
"""Sent with `member` and `texts` (campaigns/services/erasing.py), to remove what they typed from rows outside the log."""
owners_asked = Signal()
"""Asks, of a `campaign`, for an iterable of its `Owner`s: retired and hidden ones too."""
endings_asked = Signal()
"""Asks, for a `viewer` and what a GM `closes`, for a sequence of `ExpiringItem`s that this viewer may know of."""
standing_asked = Signal()
"""Asks, of a `campaign`, for a `Standing` (campaigns/queries/standing.py) that compares rows with the log."""

R = TypeVar("R", bound=Callable[[Any, Any], None])


def answers(signal: Signal, sender: object, **asked: object) -> list[Any]:
    """Return the answers of a signal's receivers, in the order in which they were connected."""
    return [answer for _, answer in signal.send(sender=sender, **asked)]


def on_event(*kinds: str) -> Callable[[R], R]:
    """Call a function with the UnitOfWork and the Event after events of these kinds are recorded, in the same transaction.

    Its module has to be imported when its app is ready.
    """

    def connect(do: R) -> R:
        def receive(work: Any, event: Any, **named: object) -> None:
            do(work, event)

        for kind in kinds:
            event_recorded.connect(
                receive, sender=kind, weak=False, dispatch_uid=(do.__module__, do.__qualname__, kind)
            )
        return do

    return connect
