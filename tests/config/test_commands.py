"""`manage.py` says in one line what is missing and how to mend it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings as site


def manage(*words, **environment):
    plain = {"PATH": os.environ["PATH"], "ENV_FILE": os.devnull}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=site.BASE_DIR, env=plain | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "SECRET_KEY is not set. `python3 dev.py run` writes one"),
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set. `python3 dev.py run` writes one"),
        ({"SECRET_KEY": "x", "SIGNUP": "maybe"}, 'Environment variable "SIGNUP" invalid'),
    ],
)
@pytest.mark.parametrize("command", ["migrate", "makemessages"])
def test_settings_that_cannot_be_are_said_in_one_line(command, environment, said):
    done = manage(command, **environment)
    assert done.returncode == 1
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


def test_runserver_without_debug_is_ours_whatever_it_is_told():
    done = manage("runserver", "0.0.0.0:8000", "--noreload", SECRET_KEY="x")
    assert done.returncode == 1 and "needs DEBUG=1" in done.stderr
