"""How sheets are drawn."""

from django import template

from characters.slots import slot as slot_of

register = template.Library()


@register.filter
def slot(address: str) -> str:
    """The part of an element's id that stands for an address."""
    return slot_of(address)
