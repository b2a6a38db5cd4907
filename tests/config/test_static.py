"""Files under hashed names: scripts find each other under those, wherever they lie."""

from __future__ import annotations

import json
import re

import pytest
from django.core.management import call_command

SCRIPTS = {
    "js/least.js": "export const least = 1;",
    "js/more.js": 'import { least } from "./least.js";\n\nexport const more = least + 1;',
    "game/game.js": (
        "/** import(\"../is/a/type\"), and import { no } from './statement.js' */\n"
        'import "./beside.js";\n'
        'import * as named from "../js/more.js";\n'
        "import {\n  least,\n  least as also,\n} from '../js/least.js';\n"
        'import { more } from "/static/js/more.js";\n'
        'export { least } from "../js/least.js";\n'
        "named.more(least, also, more);\n"
    ),
    "game/beside.js": 'import "../js/more.js";',
}


@pytest.fixture
def collect(settings, tmp_path):
    """`collect(scripts)` collects them, path -> text, as for a server; it returns path -> hashed path, and the folder."""

    def stand(scripts):
        for path, text in scripts.items():
            (tmp_path / "from" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "from" / path).write_text(text)
        settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
        settings.STATICFILES_DIRS = [tmp_path / "from"]
        settings.STATIC_ROOT = tmp_path / "to"
        settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.static.HashedFiles"}}
        call_command("collectstatic", interactive=False, verbosity=0)
        return json.loads((tmp_path / "to/staticfiles.json").read_text())["paths"], tmp_path / "to"

    return stand


def test_every_way_to_import_names_the_hashed_file(collect):
    names, folder = collect(SCRIPTS)
    least, more, beside = (names[path] for path in ("js/least.js", "js/more.js", "game/beside.js"))
    assert (folder / names["game/game.js"]).read_text() == (
        "/** import(\"../is/a/type\"), and import { no } from './statement.js' */\n"
        f'import "./{beside.removeprefix("game/")}";\n'
        f'import * as named from "../{more}";\n'
        f'import {{\n  least,\n  least as also,\n}} from "../{least}";\n'
        f'import {{ more }} from "/static/{more}";\n'
        f'export {{ least }} from "../{least}";\n'
        "named.more(least, also, more);\n"
    )
    assert all((folder / path).is_file() for path in names.values())


def test_a_script_that_changes_changes_the_names_of_all_that_import_it(collect):
    before, _ = collect(SCRIPTS)
    after, _ = collect(SCRIPTS | {"js/least.js": "export const least = 2;"})
    assert all(re.fullmatch(r".*\.[0-9a-f]{12}\.js", name) for name in after.values())
    assert {path for path in SCRIPTS if before[path] != after[path]} == set(SCRIPTS)


def test_a_long_line_of_modules_that_import_one_another_is_collected(collect):
    line = {f"js/{number}.js": f'import "./{number + 1}.js";' for number in range(12)} | {"js/12.js": ""}
    names, folder = collect(line)
    for number in range(12):
        assert names[f"js/{number + 1}.js"].removeprefix("js/") in (folder / names[f"js/{number}.js"]).read_text()


def test_an_import_of_a_file_that_is_not_there_is_refused(collect):
    with pytest.raises(ValueError, match=r"js/nowhere.js"):
        collect({"js/lost.js": 'import "./nowhere.js";'})
