"""How sheets are drawn."""

from django import template

from characters.slots import slot as slot_of

register = template.Library()


@register.filter
def slot(address: str) -> str:
    """The part of an element's id that stands for an address."""
    return slot_of(address)


@register.filter
def column(label: str) -> str:
    """What a column is called, of the label of a value in a row: "Rating" of "Allies: Rating"; "" of the row's title."""
    return label.rpartition(": ")[2] if ": " in label else ""
