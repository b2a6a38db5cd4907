"""Draw where a GM can undo something: at the last line that tells of it."""

from __future__ import annotations

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaigns.models import Role, Written

register = template.Library()


@register.simple_tag(takes_context=True)
def moves_undo(context: Context, kind: str, pk: object) -> SafeString:
    """Draw GMs' button for a thing, such as a "clock", at the line that is the last of it once an event has happened. Open pages
    take it away elsewhere."""
    event, thing = context["event"], f"{kind}:{pk}"
    if context["role"] != Role.GM or event.undo is None:
        return SafeString("")
    told = Written.objects.lines(event.campaign).filter(thing=thing).values_list("told", flat=True).last()
    gone = format_html('<template data-remove-until="undo-{}"></template>', thing)
    drawn = {"uid": told, "thing": thing, "campaign": event.campaign}
    return SafeString(gone + render_to_string("campaigns/_undo.html", drawn)) if told else gone
