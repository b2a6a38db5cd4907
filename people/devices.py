"""The browsers that people sign in with: their names, where an account was signed in before, and links for a phone’s camera."""

from __future__ import annotations

import segno
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from people.models import User

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")


def name_of(agent: str) -> str:
    """Return a name for the browser that sends this header, such as "Firefox, Linux"."""
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for name in SYSTEMS if name in agent), "")
    return ", ".join(filter(None, (browser, system))) or _("A browser")


COOKIE = "known"
"""A cookie that outlasts sessions: the accounts that were signed in with this browser, signed."""
YEAR = 365 * 24 * 3600
MOST = 20
"""Accounts that a browser is known by; a further one takes the place of the oldest."""


def remember(request: HttpRequest, answer: HttpResponse, user: User) -> bool:
    """Note in the browser that the user signed in there. Return whether it was known before."""
    try:
        known = [int(pk) for pk in signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=YEAR)]
    except signing.BadSignature:
        known = []
    kept = [*(pk for pk in known if pk != user.pk), user.pk][-MOST:]
    answer.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=COOKIE),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return user.pk in known


def qr_code(text: str) -> SafeString:
    """Draw a text for the camera of a phone, as SVG without a size of its own."""
    drawn = segno.make(text, micro=False).svg_inline(
        border=3, omitsize=True, light="#fff", svgclass="qr-code", lineclass=None
    )
    return mark_safe(drawn)  # noqa: S308  # nothing of the text stands in it but squares
