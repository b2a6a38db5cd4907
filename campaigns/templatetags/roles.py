"""Roles in sentences."""

from __future__ import annotations

from django import template

from campaigns.models import Role

register = template.Library()


@register.filter
def a_role(role: str) -> str:
    """ "a GM", "a player", "a spectator"."""
    return f"a {Role(role).label if role == Role.GM else role}"
