"""Tokens for programs at a table of tests/browser/world.py: `python -m tests.browser.programs SLUG FILE`.

FILE is told one of Mo, that writes, and one of Wim, who watches, that only reads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from uuid import uuid4

import django

WRITES = {"mo": True, "watcher": False}


def main(slug: str, file: str) -> None:
    from campaigns.models import Membership
    from campaigns.services.members import api_token, make_token

    tokens = {}
    for username, writes in WRITES.items():
        member = Membership.objects.select_related("campaign", "user").get(
            campaign__slug=slug, user__username=username, left_at=None
        )
        make_token(member, "program", writes=writes, days=1, key=(key := uuid4()))
        tokens[username] = api_token(key)
    Path(file).write_text(json.dumps(tokens), encoding="utf-8")


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
