"""What goes together is served as one file, in which each script still runs by itself and once."""

from __future__ import annotations

import pytest

from config.bundles import joined

SCRIPTS = {
    "js/least.js": "export const least = 1;\nexport { least as same };\n",
    "js/more.js": 'import { least as one } from "./least.js";\n\nexport const more = one + 1;\n',
    "js/effect.js": 'import "./more.js";\nconsole.log(1);\n',
    "pages/table.js": '// The table.\nimport "../js/least.js";\nimport "../js/more.js";\nimport "../js/effect.js";\n',
}


def test_a_page_s_script_holds_its_parts_each_with_names_of_its_own():
    assert joined(SCRIPTS)["pages/table.js"] == (
        "const js_least = (() => {\nconst least = 1;\nreturn { least: least, same: least };\n})();\n"
        "const js_more = (() => {\nconst { least: one } = js_least;\n\nconst more = one + 1;\nreturn { more: more };\n})();\n"
        "const js_effect = (() => {\n\nconsole.log(1);\nreturn {  };\n})();\n"
        "export { js_least, js_more };\n"
    )


def test_a_part_that_others_may_import_is_the_one_that_the_page_runs():
    assert joined(SCRIPTS)["js/more.js"] == (
        'import { js_more } from "../pages/table.js";\nexport const { more } = js_more;\n'
    )


def test_a_script_from_elsewhere_takes_a_part_out_of_the_joined_file():
    text = 'import * as least from "../js/least.js";\nimport "./beside.js";\nleast.same;\n'
    found = joined(SCRIPTS | {"game/game.js": text, "game/beside.js": "1;\n"})
    assert found["game/game.js"] == (
        'import { js_least } from "../pages/table.js";\nimport * as game_beside from "./beside.js";\n'
        "const game_game = (() => {\nconst least = js_least;\n\nleast.same;\nreturn {  };\n})();\n"
    )
    assert "game/beside.js" not in found


def test_parts_of_another_page_are_imported_from_its_file():
    found = joined(
        SCRIPTS | {"pages/live.js": 'import "../js/live.js";', "js/live.js": 'import { more } from "./more.js";\n'}
    )
    assert found["pages/live.js"].startswith('import { js_more } from "./table.js";\nconst js_live')


def test_a_part_may_be_in_the_files_of_several_pages_as_long_as_only_they_import_it():
    found = joined(SCRIPTS | {"pages/log.js": 'import "../js/least.js";\nimport "../js/more.js";\n'})
    assert "const js_least" in found["pages/table.js"] and "const js_least" in found["pages/log.js"]
    assert found.keys() == {"pages/table.js", "pages/log.js"}


def test_a_style_sheet_holds_those_that_it_imports_and_their_addresses_lead_on():
    found = joined(
        {
            "pages/table.css": '/* The table. */\n@import "../css/type.css";\n@import "../css/side.css";\n',
            "css/type.css": '@font-face { src: url("../fonts/a.woff2"); }\n',
            "css/side.css": "\na {\n  background: url(./b.png) url(data:x);\n}\n",
        }
    )
    assert found == {
        "pages/table.css": '@font-face { src: url("../fonts/a.woff2"); }\na {\nbackground: url(../css/b.png) url(data:x);\n}\n'
    }


@pytest.mark.parametrize(
    ("scripts", "words"),
    [
        (
            {"pages/log.js": 'import "../js/least.js";', "game/game.js": 'import "../js/least.js";'},
            "game/game.js imports js/least.js, which has to be listed beside it",
        ),
        (
            {"pages/table.js": 'import "../js/more.js";\nimport "../js/least.js";'},
            "lists js/more.js before js/least.js",
        ),
        ({"js/effect.js": "export let changing = 1;\n"}, "js/effect.js: what is imported or exported so"),
        ({"js/effect.js": "export default 1;\n"}, "js/effect.js: what is imported or exported so"),
    ],
)
def test_what_cannot_be_joined_is_refused(scripts, words):
    with pytest.raises(ValueError, match=words):
        joined(SCRIPTS | scripts)


def test_comments_on_lines_of_their_own_are_left_out_but_for_licences():
    script = '/** Adds.\n * @type {number} */\n  // Why.\nconst one = "// 1"; // rest\n/*! MIT */\n'
    found = joined({"pages/table.js": 'import "../js/one.js";\n', "js/one.js": script})["pages/table.js"]
    assert 'const one = "// 1"; // rest\n/*! MIT */\n' in found
    assert "Adds" not in found and "@type" not in found and "Why" not in found
