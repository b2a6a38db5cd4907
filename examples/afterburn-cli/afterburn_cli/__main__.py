"""A table in a terminal: follow it, roll, ask for odds, search the log, export it. README.md says where the token is kept."""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any

from afterburn_client import Client, Event, Refused

TOKEN, ADDRESS, CAMPAIGN = "AFTERBURN_TOKEN", "AFTERBURN_ADDRESS", "AFTERBURN_CAMPAIGN"
KEPT_IN = "~/.config/afterburn/token"


def main() -> None:
    parser = argparse.ArgumentParser(prog="afterburn_cli", description="An Afterburn table in a terminal.")
    parser.add_argument("--address", default=os.environ.get(ADDRESS), help=f"of the site; or {ADDRESS}")
    parser.add_argument("--campaign", default=os.environ.get(CAMPAIGN), help=f"its name in addresses; or {CAMPAIGN}")
    parser.add_argument("--token-file", type=Path, default=Path(KEPT_IN).expanduser(), help=f"without {TOKEN}")
    parser.add_argument("--json", action="store_true", help="events as JSON, one a line")
    commands = parser.add_subparsers(dest="command", required=True)
    follow = commands.add_parser("follow", help="show events as they happen")
    follow.add_argument("--after", default="", help="the position to go on from, as the last line of --json has it")
    for name, words in (("roll", "roll, as in the composer"), ("odds", "the exact odds of a roll")):
        command = commands.add_parser(name, help=f"{words}: perception+alertness d7")
        command.add_argument("what", nargs="+")
        command.add_argument("--character", default="", help="which character: the name, or its beginning")
    search = commands.add_parser("search", help="look through the log, the newest first")
    search.add_argument("words", nargs="+")
    search.add_argument("--topic", default="")
    search.add_argument("--limit", type=int, default=50)
    export = commands.add_parser("export", help="write all that you may read, with its proofs")
    export.add_argument("file", type=Path, help="a new file, as JSON Lines")
    chosen = parser.parse_args()
    if not chosen.address or not chosen.campaign:
        parser.error(f"say which table: --address and --campaign, or {ADDRESS} and {CAMPAIGN}")
    try:
        client = Client(chosen.address, chosen.campaign, token(os.environ, chosen.token_file))
        COMMANDS[chosen.command](client, chosen)
    except (Refused, OSError, HTTPException, ValueError) as error:
        sys.exit(printable(str(error)))


def token(environment: Mapping[str, str], path: Path) -> str:
    """Return the token from the environment, or from a file that only its owner may read. Exits with a message without one."""
    if given := environment.get(TOKEN):
        return given
    if not path.exists():
        sys.exit(f"Put a token of your table into {path} (chmod 600), or into {TOKEN}.")
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        sys.exit(f"Others may read {path}: chmod 600 {path}")
    return path.read_text(encoding="utf-8").strip()


def follow(client: Client, chosen: argparse.Namespace) -> None:
    for event, position in client.follow(chosen.after):
        show({**event, "position": position} if chosen.json else event, as_json=chosen.json)


def roll(client: Client, chosen: argparse.Namespace) -> None:
    made = client.make_roll(_asked(client, chosen))
    event = made.get("event")
    if event is None:
        print("The roll waits for the GM." if made.get("request") else "Rolled; it is not for you to see.")
    else:
        show(event, as_json=chosen.json)


def odds(client: Client, chosen: argparse.Namespace) -> None:
    told = client.odds(_asked(client, chosen))["odds"] or {}
    if chosen.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        for line in (told.get("sentence", "There are no odds to show for this."), *told.get("lines", [])):
            print(printable(line))


def search(client: Client, chosen: argparse.Namespace) -> None:
    found = client.events(words=" ".join(chosen.words), topic=chosen.topic or None, limit=chosen.limit)
    for event in found["items"]:
        show(event, as_json=chosen.json)


def export(client: Client, chosen: argparse.Namespace) -> None:
    """Write the line of the export of each event, stream after stream."""
    with chosen.file.open("x", encoding="utf-8") as file:
        for stream in client.streams():
            for line in client.every_line_of(stream["name"]):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


COMMANDS = {"follow": follow, "roll": roll, "odds": odds, "search": search, "export": export}


def show(event: Event | Mapping[str, Any], *, as_json: bool) -> None:
    """Print an event as one line, at once."""
    if as_json:
        print(json.dumps(event, ensure_ascii=False), flush=True)
    elif event["text"]:
        whose = "" if event["stream"] == "table" else f" [{event['stream']}]"
        print(f"{event['at'][11:16]}{whose} {printable(event['text'])}", flush=True)


def printable(text: str) -> str:
    """Return text in one line that moves no cursor and turns no direction."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def _asked(client: Client, chosen: argparse.Namespace) -> dict[str, Any]:
    body: dict[str, Any] = {"text": f"/r {' '.join(chosen.what)}"}
    if chosen.character:
        named = [
            character["id"]
            for character in client.characters()
            if character["mine"] and character["name"].casefold().startswith(chosen.character.casefold())
        ]
        if len(named) != 1:
            sys.exit(f"{len(named)} of your characters have a name that begins with {chosen.character!r}.")
        body["character"] = named[0]
    return body


if __name__ == "__main__":
    main()
