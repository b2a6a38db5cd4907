"""The Discord bot at a real table, with a stand-in for Discord."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from afterburn_discord_bot.discord import plain
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.examples import bots
from tests.examples.conftest import Table
from tests.examples.discord_stand_in import StandIn, discord, refusal
from tests.examples.installing import EXAMPLES
from tests.flows.played import PLUS_4

PACKAGE = EXAMPLES / "afterburn-discord-bot" / "afterburn_discord_bot"
MOST_LINES = 300
MO, GM, STRANGER = "77", "88", "99"


@dataclass
class Channel:
    """A channel with the bot in it, which listens at `bot`."""

    discord: StandIn
    bot: str
    file: Path

    def hears(self, words: str) -> dict:
        return self.discord.hears(lambda message: plain(words) in message["embeds"][0]["description"])

    @property
    def texts(self) -> list[str]:
        return [message["embeds"][0]["description"] for message in self.discord.posted]


@contextmanager
def channel_of(table: Table, folder: Path) -> Iterator[Channel]:
    """Yield a channel with the bot in it, which posts what happens at a table from now on."""
    with discord() as stand_in:
        file = folder / "bot.toml"
        people = {MO: table.tokens["player"], GM: table.tokens["gm"]}
        port = bots.configure(file, stand_in, table.server.url, table.slug, table.tokens["spectator"], people)
        file.with_suffix(".position").write_text(position(table))
        with bots.running(file, port) as bot:
            yield Channel(stand_in, bot, file)


@pytest.fixture
def channel(table: Table, tmp_path: Path) -> Iterator[Channel]:
    with channel_of(table, tmp_path) as channel:
        yield channel


def position(table: Table) -> str:
    """Return the positions of a table's streams, as a spectator sees them."""
    return ",".join(f"{stream['name']}={stream['seq']}" for stream in table.client("spectator").streams())


def said(answer: dict) -> str:
    """Return the answer to an interaction, after checking that only its sender sees it and that it mentions nobody."""
    assert answer["type"] == 4 and answer["data"]["flags"] == 64
    assert answer["data"]["allowed_mentions"] == {"parse": []}
    return answer["data"]["content"]


def test_a_roll_posts_its_card(channel, fall):
    fall(9, 8, 7, 3, 2)
    assert said(channel.discord.command(channel.bot, MO, "roll", "perception+alertness d7")) == plain("Rolled.")
    message = channel.hears("Mo as Silas")
    assert plain("9, 8, 7, 3, 2") in message["embeds"][0]["description"]
    assert message["embeds"][0]["title"] and message["allowed_mentions"] == {"parse": []}


def test_what_is_done_at_the_table_is_posted_too(channel, table):
    table.client("gm").start_session({"title": "The first fire"})
    channel.hears("The first fire")
    table.client("gm").end_session()


def test_a_burn_on_offer_is_taken_by_its_button_and_a_major_burn_appears(new_table, tmp_path, fall):
    with channel_of(new_table, tmp_path) as channel:
        fall(*PLUS_4)
        channel.discord.command(channel.bot, MO, "roll", "perception+alertness d6")
        offer = channel.discord.hears(lambda message: "components" in message)
        take = offer["components"][0]["components"][0]["custom_id"]
        assert "no token" in said(channel.discord.interact(channel.bot, STRANGER, 3, custom_id=take))
        story, oracle = 1, 2
        fall(*PLUS_4, story, oracle)
        channel.discord.command(channel.bot, MO, "roll", "perception+alertness d6")
        major = channel.discord.hears(lambda message: message["embeds"][0].get("title") == "Major Burn")
        assert major["embeds"][0]["description"]


def test_a_burn_on_offer_is_banked_by_its_button(new_table, tmp_path, fall):
    with channel_of(new_table, tmp_path) as channel:
        fall(*PLUS_4)
        channel.discord.command(channel.bot, MO, "roll", "perception+alertness d6")
        offer = channel.discord.hears(lambda message: "components" in message)
        bank = offer["components"][0]["components"][1]["custom_id"]
        assert said(channel.discord.interact(channel.bot, MO, 3, custom_id=bank)) == plain("Banked.")
        assert new_table.client("player").scale()["scales"][0]["banked"]


