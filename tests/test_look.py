"""The colours of static/css/tokens.css can be read by everybody: 4.5:1 for words, 3:1 for edges and marks, in both themes.
What the site writes is in the fonts that it serves.
"""

import ast
import html
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from people.models import Hue
from tests import fonts

ROOT = Path(__file__).parent.parent
TOKENS = (ROOT / "static/css/tokens.css").read_text()
GROUNDS = ["ground", "panel", "raised"]
WORDS = ["ink", "ink-soft", "ink-faint", "grace", "trouble", "ember", "cool"]
PAIRS = [
    *[(word, ground, 4.5) for word in WORDS for ground in GROUNDS],
    *[(word, tint, 4.5) for word in ("ink", "ink-soft") for tint in ("grace-tint", "trouble-tint", "ember-tint")],
    *[(colour, f"{colour}-tint", 4.5) for colour in ("grace", "trouble", "ember")],
    *[(f"on-{colour}", f"{colour}-fill", 4.5) for colour in ("grace", "trouble", "ember", "cool")],
    *[("edge", ground, 3.0) for ground in GROUNDS],
    *[("live", "panel", 3.0), ("cool-fill", "panel", 3.0), ("trouble-fill", "panel", 3.0)],
    *[("on-grace", f"hue-{hue}", 4.5) for hue in Hue.values],
]


def colour(name: str, theme: int) -> str:
    """Return the oklch numbers of a token; theme 0 is light, 1 is dark."""
    pattern = rf"\.{name} {{ --hue:(.*?);" if name.startswith("hue-") else rf"--{name}:(.*?);"
    found = re.search(pattern, TOKENS)
    assert found, f"no token {name}"
    values = re.findall(r"oklch\(([^)]*)\)", found[1])
    return values[theme] if len(values) == 2 else values[0]


def luminance(oklch: str) -> float:
    """Return WCAG's relative luminance, 0 to 1, of a colour such as "0.97 0.007 80"; out of gamut is clipped as browsers do."""
    lightness, chroma, hue = map(float, oklch.split())
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    red, green, blue = (min(1.0, max(0.0, channel)) for channel in (red, green, blue))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: int) -> float:
    """Return the contrast, from 1 to 21."""
    low, high = sorted(luminance(colour(name, theme)) for name in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_each_colour_stands_out_from_what_it_lies_on(theme: int) -> None:
    low = [f"{front} on {back}" for front, back, least in PAIRS if contrast(front, back, theme) < least]
    assert not low


SOURCES = (
    "campaigns",
    "characters",
    "config",
    "database",
    "people",
    "rolls",
    "rules",
    "rulesets",
    "scale",
    "static/css",
    "static/js",
    "templates",
)
ESCAPED = re.compile(r"\\([0-9a-f]{4})\b")
"""In style sheets: content: "\\00b7"."""

NOT_IN_OUR_FONTS = {
    "campaigns/queries/export.py": set("＋－＝＠"),  # what begins a formula, in a file for spreadsheets
    "campaigns/text.py": set("႟ក⺀ㄯ㆐䶿一京東鿿𠀀"),  # where scripts without blanks begin and end
    "static/css/sheet-print.css": set("☐☒"),  # which names a font that has them
}
INTERFACE_ALONE = set("↑↓")


def written(path: Path) -> str:
    """Return all that a file may put on a page: a Python file's strings, else everything, with escapes resolved."""
    text = path.read_text()
    if path.suffix == ".py":
        constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        return "".join(value for value in constants if isinstance(value, str))
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if path.suffix == ".css" else html.unescape(text)


@cache
def signs() -> dict[str, set[str]]:
    """Return the printable characters beyond ASCII in each file of the site."""
    return dict(_signs())


def _signs() -> Iterator[tuple[str, set[str]]]:
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".css", ".html", ".js", ".py", ".toml", ".txt"}:
                name = str(path.relative_to(ROOT))
                found = {sign for sign in written(path) if not sign.isascii() and sign.isprintable()}
                yield name, found - NOT_IN_OUR_FONTS.get(name, set())


@pytest.mark.parametrize("font", sorted((ROOT / "static/fonts").glob("*.woff2")), ids=lambda font: font.stem)
def test_every_sign_that_the_site_writes_is_in_its_fonts(font: Path) -> None:
    there = fonts.characters(font) | (set() if font.name.startswith("inter") else INTERFACE_ALONE)
    assert {"A", "é", "’"} <= there
    missing = {name: sorted(found - there) for name, found in signs().items()}
    assert {name: found for name, found in missing.items() if found} == {}


SHEETS = [path for path in ROOT.glob("**/static/**/*.css") if ".venv" not in path.parts and ".cache" not in path.parts]


def test_no_type_is_smaller_than_twelve_and_a_half_pixels() -> None:
    for sheet in (path for path in SHEETS if "print" not in path.stem):
        screen = re.sub(r"@media print \{.*", "", sheet.read_text(), flags=re.DOTALL)
        small = [
            declared[0]
            for declared in re.finditer(r"font(?:-size)?:[^;{}]*?\b([\d.]+)(rem|px)[^;]*;", screen)
            if float(declared[1]) * (16 if declared[2] == "rem" else 1) < 12.5
        ]
        assert not small, sheet


STEPS = {
    value: name for name, value in re.findall(r"--(thin|close|near|gap|ample|broad|room|wide): ([\d.]+rem);", TOKENS)
}
DISTANCE = re.compile(r"^\s*(?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?):\s*([^;]+);", re.MULTILINE)


@pytest.mark.parametrize("sheet", sorted(SHEETS), ids=lambda path: path.stem)
def test_a_distance_that_is_a_step_of_the_scale_is_written_as_that_step(sheet: Path) -> None:
    assert len(STEPS) == 8
    written_out = [declared for declared in DISTANCE.findall(sheet.read_text()) if STEPS.keys() & set(declared.split())]
    assert not written_out or "print" in sheet.stem or "examples" in sheet.parts
