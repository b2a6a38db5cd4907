"""Checking a session in one's own browser, and offline with the script that the documentation prints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.queries import log_lines
from campaigns.services import play as sessions
from campaigns.services.erasing import erase_words
from rolls.models import Audience, Roll, SeedEpoch
from rolls.queries.checking import lines_of_session
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.damage import DAMAGES, link_anew
from tests.rolls.queries.test_checking import CHANGES
from tests.static.node import run

CHECK = """({ check }, given) => {
    const { faults, rolls, heads, unused, erased } = check(given);
    return {
        faults: faults.map(({ line, why }) => [line.stream, line.seq, why]),
        unused: unused.length,
        erased: erased.map((line) => line.kind),
        verdicts: rolls.map(({ line, verdict }) => [line.stream, verdict]),
        heads: Object.fromEntries(Object.entries(heads).map(([stream, line]) => [stream, line.hash])),
    };
}"""
SCRIPT = re.search(r"```python\n(.*?)```", Path(site.BASE_DIR, "docs/fairdice.md").read_text(), re.S)[1]


def lines(client, session):
    answer = client.get(reverse("session_lines", args=[session.campaign.slug, session.number]))
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def browser(given):
    """Return what the page's script finds."""
    return run(CHECK, given, "lines.js")


def offline(given, tmp_path):
    """Exit code and output of the printed script, run with the standard library alone."""
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in given))
    command = [sys.executable, "-I", "-S", "-c", SCRIPT, str(log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout


def verdicts(found):
    return sorted(verdict for _, verdict in found["verdicts"])


def test_the_page_says_what_it_proves_and_where_its_lines_are(cast, evening):
    page = cast.player.client.get(reverse("verify", args=[cast.campaign.slug, evening.number])).content.decode()
    assert reverse("session_lines", args=[cast.campaign.slug, evening.number]) in page
    assert "The server’s host knows the seed" in page
    listed = cast.player.client.get(reverse("sessions", args=[cast.campaign.slug])).content.decode()
    assert reverse("verify", args=[cast.campaign.slug, evening.number]) in listed


def test_a_session_that_is_not_there_is_not_found(cast, evening):
    for name in ("verify", "session_lines"):
        assert cast.player.client.get(reverse(name, args=[cast.campaign.slug, 99])).status_code == 404


def test_everybody_finds_all_that_they_see_as_it_was_written(cast, evening, tmp_path):
    for person, fitting in ((cast.gm, 10), (cast.player, 7), (cast.other_player, 6), (cast.spectator, 6)):
        given = lines(person.client, evening)
        found = browser(given)
        assert found["faults"] == []
        assert verdicts(found) == ["fits"] * (fitting + 1) + ["hand"], person.user
        code, said = offline(given, tmp_path)
        assert (code, said.count(" fits\n")) == (0, fitting + 1)
        assert all(head in said for head in found["heads"].values())


def test_a_session_is_read_batch_by_batch_while_it_is_sent(cast, evening, monkeypatch):
    monkeypatch.setattr(log_lines, "BATCH", 5)
    written, steps = lines_of_session(viewer_of(cast.gm.user, {}, "ashes"), evening), []
    while True:
        with CaptureQueriesContext(connection) as asked:
            if next(written, None) is None:
                break
        steps.append(len(asked))
    # The first of a stream asks for what stood before it.
    assert len(steps) >= 20 and max(steps) <= 2
    assert sum(steps) <= len(steps) / 5 + 6
    url = reverse("session_lines", args=[cast.campaign.slug, evening.number])
    assert cast.gm.client.get(url).streaming


def test_until_the_seed_is_told_nothing_can_be_computed(cast, play, settings, evening, tmp_path):
    session = sessions.start_session(play.gm, "", key=uuid4())
    make_roll(play.mo, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4())
    given = lines(cast.player.client, session)
    assert verdicts(browser(given)) == ["waits"]
    assert offline(given, tmp_path)[0] == 0


def test_the_lines_of_others_hold_nothing_of_hidden_rolls(cast, evening):
    for person, hidden in ((cast.other_player, (Audience.SELF, Audience.GM)), (cast.player, (Audience.GM,))):
        text = json.dumps(lines(person.client, evening))
        for roll in Roll.objects.filter(campaign=evening.campaign, audience__in=hidden, revealed_at=None):
            assert str(roll.pk) not in text
            assert not roll.proof["witness"] or roll.proof["witness"] not in text
        assert "blind_revealed" not in text
        assert '"stream": "gm"' not in text


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_found_in_the_browser_and_offline(cast, evening, tmp_path, damage):
    given = lines(cast.player.client, evening)
    damage(given)
    found = browser(given)
    assert found["faults"] or "wrong" in verdicts(found)
    code, said = offline(given, tmp_path)
    assert code == 1 and said.splitlines()[-1] != "0 faults"


def test_a_face_changed_together_with_the_whole_chain_still_does_not_fit_its_seed(cast, evening, tmp_path):
    """Whoever runs the server could rewrite the chain, but the seed they told contradicts the dice."""
    given = lines(cast.spectator.client, evening)
    roll = next(line for line in given if line.get("payload", {}).get("proof"))
    die = roll["payload"]["card"]["dice"][0]
    die["face"] = die["face"] % 10 + 1
    roll["payload"]["proof"]["faces"][0] = die["face"]
    link_anew(given)
    found = browser(given)
    assert found["faults"] == [] and verdicts(found).count("wrong") == 1
    assert offline(given, tmp_path)[0] == 1


def test_what_was_erased_is_counted_and_its_dice_are_checked_all_the_same(cast, evening, tmp_path):
    erase_words(cast.gm.member, cast.other_player.member, key=uuid4())
    given = lines(cast.spectator.client, evening)
    found = browser(given)
    assert (found["faults"], found["erased"]) == ([], ["rolls.roll_made"])
    assert offline(given, tmp_path)[0] == 0
    erased = next(line for line in given if line.get("erased"))
    erased["payload"]["proof"]["faces"][0] = erased["payload"]["proof"]["faces"][0] % 10 + 1
    assert "wrong" in verdicts(browser(given)) and offline(given, tmp_path)[0] == 1


def test_a_seed_that_was_committed_to_only_with_the_roll_is_said_to_be_late(cast, play, settings):
    session = sessions.start_session(play.gm, "", key=uuid4())
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    assert not SeedEpoch.objects.filter(campaign=play.campaign).exists()
    for _ in range(2):
        make_roll(play.mo, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4())
    sessions.end_session(play.gm, key=uuid4())
    assert verdicts(browser(lines(cast.player.client, session))) == ["fits", "late"]


def test_a_whole_log_and_a_part_of_it_are_checked_by_the_printed_script(cast, evening, tmp_path):
    for who in (cast.gm, cast.player, cast.spectator):
        for filters in ({}, {"topic": "roll"}, {"words": "über", "who": cast.player.member.pk}):
            answer = who.client.get(reverse("log_export", args=[evening.campaign.slug]), filters)
            given = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
            code, output = offline(given, tmp_path)
            assert (code, output.splitlines()[-1]) == (0, "0 faults"), (who.user.username, filters)
            assert output.count(" fits") >= 1 and "not told yet" not in output


# Dice that were thrown again


def test_dice_that_were_thrown_again_fit_also_where_another_session_has_thrown_them_first(cast, rerolled, tmp_path):
    for person in (cast.gm, cast.player, cast.spectator):
        told = lines(person.client, rerolled)
        found = browser(told)
        assert found["faults"] == [] and verdicts(found) == ["fits", "fits"]
        code, said = offline(told, tmp_path)
        assert (code, said.count(" fits\n")) == (0, 5)


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_changes_them_is_found_though_the_chain_was_linked_anew(cast, rerolled, change):
    told = lines(cast.player.client, rerolled)
    change(next(line["payload"]["rerolls"][-1] for line in reversed(told) if line.get("payload", {}).get("rerolls")))
    link_anew(told)
    assert verdicts(browser(told)) == ["fits", "wrong"]
