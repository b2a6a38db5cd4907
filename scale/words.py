"""The words for Scales and Burns, drawn from the codes and numbers in events (queries/scale.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from campaigns.text import signed
from campaigns.waiting import Pending, Wait
from languages.text import gettext as _
from languages.text import gettext_lazy, gettext_noop, pgettext
from scale.counting import Countable, countable
from scale.rules.oracles import CONDITION, STARTED_WITH, Entry, choices, figure, table_of
from scale.rules.scale import BurnKind, Side

Told = Mapping[str, Any]

FULL_BAR: Final = 160
"""The bar of a Scale is drawn this wide: 10 for every step from -8 to +8."""

NEW_STORY: Final = gettext_noop("Something new")
ORACLES: Final = {
    "story": gettext_lazy("Story Oracle"),
    "reason": gettext_lazy("Reason Oracle"),
    "second": gettext_lazy("Second result"),
    "grace": gettext_lazy("Grace Oracle"),
    "trouble": gettext_lazy("Trouble Oracle"),
}
"""The dice of a Major Burn."""

TABLES: Final = {
    "grace": gettext_lazy("Grace Oracle"),
    "trouble": gettext_lazy("Trouble Oracle"),
    "grace_shift": gettext_lazy("Second results of Grace"),
    "trouble_shift": gettext_lazy("Second results of Trouble"),
    "reason": gettext_lazy("Reason Oracle"),
}
"""The tables that a GM may rewrite."""

STATE_WORDS: Final = {
    "fired": gettext_lazy("choosing its effect"),
    "open": gettext_lazy("to be narrated"),
    "deferred": gettext_lazy("to be narrated later"),
    "narrated": gettext_lazy("narrated"),
}


NO_DICE, NO_ACTION = "no_dice", "no_action"
UNFED: Final = {
    NO_DICE: gettext_lazy("no dice"),
    "nobody": gettext_lazy("no character"),
    "gm_alone": gettext_lazy("rolled for the GM only"),
    "npc": gettext_lazy("an NPC’s roll"),
}
"""The reasons why a roll feeds no Scale; for rolls that are no actions, the ruleset gives the reason."""


def stays(why: str, counted: Countable | None, kind: str) -> str:
    """Return the words for a roll that moves no Scale: "the Scale stays: a Willpower roll"."""
    reason = counted.no_action(kind) if counted and why == NO_ACTION else UNFED.get(why, why)
    return _("the Scale stays: {reason}").format(reason=reason)


def aside(why: str, roll: Told) -> str:
    """Return the same as a sentence for the card."""
    said = stays(why, countable(roll["system"]), roll["kind"])
    return said[0].upper() + said[1:]


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

    `state` decides where it is shown: `waits` among the offers, `kept` in the list of Burns, `stops` as a Major Burn
    that is not narrated yet.
    """
    state = payload["state"]
    asked = state == "fired" and payload["effect"]
    drawn = {
        **payload,
        "title": _title(payload),
        "sentence": _sentence(payload),
        "who": _who(payload),
        "state_words": _("deciding whether it’s plausible") if asked else STATE_WORDS.get(state, ""),
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
    """Return a Burn that holds others up, and who has to act; a Major Burn has a bar of its own on every page."""
    major, player, words = payload["major"], payload["whose"], _to_do(payload)
    name, members = ("", ()) if major or _is_the_gms(payload) else (player["name"], (player["member"],))
    title = f"{_title(payload).rstrip('.')} · {payload['character']['name']}"
    waits = (Wait(name=name, words=words, members=members),) if words else ()
    leads = "major-show" if major else f"offer-{payload['id']}"
    return Pending(id=f"burn-{payload['id']}", title=title, order=payload["order"], waits=waits, leads=leads)


def _is_the_gms(payload: Told) -> bool:
    """Return whether a Burn that is no Major Burn is the GM's to act on."""
    chosen_by_gm = payload["state"] == "fired" and (payload["effect"] or payload["chosen_by"] == Side.GM.value)
    return chosen_by_gm or not payload["whose"]


def _who(payload: Told) -> str:
    """Return who has to act on a Burn, or whose it is; of a Major Burn, whose roll caused it."""
    if payload["major"]:
        return str(payload["character"]["name"])
    return _("the GM") if _is_the_gms(payload) else str(payload["whose"]["name"])


def _to_do(payload: Told) -> str:
    """Return words for what is to be done; "" for a Burn that holds nobody up."""
    if payload["state"] in ("open", "deferred"):
        return _("narrate it")
    if payload["state"] == "offered":
        return _("Burn offer: take or bank")
    if payload["state"] == "fired":
        return _("say whether it’s plausible") if payload["effect"] else _("choose what the Burn does")
    return ""


def _title(payload: Told) -> str:
    grace = payload["kind"] == "grace"
    if payload["major"]:
        return _("Major Grace") if grace else _("Major Trouble")
    titles = {
        "offered": _("Grace Burn available.") if grace else _("Trouble Burn available."),
        "fired": _("Grace burns.") if grace else _("Trouble burns."),
        "banked": _("Banked Grace") if grace else _("Banked Trouble"),
    }
    return titles.get(payload["state"], _("Grace Burn") if grace else _("Trouble Burn"))


def _sentence(payload: Told) -> str:
    """Return one line on what to do about it now."""
    name = payload["character"]["name"]
    if payload["state"] == "offered":
        sentence = _("{name} tipped the Scale to {value}.")
        return sentence.format(name=name, value=signed(payload["at"]))
    if payload["state"] == "fired" and payload["effect"]:
        return _("{name} wants to use a Discipline freely. The GM says whether it’s plausible.").format(name=name)
    if payload["state"] == "fired" and payload["chosen_by"] == Side.GM.value:
        return _("The GM chooses what it does.")
    if payload["state"] == "fired":
        return _("{name}’s player chooses what it does.").format(name=name)
    return ""


def _cause(payload: Told) -> str:
    sentence = _("{name}’s roll pushed the Scale to {edge}. It can’t be declined or banked; the Scale is back at 0.")
    return sentence.format(name=payload["character"]["name"], edge=signed(payload["reached"]))


def _oracle(payload: Told, die: Told) -> dict[str, Any]:
    """Return a die of a Major Burn with its oracle's `name` in words, its entry (`result` is the title that the rules
    know it by), and the `figure` by the rules.
    """
    result, entry = _entry(table_of(payload["kind"], die["oracle"]), die)
    by_table = die["oracle"] in (payload["kind"], "second")
    done = figure(BurnKind(payload["kind"]), result) if by_table else ""
    offered = choices(BurnKind(payload["kind"]), result) if by_table else ()
    return {
        **die,
        **entry,
        "result": result,
        "name": str(ORACLES[die["oracle"]]),
        "figure": pgettext(CONDITION, done) if done else "",
        "choices": [{**asdict(choice), "words": str(choice.words)} for choice in offered],
    }


def _entry(table: str, die: Told) -> tuple[str, dict[str, str]]:
    """Return the title by which the rules know an entry, and the entry as it is read."""
    if die["title"]:
        return die["title"], {"title": die["title"], "text": die["text"] or ""}
    if table == "story":
        return NEW_STORY, {"title": _(NEW_STORY), "text": ""}
    ours = STARTED_WITH[table][die["die"] - 1]
    return ours.title, {"title": _(ours.title), "text": _(ours.text)}


def describe_change(payload: Told) -> dict[str, Any]:
    """Return a rewritten table: its name, and its entries before and after."""
    table = payload["oracle"]
    changes = [
        {
            **change,
            **{when: change[when] or asdict(started_with(table)[change["face"] - 1]) for when in ("before", "after")},
        }
        for change in payload["changes"]
    ]
    return {"called": TABLES[table], "changes": changes}


def started_with(table: str) -> list[Entry]:
    """Return the entries that a table of oracles starts with, in the reader's language."""
    return [replace(entry, title=_(entry.title), text=_(entry.text)) for entry in STARTED_WITH[table]]


def entries_read(table: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a table as they are read: those that it started with in the reader's language."""
    return _exchanged(entries, STARTED_WITH[table], started_with(table))


def entries_written(table: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return entries that were read and perhaps changed, as they are kept."""
    return _exchanged(entries, started_with(table), STARTED_WITH[table])


def _exchanged(entries: Sequence[Entry], these: Sequence[Entry], those: Sequence[Entry]) -> list[Entry]:
    return [new if entry == old else entry for entry, old, new in zip(entries, these, those, strict=True)]
