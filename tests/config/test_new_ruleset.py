"""A package to begin with: it plays under its own name at once."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.examples.installing import EXAMPLES, install


def test_what_is_written_is_a_ruleset_with_which_nothing_is_wrong(tmp_path):
    told = StringIO()
    call_command("new_ruleset", "moths", "--in", str(tmp_path), stdout=told)
    package = tmp_path / "afterburn-moths"
    assert str(package) in told.getvalue()
    assert not [path for path in package.rglob("*") if "lantern" in path.name.lower()]
    site = tmp_path / "site"
    environment = os.environ | install(package, site) | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    says = "from rolls.registry import LEFT_OUT, RULESETS; print(RULESETS['moths'].label, LEFT_OUT)"
    command = [sys.executable, "-c", f"import django; django.setup(); {says}"]
    done = subprocess.run(command, cwd=EXAMPLES.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "Moths {}\n", done.stderr


@pytest.mark.parametrize("name", ["Not one", "9lives", "storyteller", "under-way"])
def test_a_name_that_cannot_be_is_refused(tmp_path, name):
    with pytest.raises(CommandError):
        call_command("new_ruleset", name, "--in", str(tmp_path))
    assert list(tmp_path.iterdir()) == []
