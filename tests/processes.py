"""Python processes of a site, forked from one that has loaded Django already: to start each anew takes a second or two.

`python -m tests.processes`, with the settings' module in its environment, loads the site and then waits for lines of JSON,
{"environment", "words"}. For each it forks; what the fork does is what `python WORDS` would do in that environment, with a
database of its own choice. It answers with what became of that.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import traceback
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Forks:
    """Forks of a process with these settings, and with `more` in its environment."""

    def __init__(self, settings: str, more: Mapping[str, str]) -> None:
        plain = {
            "DJANGO_SETTINGS_MODULE": settings,
            "SECRET_KEY": "x",
            "ENV_FILE": os.devnull,
            "DATABASE_URL": "sqlite://:memory:",
        }
        command = [sys.executable, "-m", "tests.processes"]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | plain | dict(more),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, environment: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
        """`run({…}, "manage.py", "migrate")`, `run({…}, "-m", module, …)` or `run({…}, "-c", program, …)` runs Python
        in a fork.
        """
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"environment": dict(environment), "words": words}) + "\n")
        self._process.stdin.flush()
        return subprocess.CompletedProcess(words, *json.loads(self._process.stdout.readline()))


@cache
def forks_of(settings: str, *more: tuple[str, str]) -> Forks:
    """Return one process for all tests of this one; it ends with it, when its standard input is closed."""
    return Forks(settings, dict(more))


def _fork(environment: Mapping[str, str], words: list[str]) -> tuple[int, str, str]:
    """Return the exit code of a fork, and what it has written."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(_done(environment, words), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    code, output, errors = json.loads(told)
    return code, output, errors


def _done(environment: Mapping[str, str], words: list[str]) -> tuple[int, str, str]:
    code, output, errors = 0, StringIO(), StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            _use(environment)
            _run(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            if isinstance(ended.code, str):
                print(ended.code, file=sys.stderr)
        except Exception:
            traceback.print_exc()
            code = 1
    return code, output.getvalue(), errors.getvalue()


def _use(environment: Mapping[str, str]) -> None:
    """Use this environment, and the settings that say where the database is, which nothing has read yet."""
    from django.conf import settings
    from django.db import connections

    os.environ.clear()
    os.environ.update(environment)
    chosen = runpy.run_path(str(ROOT / "config/settings.py"))
    settings.DATABASES = chosen["DATABASES"]
    connections.settings = connections.configure_settings(chosen["DATABASES"])
    for alias in connections:
        with suppress(AttributeError):
            del connections[alias]


def _run(words: list[str]) -> None:
    from django.core.management import ManagementUtility

    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(words[1], {"__name__": "__main__"})
    elif words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        ManagementUtility(words).execute()


def main() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(_fork(asked["environment"], asked["words"])), flush=True)


if __name__ == "__main__":
    main()
