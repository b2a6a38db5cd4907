"""Tables to play at, made through the services by a process of its own: `python -m tests.browser.world [SLUG …]`.

Without a name, those that every database of browser tests begins with (tools/databases.py): to make them one by one takes longer.

`--thief SLUG` gives Mo a character of VI-VIII-X there, and Iva one who keeps watch, `--brawl SLUG` the same and a foe with the
thief’s skill, `--scoundrels SLUG` Mo and Iva one each of Forged in the Dark, `--ambush SLUG` the same, a foe, and another of whom
players do not know. `--fencer SLUG` gives Mo one with Descriptors whose sheet all may read, and who has claimed something with
`--claim SLUG`, `--duel SLUG` Mo and Iva one each, in a scene. `--long SLUG` gives Mo's character a long German name, and the
table a second storyline with a longer title. With `--burns SLUG` each character has a Scale of their own, four Burns wait to be
taken, and a Major Burn to be narrated. `--newcomer PERSON` lets one of them have seen no table so far.

The people are those of the demo, who are there already; every table has the same viewers, characters, clocks and storylines.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

import django

if TYPE_CHECKING:
    from campaigns.models import Membership

READY = [f"table-{number}" for number in range(1, 25)]
SHEET = {"perception": 3, "wits": 2, "alertness": 2, "stealth": 1, "willpower": 5, "willpower_now": 5}
CHARACTERS = {"mo": "Silas Grey", "iva": "Corvina Hale"}
NPC = "Madam Orsolya"
FOE = "Vesk"
UNSEEN = "Brother Ash"
SCOUNDRELS = {
    "mo": ("Cross", {"prowl": 1, "skirmish": 3, "wreck": 1, "stress": 6}),
    "iva": ("Thorn", {"prowl": 2, "sway": 2}),
}
STORYLINE = "Who lit the first fire"
LONG_NAME = "Maximiliane von Hohenstaufen-Württemberg"
LONG_STORYLINE = "Der Untergang der Donaudampfschifffahrtsgesellschaft"
CLOCK = "Patience runs out"
SECRET_CLOCK = "Nobody knows of this"
TO_TROUBLE = (7, 1, 1, 3, 2)
TO_GRACE = (10, 9, 8, 8, 5)
FROM_TROUBLE_TO_MAJOR = (1, 1, 1, 1, 1, 1, 4)
"""The last two are of the oracles."""


def make_table(slug: str) -> None:
    """Make a campaign in its first session: Ro is the GM, Mo and Iva play, Wim watches, and the Scale has not moved."""
    from django.contrib.auth import get_user_model

    from campaigns.models import Membership, Role
    from campaigns.services import play
    from campaigns.services.campaigns import create_campaign
    from campaigns.services.members import invitation_token, invite, join
    from campaigns.services.play import add_storyline
    from rolls.registry import RULESETS

    users = {user.username: user for user in get_user_model().objects.all()}
    campaign = create_campaign(users["gm"], name=slug, systems=list(RULESETS), key=uuid4())
    gm = Membership.objects.select_related("campaign", "user").get(campaign=campaign)
    viewers = {"": gm}
    for name in ("mo", "iva", "watcher"):
        key = uuid4()
        invite(gm, Role.SPECTATOR if name == "watcher" else Role.PLAYER, days=None, uses=1, key=key)
        viewers[name] = join(users[name], invitation_token(key), key=uuid4())
    _write_characters(viewers)
    _start_clocks(gm)
    add_storyline(gm, STORYLINE, whose=None, gm_notes="", key=uuid4())
    play.start_session(gm, "", key=uuid4())


def _write_characters(viewers: dict[str, Membership]) -> None:
    from characters.services.cards import Card, make_character
    from characters.services.fields import set_field

    for name, called in CHARACTERS.items():
        key = character_of(name, viewers[name].campaign.slug)
        character = make_character(viewers[name], Card(called, "", viewers[name], True), key=key)
        for field, value in SHEET.items():
            character = set_field(viewers[name], character, field, value, expected=character.value(field), key=uuid4())
    make_character(viewers[""], Card(NPC, "", None, True), key=uuid4())


def character_of(username: str, slug: str) -> UUID:
    """Return the id of a person's Storyteller character."""
    return uuid5(NAMESPACE_URL, f"{CHARACTERS[username]} of {slug}")


