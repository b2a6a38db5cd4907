"""Words that were told again by others, kept beside the log or quoted go with those who wrote them; what others wrote stays."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.access import viewer_of
from campaigns.models import Event, Recap
from campaigns.services import play as talk
from campaigns.services.erasing import erase_words
from campaigns.services.log_entries import amend_words, pin
from campaigns.services.play import add_storyline
from campaigns.text import ERASED
from characters.services import fields
from characters.services.creation import keep_template
from characters.services.ledger import award_xp
from rolls.models import Audience, Roll
from rolls.queries.checking import faults
from rolls.queries.recaps import recap_draft
from rolls.services.requests import Call, ask_for_roll, change_request
from rolls.services.rolls import correct_roll, make_roll, void_roll
from rolls.services.scale import undo_newest
from rulesets.forged.terms import ActionTerms
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn
from scale.rules.scale import Effect
from scale.services.burns import (
    choose_effect,
    decide_activation,
    narrate_burn,
    see_burn,
    take_burn,
    use_free_activation,
)
from tests.sheets import create_character
from tests.stored import reread, stored

WORD, OTHER = "xylophone", "marimba"


@pytest.fixture
def evening(play, patience, dice):
    session = talk.start_session(play.gm, key=uuid4())
    dice(*[5] * 100)
    return session


def gone(play, whose):
    """Erase a member's words, and check that they were in the database, are gone, and that the log is sound."""
    assert WORD in stored()
    erase_words(play.gm, whose, key=uuid4())
    assert WORD not in stored()
    assert list(faults(play.campaign)) == []


def payload_of(play, kind):
    return [event.payload for event in Event.objects.filter(campaign=play.campaign, kind=kind).select_related("stored")]


def write_recap(play, session, words, publish=True):
    seen = talk.recap_version(talk.recap_of(session))
    talk.write_recap(play.gm, session, words, publish=publish, expected=seen, key=uuid4())


def test_what_a_recap_quotes_goes_and_what_the_gm_wrote_stays(play, evening):
    quoted = talk.say(play.mo, f"The {WORD}\n\nsings.", key=uuid4())
    pin(play.other, quoted.uid, key=uuid4())
    draft = recap_draft(viewer_of(play.gm.user, {}, "ashes"), evening).words
    assert f"> The {WORD} sings." in draft
    write_recap(play, evening, f"{OTHER} came.\n\n{draft}")
    gone(play, play.mo)
    recap = Recap.objects.get(session=evening)
    assert recap.words == recap.draft and f"> {ERASED}" in recap.words and OTHER in recap.words


def test_a_recap_goes_with_the_gm_who_wrote_it(play, evening):
    write_recap(play, evening, f"A {WORD}.", publish=False)
    write_recap(play, evening, f"The {WORD}.")
    gone(play, play.gm)
    assert Recap.objects.get(session=evening).words == ERASED


def test_what_a_gm_narrates_goes_from_the_tellings_of_those_who_saw_it(play, evening):
    play.roll(2, 2, 2, 2, 2, 2)
    play.roll(2, 3, 2, 6, dice=2, by=play.other)
    burn = play.burn(Burn.State.OPEN)
    see_burn(play.mo, burn.pk, key=uuid4())
    narrate_burn(play.gm, burn.pk, f"The {WORD} falls.", key=uuid4())
    void_roll(play.gm, burn.cause_id, reason=WORD, key=uuid4())
    assert payload_of(play, "rolls.roll_voided")[-1]["add_ons"]["scale"]["burns"]
    gone(play, play.gm)


def test_what_a_player_wishes_goes_from_what_the_gm_answered(play, evening):
    for plausible in (False, True):
        play.roll(9, 9, 9, 9, 9)
        burn = play.burn(Burn.State.OFFERED)
        take_burn(play.mo, burn.pk, key=uuid4())
        choose_effect(play.mo, burn.pk, Effect.DISCIPLINE, words=f"a {WORD}", key=uuid4())
        decide_activation(play.gm, burn.pk, plausible=plausible, key=uuid4())
        if not plausible:
            choose_effect(play.mo, burn.pk, Effect.DIE, key=uuid4())
    use_free_activation(play.mo, play.silas.pk, reason=WORD, key=uuid4())
    undo_newest(play.gm, play.scale.pk, reason=OTHER, key=uuid4())
    gone(play, play.mo)
    assert payload_of(play, "scale.burn_undone")[-1]["reason"] == OTHER