def test_odds_are_for_whoever_asked_and_nothing_is_posted(channel, table):
    odds = said(channel.discord.command(channel.bot, MO, "odds", "perception+alertness d7"))
    assert "%" in odds and "botch" in odds
    table.client("gm").make_clock(
        {"name": "Dawn", "kind": "progress", "segments": 4, "visibility": "visible", "owner": "crew"}
    )
    channel.hears("Dawn")
    assert len(channel.texts) == 1


def test_what_not_everybody_may_read_is_never_posted(channel, table, fall):
    gm, player = table.client("gm"), table.client("player")
    gm.make_roll({"pool": "5", "audience": "gm", "note": "canary-hidden"})
    player.make_roll({"pool": "5", "audience": "gm", "note": "canary-to-the-gm"})
    gm.make_clock({"name": "canary-clock", "kind": "danger", "segments": 4, "visibility": "secret", "owner": "crew"})
    gm.add_storyline({"title": "A debt", "gm_notes": "canary-notes"})
    gm.make_roll({"pool": "4", "note": "for all to see"})
    channel.hears("for all to see")
    assert "canary" not in str(channel.discord.posted)
    refused = channel.discord.command(channel.bot, GM, "roll", "no-such-trait")
    assert said(refused) and "canary" not in str(refused)


def test_nothing_in_a_message_is_a_mention_a_link_or_mark_up(channel, table):
    table.client("player").make_roll({"pool": "5", "note": "@everyone <@77> **loud** [x](https://evil.example)"})
    message = channel.hears("@everyone")
    text = message["embeds"][0]["description"]
    assert message["allowed_mentions"] == {"parse": []}
    assert r"\@everyone \<\@77\> \*\*loud\*\* \[x\]\(https\://evil.example\)" in text


def test_an_interaction_that_comes_twice_rolls_once(channel, table):
    before = len(list(table.client("player").every_event(topic="roll")))
    for _ in range(2):
        channel.discord.command(channel.bot, MO, "roll", "5 d7", number="12345")
    assert len(list(table.client("player").every_event(topic="roll"))) == before + 1


def test_only_what_discord_has_signed_is_answered(channel, table):
    ping = b'{"type": 1}'
    assert channel.discord.send(channel.bot, ping) == {"type": 1}
    assert refusal(lambda: channel.discord.send(channel.bot, ping, signed=b'{"type": 2}')) == 401
    channel.discord.key = Ed25519PrivateKey.generate()
    assert refusal(lambda: channel.discord.send(channel.bot, ping)) == 401


def test_discord_being_busy_loses_nothing(channel, table):
    channel.discord.refusals += [429, 503]
    table.client("player").make_roll({"pool": "5", "note": "in spite of all"})
    channel.hears("in spite of all")


def test_after_a_restart_it_goes_on_where_it_was(table, tmp_path):
    with discord() as stand_in:
        file = tmp_path / "bot.toml"
        port = bots.configure(file, stand_in, table.server.url, table.slug, table.tokens["spectator"], {})
        file.with_suffix(".position").write_text(position(table))
        table.client("player").make_roll({"pool": "5", "note": "while it was away"})
        for note in ("one", "two"):
            with bots.running(file, port):
                table.client("player").make_roll({"pool": "5", "note": f"number {note}"})
                Channel(stand_in, "", file).hears(f"number {note}")
                # One that is stopped between a message and noting it would post that message again, as its README says.
                bots.wait_until(lambda: file.with_suffix(".position").read_text() == position(table))
        texts = Channel(stand_in, "", file).texts
        for note in ("while it was away", "number one", "number two"):
            assert sum(note in text for text in texts) == 1, note


def test_a_token_that_sees_more_than_a_spectator_shows_no_channel_anything(table, tmp_path):
    with discord() as stand_in:
        file = tmp_path / "bot.toml"
        bots.configure(file, stand_in, table.server.url, table.slug, table.tokens["gm"], {})
        ended = bots.run(file)
        assert ended.returncode == 1 and "Give it a spectator’s" in ended.stderr and not stand_in.posted
        assert bots.run(file, "register").returncode == 0
        assert [command["name"] for command in stand_in.commands] == ["roll", "odds"]
        file.chmod(0o644)
        assert "chmod 600" in bots.run(file).stderr


def test_it_stays_small() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.glob("*.py")) < MOST_LINES
