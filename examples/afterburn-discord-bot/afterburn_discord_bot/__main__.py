"""`python -m afterburn_discord_bot CONFIG`: serve Discord's interactions, and post the table's events.

`python -m afterburn_discord_bot CONFIG register` tells Discord the bot's commands; once is enough.
"""

from __future__ import annotations

import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from afterburn_discord_bot.bot import COMMANDS, Bot
from afterburn_discord_bot.config import read
from afterburn_discord_bot.discord import Discord, handler


def main(path: str, *words: str) -> None:
    config = read(Path(path))
    discord = Discord(config.api, config.application, config.bot_token, config.channel)
    if words == ("register",):
        discord.register(COMMANDS)
        return
    bot = Bot(config, discord)
    bot.check()
    server = ThreadingHTTPServer((config.host, config.port), handler(config.public_key, bot.answer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bot.follow()


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else sys.exit(__doc__)
