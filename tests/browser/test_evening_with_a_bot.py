"""An evening at one table by two browsers and the Discord bot: what one does, the others see, on two server processes."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests import dice
from tests.browser.conftest import AtTable
from tests.browser.hands import last_card, roll_from_sheet
from tests.browser.servers import Site
from tests.browser.test_major_burn import FIRST, ORACLES, SECOND, dialog, expect_major
from tests.examples import bots
from tests.examples.discord_stand_in import StandIn, discord

MO_OF_DISCORD = "77"
NOTHING = (2, 3, 4, 5)  # the Scale stays where it is


def hears(channel: StandIn, words: str) -> dict:
    return channel.hears(lambda message: words in message["embeds"][0]["description"].replace("\\", ""))


def test_two_browsers_and_the_bot_play_at_one_table(
    service: AtTable, site: Site, servers: tuple[str, str], table: str, tmp_path: Path
) -> None:
    screens = gm, mo = service("gm"), service("mo")
    told = tmp_path / "tokens.json"
    site.run("-m", "tests.browser.programs", table, str(told))
    tokens = json.loads(told.read_text(encoding="utf-8"))
    file = tmp_path / "bot.toml"
    with discord() as channel:
        people = {MO_OF_DISCORD: tokens["mo"]}
        port = bots.configure(file, channel, servers[1], table, tokens["watcher"], people)
        with bots.running(file, port) as bot:
            roll_from_sheet(mo, FIRST)
            hears(channel, "Silas Grey, Perception + Alertness")
            dice.load(*NOTHING)
            channel.command(bot, MO_OF_DISCORD, "roll", "4 d7 # from the channel")
            for screen in screens:
                expect(last_card(screen)).to_contain_text("from the channel")
            dice.load(*SECOND, *ORACLES)
            channel.command(bot, MO_OF_DISCORD, "roll", "perception+alertness d6")
            for screen in screens:
                expect_major(screen)
            assert channel.hears(lambda message: message["embeds"][0].get("title") == "Major Burn")
            dialog(gm).get_by_role("button", name="Narrate", exact=True).click()
            gm.get_by_label("What happens").fill("Nobody sees who reached for him.")
            gm.get_by_role("button", name="Tell the table").click()
            expect(dialog(mo)).to_contain_text("Nobody sees who reached for him.")
            hears(channel, "Nobody sees who reached for him.")
