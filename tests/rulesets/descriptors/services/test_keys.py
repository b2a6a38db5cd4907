"""A Key that comes up is one press at the table (descriptors.txt, Keys)."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Forbidden, Invalid
from campaigns.models import GameSession
from campaigns.services.play import close_scene, end_session, open_scene, start_session
from characters.models import Claim
from characters.services.ledger import confirm_claim, refuse_claim
from rulesets.descriptors.panels import keys_of, unclaimed
from rulesets.descriptors.rules.keys import Level
from rulesets.descriptors.services import hit_key
from tests.characters.operations import last, lines
from tests.sheets import rewrite

pytestmark = pytest.mark.usefixtures("scene")
DEBT, PROUD = "a" * 32, "b" * 32


@pytest.fixture(autouse=True)
def keyed(table):
    rows = [
        {"id": DEBT, "at": 1, "name": "The old debt", "framework": "dramatic", "words": ""},
        {"id": PROUD, "at": 2, "name": "Proud", "framework": "motivation", "words": ""},
    ]
    rewrite(table.abigail, sheet={"keys": rows})
    rewrite(table.bob, sheet={"keys": [rows[0] | {"id": "c" * 32, "name": "Bob’s own"}]})


def hit(table, by, row, level, words=""):
    return hit_key(by, table.now(table.abigail), row, level, words=words, key=uuid4())


def xp(table):
    return table.now(table.abigail).number("xp")


def test_the_gm_confirms_it_with_one_press_and_then_it_counts(table):
    claim = hit(table, table.player, DEBT, Level.PROGRESSES)
    assert (claim.state, xp(table)) == (Claim.State.OPEN, 0)
    confirm_claim(table.gm, claim.pk, key=uuid4())
    assert xp(table) == 5
    (mine,) = keys_of(table.viewer(table.player))
    assert (mine["balance"]["have"], mine["balance"]["unit"]) == (1, "Advance")


def test_a_confirmed_claim_of_xp_is_one_line_in_the_log_and_a_refused_one_says_so(table):
    claims = [hit(table, table.player, DEBT, level) for level in (Level.PROGRESSES, Level.INVOLVED)]
    first = last()
    confirm_claim(table.gm, claims[0].pk, key=uuid4())
    refuse_claim(table.gm, claims[1].pk, key=uuid4())
    confirmed, refused = lines(first)
    assert confirmed.startswith("Abigail earned 5 XP (Advances): ") and refused.endswith("· refused")


def test_it_counts_at_once_where_a_campaign_has_it_so_and_buying_off_takes_the_key_away(table):
    table.decide(gm_confirms_xp=False)
    hit(table, table.player, PROUD, Level.AT_A_PRICE)
    hit(table, table.player, PROUD, Level.BUYOFF)
    assert (xp(table), [name for name, _ in table.rows(table.abigail, "keys")]) == (13, ["The old debt"])


def test_each_level_counts_once_in_a_scene_and_levels_add_up(table):
    table.decide(gm_confirms_xp=False)
    hit(table, table.player, DEBT, Level.INVOLVED)
    hit(table, table.player, DEBT, Level.CHALLENGED)
    with pytest.raises(Invalid, match="once per scene"):
        hit(table, table.player, DEBT, Level.INVOLVED)
    levels = {one["level"]: one["done"] for one in keys_of(table.viewer(table.player))[0]["keys"][0]["levels"]}
    assert levels == {"involved": True, "challenged": True, "progresses": False}
    open_scene(table.gm, "Cellar", key=uuid4())
    hit(table, table.player, DEBT, Level.INVOLVED)
    assert xp(table) == 4


def done(table):
    (mine,) = keys_of(table.viewer(table.player))
    return [level["level"] for one in mine["keys"] for level in one["levels"] if level["done"]]


def test_between_scenes_a_level_counts_for_the_scene_before_and_so_once(table):
    hit(table, table.player, DEBT, Level.INVOLVED)
    close_scene(table.gm, key=uuid4())
    with pytest.raises(Invalid, match="until the next one starts"):
        hit(table, table.player, DEBT, Level.INVOLVED)
    hit(table, table.player, DEBT, Level.CHALLENGED)
    with pytest.raises(Invalid):
        hit(table, table.player, DEBT, Level.CHALLENGED)
    assert done(table) == ["involved", "challenged"]
    open_scene(table.gm, "Cellar", key=uuid4())
    assert done(table) == []
    hit(table, table.player, DEBT, Level.CHALLENGED)


def test_a_session_without_scenes_counts_as_one(table):
    close_scene(table.gm, key=uuid4())
    end_session(table.gm, key=uuid4())
    start_session(table.gm, "", key=uuid4())
    hit(table, table.player, DEBT, Level.INVOLVED)
    with pytest.raises(Invalid):
        hit(table, table.player, DEBT, Level.INVOLVED)
    assert done(table) == ["involved"]


def test_what_happened_is_said_and_stands_in_nothing_that_erasing_misses(table):
    hit(table, table.player, DEBT, Level.INVOLVED, words="She paid him at last.")
    said = [event.payload["words"] for event in table.events() if event.kind == "campaigns.said"]
    assert said == ["She paid him at last."]
    assert "paid him" not in str([Claim.objects.get().given, Claim.objects.get().told])


def test_players_claim_for_their_own_alone_and_see_no_others(table):
    with pytest.raises(Forbidden):
        hit(table, table.other, DEBT, Level.INVOLVED)
    assert [one["name"] for one in keys_of(table.viewer(table.player))] == ["Abigail"]
    assert [one["name"] for one in keys_of(table.viewer(table.gm))] == ["Abigail", "Bob"]
    assert keys_of(table.viewer(table.watcher)) == []


def test_advances_are_spent_at_the_table_by_whoever_has_some_with_keys_or_without(cast, table):
    rewrite(table.abigail, sheet={})
    assert keys_of(table.viewer(table.player)) == []
    rewrite(table.abigail, sheet={"xp": 5})
    (mine,) = keys_of(table.viewer(table.player))
    assert (mine["keys"], mine["balance"]["have"]) == ([], 1)
    shown = cast.player.client.get(reverse("descriptors_keys", args=[table.campaign.slug])).content.decode()
    assert f"{reverse('advances', args=[table.campaign.slug, table.abigail.pk])}?at=table" in shown


def test_the_panel_has_a_button_for_each_level_and_one_press_claims_it_once(cast, table):
    url = reverse("descriptors_key_hit", args=[table.campaign.slug, table.abigail.pk])
    page = cast.player.client.get(reverse("table", args=[table.campaign.slug])).content.decode()
    assert f'id="key-{DEBT}-progresses"' in page
    assert "Bob’s own" not in page
    data = {"key": str(uuid4()), "row": DEBT, "level": "involved", "words": ""}
    for _ in range(2):
        assert cast.player.client.post(url, data, headers={"HX-Request": "true"}).status_code == 204
    assert Claim.objects.count() == 1
    assert cast.player.client.post(url, data | {"key": str(uuid4()), "level": "no such"}).status_code == 422


def test_before_and_after_a_session_ends_the_keys_without_a_claim_are_listed_to_whom_they_belong(cast, table):
    hit(table, table.player, DEBT, Level.INVOLVED)
    end = reverse("session_end", args=[table.campaign.slug])
    html = cast.gm.client.post(end, {"key": str(uuid4())}, headers={"HX-Request": "true"}).content.decode()
    assert "Nothing claimed yet for Abigail: Proud" in html
    assert "Bob’s own" in html
    closing = cast.player.client.get(reverse("scene_closing", args=[table.campaign.slug])).content.decode()
    assert "Abigail: Proud" in closing
    assert "Bob’s own" not in closing
    close_scene(table.gm, key=uuid4())
    end_session(table.gm, key=uuid4())
    session = GameSession.objects.get(campaign=table.campaign)
    assert [one["keys"] for one in unclaimed(table.viewer(table.player), session)] == [["Proud"]]
    page = reverse("session", args=[table.campaign.slug, session.number])
    assert "Proud" in cast.player.client.get(page).content.decode()
    assert "Proud" not in cast.other_player.client.get(page).content.decode()
