"""The base of every demo campaign: its people at the table, and its clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth import get_user_model
from django.utils.text import slugify
from PIL import Image

from campaigns.models import Answer, Campaign, Membership, Role, SessionDate, Viewer
from campaigns.pictures import Portrayal, Upload
from campaigns.services import members
from campaigns.services.campaigns import create_campaign
from campaigns.services.dates import answer_date, propose_dates
from campaigns.services.log import happening_at
from campaigns.services.members import invitation_token, invite, join
from campaigns.services.pictures import set_cover
from characters.models import Character
from characters.services.cards import set_portrait
from characters.services.fields import set_field
from config.demo import people
from world.models import PageKind
from world.queries import Names
from world.services import draft_of, make_page, page_version, write_page

# Pictures of the demo: portraits of its characters, covers of its campaigns, and pictures of its scenes.
#
# They are WebP files in `pictures/`, named after what they show.


FOLDER = Path(__file__).with_name("pictures")


def portrait(name: str) -> Portrayal | None:
    """Return the portrait of a character; None for people without one."""
    image, icon = _read(slugify(name)), _read(f"{slugify(name)}-icon")
    return Portrayal(image, icon) if image and icon else None


def picture(name: str) -> Upload | None:
    """Return the cover of a campaign, or the picture of a scene; None if it has none."""
    full, small, icon = (_read(slugify(name) + part) for part in ("", "-small", "-icon"))
    return Upload(full, small, icon, *Image.open(BytesIO(full)).size) if full and small and icon else None


def _read(name: str) -> bytes | None:
    path = FOLDER / f"{name}.webp"
    return path.read_bytes() if path.exists() else None


T = TypeVar("T")


class Noted(NamedTuple):
    """What somebody writes on a page: for a page of its own its kind, for GMs also their part."""

    name: str
    who: str
    words: str
    kind: PageKind = PageKind.THING
    aliases: tuple[str, ...] = ()
    gm_words: str = ""
    hidden: bool = False


class Stage:
    """A demo campaign while it is made, operation by operation through the services, as people would."""

    def __init__(self, slug: str, begins: datetime) -> None:
        self.slug = slug
        self.chance = random.Random(slug)  # noqa: S311  # it picks words, not dice
        self.now = begins
        self.operations = 0
        self.viewers: dict[str, Membership] = {}
        self.characters: dict[str, Character] = {}

    def do(self, operation: Callable[..., T], *args: Any, key: UUID | None = None, **kwargs: Any) -> T:
        """Do one operation, about half a minute after the one before."""
        self.now += timedelta(seconds=self.chance.randint(15, 50))
        with happening_at(self.now):
            return operation(*args, key=key or self.next_key(), **kwargs)

    def beside(self, name: str, operation: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Do one operation at once, under a key that follows from its `name`. It uses no numbers and no chance of later ones,
        whose dice fall as they always did.
        """
        with happening_at(self.now):
            return operation(*args, key=uuid5(NAMESPACE_URL, f"{self.slug} {name}"), **kwargs)

    def next_key(self) -> UUID:
        self.operations += 1
        return uuid5(NAMESPACE_URL, f"{self.slug} {self.operations}")

    @property
    def gm(self) -> Membership:
        return self.viewers["gm"]

    def seat_people(self, name: str, pitch: str, systems: Sequence[str]) -> Campaign:
        """Create the campaign and let all people join."""
        users = {username: _user(username, *rest) for username, rest in people.PEOPLE.items()}
        campaign = self.do(create_campaign, users["gm"], name=name, pitch=pitch, systems=systems)
        self.viewers["gm"] = Membership.objects.select_related("campaign", "user").get(campaign=campaign)
        for username, user in users.items():
            if username == "gm":
                continue
            role = Role.SPECTATOR if username == "watcher" else Role.PLAYER
            key = self.next_key()
            self.do(invite, self.gm, role, days=None, uses=1, key=key)
            self.viewers[username] = self.do(join, user, invitation_token(key))
        for member in self.viewers.values():
            members.look(Viewer(campaign, member, Role(member.role)))
        return campaign

    def fill(self, by: Membership, character: Character, values: dict[str, Any]) -> Character:
        """Write fields of a sheet, one by one."""
        for field, value in values.items():
            character = self.do(set_field, by, character, field, value, expected=character.value(field))
        return character

    def give_faces(self) -> None:
        """Give portraits to everyone with a face, and the campaign its cover."""
        for name, character in self.characters.items():
            if portrayal := portrait(name):
                self.beside(name, set_portrait, character.owner or self.gm, character, portrayal)
        self.beside("cover", set_cover, self.gm, picture(self.gm.campaign.name))

    def ask_for(
        self, starts: Sequence[datetime], answers: Mapping[str, Sequence[str]], *, at_once: bool = False
    ) -> None:
        """Propose these dates, or with `at_once` set them; then each of these people answers the first ones."""
        whole = [start.replace(hour=19, minute=30, second=0, microsecond=0) for start in starts]
        self.beside("meets again", propose_dates, self.gm, whole, zone="UTC", at_once=at_once)
        dates = SessionDate.objects.filter(campaign=self.gm.campaign).order_by("at")
        for who, given in answers.items():
            for date, answer in zip(dates, given, strict=False):
                self.beside(f"{who} {date.at}", answer_date, self.viewers[who], date, Answer(answer))

    def write_page(self, note: Noted) -> None:
        """Write on the page of a name; one that nothing has by itself is made before."""
        by = self.viewers[note.who]
        viewer = Viewer(by.campaign, by, Role(by.role))
        page = Names(viewer).find(note.name)
        if page is None:
            page = self.beside(f"page {note.name}", make_page, by, note.name, note.kind, shown=not note.hidden)
        draft = replace(draft_of(page, viewer), note=note.words, aliases=note.aliases)
        if note.gm_words:
            draft = replace(draft, gm_note=note.gm_words)
        named = f"note {note.name} {note.who}"
        self.beside(named, write_page, by, page, draft, expected=page_version(page, viewer))


def _user(username: str, display_name: str, pronouns: str, colour: str) -> Any:
    users = get_user_model().objects
    user = users.filter(username=username).first()
    return user or users.create_user(username, display_name=display_name, pronouns=pronouns, colour=colour)
