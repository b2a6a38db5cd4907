"""The web manifest: what a device needs to keep the site as an app of its own."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

GROUND = "#120e0b"
"""The ground of the dark theme (static/css/tokens.css, --ground), in which most tables are played."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the manifest. It names no campaign, so that everyone who reads one language gets the same."""
    icons = [
        {"src": static(f"icons/afterburn-{side}.png"), "sizes": f"{side}x{side}", "type": "image/png"}
        for side in (192, 512)
    ]
    fields = {
        "name": "Afterburn",
        "short_name": "Afterburn",
        "description": _("A live table for narrative tabletop campaigns."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return JsonResponse(fields, content_type="application/manifest+json")
