"""The page of a card: handing over, copying, taking out of play and deleting, for the whole cast."""

import re
from uuid import uuid4

import pytest

from characters.models import Character, State
from characters.services.cards import hand_over
from tests.characters.operations import at, change, page, send, text


def sections(person, cast, character):
    return re.findall(r'<h2 id="[^"]*">([^<]*)</h2>', text(page(person, "character_card", cast, character.pk)))


def played_by_both(cast, silas):
    return hand_over(cast.gm.member, silas, cast.player.member, also=(cast.other_player.member,), key=uuid4())


def seen(cast, character):
    """Return the version in the form for handing it over."""
    form = text(page(cast.gm, "character_card", cast, character.pk)).split('id="hand-over-head"')[1]
    return re.search(r'name="expected" value="(\w+)"', form)[1]


# Offered choices


def test_each_is_offered_what_they_may_do(cast, silas, npc, crew):
    played_by_both(cast, silas)
    everybodys = ["Card", "Portrait", "Copy", "Out of play"]
    gms = ["Card", "Portrait", "Hand over", "Copy", "Template", "Out of play"]
    assert sections(cast.gm, cast, silas) == gms
    assert sections(cast.player, cast, silas) == sections(cast.other_player, cast, silas) == everybodys
    for person, deletes in ((cast.gm, True), (cast.player, True), (cast.other_player, False)):
        assert ("Delete Silas Grey" in text(page(person, "character_card", cast, silas.pk))) == deletes
    assert sections(cast.gm, cast, crew) == [name for name in gms if name != "Hand over"]
    said = text(page(cast.player, "character_card", cast, crew.pk))
    assert "Say that they are dead" not in said and "Delete The Wick" not in said


def test_what_others_see_is_said_in_words_and_only_npcs_can_be_hidden(cast, silas, npc, crew):
    hides = "Nothing: only GMs see them"
    for character, can in ((silas, False), (npc, True), (crew, True)):
        assert (hides in text(page(cast.gm, "character_card", cast, character.pk))) == can
    player = text(page(cast.player, "character_card", cast, silas.pk))
    assert hides not in player and "The whole sheet, without private notes" in player


def test_a_player_opens_their_sheet_and_closes_it_again(cast, silas):
    for known, opened in (("sheet", True), ("card", False)):
        version = re.search(
            r'name="expected" value="(\w+)"', text(page(cast.player, "character_card", cast, silas.pk))
        )[1]
        form = {"name": "Silas Grey", "concept": "Archivist", "known": known, "expected": version}
        assert send(cast.player, "character_card", cast, silas.pk, htmx=False, **form).status_code == 302
        silas.refresh_from_db()
        assert silas.opened == opened
        assert ("Strength" in text(page(cast.spectator, "character", cast, silas.pk))) == opened
    answer = send(cast.player, "character_card", cast, silas.pk, htmx=False, **form | {"known": "hidden"})
    assert answer.status_code == 422


# Who does it


@pytest.mark.parametrize("who", ["gm", "player", "other_player"])
def test_those_who_play_it_and_the_gm_copy_retire_and_kill(cast, silas, who):
    played_by_both(cast, silas)
    person, key = getattr(cast, who), str(uuid4())
    answer = send(person, "character_copy", cast, silas.pk, htmx=False, name="Twin", key=key)
    assert answer["Location"] == at("character", cast, key)
    copy = Character.objects.get(pk=key)
    assert (copy.owner, copy.shown) == ((None, False) if who == "gm" else (person.member, True))
    for operation, state in (("retire", State.RETIRED), ("die", State.DEAD), ("return", State.IN_PLAY)):
        assert send(person, f"character_{operation}", cast, silas.pk, htmx=False).status_code == 302
        silas.refresh_from_db()
        assert silas.state is state


def test_a_deleted_character_is_nowhere_for_anybody(cast, silas):
    wrong = send(cast.player, "character_delete", cast, silas.pk, htmx=False, name="Silas")
    assert wrong.status_code == 422 and "Type “Silas Grey” to delete this character." in text(wrong)
    assert "<details open" in text(wrong)
    answer = send(cast.player, "character_delete", cast, silas.pk, htmx=False, name="silas grey")
    assert answer.status_code == 302 and answer["Location"] == at("characters", cast)
    for person in (cast.gm, cast.player, cast.spectator):
        assert page(person, "character", cast, silas.pk).status_code == 404
        assert "Silas Grey" not in text(page(person, "characters", cast))


# Handing over


def test_a_gm_hands_over_and_lets_others_play_it_too(cast, silas):
    mo, other = cast.player.member, cast.other_player.member
    form = {"owner": other.pk, "also": [mo.pk, other.pk], "expected": seen(cast, silas)}
    assert send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form).status_code == 302
    silas.refresh_from_db()
    assert silas.players == [other, mo]
    form = {"owner": "", "expected": seen(cast, silas)}
    assert send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form).status_code == 302
    silas.refresh_from_db()
    assert silas.is_npc and not silas.is_hidden


@pytest.mark.parametrize("whom", ["spectator", "removed", "outsider"])
def test_nothing_is_handed_to_one_who_does_not_play_here(cast, silas, whom):
    person = getattr(cast, whom)
    form = {"owner": person.membership.pk if person.membership else 10**9, "expected": seen(cast, silas)}
    answer = send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form)
    assert answer.status_code == 422 and "That person doesn’t play here." in text(answer)


def test_others_beside_nobody_are_refused(cast, silas):
    form = {"owner": "", "also": [cast.player.member.pk], "expected": seen(cast, silas)}
    answer = send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form)
    assert answer.status_code == 422 and "Choose the main player first" in text(answer)


def test_what_was_handed_over_meanwhile_is_not_overwritten(cast, silas):
    version = seen(cast, silas)
    change(cast.player.member, silas, concept="Librarian")
    form = {"owner": cast.other_player.member.pk, "expected": version}
    answer = send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form)
    assert answer.status_code == 409 and "Mo changed this card first." in text(answer)
    silas.refresh_from_db()
    assert silas.owner == cast.player.member
    again = re.search(r'name="expected" value="(\w+)" id="hand-over-expected"', text(answer))[1]
    assert (
        send(cast.gm, "character_hand_over", cast, silas.pk, htmx=False, **form | {"expected": again}).status_code
        == 302
    )
