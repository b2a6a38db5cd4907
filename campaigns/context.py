"""Give templates what the head of every page of a campaign shows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.models import Role, Viewer
from campaigns.queries.play import now_at
from languages.text import gettext_lazy

# Pages by the name of their address, what the menu calls them, and the least role that sees them.
PAGES = [
    ("table", gettext_lazy("Table"), Role.SPECTATOR),
    ("log", gettext_lazy("Log"), Role.SPECTATOR),
    ("characters", gettext_lazy("Characters"), Role.SPECTATOR),
    ("pages", gettext_lazy("What we know"), Role.SPECTATOR),
    ("clocks", gettext_lazy("Clocks"), Role.SPECTATOR),
    ("storylines", gettext_lazy("Storylines"), Role.SPECTATOR),
    ("sessions", gettext_lazy("Sessions"), Role.SPECTATOR),
    ("handouts", gettext_lazy("Handouts"), Role.SPECTATOR),
    ("roll_tables", gettext_lazy("Roll tables"), Role.GM),
    ("statistics", gettext_lazy("Statistics"), Role.SPECTATOR),
    ("members", gettext_lazy("Members"), Role.SPECTATOR),
    ("boundaries", gettext_lazy("Safety"), Role.SPECTATOR),
    ("campaign_settings", gettext_lazy("Settings"), Role.GM),
]


def head(request: HttpRequest) -> dict[str, Any]:
    """Return the context of a campaign's pages; {} elsewhere.

    It has `campaign`, `now` ({"session", "scene"} in words), `nav` ([{"url", "words", "current"}]), `acts` (whether the
    viewer may do anything there now), `rules_gone` (the names of its rulesets that are not installed) and `see_as`
    ({"words", "stop_url"} in a preview, else None).
    """
    viewer: Viewer | None = getattr(request, "viewer", None)
    if viewer is None:
        return {}
    return {
        "campaign": viewer.campaign,
        "now": now_at(viewer),
        "nav": [
            *(_entry(request, viewer, name, words) for name, words, least in PAGES if viewer.role.at_least(least)),
            {"url": reverse("guide") + "#table", "words": _("Help"), "current": False},
        ],
        "acts": not viewer.is_read_only and not viewer.campaign.archived_at,
        "rules_gone": list(rulesets.missing(viewer.campaign.systems)),
        "see_as": _see_as(viewer),
    }


def _entry(request: HttpRequest, viewer: Viewer, name: str, words: str) -> dict[str, Any]:
    url = reverse(name, args=[viewer.campaign.slug])
    return {"url": url, "words": words, "current": url == request.path}


def _see_as(viewer: Viewer) -> dict[str, str] | None:
    if viewer.real is None:
        return None
    whom = viewer.membership.name if viewer.membership else viewer.role.phrase
    return {
        "words": _("Previewing as {name}.").format(name=whom),
        "stop_url": reverse("see_as", args=[viewer.campaign.slug]),
    }
