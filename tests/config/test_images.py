"""The pictures of the demo: a portrait for each character, a cover for each campaign, and all of them small."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from campaigns.pictures import ICON_SIDE
from config.demo import harrow, signal, stage

NAMES = {role.name for role in harrow.CHARACTERS} | {sitter.name for sitter in signal.SITTERS}
LARGEST_PORTRAIT, LARGEST_PICTURE = 6_000, 25_000  # bytes


def test_everybody_has_a_face_of_their_own() -> None:
    portraits = {name: stage.portrait(name) for name in sorted(NAMES)}
    assert len(set(portraits.values())) == len(NAMES)
    for name, portrayal in portraits.items():
        assert portrayal
        assert len(portrayal.image) < LARGEST_PORTRAIT, name
        assert Image.open(BytesIO(portrayal.image)).size == (256, 256)
        assert Image.open(BytesIO(portrayal.icon)).size == (ICON_SIDE, ICON_SIDE)


def test_both_campaigns_have_a_cover() -> None:
    for name in ("Ashes over Harrow", "The Salt Signal"):
        cover = stage.picture(name)
        assert cover
        assert (cover.width, cover.height) == (1280, 720)
        assert cover.size < LARGEST_PICTURE


def test_every_file_shows_something_of_the_demo() -> None:
    shown = {*NAMES, "Ashes over Harrow", "The Salt Signal", *(title for title, _, _ in harrow.HANDOUTS)}
    portraits = [portrait for name in shown if (portrait := stage.portrait(name))]
    pictures = [picture for name in shown if (picture := stage.picture(name))]
    assert 2 * len(portraits) + len(pictures) == len(list(stage.FOLDER.glob("*.webp")))
    assert stage.portrait("Nobody") is None
