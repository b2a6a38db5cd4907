"""Whether the log is still the one that a browser has seen."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Viewer
from campaigns.queries.heads import heads

LONGEST_NUMBER = 15  # digits


@require_GET
@member_view(Role.SPECTATOR)
def chain(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """How each stream stands that this viewer sees, as `heads` says it; the numbers that were kept are asked for
    (`?table=12`)."""
    names = (name for name in request.GET if name.isprintable())
    asked = {name: int(kept) for name in names if _is_number(kept := request.GET.get(name, ""))}
    answer = JsonResponse(heads(viewer, asked))
    answer["Cache-Control"] = "no-store"
    return answer


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