def test_what_a_gm_asks_for_goes_from_what_players_answered(play, evening):
    asked = ask_for_roll(play.gm, Call(StorytellerInput(dice=2), reason=f"a {WORD}"), key=uuid4())
    for member in (play.mo, play.other):
        make_roll(member, StorytellerInput(dice=2, request=asked.pk), audience=Audience.TABLE, key=uuid4())
    asked = ask_for_roll(play.gm, Call(StorytellerInput(dice=2), reason=WORD), key=uuid4())
    change_request(play.gm, asked.pk, Call(StorytellerInput(dice=3), reason=f"the {WORD}"), key=uuid4())
    gone(play, play.gm)
    assert reread(asked).reason == ERASED


def test_a_bargain_goes_from_its_roll_and_from_what_tells_that_it_was_taken_back(play, evening):
    made = make_roll(play.mo, ActionTerms(rating=2, bargain=f"a {WORD}"), audience=Audience.TABLE, key=uuid4())
    void_roll(play.gm, made.pk, reason=OTHER, key=uuid4())
    gone(play, play.mo)
    (told,) = payload_of(play, "rolls.roll_voided")
    assert (told["card"]["bargain"], told["reason"]) == (ERASED, OTHER)


def test_a_text_on_a_sheet_goes_from_it_and_from_what_others_wrote_over_it(play, evening):
    silas = fields.set_field(play.mo, play.silas, "description", f"A {WORD}", expected="", why=WORD, key=uuid4())
    keep_template(play.gm, silas, key=uuid4())
    silas = fields.set_field(play.mo, silas, "notes", f"My {WORD}", expected="", key=uuid4())
    fields.set_field(play.gm, silas, "description", OTHER, expected=f"A {WORD}", key=uuid4())
    fields.undo_change(play.gm, silas, key=uuid4())
    silas = fields.set_field(play.gm, silas, "gm_notes", OTHER, expected="", key=uuid4())
    gone(play, play.mo)
    silas.refresh_from_db()
    assert (silas.public["description"], silas.secret["gm_notes"]) == (ERASED, OTHER)
    assert payload_of(play, "characters.field_changed")[2]["after"] == OTHER


def test_a_text_in_a_row_of_a_sheet_goes_from_it_and_its_name_stays(play, evening):
    cross = create_character(campaign=play.campaign, name="Cross", system="forged", owner=play.mo)
    row = {"name": "Ambush", "words": f"A {WORD}"}
    fields.add_row(play.mo, cross, "abilities", row, key=uuid4())
    gone(play, play.mo)
    assert [(row["name"], row["words"]) for row in reread(cross).sheet["abilities"]] == [("Ambush", ERASED)]


def test_a_reason_goes_from_the_ledger_and_from_what_followed(play, evening):
    award_xp(play.gm, [play.silas], 3, reason=f"a {WORD}", key=uuid4())
    gone(play, play.gm)
    assert play.silas.ledger.get().reason == ERASED


def test_notes_of_a_storyline_go_with_the_gm(play, evening):
    add_storyline(play.gm, "A debt", gm_notes=f"A {WORD}", key=uuid4())
    gone(play, play.gm)
    assert play.campaign.storylines.get().gm_notes == ERASED


def test_what_others_wrote_stays_though_it_stands_beside(play, evening):
    said = talk.say(play.mo, WORD, key=uuid4())
    amend_words(play.gm, said.uid, f"the {WORD}", reason=OTHER, key=uuid4())
    talk.say(play.other, OTHER, key=uuid4())
    made = make_roll(play.mo, StorytellerInput(dice=2, note=WORD), audience=Audience.TABLE, key=uuid4())
    correct_roll(play.gm, made.pk, {"difficulty": 8}, reason=OTHER, key=uuid4())
    other = make_roll(play.other, StorytellerInput(dice=2, note=OTHER), audience=Audience.TABLE, key=uuid4())
    gone(play, play.mo)
    assert Roll.objects.get(pk=other.pk).ask["note"] == OTHER
    assert payload_of(play, "rolls.roll_voided")[0]["reason"] == OTHER
    assert payload_of(play, "campaigns.said")[-1]["words"] == OTHER


def test_nobody_can_try_which_words_stood_there(play, evening):
    key = uuid4()
    said = talk.say(play.mo, WORD, key=key)
    salt = said.stored.salt
    erase_words(play.mo, play.mo, key=uuid4())
    said.stored.refresh_from_db()
    assert salt not in stored() and set(said.stored.salt) == {"0"}
