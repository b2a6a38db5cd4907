"""Upgrades of older versions' payloads about sheets, ledgers and claims (EventKind.today).

Each leaves payloads of the newer form as they are: an event does not say which version wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from campaigns.kinds import Payload
from characters.models.ledger import as_worded
from characters.rulesets import sheet_with

NUMBER = re.compile(r"-?\d+")


def written_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which called a cell a mark, and wrote what was claimed into `why`."""
    today = {"claimed": None, **payload}
    if "mark" in today:
        today["cell"] = today.pop("mark")
    if "marks" in (row := today.get("row") or {}):
        today["row"] = {("cells" if name == "marks" else name): value for name, value in row.items()}
    return today


def entered_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which stored a ledger in readable words: its entry's words become the reason."""
    if "purses" not in payload:
        return payload
    today = dict(payload)
    balances, entry = today.pop("purses"), payload["entry"]
    named = {balance["label"]: balance["name"] for balance in balances}
    sheet = sheet_with({name: label for label, name in named.items()})
    kept = {name: value for name, value in entry.items() if name not in ("label", "unit", "words")}
    return today | {
        "sheet": sheet,
        "entry": kept | {"currency": named[entry["label"]], "reason": entry["words"], "claimed": None, "bought": None},
        "balances": [_balance(balance) for balance in balances],
    }


def _balance(balance: Mapping[str, Any]) -> dict[str, Any]:
    numbers = [int(number) for number in NUMBER.findall(balance["words"])]
    return {"currency": balance["name"], "have": balance["have"], "numbers": numbers}


def claimed_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which stored a claim only in words; they are kept as they are."""
    claim = payload["claim"]
    if "words" not in claim:
        return payload
    kept = {name: value for name, value in claim.items() if name != "words"}
    return {"sheet": "", **payload, "claim": kept | as_worded(claim["words"])}
