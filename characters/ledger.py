"""Payloads of balances, ledgers and claims, and how they are drawn: the words come from the scheme when they are read.

If the rules are not installed any more, everything is called by its name, and values are shown as they are: "Raise:
strength, 2".
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from campaigns.waiting import Pending, Wait
from characters.advancement import Currency, Wording
from characters.models import Claim, LedgerEntry
from characters.rulesets import scheme_at
from characters.sheets.told import plain

Payload: TypeAlias = Mapping[str, Any]


def currency_at(sheet: str, name: str) -> Currency:
    scheme = scheme_at(sheet)
    currency = scheme.currencies.get(name) if scheme else None
    return currency or Currency(name, plain(name), lambda amount: plain(name), earns=plain(name))


def purchase_wording(sheet: str, kind: str) -> Wording:
    scheme = scheme_at(sheet)
    return (scheme.purchases.get(kind) if scheme else None) or _unknown(kind)


def claim_wording(sheet: str, kind: str) -> Wording:
    scheme = scheme_at(sheet)
    claim = scheme.claims.get(kind) if scheme else None
    return claim.wording if claim else _unknown(kind)


def _unknown(kind: str) -> Wording:
    def words(payload: Payload) -> str:
        return ": ".join(filter(None, (plain(kind), ", ".join(str(value) for value in payload.values() if value))))

    return Wording(dict[str, Any], words)


def drawn_balance(sheet: str, balance: Payload) -> dict[str, Any]:
    """Return a balance as characters/_balance.html draws it: with the words of its currency, and a `heading` where its label says
    more than its unit."""
    currency = currency_at(sheet, balance["currency"])
    label = str(currency.label)
    return {
        **balance,
        "label": label,
        "heading": "" if label == currency.counted(0) else label,
        "unit": currency.counted(balance["have"]),
        "words": currency.standing.format(*balance["numbers"]),
    }


def drawn_entry(sheet: str, entry: Payload) -> dict[str, Any]:
    """Return a line of a ledger as characters/_entry.html draws it: with {"kind_words", "label", "unit", "words"}."""
    kind, currency = LedgerEntry.Kind(entry["kind"]), currency_at(sheet, entry["currency"])
    unit = str(currency.earns) if kind is LedgerEntry.Kind.AWARD else currency.counted(entry["amount"])
    words = {"kind_words": str(kind.label), "label": str(currency.label), "unit": unit}
    return {**entry, **words, "words": _what_for(sheet, entry)}


def _what_for(sheet: str, entry: Payload) -> str:
    if bought := entry["bought"]:
        return purchase_wording(sheet, bought["kind"]).words(bought["told"])
    return claimed_words(sheet, entry["claimed"]) if entry["claimed"] else str(entry["reason"])


def claimed_words(sheet: str, claimed: Payload) -> str:
    """Return words for a claim, {"kind", "told"}."""
    return claim_wording(sheet, claimed["kind"]).words(claimed["told"])


def drawn_claim(sheet: str, character: Payload, claim: Payload) -> dict[str, Any]:
    """Return a claim of a character ({"id", "name"}) as characters/_claim.html draws it: with {"character", "words",
    "state_words", "waiting"} (campaigns/waiting.py)."""
    words = claimed_words(sheet, claim)
    drawn = {**claim, "character": character, "words": words, "state_words": str(Claim.State(claim["state"]).label)}
    title = _("{character}, claimed by {player}").format(character=character["name"], player=claim["by"]["name"])
    order = int(datetime.fromisoformat(claim["at"]).timestamp() * 1000)
    asked = _("Claim to confirm: {claim}").format(claim=words)
    waits = (Wait(name="", words=asked),) if claim["state"] == Claim.State.OPEN else ()
    waiting = Pending(
        id=f"claim-{claim['id']}",
        title=title,
        order=order,
        waits=waits,
        actions="characters/_claim_actions.html",
        told=drawn,
        until=f"character-{character['id']}",
    )
    return {**drawn, "waiting": waiting}
