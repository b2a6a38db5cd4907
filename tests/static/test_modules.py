"""Scripts are modules that import what they need, and nothing else comes between them."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from django.contrib.staticfiles.finders import get_finders

from config.bundles import IMPORT, joined

OTHERS = ("admin/", "account/", "mfa/", "django_htmx/")
ROOT = Path(__file__).parents[2]
TAG = re.compile(r"<script\b[^>]*>")
AT_ONCE = """<script src="{% early_script %}">"""
"""The script that holds clicks until the modules have run; it and its words must be there before them."""


def scripts() -> dict[str, str]:
    """Return the scripts of the site and of its rulesets, by their place under /static/."""
    found = {path: storage.path(path) for finder in get_finders() for path, storage in finder.list([])}
    return {
        path: Path(file).read_text()
        for path, file in found.items()
        if path.endswith(".js") and not path.startswith(OTHERS)
    }


def imports(path: str, text: str) -> set[str]:
    return {normpath(join(dirname(path), found["url"])) for found in re.finditer(IMPORT, text)}


def test_every_import_is_of_a_file_that_is_there() -> None:
    found = scripts()
    assert "js/page.js" in imports("js/apply.js", found["js/apply.js"])
    missing = {path: sorted(imports(path, text) - found.keys()) for path, text in found.items()}
    assert {path: names for path, names in missing.items() if names} == {}


def test_every_import_is_found_by_what_gives_files_their_hashed_names() -> None:
    """`config.bundles` reads imports at the beginning of a line that end with a semicolon."""
    for path, text in scripts().items():
        words = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
        wanted = re.findall(r"^\s*import\b|\bfrom\s*[\"']|\bimport\s*\(", words, re.MULTILINE)
        statements = [found[0] for found in re.finditer(IMPORT, text)]
        assert len(wanted) == sum(1 + (" from " in statement) for statement in statements), path


def test_no_script_reaches_itself_by_its_imports() -> None:
    """`prepare` raises a CycleError that names the cycle."""
    TopologicalSorter({path: imports(path, text) for path, text in scripts().items()}).prepare()


def test_no_script_leaves_anything_for_others_on_the_window() -> None:
    shared = re.compile(r"\b(?:window|globalThis)\.(?:\w+\s*=[^=]|afterburn)|\bObject\.assign\(window\b")
    assert {path: shared.findall(text) for path, text in scripts().items() if shared.search(text)} == {}


def test_every_page_s_scripts_can_be_joined() -> None:
    found = joined(scripts())
    assert {"pages/base.js", "pages/table.js", "pages/live.js"} <= found.keys()


def test_a_script_that_is_in_no_page_s_file_needs_none_but_what_every_page_runs() -> None:
    """Else it would run another page's scripts, since the one file has all of them."""
    found = scripts()
    pages = {path: imports(path, text) for path, text in found.items() if path.startswith("pages/")}
    others = {part for path, parts in pages.items() if path != "pages/base.js" for part in parts}
    alone = found.keys() - pages.keys() - set().union(*pages.values())
    assert "js/guided.js" in alone
    assert {path: needed for path in alone if (needed := imports(path, found[path]) & others)} == {}


@pytest.mark.parametrize("folder", ["templates", "rulesets", "scale", "examples"])
def test_pages_load_them_as_modules(folder: str) -> None:
    tags = [tag for path in (ROOT / folder).rglob("*.html") for tag in TAG.findall(path.read_text())]
    others = [tag for tag in tags if not tag.startswith('<script type="module" src="{% static ')]
    assert set(others) == ({AT_ONCE} if folder == "templates" else set())
