"""One point of Willpower in a turn, while a conflict runs the turns."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from campaigns.errors import Blocked, Invalid
from campaigns.live.render import to_text
from rolls.models import Audience
from rolls.services.procedures import close_procedure
from rolls.services.rolls import make_roll, void_roll
from rulesets.storyteller.terms import StorytellerInput
from tests import dice
from tests.answers import refusal
from tests.dom import parse
from tests.rulesets.storyteller.procedures.test_attack import at_corvina
from tests.rulesets.storyteller.procedures.test_attack import do as step
from tests.rulesets.storyteller.procedures.test_conflict import do, fight  # noqa: F401
from tests.sheets import put

pytestmark = pytest.mark.usefixtures("fight")


@pytest.fixture(autouse=True)
def willing(play, fight):  # noqa: F811
    for who in (play.silas, play.corvina):
        who.refresh_from_db()
        put(who, {"willpower": 6, "willpower_now": 5})


def spend(play, by=None, **ask):
    return play.roll(7, 2, by=by or play.mo, willpower=True, **ask)


def next_round(play):
    for who, by in (("Silas Grey", play.mo), ("Corvina", play.other), ("Dog", play.gm)):
        do(play, by, "done", who)
    do(play, play.gm, "next_round")


def test_a_second_point_waits_for_the_next_round(play):
    spend(play)
    refused = refusal(Blocked, spend, play)
    assert refused.field is None and "already spent Willpower this turn" in refused.message
    assert spend(play, by=play.other).ask["willpower"]
    next_round(play)
    assert spend(play).ask["willpower"]


def test_a_point_that_was_taken_back_can_be_spent_again(play):
    void_roll(play.gm, spend(play).pk, key=uuid4())
    assert spend(play).ask["willpower"]


def test_the_gm_allows_a_second_point_and_the_card_says_so(play):
    spend(play)
    assert refusal(Blocked, spend, play, by=play.gm, character=play.silas.pk).anyway == ("override", "1")
    dice.load(7, 2)
    ask = StorytellerInput(character=play.silas.pk, dice=2, willpower=True, override=True)
    allowed = make_roll(play.gm, ask, audience=Audience.TABLE, key=uuid4())
    assert [str(words) for words in allowed.event.described["allowed"]] == ["a second Willpower point this turn"]


def test_outside_turns_each_roll_may_have_one(play, fight):  # noqa: F811
    spend(play)
    close_procedure(play.gm, fight.pk, key=uuid4())
    assert spend(play).ask["willpower"] and spend(play).ask["willpower"]


def test_a_conflict_that_a_gm_ended_says_of_no_one_that_they_are_next(play, fight):  # noqa: F811
    close_procedure(play.gm, fight.pk, key=uuid4())
    event = play.events()[-1]
    drawn = {"event": event, "payload": event.described, "name": "Ro", "role": "player", "campaign": play.campaign}
    line, head = (to_text(render_to_string(name, drawn)) for name in (event.template, f"{event.template}#head"))
    assert "Ro ended “Conflict”." in line
    assert "is next" not in line + head


def test_who_takes_no_part_in_the_conflict_has_no_turns(play):
    put(play.vesper, {"willpower": 3, "willpower_now": 3})
    for _ in range(2):
        assert spend(play, by=play.gm, character=play.vesper.pk).ask["willpower"]


def spent(person, character) -> dict[str, bool]:
    """Return what the roll form says of its boxes, and whether this person may tick them all the same; the same on load and
    where it asks again."""
    campaign = character.campaign
    asked = {"system": "storyteller", "character": str(character.pk)}
    said = []
    for name in ("roll_form", "odds"):
        page = parse(person.client.get(reverse(name, args=[campaign.slug]), asked).content.decode())
        said.append(
            {str(node.children[0]): "data-lets" in node.attrs for node in page.walk() if "data-spent" in node.attrs}
        )
    assert said[0] == said[1]
    return said[0]


def test_the_roll_form_says_beforehand_that_the_point_of_this_round_is_spent(play, cast):
    assert spent(cast.player, play.silas) == {}
    made = spend(play)
    assert spent(cast.player, play.silas) == {"spent this round": False}
    assert spent(cast.gm, play.silas) == {"spent this round": True}
    assert spent(cast.other_player, play.corvina) == {}
    void_roll(play.gm, made.pk, key=uuid4())
    assert spent(cast.player, play.silas) == {}
    spend(play)
    next_round(play)
    assert spent(cast.player, play.silas) == {}


def test_the_roll_form_asks_again_when_turns_change_or_end(play, fight):  # noqa: F811
    def asks_again() -> bool:
        event = play.events()[-1]
        return "data-odds" in render_to_string(f"{event.template}#live", drawn(event))

    def drawn(event):
        return {"event": event, "payload": event.described, "role": "player", "campaign": play.campaign}

    next_round(play)
    assert asks_again()
    close_procedure(play.gm, fight.pk, key=uuid4())
    assert asks_again()


def test_attack_and_defence_are_refused_the_second_point_when_they_are_declared(play):
    spend(play)
    spend(play, by=play.other)
    assert refusal(Invalid, at_corvina, play, willpower=True).field == "willpower"
    procedure = at_corvina(play)
    guard = {"how": "dodge", "pool": "", "difficulty": None, "willpower": True}
    assert refusal(Invalid, step, play.other, procedure, "defend", "target", given=guard).field == "willpower"
