"""What rulesets say of themselves to those who choose."""

from __future__ import annotations

from django import template

from campaigns import rulesets

register = template.Library()

register.filter("about_rules", rulesets.about)
