"""How what happens to rolls, Scales and Burns looks: as it arrives, and after a reload."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import transaction
from django.urls import reverse

from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Role, Viewer
from campaigns.services import play as sessions
from campaigns.views import log
from rolls.events import request_words
from rolls.models import Audience
from rolls.services.requests import (
    Call,
    announce_roll,
    ask_for_roll,
    change_request,
    close_request,
    withdraw_roll,
)
from rolls.services.rolls import correct_roll, make_roll, reveal_roll, void_roll
from rolls.services.scale import undo_newest
from rolls.services.settings import change_settings
from rolls.services.tables import roll_table, write_table
from rolls.settings import RollSettings
from rulesets.descriptors import terms as descriptors
from rulesets.forged import terms as forged
from rulesets.storyteller.table.ask import StorytellerInput
from scale.models import Burn
from scale.rules import scale as rules
from scale.services import burns
from tests import dice
from tests.dom import apply, parse
from tests.flows.seeds import some_seeds
from tests.flows.underway import procedures_happen
from tests.news import news
from tests.rolls.orders import roll_for_order
from tests.rolls.steps import without_the_database
from tests.rulesets.descriptors.legacy import tell_followed


def test_a_request_for_a_kind_of_roll_that_nobody_knows_here_is_named_by_its_rules():
    """A log from elsewhere may tell of one."""
    assert request_words({"system": "arc", "terms": {"kind": "seance"}}) == "A roll (arc)"


MINE = ("scale-", "offer-", "burn-", "major-", "request-", "momentum-", "event-", "state-", "done-", "procedure-")
"""The beginnings of all ids that events of this app draw."""

WHO = ["gm", "mo", "other", "watcher"]


def grace(play):
    play.roll(8, 9, 10)
    return play.burn(Burn.State.OFFERED).pk


def trouble(play):
    play.roll(2, 2, 2)
    return play.burn(Burn.State.OFFERED).pk


def some_rolls(play):
    first = play.roll(7, 1, 1, 5, 5, note="past the dogs")
    secret = play.roll(9, by=play.gm, audience=Audience.GM)
    private = play.roll(9, audience=Audience.SELF)
    reveal_roll(play.gm, secret.pk, key=uuid4())
    void_roll(play.gm, private.pk, reason="<b>no</b>", key=uuid4())
    correct_roll(play.gm, first.pk, {"difficulty": 7}, key=uuid4())
    reveal_roll(play.gm, play.roll(8, 5, audience=Audience.GM).pk, key=uuid4())
    void_roll(play.gm, secret.pk, key=uuid4())
    roll_for_order(play.gm, ("Mo & Co", "Tess"), audience=Audience.TABLE, key=uuid4())


def some_tables(play):
    table = write_table(play.gm, None, name="Weather", dice="d6", lines="1-5 Rain\n6 Fog", key=uuid4())
    roll_table(play.gm, table, key=uuid4())
    roll_table(play.gm, table, audience=Audience.GM, key=uuid4())


def some_grace(play):
    burn = grace(play)
    burns.take_burn(play.mo, burn, key=uuid4())
    burns.choose_effect(play.mo, burn, "discipline", words="Auspex & more", key=uuid4())
    burns.decide_activation(play.gm, burn, plausible=False, key=uuid4())
    burns.choose_effect(play.mo, burn, "discipline", key=uuid4())
    burns.decide_activation(play.gm, burn, plausible=True, key=uuid4())
    burns.use_free_activation(play.mo, play.silas.pk, key=uuid4())
    burns.bank_burn(play.mo, grace(play), key=uuid4())


def some_trouble(play):
    burn = trouble(play)
    burns.bank_burn(play.mo, burn, key=uuid4())
    burns.spend_banked(play.gm, burn, key=uuid4())
    undo_newest(play.gm, play.scale.pk, reason="too early", key=uuid4())
    burns.spend_banked(play.mo, burn, key=uuid4())
    burns.choose_effect(play.gm, burn, "disposition", npc=play.vesper.pk, key=uuid4())


def both_at_once(play):
    trouble(play)
    play.roll(8, 8, 8, 8, 8, 8, by=play.other)
    burns.choose_effect(play.other, Burn.objects.get(state="fired", kind="grace").pk, "die", key=uuid4())


def some_majors(play):
    play.roll(*[9] * 8)
    first = play.burn(Burn.State.OPEN).pk
    burns.see_burn(play.mo, first, key=uuid4())
    burns.defer_burn(play.gm, first, key=uuid4())
    play.roll(*[2] * 8)
    second = play.burn(Burn.State.OPEN).pk
    burns.narrate_burn(play.gm, second, "The **doors** close.", key=uuid4())
    burns.see_burn(play.gm, first, key=uuid4())


def a_lost_bank(play):
    decide(play, major_clears_bank=True)
    burns.bank_burn(play.mo, grace(play), key=uuid4())
    play.roll(*[9] * 8)


def some_requests(play):
    open_one = ask_for_roll(play.gm, Call(StorytellerInput(traits=("wits",)), reason="quick"), key=uuid4())
    change_request(play.gm, open_one.pk, Call(StorytellerInput(difficulty=8)), key=uuid4())
    play.roll(5, difficulty=8, request=open_one.pk)
    done = ask_for_roll(play.gm, Call(StorytellerInput()), member=play.other.pk, key=uuid4())
    play.roll(5, by=play.other, request=done.pk)
    dropped = ask_for_roll(play.gm, Call(StorytellerInput()), key=uuid4())
    close_request(play.gm, dropped.pk, key=uuid4())
    to_mo = {"member": play.mo.pk, "key": uuid4()}
    ask_for_roll(play.gm, Call(forged.ActionTerms(action="prowl", position="desperate")), **to_mo)
    wish = Call(StorytellerInput(traits=("perception",)), reason="a noise")
    set_by_gm = announce_roll(play.mo, wish, audience=Audience.TABLE, key=uuid4())
    change_request(play.gm, set_by_gm.pk, Call(StorytellerInput(difficulty=7)), key=uuid4())
    withdraw_roll(play.mo, announce_roll(play.mo, wish, audience=Audience.SELF, key=uuid4()).pk, key=uuid4())
    announce_roll(play.mo, wish, audience=Audience.TABLE, key=uuid4())
    private = ask_for_roll(play.gm, Call(StorytellerInput()), audience=Audience.GM, key=uuid4())
    play.roll(5, request=private.pk)


def decide(play, **scale):
    change_settings(play.gm, RollSettings((rules.Settings(**scale),)), key=uuid4())


def one_scale_each(play):
    play.roll(9)
    decide(play, shared=False)
    play.roll(9)


def shared_again(play):
    one_scale_each(play)
    decide(play, cancelled_ones_count=True)


def some_follows(play):
    play.campaign.systems = ["storyteller", "descriptors"]
    play.campaign.save()
    rolls = []
    for audience in (Audience.TABLE, Audience.SELF, Audience.GM):
        dice.unload()
        dice.load(9, 8, 3)
        asked = descriptors.DescriptorsInput(character=play.silas.pk, pool="2", against="1")
        rolls.append(make_roll(play.mo, asked, audience=audience, key=uuid4()))
        done = [{"what": "made", "name": "Out of <i>breath</i>", "dice": 2}]
        tell_followed(play.gm, rolls[-1].pk, done, key=uuid4())
    reveal_roll(play.gm, rolls[2].pk, key=uuid4())
    void_roll(play.gm, rolls[0].pk, key=uuid4())


def some_procedures(play):
    sessions.start_session(play.gm, key=uuid4())
    sessions.open_scene(play.gm, key=uuid4())
    procedures_happen(play.gm, play.mo, play.silas, dice.load)


def seeds_told(play):
    some_seeds(play.gm, play.mo)


STORIES = [
    some_rolls,
    some_tables,
    seeds_told,
    some_grace,
    some_trouble,
    both_at_once,
    some_majors,
    a_lost_bank,
    some_requests,
    some_follows,
    some_procedures,
    one_scale_each,
    shared_again,
]


@pytest.fixture(autouse=True)
def patience(settings):
    settings.RATE_LIMIT = 1000


def page(cast, member):
    person = next(one for one in cast.everybody.values() if one.membership == member)
    answer = person.client.get(reverse("table", args=[cast.campaign.slug]))
    assert answer.status_code == 200
    return parse(answer.content.decode())


def told(member):
    viewer = Viewer(member.campaign, member, Role(member.role))
    seen = Event.objects.seen_by(viewer).filter(pk__in=news().values("pk"))
    return seen.with_related().select_related("campaign").order_by("pk")


def drawn(tree):
    """Return all that this app has drawn on a page, by id."""
    return {name: str(node) for name, node in tree.by_ids().items() if name.startswith(MINE)}


@pytest.mark.parametrize("story", STORIES)
def test_live_equals_reload(cast, play, story, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 1_000)
    everybody = [getattr(play, who) for who in WHO]
    open_pages = [page(cast, member) for member in everybody]
    story(play)
    for member, before in zip(everybody, open_pages, strict=True):
        for event in told(member):
            apply(before, render_live(event, Role(member.role)))
        after = page(cast, member)
        assert drawn(before) == drawn(after), member
        assert [name for name, times in Counter(after.ids()).items() if times > 1] == [], member


def each_story(play):
    """Yield after each story, each played on a table where nothing else has happened."""
    for story in STORIES:
        with suppress(Elsewhere), transaction.atomic():
            story(play)
            yield
            raise Elsewhere


class Elsewhere(Exception):
    """Ends a story so that it leaves nothing behind."""


def test_the_stories_tell_every_kind_there_is_and_none_asks_the_database_to_be_drawn(play):
    kinds = set()
    for _ in each_story(play):
        events = list(told(play.gm))
        kinds |= {event.kind for event in events}
        with without_the_database():
            for event, role in product(events, Role):
                render_live(event, role)
    templates = (Path(site.BASE_DIR) / "templates/rolls/events").glob("[a-z]*.html")
    assert {f"rolls.{path.stem}" for path in templates} <= kinds


def test_what_people_write_stays_text(cast, play):
    some_rolls(play)
    html = "".join(render_line(event, Role.GM) for event in told(play.gm))
    assert "<b>no</b>" not in html
    assert "&lt;b&gt;no&lt;/b&gt;" in html
