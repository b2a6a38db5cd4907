"""The bot: commands and buttons for people with a token, and a channel with the table's events."""

from __future__ import annotations

import hashlib
from functools import partial
from http.client import HTTPException
from typing import Final
from uuid import UUID

from afterburn_client import Body, Client, Event, Refused

from afterburn_discord_bot.config import Config
from afterburn_discord_bot.discord import QUIET, Discord, Json, plain

TABLE, SPECTATOR = "table", "spectator"
OFFERED, MAJOR = "scale.burn_offered", "scale.major_burn"
BUTTON, MESSAGE, ONLY_YOU = 3, 4, 64
COLOURS: Final = {
    "critical": 0xE0A526,
    "success": 0x3A9D5D,
    "partial": 0xC98B2B,
    "failure": 0xB6483C,
    "botch": 0x7A1F1F,
}
LONGEST_TITLE: Final = 100
SOON: Final = 2.5  # seconds: Discord waits for three

WHAT: Final = {"type": 3, "name": "what", "description": "Such as perception+alertness d7", "required": True}
AS: Final = {"type": 3, "name": "character", "description": "Which of your characters, if you play several"}
COMMANDS: Final[list[Json]] = [
    {"name": "roll", "type": 1, "description": "Roll at the table", "options": [WHAT, AS]},
    {"name": "odds", "type": 1, "description": "The exact odds of a roll; only you see them", "options": [WHAT, AS]},
]
STRANGER: Final = "You have no token here: make one on your table’s page, and give it to whoever runs this bot."
NO_ANSWER: Final = "The table does not answer in time. Look into the channel before you try again."
DONE: Final = {"roll": "Rolled.", "take": "Taken.", "bank": "Banked."}


class Bot:
    """One table and one channel: only the asker sees an answer, and the channel gets what a spectator sees."""

    def __init__(self, config: Config, discord: Discord) -> None:
        self._config, self._discord = config, discord
        self._reader = Client(config.address, config.campaign, config.token)
        person = partial(Client, config.address, config.campaign, timeout=SOON, tries=1)
        self._people = {user: person(token) for user, token in config.people.items()}

    def check(self) -> None:
        """Exit with a message if the channel would be shown more than a spectator is."""
        if (role := self._reader.campaign()["me"]["role"]) != SPECTATOR:
            raise SystemExit(f"The token of the channel is a {role}’s. Give it a spectator’s, that only reads.")

    def follow(self) -> None:
        """Post the table's new events, from the last position. Raises Refused when the token has ended."""
        kept = self._config.position
        for event, position in self._reader.follow(kept.read_text() if kept.exists() else ""):
            if message := self.message(event):
                self._discord.post(message)
            kept.write_text(position)

    def message(self, event: Event) -> Json | None:
        """Return the channel's message for an event; None if it has none."""
        if event["stream"] != TABLE or not event["text"] or event["topic"] not in self._config.topics:
            return None
        card: Json = {"description": plain(event["text"])}
        if colour := COLOURS.get(event["outcome"] or ""):
            card["color"] = colour
        if headline := "Major Burn" if event["kind"] == MAJOR else event["payload"].get("headline"):
            card["title"] = plain(str(headline)[:LONGEST_TITLE])
        message: Json = {"embeds": [card]}
        if event["kind"] == OFFERED:
            message["components"] = [_buttons(burn["id"]) for burn in event["payload"]["burns"][:5]]
        return message

    def answer(self, interaction: Json) -> Json:
        """Return the answer to an interaction, which only its sender sees."""
        user = (interaction.get("member") or interaction)["user"]["id"]
        if (client := self._people.get(user)) is None:
            return _said(STRANGER)
        try:
            if interaction["type"] == BUTTON:
                act, _, burn = interaction["data"]["custom_id"].partition(":")
                {"take": client.take_burn, "bank": client.bank_burn}[act](burn, key=_key(interaction))
                return _said(DONE[act])
            return self._command(client, interaction)
        except Refused as refused:
            return _said(str(refused))
        except (OSError, HTTPException):
            return _said(NO_ANSWER)

    def _command(self, client: Client, interaction: Json) -> Json:
        given = {option["name"]: option["value"] for option in interaction["data"]["options"]}
        character = _character(client, given.get("character", ""))
        body = {"text": f"/r {given['what']}"} | ({"character": character} if character else {})
        if interaction["data"]["name"] == "odds":
            return _said(_odds(client, body))
        client.make_roll(body, key=_key(interaction))
        return _said(DONE["roll"])


def _character(client: Client, name: str) -> str:
    """Return the id of the person's only character whose name begins like this; "" if there is not exactly one."""
    mine = [character for character in client.characters() if character["mine"] and not character["crew"]]
    named = [character for character in mine if character["name"].casefold().startswith(name.casefold())]
    return named[0]["id"] if len(named) == 1 else ""


def _odds(client: Client, body: Body) -> str:
    odds = client.odds(body)["odds"] or {}
    return "\n".join([odds.get("sentence", "There are no odds to show for this."), *odds.get("lines", [])])


def _key(interaction: Json) -> UUID:
    """Return the same key for the same interaction: sent twice, it happens once."""
    return UUID(bytes=hashlib.sha256(interaction["id"].encode()).digest()[:16], version=4)


def _buttons(burn: str) -> Json:
    labels = {"take": "Take it", "bank": "Bank it"}
    acts = [{"type": 2, "style": 2, "label": label, "custom_id": f"{act}:{burn}"} for act, label in labels.items()]
    return {"type": 1, "components": acts}


def _said(text: str) -> Json:
    return {"type": MESSAGE, "data": {"content": plain(text), "flags": ONLY_YOU, **QUIET}}
