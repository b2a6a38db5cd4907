"""A table for programs from outside, made by a process of its own: `python -m tests.examples.table FILE`.

Its people are the cast's; Mo plays Silas, who has 5 dice for perception and alertness. FILE is told the campaign's slug and a
token of each person.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from uuid import uuid4

import django

SHEET = {"perception": 3, "alertness": 2}
PEOPLE = ("gm", "player", "other_player", "spectator")


def main(file: str) -> None:
    from campaigns.services.members import api_token, make_token
    from characters.services.cards import Card, make_character
    from characters.services.fields import set_field
    from tests.cast import gathered

    cast = gathered()
    mo = cast.player.member
    character = make_character(mo, Card("Silas", "", mo, True), key=uuid4())
    for field, value in SHEET.items():
        character = set_field(mo, character, field, value, expected=character.value(field), key=uuid4())
    keys = {name: uuid4() for name in PEOPLE}
    for name, key in keys.items():
        make_token(cast.everybody[name].member, "program", writes=name != "spectator", days=1, key=key)
    tokens = {name: api_token(key) for name, key in keys.items()}
    Path(file).write_text(json.dumps({"slug": cast.campaign.slug, "tokens": tokens}), encoding="utf-8")


if __name__ == "__main__":
    django.setup()
    main(sys.argv[1])
