"""A page's files, joined into few.

A style sheet that only `@import`s others, and a script in a folder `pages` that only `import`s others, list what
belongs together: `static/pages/table.js` has the scripts of the table page. During development, browsers follow the
imports. When static files are collected, each becomes one file with its parts, without their comments and, in style
sheets, without indentation and empty lines. A script that imports such a part from elsewhere gets the one in the joined
file, so that no module runs twice on a page.

Scripts are joined as they are written here: imports and exports are at the beginning of a line and end with a
semicolon, exports never change, and nothing awaits outside of functions. Anything else raises a ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join, normpath, relpath

IMPORT = r"""(?m)^(?P<matched>(?P<names>(?:import|export)\b(?:[^'";]*\bfrom\b)?)\s*['"](?P<url>[./][^'"]*)['"];)"""
"""A statement `import … from "./x.js";`, `import "./x.js";` or `export … from "./x.js";` that begins a line."""

COMMENT = r"/\*[\s\S]*?\*/|(?m:^\s*//.*$)"
STYLE_IMPORT = r"""(?m)^@import ["'](?P<url>\.[^"']*)["'];"""
STYLE_URL = r"""(?P<before>\burl\(\s*["']?)(?P<url>\.[^"')]*)"""
EXPORTED_VALUE = r"(?m)^export (?P<kind>const|(?:async )?function|class) (?P<name>\w+)"
EXPORTED_LIST = r"(?m)^export \{(?P<names>[^}]*)\};\n?"
NOT_JOINED = r"(?m)^(?:import|export)\b.*"
WHOLE_LINES = r"(?m)^[ \t]*(?:/\*(?!!)[\s\S]*?\*/|//.*)[ \t]*\n"
"""Comments that have their lines to themselves. They are a quarter of what a browser would load; one that begins with
`/*!`, which has a licence, stays."""
INDENTATION = r"(?m)^\s+"
"""Of style sheets alone: a script may have lines of a text."""


def joined(texts: Mapping[str, str]) -> dict[str, str]:
    """Return, by name, the texts of the style sheets and scripts that are served in another form than they are written.

    `texts` are all of the site's, by their names under /static/.
    """
    styles = {name: _listed(STYLE_IMPORT, name, text) for name, text in texts.items() if name.endswith(".css")}
    scripts = {name: Script(name, text) for name, text in texts.items() if name.endswith(".js")}
    sheets = {name: _join_styles(name, parts, texts) for name, parts in styles.items() if parts}
    served = {name: re.sub(WHOLE_LINES, "", text) for name, text in (sheets | _join_scripts(scripts)).items()}
    return served | {name: re.sub(INDENTATION, "", served[name]) for name in sheets}


def _listed(statement: str, name: str, text: str) -> list[str]:
    """Return the names of what a file imports, in its order; nothing if the file does anything else."""
    words = re.sub(COMMENT, "", text)
    if re.sub(statement, "", words).strip():
        return []
    return [_name_of(name, imported["url"]) for imported in re.finditer(statement, words)]


def _name_of(name: str, url: str) -> str:
    """Return the name of the file that the file `name` calls by `url`."""
    return normpath(join(dirname(name), url))


def _url_of(name: str, target: str) -> str:
    path = relpath(target, dirname(name))
    return path if path.startswith(".") else f"./{path}"


def _join_styles(name: str, parts: Sequence[str], texts: Mapping[str, str]) -> str:
    def text_of(part: str) -> str:
        return re.sub(
            STYLE_URL, lambda found: found["before"] + _url_of(name, _name_of(part, found["url"])), texts[part]
        )

    return "\n".join(map(text_of, parts))


@dataclass(frozen=True)
class Script:
    """A module by its name under /static/ and its text."""

    name: str
    text: str

    @property
    def variable(self) -> str:
        """Return the variable that holds what the module exports, in whichever bundle it was joined."""
        return re.sub(r"\W", "_", self.name.removesuffix(".js"))

    @property
    def parts(self) -> list[str]:
        """Return the names of the scripts that this one joins; [] unless it is in a folder `pages`."""
        if "pages" not in dirname(self.name).split("/"):
            return []
        return _listed(IMPORT, self.name, self.text)

    @property
    def imports(self) -> list[str]:
        return [_name_of(self.name, found["url"]) for found in re.finditer(IMPORT, self.text)]

    @property
    def exports(self) -> dict[str, str]:
        """Return the variable behind each name that is exported."""
        lists = ",".join(found["names"] for found in re.finditer(EXPORTED_LIST, self.text)).split(",")
        pairs = [re.fullmatch(r"(\w+)(?: as (\w+))?", listed.strip()) for listed in lists if listed.strip()]
        values = [found["name"] for found in re.finditer(EXPORTED_VALUE, self.text)]
        return {name: name for name in values} | {pair[2] or pair[1]: pair[1] for pair in pairs if pair}

    def as_value(self, scripts: Mapping[str, Script]) -> str:
        """Return a statement that runs the module in its own function and keeps its exports in its variable."""
        body = re.sub(
            IMPORT, lambda found: _as_constant(found["names"], scripts[_name_of(self.name, found["url"])]), self.text
        )
        body = re.sub(EXPORTED_LIST, "", re.sub(EXPORTED_VALUE, r"\g<kind> \g<name>", body))
        if other := re.search(NOT_JOINED, body):
            raise ValueError(f"{self.name}: what is imported or exported so cannot be joined: {other[0]}")
        exports = ", ".join(f"{name}: {variable}" for name, variable in self.exports.items())
        return f"const {self.variable} = (() => {{\n{body}return {{ {exports} }};\n}})();"


def _as_constant(statement: str, imported: Script) -> str:
    """Return a constant with the names of an import, once `imported` is in its variable."""
    names = statement.removeprefix("import").removesuffix("from").strip()
    if not names:
        return ""
    if names.startswith("* as "):
        return f"const {names.removeprefix('* as ')} = {imported.variable};"
    return f"const {names.replace(' as ', ': ')} = {imported.variable};"


def _join_scripts(scripts: Mapping[str, Script]) -> dict[str, str]:
    lists: dict[str, list[str]] = {}
    for script in scripts.values():
        for part in script.parts:
            lists.setdefault(part, []).append(script.name)
    # The joined file out of which others take a part.
    home = {part: names[0] for part, names in lists.items() if len(names) == 1 and scripts[part].exports}
    fixed = lists.keys() - home.keys()
    texts = {}
    for script in scripts.values():
        if script.parts:
            texts[script.name] = _join(script.name, script.parts, scripts, home, fixed)
        elif script.name in home:
            texts[script.name] = _forwarded(script, home[script.name])
        elif script.name not in lists and not lists.keys().isdisjoint(script.imports):
            texts[script.name] = _join(script.name, [script.name], scripts, home, fixed)
    return texts


def _join(
    name: str, parts: Sequence[str], scripts: Mapping[str, Script], home: Mapping[str, str], fixed: Collection[str]
) -> str:
    """Return the text of the module `name`: its parts' imports, the parts, and their exports.

    `home` maps modules to the files that export them. `fixed` ones cannot be imported: they are in the files of several
    pages, or export nothing.
    """
    needed = []
    for place, part in enumerate(parts):
        for imported in scripts[part].imports:
            if imported in parts[place:]:
                raise ValueError(f"{name} lists {part} before {imported}, which it imports.")
            if imported in fixed and imported not in parts:
                raise ValueError(f"{part} imports {imported}, which has to be listed beside it.")
            if imported not in parts:
                needed.append(_import(name, scripts[imported], home))
    exported = [scripts[part].variable for part in parts if part != name and scripts[part].exports]
    statements = [*dict.fromkeys(needed), *(scripts[part].as_value(scripts) for part in parts)]
    if exported:
        statements.append(f"export {{ {', '.join(exported)} }};")
    return "".join(f"{statement}\n" for statement in statements)


def _import(name: str, imported: Script, home: Mapping[str, str]) -> str:
    if imported.name in home:
        return f'import {{ {imported.variable} }} from "{_url_of(name, home[imported.name])}";'
    return f'import * as {imported.variable} from "{_url_of(name, imported.name)}";'


def _forwarded(script: Script, home: str) -> str:
    """Return a part under its own name: exporting what the joined file has."""
    imported = _import(script.name, script, {script.name: home})
    return f"{imported}\nexport const {{ {', '.join(script.exports)} }} = {script.variable};\n"
