"""Numbers as the guide writes them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else {'die': 'dice', 'success': 'successes'}[noun]}"
