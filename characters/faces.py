"""Faces to choose for a character: forty portraits of our own, each a file in static/faces/ (docs/characters.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ERAS = {
    "lamplight": _("Lamplight"),
    "rail": _("Sea and rail"),
    "today": _("Today"),
    "stars": _("Far stars"),
}
MOODS = {"warm": _("Warm"), "stern": _("Stern"), "haunted": pgettext_lazy("a mood", "Haunted"), "bright": _("Bright")}


class Face(NamedTuple):
    """A face: its number in the drawer; the name of its file, which characters and events keep; its era and its
    mood; and what one sees."""

    number: int
    name: str
    era: str
    mood: str
    words: StrOrPromise


ALL = [
    ("archivist", "lamplight", "haunted", _("grey hair and round glasses")),
    ("actress", "lamplight", "bright", _("long black hair and a scarf")),
    ("watchman", "lamplight", "warm", _("a cap and a full beard")),
    ("owner", "lamplight", "bright", _("white hair in a bun and pearls")),
    ("stranger", "lamplight", "haunted", _("a wide-brimmed hat")),
    ("doctor", "lamplight", "stern", _("short hair and a moustache")),
    ("widow", "lamplight", "haunted", _("a black veil")),
    ("gambler", "lamplight", "warm", _("a bowler hat")),
    ("maid", "lamplight", "stern", _("a bonnet and an apron")),
    ("gentleman", "lamplight", "stern", _("a top hat")),
    ("smuggler", "rail", "warm", _("short red hair and a scarf")),
    ("captain", "rail", "stern", _("fair hair and a peaked cap")),
    ("engineer", "rail", "bright", _("goggles on the forehead")),
    ("keeper", "rail", "warm", _("a beard and a scarf")),
    ("sailor", "rail", "bright", _("short hair and a striped shirt")),
    ("stoker", "rail", "haunted", _("a dark cap and a black beard")),
    ("pilot", "rail", "warm", _("a leather flying helmet")),
    ("navigator", "rail", "stern", _("two long black braids")),
    ("fisher", "rail", "stern", _("a yellow sou’wester and a grey beard")),
    ("corsair", "rail", "haunted", _("a red kerchief and an eyepatch")),
    ("student", "today", "bright", _("black curls")),
    ("courier", "today", "warm", _("an orange hood")),
    ("detective", "today", "haunted", _("short brown hair and an open collar")),
    ("singer", "today", "bright", _("thick red hair and hoop earrings")),
    ("teacher", "today", "stern", _("a grey bob and glasses")),
    ("hacker", "today", "haunted", _("a woollen hat and glasses")),
    ("nurse", "today", "warm", _("a teal headscarf")),
    ("drifter", "today", "warm", _("long hair and a beard")),
    ("sound-engineer", "today", "bright", _("fair hair and headphones")),
    ("grandfather", "today", "stern", _("a white beard and glasses")),
    ("officer", "stars", "stern", _("short black hair and a spacesuit")),
    ("mechanic", "stars", "warm", _("a red mohawk and a spacesuit")),
    ("medic", "stars", "bright", _("a white bob and a spacesuit")),
    ("seer", "stars", "haunted", _("a violet hood and a circlet")),
    ("envoy", "stars", "bright", _("hair in a bun and a circlet")),
    ("convict", "stars", "haunted", _("a shaved head and a striped shirt")),
    ("pathfinder", "stars", "warm", _("braids and a visor")),
    ("machine", "stars", "stern", _("a bald head and a visor")),
    ("colonist", "stars", "warm", _("a headscarf and a spacesuit")),
    ("deep-diver", "stars", "haunted", _("a diving helmet")),
]
FACES = {name: Face(number, name, era, mood, words) for number, (name, era, mood, words) in enumerate(ALL, start=1)}


def fitting(name: str, worn: Collection[str]) -> str:
    """Return the face of a new NPC beside these portraits: one that few have, of the era that most have, as its name falls."""
    having = Counter(worn)
    eras = Counter(FACES[picture].era for picture in worn if picture in FACES)
    return min(FACES, key=lambda face: (having[face], -eras[FACES[face].era], crc32(f"{face} {name}".encode())))
