"""The portraits of the demo's characters: one for each, small, and the same each time."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from config.demo import faces, harrow_story, signal_story

NAMES = {role.name for role in harrow_story.CHARACTERS} | {sitter.name for sitter in signal_story.SITTERS}
LARGEST = 6_000  # bytes


def test_everybody_has_a_face_of_their_own() -> None:
    drawn = {name: faces.portrait(name) for name in sorted(NAMES)}
    assert len(set(drawn.values())) == len(NAMES) == len(faces.FACES)
    for name, image in drawn.items():
        assert image
        assert len(image) < LARGEST, name
        assert Image.open(BytesIO(image)).size == (faces.SIDE, faces.SIDE)


def test_a_face_is_the_same_each_time_and_strangers_have_none() -> None:
    assert faces.portrait("Silas Grey") == faces.portrait("Silas Grey")
    assert faces.portrait("Nobody") is None
