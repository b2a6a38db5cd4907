"""What the tests of XP do again and again."""

from uuid import uuid4

from campaigns.models import Event
from characters.ledger import drawn_balance, drawn_entry
from characters.models import Character, Claim, LedgerEntry
from characters.queries.ledger import balances_of, claim_drawn, offers_of
from characters.services.cards import Card, make_character
from characters.services.fields import add_row
from characters.services.ledger import award_xp, buy_advance
from tests.rulesets.told import made_up


def make_abigail(cast):
    """Return a player's character of the Descriptors rules, with one Descriptor and XP for four Advances."""
    card = Card("Abigail", "Fencer", cast.player.member)
    abigail = make_character(cast.player.member, card, system="descriptors", key=uuid4())
    abigail = add_row(cast.player.member, abigail, "descriptors", {"name": "Fencing", "dice": 2}, key=uuid4())
    return give(cast, 21, abigail)


def make_thorn(cast):
    return make_character(cast.player.member, Card("Thorn", "", cast.player.member), system="forged", key=uuid4())


def now(character):
    return Character.objects.get(pk=character.pk)


def give(cast, amount, *characters, currency="", key=None):
    award_xp(cast.gm.member, characters, amount, reason="the bridge", currency=currency, key=key or uuid4())
    return now(characters[0])


def buy(cast, character, offer, key=None, **given):
    entry = buy_advance(cast.player.member, character, offer, given, key=key or uuid4())
    return entry, now(character)


def named(character, words):
    return next(one for one in offers_of(now(character)) if one.words == words)


def has(character, currency="xp"):
    return next(one.have for one in balances_of(now(character)) if one.currency == currency)


def read(entry):
    """Return a ledger's line as people read it: ("spent", 2, "Advances", "Fencing 2D to 3D")."""
    drawn = drawn_entry(entry.character.rules.name, LedgerEntry.objects.get(pk=entry.pk).payload())
    return drawn["kind_words"], drawn["amount"], drawn["unit"], drawn["words"]


def standing(character, currency="xp"):
    """Return a balance as people read it: (4, "Advances", "1 of 5 XP towards the next")."""
    balance = next(one for one in balances_of(now(character)) if one.currency == currency)
    drawn = drawn_balance(character.rules.name, balance.payload())
    return drawn["have"], drawn["unit"], drawn["words"]


def read_claim(claim):
    """Return a claim as people read it: "Hit with 2 successes"."""
    return claim_drawn(Claim.objects.get(pk=claim.pk))["words"]


def kept():
    """Return all names and texts in the log's events of XP and claims, and in what these wrote on sheets."""
    events = Event.objects.filter(kind__startswith="characters.").exclude(kind="characters.character_made")
    return made_up(events.select_related("stored"), values=True)
