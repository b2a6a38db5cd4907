"""Name the script that has the words of all others."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils import translation

from languages import scripts

register = template.Library()


@register.simple_tag
def early_script() -> str:
    """Return the address of a page's first script, in the language that the page is drawn in."""
    language = translation.get_language()
    return scripts.early_script(language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE).address
