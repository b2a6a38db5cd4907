"""What the tests of XP do again and again."""

from uuid import uuid4

from characters.models import Character
from characters.queries.ledger import offers_of, purses_of
from characters.services import Card, add_row, make_character
from characters.services.ledger import award_xp, buy_advance


def make_abigail(cast):
    """A player's character of the Descriptors rules, with one Descriptor and XP for four Advances."""
    card = Card("Abigail", "Fencer", cast.player.member)
    abigail = make_character(cast.player.member, card, system="descriptors", key=uuid4())
    abigail = add_row(cast.player.member, abigail, "descriptors", {"name": "Fencing", "dice": 2}, key=uuid4())
    return give(cast, 21, abigail)


def make_thorn(cast):
    return make_character(cast.player.member, Card("Thorn", "", cast.player.member), system="forged", key=uuid4())


def now(character):
    return Character.objects.get(pk=character.pk)


def give(cast, amount, *characters, purse="", key=None):
    award_xp(cast.gm.member, characters, amount, reason="the bridge", purse=purse, key=key or uuid4())
    return now(characters[0])


def buy(cast, character, offer, key=None, **given):
    entry = buy_advance(cast.player.member, character, offer, given, key=key or uuid4())
    return entry, now(character)


def named(character, words):
    return next(one for one in offers_of(now(character)) if one.words == words)


def has(character, purse="xp"):
    return next(one.have for one in purses_of(now(character)) if one.name == purse)
