"""The pages of characters, for the whole cast. What must not be read by others has a name of its own."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import SEEING_AS
from campaigns.models import Event
from characters.models import Character
from characters.services import Card, make_character, retire_character, set_field
from tests.answers import same_page

HIDDEN = "Quillon-Traitor"
SECRET_CONCEPT = "Spy-Of-The-Regent"
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def silas(cast):
    return make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=uuid4())


@pytest.fixture
def npc(cast):
    found = make_character(cast.gm.member, Card("Vesper", "Regent"), key=uuid4())
    return set_field(cast.gm.member, found, "disposition", -4, seen=0, key=uuid4())


@pytest.fixture
def hidden(cast):
    return make_character(cast.gm.member, Card(HIDDEN, SECRET_CONCEPT, shown=False), key=uuid4())


def at(name, cast, *args):
    return reverse(name, args=[cast.campaign.slug, *args])


def page(person, name, cast, *args):
    return person.client.get(at(name, cast, *args))


def send(person, url, cast, /, *args, htmx=True, **data):
    extra = HTMX if htmx else {}
    return person.client.post(at(url, cast, *args), {"key": str(uuid4()), **data}, **extra)


def put(person, cast, character, field, value, seen, **more):
    return send(person, "character_field", cast, character.pk, field=field, value=value, seen=seen, **more)


def text(response):
    return re.sub(r"\s+", " ", response.content.decode())


def marks(response):
    return re.findall(r'id="(character-[^"]*-(?!name|who|card)\w+)"', response.content.decode())


# The list


def test_the_list_says_what_to_do_where_there_is_nothing_yet(cast):
    assert "You have no character here yet. Make one" in text(page(cast.player, "characters", cast))
    gm = text(page(cast.gm, "characters", cast))
    assert "No player has made a character yet." in gm and "No NPCs yet." in gm
    spectator = text(page(cast.spectator, "characters", cast))
    assert "Nobody else has a character yet." in spectator and "New character" not in spectator


def test_the_list_shows_cards_of_all_who_are_known(cast, silas, npc, hidden):
    for person in (cast.player, cast.other_player, cast.spectator):
        answer = page(person, "characters", cast)
        assert answer.status_code == 200
        assert "Silas Grey" in text(answer) and "Archivist · played by Mo" in text(answer)
        assert "Vesper" in text(answer)
        assert HIDDEN not in text(answer) and SECRET_CONCEPT not in text(answer)
    assert HIDDEN in text(page(cast.gm, "characters", cast))
    assert "NPC, players do not know of them" in text(page(cast.gm, "characters", cast))


def test_a_hidden_npc_changes_no_byte_of_a_players_pages(cast, silas, npc):
    names = [("characters",), ("character_new",), ("character", silas.pk), ("character", npc.pk)]
    people = [cast.player, cast.other_player, cast.spectator]

    def answers():
        return [page(person, name[0], cast, *name[1:]) for person in people for name in names]

    before = answers()
    hidden = make_character(cast.gm.member, Card(HIDDEN, SECRET_CONCEPT, shown=False), key=uuid4())
    set_field(cast.gm.member, hidden, "wits", 4, seen=1, key=uuid4())
    retire_character(cast.gm.member, hidden, key=uuid4())
    for was, now in zip(before, answers(), strict=True):
        assert same_page(was, now)


def test_strangers_and_the_removed_find_nothing(cast, silas):
    for person in (cast.outsider, cast.removed):
        for name in ("characters", "character_new"):
            assert page(person, name, cast).status_code == 404
        for name in ("character", "character_card"):
            assert page(person, name, cast, silas.pk).status_code == 404
        assert put(person, cast, silas, "wits", 2, 1).status_code == 404
        assert send(person, "say", cast, voice="player", text="hi").status_code == 404


# The page of one


def test_the_owner_and_the_gm_read_the_sheet_and_others_the_card(cast, silas):
    for person in (cast.player, cast.gm):
        answer = page(person, "character", cast, silas.pk)
        assert len(marks(answer)) == 42
        assert "Set Willpower to 10" in text(answer)
    for person in (cast.other_player, cast.spectator):
        answer = page(person, "character", cast, silas.pk)
        assert answer.status_code == 200
        assert "Silas Grey" in text(answer) and "Archivist · played by Mo" in text(answer)
        assert "Willpower" not in text(answer) and "Strength" not in text(answer) and marks(answer) == []


def test_an_npcs_sheet_and_disposition_are_the_gms(cast, npc):
    answer = page(cast.gm, "character", cast, npc.pk)
    assert len(marks(answer)) == 43 and f'id="character-{npc.pk}-disposition"' in text(answer)
    answer = page(cast.player, "character", cast, npc.pk)
    assert "Regent · NPC" in text(answer)
    assert "Disposition" not in text(answer) and marks(answer) == []


@pytest.mark.parametrize("name", ["character", "character_card"])
def test_a_hidden_npc_and_one_that_never_was_answer_alike(cast, hidden, name):
    for person in (cast.player, cast.other_player, cast.spectator):
        hers, nobodys = page(person, name, cast, hidden.pk), page(person, name, cast, uuid4())
        assert same_page(hers, nobodys)
        assert hers.headers.keys() == nobodys.headers.keys()
        if name == "character" or person is not cast.spectator:
            assert hers.status_code == 404


@pytest.mark.parametrize("name", ["character_field", "character_retire", "character_return", "character_card"])
def test_nothing_can_be_done_to_a_hidden_npc_by_those_who_know_nothing_of_it(cast, hidden, name):
    data = {"field": "wits", "value": "2", "seen": "1", "name": "X"}
    hers = send(cast.player, name, cast, hidden.pk, **data)
    assert hers.status_code == 404
    assert same_page(hers, send(cast.player, name, cast, uuid4(), **data))


def test_a_character_of_another_campaign_is_not_here(cast, silas):
    silas.campaign.__class__.objects.filter(pk=silas.campaign_id).update(slug="elsewhere")
    assert cast.gm.client.get(f"/c/{cast.campaign.slug}/characters/{silas.pk}/").status_code == 404


def test_a_gm_who_looks_as_a_player_sees_what_that_player_sees(cast, silas, npc, hidden):
    session = cast.gm.client.session
    session[SEEING_AS] = {str(cast.campaign.pk): cast.other_player.member.pk}
    session.save()
    assert HIDDEN not in text(page(cast.gm, "characters", cast))
    assert marks(page(cast.gm, "character", cast, silas.pk)) == []
    assert page(cast.gm, "character", cast, hidden.pk).status_code == 404
    assert put(cast.gm, cast, npc, "wits", 2, 1).status_code == 403


def test_a_page_takes_the_same_few_queries_whatever_is_on_the_sheet(cast, silas, django_assert_max_num_queries):
    page(cast.player, "character", cast, silas.pk)
    with django_assert_max_num_queries(12):
        page(cast.player, "character", cast, silas.pk)


# Fields


def test_a_field_saves_by_itself_and_the_socket_brings_it(cast, silas):
    answer = put(cast.player, cast, silas, "wits", 4, 1)
    assert (answer.status_code, answer.content) == (204, b"")
    silas.refresh_from_db()
    assert silas.value("wits") == 4


def test_who_comes_second_gets_both_values_and_the_choice(cast, silas):
    put(cast.gm, cast, silas, "willpower", 6, 3)
    answer = put(cast.player, cast, silas, "willpower", 5, 3)
    assert answer.status_code == 409
    assert answer["HX-Retarget"] == "#set-willpower-errors" and answer["HX-Reswap"] == "innerHTML"
    said = text(answer)
    assert "Willpower is 6 by now. Gm set that. You wanted 5." in said
    assert "Keep 6" in said and "Replace with 5" in said and 'data-seen="6"' in said
    assert put(cast.player, cast, silas, "willpower", 5, 6).status_code == 204


@pytest.mark.parametrize(
    ("field", "value", "seen", "words"),
    [
        ("wits", "6", "1", "Wits goes from 0 to 5; 6 is outside."),
        ("wits", "-1", "1", "outside"),
        ("wits", "many", "1", "Wits is a whole number from 0 to 5."),
        ("wits", "9" * 20_000, "1", "whole number"),
        ("wits", "2", "", "whole number"),
        ("wits", "", "1", "whole number"),
        ("willpower_now", "9", "3", "Willpower now goes from 0 to 3; 9 is outside."),
        ("nothing", "1", "1", "This sheet has no field called"),
        ("disposition", "1", "0", "This sheet has no field called"),
        ("<b>", "1", "1", "&lt;b&gt;"),
        ("x" * 100_000, "1", "1", "no field called"),
    ],
)
def test_bad_values_get_a_clear_message_and_change_nothing(cast, silas, field, value, seen, words):
    events = Event.objects.count()
    answer = put(cast.player, cast, silas, field, value, seen)
    assert answer.status_code == 422
    assert words in text(answer) and len(answer.content) < 1000
    silas.refresh_from_db()
    assert silas.sheet == {} and Event.objects.count() == events


def test_only_those_who_may_write_in_a_sheet_do(cast, silas, npc):
    assert put(cast.other_player, cast, silas, "wits", 2, 1).status_code == 403
    assert put(cast.spectator, cast, silas, "wits", 2, 1).status_code == 403
    assert put(cast.player, cast, npc, "wits", 2, 1).status_code == 403
    assert put(cast.gm, cast, npc, "wits", 2, 1).status_code == 204


def test_a_refusal_to_others_says_nothing_of_the_sheet(cast, silas):
    set_field(cast.player.member, silas, "willpower", 9, seen=3, key=uuid4())
    answer = put(cast.other_player, cast, silas, "willpower", 2, 1)
    assert "9" not in re.sub(r"<[^>]*>", "", text(answer))


def test_a_field_cannot_be_read_by_get(cast, silas):
    assert page(cast.player, "character_field", cast, silas.pk).status_code == 405


def test_a_form_sent_twice_happens_once(cast, silas):
    key = str(uuid4())
    for _ in range(2):
        assert put(cast.player, cast, silas, "wits", 3, 1, key=key).status_code == 204
    assert Event.objects.filter(kind="characters.field_changed").count() == 1
    assert put(cast.player, cast, silas, "wits", 4, 1, key=key).status_code == 422


def test_a_form_without_a_key_is_refused(cast, silas):
    assert put(cast.player, cast, silas, "wits", 3, 1, key="").status_code == 422


# Making and changing


def test_a_player_makes_a_character_and_lands_on_its_page(cast):
    key = str(uuid4())
    answer = send(cast.player, "character_new", cast, htmx=False, key=key, name="Silas Grey", concept="Archivist")
    assert answer.status_code == 302 and answer["Location"] == at("character", cast, key)
    found = Character.objects.get()
    assert (found.owner, found.shown) == (cast.player.member, True)


def test_what_a_player_sends_beyond_the_form_is_not_read(cast):
    send(cast.player, "character_new", cast, htmx=False, name="X", owner=cast.other_player.member.pk, shown="")
    found = Character.objects.get()
    assert (found.owner, found.shown) == (cast.player.member, True)


def test_a_gm_makes_a_hidden_npc_and_a_character_for_a_player(cast):
    send(cast.gm, "character_new", cast, htmx=False, name=HIDDEN)
    assert Character.objects.get().is_hidden
    send(cast.gm, "character_new", cast, htmx=False, name="Silas", owner=cast.player.member.pk)
    assert Character.objects.get(name="Silas").owner == cast.player.member


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "   "}, "This field is required."),
        ({"name": "x" * 81}, "80 is the most that fits"),
        ({"name": "a\x00b"}, "cannot be shown"),
        ({"name": "a\nb"}, "one line"),
        ({"name": "x", "concept": "y" * 20_000}, "120 is the most that fits"),
    ],
)
def test_bad_cards_come_back_with_what_is_wrong_and_what_was_typed(cast, data, words):
    answer = send(cast.player, "character_new", cast, htmx=False, **data)
    assert answer.status_code == 422
    assert words in text(answer)
    assert not Character.objects.exists()


def test_a_gm_cannot_give_a_character_to_one_who_does_not_play_here(cast):
    for person in (cast.spectator, cast.removed):
        answer = send(cast.gm, "character_new", cast, htmx=False, name="X", owner=person.member.pk)
        assert answer.status_code == 422
        assert "That person does not play here." in text(answer)


def test_spectators_get_no_form(cast):
    assert page(cast.spectator, "character_new", cast).status_code == 403


def form_of(person, cast, character):
    found = page(person, "character_card", cast, character.pk)
    return dict(re.findall(r'name="(name|concept|seen)"[^>]*?value="([^"]*)"', text(found)))


def test_a_card_is_changed_by_those_whose_it_is(cast, silas):
    data = form_of(cast.player, cast, silas) | {"name": "Silas Black"}
    answer = send(cast.player, "character_card", cast, silas.pk, htmx=False, **data)
    assert answer.status_code == 302
    silas.refresh_from_db()
    assert (silas.name, silas.concept, silas.owner) == ("Silas Black", "Archivist", cast.player.member)
    assert page(cast.other_player, "character_card", cast, silas.pk).status_code == 403
    assert send(cast.other_player, "character_card", cast, silas.pk, htmx=False, **data).status_code == 403


def test_a_stale_card_comes_back_with_what_others_wrote(cast, silas):
    data = form_of(cast.player, cast, silas) | {"name": "Silas Black"}
    gms = form_of(cast.gm, cast, silas) | {"concept": "Librarian", "owner": cast.player.member.pk, "shown": "on"}
    assert send(cast.gm, "character_card", cast, silas.pk, htmx=False, **gms).status_code == 302
    answer = send(cast.player, "character_card", cast, silas.pk, htmx=False, **data)
    assert answer.status_code == 409
    said = text(answer)
    assert "Gm has changed this card meanwhile." in said
    assert "It says now: Librarian" in said and 'value="Silas Black"' in said
    seen = re.search(r'name="seen" value="(\w+)"', said)[1]
    again = send(cast.player, "character_card", cast, silas.pk, htmx=False, **data | {"seen": seen})
    assert again.status_code == 302


def test_a_gm_changes_the_card_of_one_whose_player_has_left(cast, silas):
    cast.player.member.left_at = cast.player.member.joined_at
    cast.player.member.save()
    data = form_of(cast.gm, cast, silas) | {"name": "Silas the Lost", "owner": cast.player.member.pk, "shown": "on"}
    assert send(cast.gm, "character_card", cast, silas.pk, htmx=False, **data).status_code == 302


def test_retiring_takes_the_buttons_away_and_returning_brings_them_back(cast, silas):
    assert send(cast.player, "character_retire", cast, silas.pk, htmx=False).status_code == 302
    answer = text(page(cast.player, "character", cast, silas.pk))
    assert "Set Wits" not in answer and "Bring back" in answer
    assert send(cast.player, "character_retire", cast, silas.pk).status_code == 409
    assert send(cast.player, "character_return", cast, silas.pk, htmx=False).status_code == 302
    assert "Set Wits to 3" in text(page(cast.player, "character", cast, silas.pk))


def test_others_retire_nobody(cast, silas, npc):
    assert send(cast.other_player, "character_retire", cast, silas.pk).status_code == 403
    assert send(cast.player, "character_retire", cast, npc.pk).status_code == 403