def thief(slug: str) -> UUID:
    """Return the id of Mo's second character after `--thief`: one of other rules, and a sheet with a secret."""
    return uuid5(NAMESPACE_URL, f"thief of {slug}")


def guard_of(slug: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"guard of {slug}")


def add_thief(slug: str) -> None:
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character
    from characters.services.fields import add_row, set_field

    gm, mo = (
        Membership.objects.get(campaign__slug=slug, user__username=name, role=role)
        for name, role in (("gm", Role.GM), ("mo", Role.PLAYER))
    )
    character = make_character(mo, Card("Tibor", "", mo, True), system="arc", key=thief(slug))
    for by, field, value in ((mo, "control", 7), (gm, "us_control", 4)):
        character = set_field(by, character, field, value, expected=character.value(field), key=uuid4())
    add_row(mo, character, "skills", {"name": "Tamper", "es": 5, "stat": "control"}, key=uuid4())
    iva = Membership.objects.get(campaign__slug=slug, user__username="iva", role=Role.PLAYER)
    guard = make_character(iva, Card("Dorina", "", iva, True), system="arc", key=guard_of(slug))
    add_row(iva, guard, "skills", {"name": "Watch", "es": 6, "stat": "intellect"}, key=uuid4())


def add_brawl(slug: str) -> None:
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character
    from characters.services.fields import add_row, set_field

    add_thief(slug)
    gm = Membership.objects.get(campaign__slug=slug, role=Role.GM)
    foe = make_character(gm, Card(FOE, "", None, True), system="arc", key=uuid4())
    set_field(gm, foe, "som", 7, expected=5, key=uuid4())
    add_row(gm, foe, "skills", {"name": "Tamper", "es": 5, "stat": "control"}, key=uuid4())


def add_scoundrels(slug: str) -> None:
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character
    from characters.services.fields import set_field

    for username, (called, dots) in SCOUNDRELS.items():
        player = Membership.objects.get(campaign__slug=slug, user__username=username, role=Role.PLAYER)
        character = make_character(player, Card(called, "", player, True), system="forged", key=uuid4())
        for field, value in dots.items():
            character = set_field(player, character, field, value, expected=character.value(field), key=uuid4())


def add_ambush(slug: str) -> None:
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character

    add_scoundrels(slug)
    gm = Membership.objects.get(campaign__slug=slug, role=Role.GM)
    for name, shown in ((FOE, True), (UNSEEN, False)):
        make_character(gm, Card(name, shown=shown), system="forged", key=uuid4())


def fencer(slug: str) -> UUID:
    """Return the id of Mo's second character after `--fencer`: one with a Power track, an Injury, and a Key to claim."""
    return uuid5(NAMESPACE_URL, f"fencer of {slug}")


def add_fencer(slug: str) -> None:
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character
    from characters.services.fields import add_row

    mo = Membership.objects.get(campaign__slug=slug, user__username="mo", role=Role.PLAYER)
    card = Card("Abigail", "", mo, opened=True)
    character = make_character(mo, card, system="descriptors", key=fencer(slug))
    for rows, name, dice in (("descriptors", "Swordplay", 3), ("injuries", "Burnt hand", 2)):
        add_row(mo, character, rows, {"name": name, "dice": dice}, key=uuid4())
    add_row(mo, character, "keys", {"name": "Pride", "framework": "motivation"}, key=uuid4())


def add_claim(slug: str) -> None:
    """Add Mo's claim of that Key, which waits for the GM."""
    from characters.models import Character
    from characters.services.ledger import make_claim

    add_fencer(slug)
    character = Character.objects.select_related("owner__campaign", "owner__user").get(pk=fencer(slug))
    level = f"{character.sheet['keys'][0]['id']}/expressed"
    make_claim(character.owner, character, "key", {"level": level}, key=uuid4())


