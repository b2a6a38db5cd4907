"""The host's configuration of the bot, a TOML file that only they may read (README.md)."""

from __future__ import annotations

import os
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path

DISCORD = "https://discord.com/api/v10"
TOPICS = ("roll", "burn", "major", "narration", "clock", "play")


@dataclass(frozen=True)
class Config:
    """The address of the table, the token of each person there, and the channel that shows it."""

    address: str
    campaign: str
    token: str  # a spectator's, read-only: the channel is shown what it may see
    people: dict[str, str]  # tokens that may write, by their Discord users
    application: str
    public_key: bytes
    bot_token: str
    channel: str
    position: Path  # the file that stores the last position posted
    topics: tuple[str, ...] = TOPICS
    api: str = DISCORD
    host: str = "127.0.0.1"
    port: int = 8801


def read(path: Path) -> Config:
    """Return the configuration in a file. Exits with a message if others may read it or something is missing."""
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SystemExit(f"{path} holds tokens, and others may read it: chmod 600 {path}")
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return Config(
            **given["afterburn"],
            **given["discord"] | {"public_key": bytes.fromhex(given["discord"]["public_key"])},
            **given.get("listen", {}),
            people={user: str(token) for user, token in given["people"].items()},
            position=path.with_suffix(".position"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SystemExit(f"{path} is not complete: {error}. The README says what stands in it.") from None
