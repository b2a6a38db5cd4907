"""What people are told of: for each kind a plain function that finds what waits for a viewer now.

What it returns has neither titles nor names: notices say which campaign, and what kind of thing, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Recap, Role, Viewer
from languages.text import gettext_lazy
from rolls.queries.home import waits_of


@dataclass(frozen=True)
class Found:
    """Something that waits: `key` stays the same while it does, `url` leads there, `is_open` if all at the table know of it."""

    key: str
    url: str
    is_open: bool = False


@dataclass(frozen=True)
class Source:
    """A kind of thing: its words on the page of notices and in a message about `n` of them, and what finds them.

    It goes to Discord, too, unless webhooks tell everyone there anyway.
    """

    label: str
    hint: str
    says: Callable[[int], str]
    find: Callable[[Viewer], Iterable[Found]]
    in_discord: bool = True


def waits(viewer: Viewer) -> Iterable[Found]:
    """Find the rolls, steps and offers that wait for the viewer: what the first page lists for them."""
    # The key must not depend on who reads it.
    with translation.override("en-gb"):
        mine = list(waits_of(viewer, viewer))
        known = {pending.id for pending, _wait in waits_of(Viewer(viewer.campaign, None, Role.SPECTATOR), viewer)}
        for pending, wait in mine:
            about = [pending.id, pending.order, wait.whom, wait.character, wait.own or wait.words]
            key = sha256("|".join(map(str, about)).encode()).hexdigest()
            yield Found(key, f"{viewer.campaign.url}#{pending.leads}", pending.id in known)


RECENT: Final = timedelta(days=2)
"""A recap that was out for longer is no news."""


def recap(viewer: Viewer) -> Iterable[Found]:
    """Find the newest recap, if it came out since the member was last at the table."""
    newest = Recap.objects.filter(session__campaign=viewer.campaign, published_at__gt=timezone.now() - RECENT)
    seen = viewer.by.here_at
    for one in newest.select_related("session").order_by("-published_at")[:1]:
        if one.published_at and (seen is None or seen < one.published_at):
            url = reverse("session", args=[viewer.campaign.slug, one.session.number])
            yield Found(f"recap {one.pk} {one.published_at:%Y%m%d%H%M%S}", url, is_open=True)


SOURCES: Final = {
    "waits": Source(
        gettext_lazy("A roll or a step waits for me"),
        gettext_lazy("If it still waits after a while"),
        lambda n: ngettext("It’s your turn.", "%(n)s things wait for you.", n) % {"n": n},
        waits,
    ),
    "recap": Source(
        gettext_lazy("A recap is out"),
        gettext_lazy("If you haven’t been at the table since"),
        lambda n: _("A recap is out."),
        recap,
        in_discord=False,
    ),
}
"""All kinds by name, in the order of the page. Names are stored with people's choices and never change."""
