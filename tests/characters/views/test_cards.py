"""The list of characters and the forms of their cards, for the whole cast."""

import re
from uuid import uuid4

from campaigns.models import Campaign
from characters.models import Character
from characters.services.cards import Card, make_character, retire_character
from characters.services.fields import set_field
from tests.answers import same_page
from tests.characters.operations import SECRET_CONCEPT, SECRET_NAME, at, page, send, text
from tests.stored import store

# The list


def test_the_list_says_what_to_do_where_there_is_nothing_yet(cast):
    assert "Make your character: a name is enough" in text(page(cast.player, "characters", cast))
    gm = text(page(cast.gm, "characters", cast))
    assert "Players’ characters appear here" in gm and "Make an NPC." in gm
    spectator = text(page(cast.spectator, "characters", cast))
    assert "Other characters appear here" in spectator and "New character" not in spectator


def test_the_list_shows_cards_of_all_who_are_known(cast, silas, npc, hidden):
    for person in (cast.player, cast.other_player, cast.spectator):
        answer = page(person, "characters", cast)
        assert answer.status_code == 200
        assert "Silas Grey" in text(answer) and "Archivist · played by Mo" in text(answer)
        assert "Vesper" in text(answer)
        assert SECRET_NAME not in text(answer) and SECRET_CONCEPT not in text(answer)
    assert SECRET_NAME in text(page(cast.gm, "characters", cast))
    assert "NPC, hidden from players" in text(page(cast.gm, "characters", cast))


def test_a_hidden_npc_changes_no_byte_of_a_players_pages(cast, silas, npc):
    names = [("characters",), ("character_new",), ("character", silas.pk), ("character", npc.pk)]
    people = [cast.player, cast.other_player, cast.spectator]

    def answers():
        return [page(person, name[0], cast, *name[1:]) for person in people for name in names]

    before = answers()
    hidden = make_character(cast.gm.member, Card(SECRET_NAME, SECRET_CONCEPT, shown=False), key=uuid4())
    set_field(cast.gm.member, hidden, "wits", 4, expected=1, key=uuid4())
    retire_character(cast.gm.member, hidden, key=uuid4())
    for was, now in zip(before, answers(), strict=True):
        assert same_page(was, now)


# Making and changing


def test_a_player_makes_a_character_and_lands_on_its_page_and_what_is_beyond_the_form_is_not_read(cast):
    key = str(uuid4())
    card = {"name": "Silas Grey", "concept": "Archivist", "known": "card", "owner": cast.other_player.member.pk}
    answer = send(cast.player, "character_new", cast, htmx=False, key=key, **card)
    assert answer.status_code == 302 and answer["Location"] == at("character", cast, key)
    found = Character.objects.get()
    assert (found.owner, found.shown) == (cast.player.member, True)


def test_a_gm_makes_a_hidden_npc_and_a_character_for_a_player(cast):
    send(cast.gm, "character_new", cast, htmx=False, name=SECRET_NAME, known="hidden")
    assert Character.objects.get().is_hidden
    send(cast.gm, "character_new", cast, htmx=False, name="Silas", known="card", owner=cast.player.member.pk)
    assert Character.objects.get(name="Silas").owner == cast.player.member


def form_of(person, cast, character):
    found = page(person, "character_card", cast, character.pk)
    form = text(found).split('id="card-head"', 1)[1].split("</form>")[0]
    return dict(re.findall(r'name="(name|concept|expected)"[^>]*?value="([^"]*)"', form)) | {"known": "card"}


def test_a_card_is_changed_by_those_whose_it_is(cast, silas):
    data = form_of(cast.player, cast, silas) | {"name": "Silas Black"}
    answer = send(cast.player, "character_card", cast, silas.pk, htmx=False, **data)
    assert answer.status_code == 302
    silas.refresh_from_db()
    assert (silas.name, silas.concept, silas.owner) == ("Silas Black", "Archivist", cast.player.member)
    assert page(cast.other_player, "character_card", cast, silas.pk).status_code == 403
    assert send(cast.other_player, "character_card", cast, silas.pk, htmx=False, **data).status_code == 403


def test_a_gm_changes_the_card_of_one_whose_player_has_left(cast, silas):
    store(cast.player.member, left_at=cast.player.member.joined_at)
    data = form_of(cast.gm, cast, silas) | {"name": "Silas the Lost"}
    assert send(cast.gm, "character_card", cast, silas.pk, htmx=False, **data).status_code == 302


def test_retiring_takes_the_buttons_away_and_returning_brings_them_back(cast, silas):
    assert send(cast.player, "character_retire", cast, silas.pk, htmx=False).status_code == 302
    answer = text(page(cast.player, "character", cast, silas.pk))
    assert "Set Wits" not in answer and "Restore" in answer
    assert send(cast.player, "character_retire", cast, silas.pk).status_code == 409
    assert send(cast.player, "character_return", cast, silas.pk, htmx=False).status_code == 302
    assert "Set Wits to 3" in text(page(cast.player, "character", cast, silas.pk))


def test_whoever_makes_a_character_chooses_among_the_systems_that_are_played(cast, silas, all_systems):
    assert "This can’t be changed later" in text(page(cast.player, "character_new", cast))
    assert "This can’t be changed later" not in text(page(cast.player, "character_card", cast, silas.pk))
    for system, status in (("forged", 302), ("chess", 422)):
        answer = send(cast.player, "character_new", cast, name="Nell", known="card", system=system, htmx=False)
        assert answer.status_code == status, system
    assert Character.objects.get(name="Nell").system == "forged"


def test_where_one_system_is_played_there_is_nothing_to_choose(cast):
    Campaign.objects.update(systems=["arc"])
    assert "This can’t be changed later" not in text(page(cast.player, "character_new", cast))
