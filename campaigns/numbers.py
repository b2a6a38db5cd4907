"""Numbers with their signs, as pages and texts write them."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"


def signed(number: int) -> str:
    """-4 as "−4" (a real minus sign), 2 as "+2", 0 as "0"."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"


def added(number: int) -> str:
    """A further number of a sum: "+ 5", "− 3"."""
    return f"{MINUS} {-number}" if number < 0 else f"+ {number}"
