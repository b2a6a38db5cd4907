"""How long the lines of the demo take to draw for open pages, in each language: every event, for a GM and for a player."""

from __future__ import annotations

from time import process_time
from typing import Final

from django.conf import settings
from django.utils import translation

from bench.pages_world import World
from campaigns.live.render import forget_texts, render_live
from campaigns.models import Event, Role

ROUNDS: Final = 8
"""The number of times that all are drawn; the quickest counts, since other work of the machine only slows them down."""


def report(world: World) -> None:
    """Print the processor time of one line, drawn as by a feed without kept texts."""
    for language, name in settings.LANGUAGES:
        with translation.override(language):
            seconds = min(_round(world) for _ in range(ROUNDS))
        print(f"{name:16}{1000 * seconds:>8.2f} ms a line", flush=True)


def _round(world: World) -> float:
    events = Event.objects.filter(campaign=world.campaign).with_related().linked().select_related("campaign")
    read = list(events.order_by("id"))
    forget_texts()
    started = process_time()
    for event in read:
        for role in (Role.GM, Role.PLAYER):
            render_live(event, role)
    return (process_time() - started) / (2 * len(read))
