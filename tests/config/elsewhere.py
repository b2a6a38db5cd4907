"""Another installation, with a database of its own of the same kind: the fixture `elsewhere` of test_keeping.py.

Its commands run one after the other in a process of its own, `python -m tests.config.elsewhere`, since to start one for each
took most of the time. Between two of them nothing stays but the database: every connection is closed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[2]

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
    """To be closed, so that its process ends."""

    def __init__(self, url: str) -> None:
        environment = os.environ | {
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "x",
            "ENV_FILE": os.devnull,
        }
        command = [sys.executable, "-m", "tests.config.elsewhere"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`run("manage.py", "migrate")`, or `run("-c", program)`."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return subprocess.CompletedProcess(words, *json.loads(self._process.stdout.readline()))

    def restore(self, file: Path, *more: str) -> subprocess.CompletedProcess[str]:
        return self.run("manage.py", "restore", str(file), *more)

    def state(self) -> dict:
        return json.loads(self.run("-c", STATE).stdout)

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _done(words: list[str]) -> tuple[int, str, str]:
    """The code with which it ended, and what it has written."""
    from django.core.management import ManagementUtility
    from django.db import connections

    code, output, errors = 0, StringIO(), StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            if words[0] == "-c":
                exec(words[1], {})
            else:
                ManagementUtility(words).execute()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except Exception:
            traceback.print_exc()
            code = 1
        finally:
            connections.close_all()
            for connection in connections.all(initialized_only=True):
                if connection.vendor == "postgresql":
                    connection.close_pool()
    return code, output.getvalue(), errors.getvalue()


def main() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        answer = _done(json.loads(line))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
