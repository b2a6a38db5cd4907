"""Files that comments, docstrings and docs name are there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
FILES = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
NAME = re.compile(r"(?<![\w/.\-{*<:~$])(?:[a-z_][\w-]*/)+[\w-]+\.(?:py|html|js|css|toml|md)(?![\w/*{])")
SAID = {
    ".py": r'"""(.*?)"""|(#[^\n]*)',
    ".js": r"/\*(.*?)\*/|(//[^\n]*)",
    ".css": r"/\*(.*?)\*/()",
    ".html": r"{#(.*?)#}|{% comment %}(.*?){% endcomment %}",
    ".md": r"(.*)()",
}
"""What is said beside the code, by the kind of the file."""
OF_OTHERS = ("CHANGELOG.md", "docs/rulesets.md", "tests/hosting/")
"""They name files of the past, of a package that readers write, or that a test makes."""


def test_every_file_that_is_named_is_there() -> None:
    there = {"/".join(parts[at:]) for parts in (file.split("/") for file in FILES) for at in range(len(parts))}
    gone = {
        f"{file}: {name}"
        for file in FILES
        if (said := SAID.get(Path(file).suffix)) and not file.startswith(OF_OTHERS)
        for words in re.findall(said, (ROOT / file).read_text(), re.DOTALL)
        for name in NAME.findall(" ".join(words))
        if name not in there
    }
    assert not gone
