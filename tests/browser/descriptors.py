"""Two characters of Descriptors at a table: `python -m tests.browser.descriptors SLUG`. Abigail is Mo's and Bob Iva's; both
have a Key, a crossed box and little Will."""

from __future__ import annotations

import sys
from uuid import uuid4

import django


def add(slug: str) -> None:
    from campaigns.models import Membership
    from characters.services.cards import Card, make_character
    from characters.services.fields import add_row, set_field

    for name, called in (("mo", "Abigail"), ("iva", "Bob")):
        member = Membership.objects.select_related("campaign", "user").get(campaign__slug=slug, user__username=name)
        card = Card(called, "", member, True)
        character = make_character(member, card, system="descriptors", key=uuid4())
        character = set_field(member, character, "will", 4, expected=9, key=uuid4())
        character = set_field(member, character, "power_2", True, expected=False, key=uuid4())
        add_row(member, character, "keys", {"name": "The old debt", "framework": "dramatic"}, key=uuid4())


if __name__ == "__main__":
    django.setup()
    add(sys.argv[1])
