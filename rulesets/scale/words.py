"""What people read of Scales and Burns, drawn from what events say of them in codes and numbers (queries/scale.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from campaigns.text import signed
from campaigns.waiting import Pending, Wait
from rulesets.scale.rules.oracles import STARTED_WITH, choices, figure
from rulesets.scale.rules.scale import BurnKind, Side

Told = Mapping[str, Any]

FULL_BAR: Final = 160
"""The bar of a Scale is drawn this wide: 10 for every step from -8 to +8."""

NEW_STORY: Final = "Something new"
ORACLES: Final = {"story": "Story Oracle", "reason": "Reason Oracle", "second": "Second result"}
"""The dice of a Major Burn, beside that of the table of Grace or Trouble."""

TABLES: Final = {
    "grace": "Grace Oracle",
    "trouble": "Trouble Oracle",
    "grace_shift": "second results of Grace",
    "trouble_shift": "second results of Trouble",
    "reason": "Reason Oracle",
}
"""The tables that a GM may rewrite."""

STATE_WORDS: Final = {
    "fired": "effect to be chosen",
    "open": "to be narrated",
    "deferred": "to be narrated later",
    "narrated": "narrated",
}


def describe(payload: Told) -> dict[str, Any]:
    """Return all Scales and Burns in what an event says, as templates draw them."""
    said: dict[str, Any] = {}
    if payload.get("scale"):
        said["scale"] = scale(payload["scale"])
    for name, draw in (("burns", burn), ("scales", scale)):
        if payload.get(name):
            said[name] = [draw(entry) for entry in payload[name]]
    return said


def scale(payload: Told) -> dict[str, Any]:
    """Return a Scale as scale/_scale.html draws it: with {"bar_x", "bar_w"}, where its bar begins and how wide it is."""
    low, high = sorted((FULL_BAR // 2, FULL_BAR // 2 + 10 * int(payload["value"])))
    return {**payload, "bar_x": low, "bar_w": high - low}


def burn(payload: Told) -> dict[str, Any]:
    """Return a Burn as scale/_offer.html, _burn.html and _major_burn.html draw it.

    `state` decides where it stands: `waits` among the offers, `kept` in the list of Burns, `stops` as a Major Burn that is not
    narrated yet.
    """
    state = payload["state"]
    drawn = {
        **payload,
        "title": _title(payload),
        "sentence": _sentence(payload),
        "state_words": STATE_WORDS.get(state, ""),
        "waits": state in ("offered", "fired"),
        "kept": state in ("banked", "fired", "open", "deferred", "narrated"),
        "stops": state in ("open", "deferred"),
        "waiting": _waiting(payload),
    }
    if payload["major"]:
        drawn |= {"cause": _cause(payload), "oracles": [_oracle(payload, die) for die in payload["oracles"]]}
        drawn["deferred"] = state == "deferred"
    return drawn


def _waiting(payload: Told) -> Pending:
    """Return a Burn that holds others up, and whom for; a Major Burn is shown by the bar that it has on every page."""
    major, player = payload["major"], payload["whose"]
    the_gm = (
        major
        or payload["effect"]
        or (payload["state"] == "fired" and payload["chosen_by"] == Side.GM.value)
        or not player
    )
    words = _to_do(payload)
    name, members = ("", ()) if the_gm else (player["name"], (player["member"],))
    title = f"{_title(payload).rstrip('.')} · {payload['character']['name']}"
    waits = (Wait(name=name, words=words, members=members),) if words else ()
    leads = "major-show" if major else f"offer-{payload['id']}"
    return Pending(id=f"burn-{payload['id']}", title=title, order=payload["order"], waits=waits, leads=leads)


def _to_do(payload: Told) -> str:
    """Return what is to be done; "" for one that holds nobody up."""
    if payload["state"] in ("open", "deferred"):
        return "to narrate it"
    if payload["state"] == "offered":
        return "to answer the offer"
    if payload["state"] == "fired":
        return "to say whether it is plausible" if payload["effect"] else "to choose what the Burn does"
    return ""


def _title(payload: Told) -> str:
    kind = payload["kind"].capitalize()
    if payload["major"]:
        return f"Major {kind}"
    titles = {"offered": f"{kind} Burn available.", "fired": f"{kind} burns.", "banked": f"Banked {kind}"}
    return titles.get(payload["state"], f"{kind} Burn")


def _sentence(payload: Told) -> str:
    """Return one line on what is to be done about it now."""
    name = payload["character"]["name"]
    if payload["state"] == "offered":
        return f"{name} tipped the Scale to {signed(payload['at'])}. Take it now, or bank it."
    if payload["state"] == "fired" and payload["effect"]:
        return f"{name} would use a Discipline freely. The GM says whether it is plausible."
    if payload["state"] == "fired":
        who = "The GM chooses" if payload["chosen_by"] == Side.GM.value else f"The player of {name} chooses"
        return f"{who} what it does."
    return ""


def _cause(payload: Told) -> str:
    name, reached = payload["character"]["name"], signed(payload["reached"])
    return f"{name}’s roll took the Scale to {reached}. It cannot be declined or banked; the Scale is back at 0."


def _oracle(payload: Told, die: Told) -> dict[str, Any]:
    """Return a die of a Major Burn with its oracle's `name` in words, what stands there, and the `figure` by the rules."""
    entry = _entry(table_of(payload["kind"], die["oracle"]), die)
    name = ORACLES.get(die["oracle"], f"{payload['kind'].capitalize()} Oracle")
    by_table = die["oracle"] in (payload["kind"], "second")
    done = figure(BurnKind(payload["kind"]), entry["title"]) if by_table else ""
    offered = choices(BurnKind(payload["kind"]), entry["title"]) if by_table else ()
    return {**die, **entry, "name": name, "figure": done, "choices": [asdict(choice) for choice in offered]}


def table_of(kind: str, oracle: str) -> str:
    """Return the table that a die of a Major Burn is read on; "story" has none."""
    return f"{kind}_shift" if oracle == "second" else oracle


def _entry(table: str, die: Told) -> dict[str, str]:
    if die["title"]:
        return {"title": die["title"], "text": die["text"] or ""}
    if table == "story":
        return {"title": NEW_STORY, "text": ""}
    ours = STARTED_WITH[table][die["die"] - 1]
    return {"title": ours.title, "text": ours.text}


def describe_change(payload: Told) -> dict[str, Any]:
    """Return a table that was rewritten: what it is called, and its entries before and after."""
    table = payload["oracle"]
    changes = [
        {**change, **{when: change[when] or _ours(table, change["face"]) for when in ("before", "after")}}
        for change in payload["changes"]
    ]
    return {"called": TABLES[table], "changes": changes}


def _ours(table: str, face: int) -> dict[str, Any]:
    return asdict(STARTED_WITH[table][face - 1])
