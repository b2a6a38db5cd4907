"""Another installation, with a database of its own of the same kind: the fixture `elsewhere` of test_keeping.py."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.processes import forks_of

STATE = """
import json
from django.apps import apps
from campaigns.models import Event, EventIndex, Stream
from rolls.models import SeedEpoch
print(json.dumps({
    "counts": {m._meta.label: m.objects.count() for m in apps.get_models(include_auto_created=True)},
    "streams": {s.name: [s.seq, s.head] for s in Stream.objects.all()},
    "events": [[e.stream.name, e.seq, e.hash, e.kind] for e in Event.objects.select_related("stream").order_by("pk")],
    "epochs": [[e.number, e.seed, bool(e.opened_at), bool(e.closed_at)] for e in SeedEpoch.objects.all()],
    "words": EventIndex.objects.filter(words__contains="uber").count(),
}))
"""


class Elsewhere:
    """Its commands are processes of their own (tests/processes.py), between which nothing stays but the database."""

    def __init__(self, url: str) -> None:
        self._environment = os.environ | {"DATABASE_URL": url, "SECRET_KEY": "x", "ENV_FILE": os.devnull}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`run("manage.py", "migrate")`, or `run("-c", program)` runs Python with the site's environment."""
        return forks_of("config.settings").run(self._environment, *words)

    def restore(self, file: Path, *more: str) -> subprocess.CompletedProcess[str]:
        return self.run("manage.py", "restore", str(file), *more)

    def state(self) -> dict:
        return json.loads(self.run("-c", STATE).stdout)
