"""The pictures of the documentation: what is there is shown, what is shown is there, and none is large."""

import re

import pytest
from PIL import Image

from tools.environment import ROOT
from tools.pictures.studio import DOCS, LARGEST, keep

SHOWN = re.compile(r"(!?)\[([^]]*)\]\((?:docs/)?pictures/([\w.-]+)\)")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PICTURES = sorted(path.name for path in DOCS.iterdir())


def test_each_picture_is_shown_and_there():
    shown = {name for page in PAGES for _, _, name in SHOWN.findall(page.read_text(encoding="utf-8"))}
    assert sorted(shown) == PICTURES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_that_a_page_shows_has_words_in_its_place(page):
    words = [words for mark, words, _ in SHOWN.findall(page.read_text(encoding="utf-8")) if mark]
    assert all(words)


@pytest.mark.parametrize("name", PICTURES)
def test_none_is_large(name):
    assert (DOCS / name).stat().st_size <= LARGEST


@pytest.mark.parametrize(("level", "written"), [(103, False), (180, True)])
def test_one_that_looks_as_before_stays_the_same_file(tmp_path, level, written):
    picture = Image.new("RGB", (64, 64), (100, 100, 100))
    keep(picture, tmp_path / "one.webp")
    before = (tmp_path / "one.webp").read_bytes()
    picture.paste((level, level, level), (8, 8, 16, 16))
    keep(picture, tmp_path / "one.webp")
    assert ((tmp_path / "one.webp").read_bytes() != before) == written