def add_duel(slug: str) -> None:
    """Abigail of Mo's and Bob of Iva's, with Descriptors, in a scene."""
    from campaigns.models import Membership, Role
    from campaigns.services.play import open_scene
    from characters.services.cards import Card, make_character
    from characters.services.fields import add_row

    for username, name, rows in (
        ("mo", "Abigail", (("Swordplay", 3), ("Old grudge", 2))),
        ("iva", "Bob", (("Shield wall", 2), ("Pride", 1))),
    ):
        member = Membership.objects.get(campaign__slug=slug, user__username=username)
        character = make_character(member, Card(name, "", member, True), system="descriptors", key=uuid4())
        for called, dice in rows:
            character = add_row(member, character, "descriptors", {"name": called, "dice": dice}, key=uuid4())
    gm = Membership.objects.get(campaign__slug=slug, user__username="gm", role=Role.GM)
    open_scene(gm, "The ford", key=uuid4())


def add_long_names(slug: str) -> None:
    """Mo's character and the second storyline, with names that are hard to break."""
    from dataclasses import replace

    from campaigns.models import Membership, Role
    from campaigns.services.play import add_storyline
    from characters.models import Character
    from characters.services.cards import card_of, card_version, change_character

    gm = Membership.objects.get(campaign__slug=slug, user__username="gm", role=Role.GM)
    character = Character.objects.get(pk=character_of("mo", slug))
    card = replace(card_of(character), name=LONG_NAME)
    change_character(gm, character, card, expected=card_version(character), key=uuid4())
    add_storyline(gm, LONG_STORYLINE, whose=None, gm_notes="", key=uuid4())


def add_burns(slug: str) -> None:
    """Roll for Mo's and Iva's characters, and for two more of each, until their Scales have gone as far."""
    from campaigns.models import Membership, Role
    from characters.services.cards import Card, make_character
    from rolls.models import Audience
    from rolls.services.rolls import make_roll
    from rolls.services.settings import change_settings
    from rolls.settings import RollSettings
    from rulesets.storyteller.terms import StorytellerInput
    from scale.rules.scale import Settings
    from tests.dice import load

    def roll(member: Membership, character: UUID, *faces: int) -> None:
        load(*faces)
        make_roll(member, StorytellerInput(character=character, dice=5), audience=Audience.TABLE, key=uuid4())

    gm = Membership.objects.get(campaign__slug=slug, user__username="gm", role=Role.GM)
    change_settings(gm, RollSettings((Settings(shared=False),)), key=uuid4())
    for username, names in (("mo", ("Silas’s shadow", "Lamplighter")), ("iva", ("Understudy", "Prompter"))):
        member = Membership.objects.get(campaign__slug=slug, user__username=username)
        for name, faces in zip(names, (TO_TROUBLE, TO_GRACE), strict=True):
            roll(member, make_character(member, Card(name, "", member, True), key=uuid4()).pk, *faces)
    mo = Membership.objects.get(campaign__slug=slug, user__username="mo")
    roll(mo, character_of("mo", slug), *TO_TROUBLE)
    roll(mo, character_of("mo", slug), *FROM_TROUBLE_TO_MAJOR)


def make_newcomer(username: str) -> None:
    """Let this person have seen no table so far."""
    from campaigns.models import Membership

    Membership.objects.filter(user__username=username).update(here_at=None)


def _start_clocks(gm: Membership) -> None:
    from campaigns.clocks import ClockKind
    from campaigns.models.clocks import ClockVisibility
    from campaigns.services.clocks import Draft, make_clock

    for name, visibility in ((CLOCK, ClockVisibility.VISIBLE), (SECRET_CLOCK, ClockVisibility.SECRET)):
        make_clock(gm, Draft(name, 4, ClockKind.DANGER, visibility), key=uuid4())


def main(slugs: list[str]) -> None:
    from django.conf import settings
    from django.utils import timezone

    from campaigns.services.log import happening_at

    # In the minutes before now, so that neither the players nor this set-up run into the limit.
    settings.RATE_LIMIT = 1_000_000
    for ago, slug in enumerate(slugs, start=1):
        with happening_at(timezone.now() - timedelta(minutes=ago)):
            make_table(slug)


if __name__ == "__main__":
    django.setup()
    more = {"--thief": add_thief, "--brawl": add_brawl, "--scoundrels": add_scoundrels, "--ambush": add_ambush}
    more |= {
        "--long": add_long_names,
        "--fencer": add_fencer,
        "--claim": add_claim,
        "--duel": add_duel,
        "--burns": add_burns,
        "--newcomer": make_newcomer,
    }
    if add := more.get(sys.argv[1] if sys.argv[1:] else ""):
        add(sys.argv[2])
    else:
        main(sys.argv[1:] or READY)
