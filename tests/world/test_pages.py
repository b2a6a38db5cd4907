"""Pages of what is known: who reads and writes them, and who is told of it."""

from __future__ import annotations

import re
from dataclasses import replace
from uuid import uuid4

import pytest
from django.utils.timezone import now

from campaigns.clocks import ClockKind
from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, NotFound
from campaigns.models import Event
from campaigns.models.clocks import ClockVisibility
from campaigns.services import play
from campaigns.services.clocks import Draft, make_clock
from campaigns.services.erasing import erase_words
from campaigns.text import ERASED
from characters.models import Character
from characters.services.cards import Card, card_of, card_version, change_character, make_character, say_as
from characters.services.fields import set_field
from rolls.queries.checking import faults
from rolls.services.undoing import undo_line
from tests.answers import queries
from tests.canaries import canary
from tests.cast import viewer
from tests.characters.operations import picture
from tests.flows.pictures import upload
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.models import Page, PageKind
from world.queries import Names, all_pages, clocks_about, find_page, lines_about, storylines_about, versions
from world.services import (
    draft_of,
    hide_page,
    make_page,
    page_version,
    remove_page,
    set_picture,
    show_page,
    tell_page,
    write_page,
)

PLACE, THING = PageKind.PLACE, PageKind.THING


def made(person, name="The Gull", kind=PLACE, **how) -> Page:
    return make_page(person.member, name, kind, **how, key=uuid4())


def write(person, page, **words) -> Page:
    """Write on a page as whoever has just read it."""
    seen = viewer(person)
    current = find_page(seen, page.pk)
    draft = replace(draft_of(current, seen), **words)
    return write_page(person.member, page, draft, expected=page_version(current, seen), key=uuid4())


def told(person, page) -> list[str]:
    """Return what happened to a page, as far as a person is told, the oldest first."""
    return [event.payload.get("what", "noted") for event in reversed(versions(viewer(person), page))]


def names(person) -> set[str]:
    return {page.name for page in all_pages(viewer(person))}


def npc(cast, name="Madam Orsolya", **how):
    return make_character(cast.gm.member, Card(name, **how), key=uuid4())


def test_every_player_makes_and_writes_a_page_that_everyone_reads(cast):
    page = made(cast.player)
    write(cast.other_player, page, note="An inn.\n\n\n\nIt burned.", aliases=("the inn",))
    current = find_page(viewer(cast.spectator), page.pk)
    assert (current.note, current.aliases, current.kind) == ("An inn.\n\nIt burned.", ["the inn"], PLACE)
    assert told(cast.spectator, page) == ["made", "written"]
    with pytest.raises(Forbidden):
        write(cast.spectator, page, note="Mine")


def test_an_outsider_finds_nothing(cast):
    page = made(cast.player)
    for where in ("", f"{page.pk}/", "names/"):
        assert cast.outsider.client.get(f"/c/ashes/world/{where}").status_code == 404


def test_what_is_known_elsewhere_has_a_page_by_itself_and_no_row_until_it_is_written_on(cast):
    orsolya = npc(cast, concept="Owns the theatre")
    watch = make_clock(cast.gm.member, Draft("The night watch", 6, kind=ClockKind.FACTION), key=uuid4())
    mine = make_character(cast.player.member, Card("Silas", owner=cast.player.member), key=uuid4())
    kinds = {page.pk: page.kind for page in all_pages(viewer(cast.player))}
    assert kinds == {orsolya.pk: "person", mine.pk: "person", watch.pk: "faction"} and not Page.objects.exists()
    write(cast.player, find_page(viewer(cast.player), orsolya.pk), note="The house is hers.")
    row = Page.objects.get()
    assert (row.pk, row.character, row.name) == (orsolya.pk, orsolya, "Madam Orsolya")
    assert len(all_pages(viewer(cast.player))) == 3


def test_a_page_is_called_what_it_is_about(cast):
    orsolya = npc(cast)
    watch = make_clock(cast.gm.member, Draft("The watch", 6, kind=ClockKind.FACTION), key=uuid4())
    for about in (orsolya, watch):
        write(cast.player, find_page(viewer(cast.player), about.pk), note="Known.")
    card = replace(card_of(orsolya), name="Lady Orsolya")
    change_character(cast.gm.member, orsolya, card, expected=card_version(orsolya), key=uuid4())
    assert {page.name for page in Page.objects.all()} == {"Lady Orsolya", "The watch"}
    with pytest.raises(Invalid, match="belongs to a character"):
        hide_page(cast.gm.member, Page.objects.get(character=orsolya), key=uuid4())


def test_a_hidden_npcs_page_exists_for_no_player_until_it_is_shown(cast):
    hidden = npc(cast, "The prompter", shown=False)
    page = find_page(viewer(cast.gm), hidden.pk)
    write(cast.gm, page, note=canary("gm", "hidden"), aliases=(canary("gm", "alias"),))
    for person in (cast.player, cast.spectator):
        assert names(person) == set() and told(person, page) == []
        with pytest.raises(NotFound):
            find_page(viewer(person), hidden.pk)
        for what in ("", "card/", "edit/", "versions/"):
            assert person.client.get(f"/c/ashes/world/{hidden.pk}/{what}").status_code in (403, 404)
    with pytest.raises(NotFound):
        write_page(cast.player.member, page, draft_of(page, viewer(cast.player)), expected="", key=uuid4())
    show_page(cast.gm.member, page, key=uuid4())
    hidden.refresh_from_db()
    assert hidden.shown and names(cast.player) == {"The prompter"} and told(cast.player, page) == ["shown"]


def test_players_who_name_a_page_as_a_hidden_one_are_not_told_of_it(cast):
    npc(cast, "The prompter", shown=False)
    made(cast.gm, "The buyers", PageKind.FACTION, shown=False)
    for name in ("The prompter", "The buyers"):
        assert made(cast.player, name).name == name
    with pytest.raises(Invalid, match="already a page called The buyers"):
        made(cast.other_player, "the  buyers")


def test_a_page_of_the_gms_is_shown_and_hidden_again(cast):
    page = made(cast.gm, "The buyers", PageKind.FACTION, shown=False)
    write(cast.gm, page, note="They pay in coin.")
    assert names(cast.player) == set() and told(cast.player, page) == []
    show_page(cast.gm.member, page, key=uuid4())
    assert names(cast.player) == {"The buyers"}
    line = Event.objects.seen_by(viewer(cast.player)).get(kind=PAGE_WRITTEN)
    assert line.payload["note"] == ["They pay in coin."]
    hide_page(cast.gm.member, page, key=uuid4())
    assert names(cast.player) == set() and names(cast.gm) == {"The buyers"}


def test_no_player_makes_a_page_that_is_hidden(cast):
    assert not made(cast.player, shown=False).is_hidden


def test_a_hidden_clocks_page_is_shown_by_its_clock_alone(cast):
    draft = Draft("The debt", 6, kind=ClockKind.FACTION, visibility=ClockVisibility.SECRET)
    clock = make_clock(cast.gm.member, draft, key=uuid4())
    page = find_page(viewer(cast.gm), clock.pk)
    assert names(cast.player) == set()
    with pytest.raises(Blocked, match="under Clocks"):
        show_page(cast.gm.member, page, key=uuid4())


# Two who write


def test_who_writes_over_what_they_have_not_seen_is_refused(cast):
    page = made(cast.player)
    seen = viewer(cast.player)
    draft, version = draft_of(page, seen), page_version(page, seen)
    write(cast.other_player, page, note="Theirs")
    with pytest.raises(Conflict, match="Other Player changed this first"):
        write_page(cast.player.member, page, replace(draft, note="Mine"), expected=version, key=uuid4())
    assert Page.objects.get().note == "Theirs"


def test_two_browsers_in_the_same_second_lose_nothing_that_was_typed(cast):
    page = made(cast.player)
    url = f"/c/ashes/world/{page.pk}/edit/"
    expected = re.compile(r'name="expected" value="(\w*)"')

    def shown(person):
        return expected.search(person.client.get(url).content.decode())[1]

    def save(person, note, seen):
        form = {"name": "The Gull", "kind": "place", "aliases": "", "note": note, "expected": seen, "key": uuid4()}
        return person.client.post(url, form)

    one, two = shown(cast.player), shown(cast.other_player)
    assert save(cast.player, "It is an inn.", one).status_code == 302
    refused = save(cast.other_player, "It is a ship.", two)
    page_of_two = refused.content.decode()
    assert refused.status_code == 409 and "It is a ship." in page_of_two
    assert "It now says: It is an inn." in page_of_two and "Mo changed this first" in page_of_two
    assert save(cast.other_player, "An inn, and a ship.", expected.search(page_of_two)[1]).status_code == 302
    assert Page.objects.get().note == "An inn, and a ship."


def test_a_gm_who_writes_for_themselves_is_no_conflict_for_players(cast):
    page = made(cast.player)
    seen = viewer(cast.player)
    version = page_version(page, seen)
    write(cast.gm, page, gm_note=canary("gm", "plan"))
    draft = replace(draft_of(page, seen), note="Known")
    write_page(cast.player.member, page, draft, expected=version, key=uuid4())
    kept = Page.objects.get()
    assert (kept.note, kept.gm_note) == ("Known", canary("gm", "plan"))


# The GM's part


@pytest.fixture
def secretive(cast) -> Page:
    page = made(cast.player)
    write(cast.gm, page, note="Burned.", gm_note=f"She lit it.\n\n{canary('gm', 'rest')}")
    return page


def test_the_gms_part_reaches_no_player(cast, secretive):
    assert told(cast.gm, secretive) == ["made", "noted", "written"]
    assert told(cast.player, secretive) == ["made", "written"]
    assert find_page(viewer(cast.player), secretive.pk).get_deferred_fields() == {"gm_note"}
    for person in (cast.player, cast.spectator):
        for url in ("", f"{secretive.pk}/", f"{secretive.pk}/card/", f"{secretive.pk}/versions/", "names/"):
            answer = person.client.get(f"/c/ashes/world/{url}")
            assert answer.status_code == 200 and "canary" not in answer.content.decode()
    assert "canary" not in cast.player.client.get(f"/c/ashes/world/{secretive.pk}/edit/").content.decode()
    assert canary("gm", "rest") in cast.gm.client.get(f"/c/ashes/world/{secretive.pk}/").content.decode()


def test_a_player_who_sends_a_gms_part_writes_none(cast, secretive):
    before = Page.objects.get().gm_note
    seen = viewer(cast.player)
    draft = replace(draft_of(secretive, seen), gm_note="Mine", note="Other")
    current = find_page(seen, secretive.pk)
    write_page(cast.player.member, secretive, draft, expected=page_version(current, seen), key=uuid4())
    assert Page.objects.get().gm_note == before


def test_one_paragraph_is_told_at_the_table(cast, secretive):
    cast.gm.client.post(f"/c/ashes/world/{secretive.pk}/tell/", {"paragraph": "She lit it.", "key": uuid4()})
    page = Page.objects.get()
    assert (page.note, page.gm_note) == ("Burned.\n\nShe lit it.", canary("gm", "rest"))
    line = Event.objects.seen_by(viewer(cast.player)).filter(kind=PAGE_WRITTEN).latest("pk")
    assert line.payload["what"] == "told" and line.payload["new"] == [1]
    feed = cast.player.client.get("/c/ashes/").content.decode()
    assert "told everyone about" in feed and "She lit it." in feed and "canary" not in feed
    with pytest.raises(Conflict, match="no longer"):
        tell_page(cast.gm.member, page, "She lit it.", key=uuid4())


def test_all_of_it_is_told_and_undone(cast, secretive):
    before = Page.objects.get()
    tell_page(cast.gm.member, secretive, "", key=uuid4())
    assert Page.objects.get().gm_note == ""
    undo_line(cast.gm.member, Event.objects.filter(kind=PAGE_WRITTEN).latest("pk").uid, key=uuid4())
    after = Page.objects.get()
    assert (after.note, after.gm_note) == (before.note, before.gm_note)
    assert told(cast.player, secretive)[-1] == "undone"


def test_nothing_is_told_of_a_page_that_is_hidden(cast):
    page = made(cast.gm, shown=False)
    write(cast.gm, page, gm_note="She lit it.")
    with pytest.raises(Blocked, match="Show the page first"):
        tell_page(cast.gm.member, page, "", key=uuid4())


# Undoing


def last_line() -> Event:
    return Event.objects.filter(kind__in=(PAGE_WRITTEN, PAGE_NOTED)).latest("pk")


def test_a_gm_undoes_the_last_line_of_a_page_and_then_the_one_before(cast):
    page = made(cast.player)
    first = write(cast.player, page, note="One") and last_line()
    second = write(cast.other_player, page, note="Two") and last_line()
    with pytest.raises(Conflict, match="wrote on the page of"):
        undo_line(cast.gm.member, first.uid, key=uuid4())
    undo_line(cast.gm.member, second.uid, key=uuid4())
    assert Page.objects.get().note == "One"
    undo_line(cast.gm.member, first.uid, key=uuid4())
    assert Page.objects.get().note == ""
    undo_line(
        cast.gm.member, Event.objects.get(kind=PAGE_WRITTEN, seq=first.seq - 1, stream=first.stream).uid, key=uuid4()
    )
    assert not Page.objects.exists() and told(cast.player, page)[-1] == "removed"


def test_the_button_stands_at_the_last_line_of_a_page(cast):
    page = made(cast.player)
    write(cast.player, page, note="One")
    feed = cast.gm.client.get("/c/ashes/").content.decode()
    assert feed.count(f'data-until="undo-page:{page.pk}"') == 1
    assert "undo-page" not in cast.player.client.get("/c/ashes/").content.decode()


def test_a_removed_page_is_brought_back(cast):
    page = made(cast.player)
    write(cast.player, page, note="One", aliases=("inn",))
    remove_page(cast.gm.member, page, key=uuid4())
    assert names(cast.gm) == set()
    undo_line(cast.gm.member, last_line().uid, key=uuid4())
    back = Page.objects.get()
    assert (back.pk, back.note, back.aliases, back.name) == (page.pk, "One", ["inn"], "The Gull")


def test_undoing_refuses_where_a_page_was_written_otherwise(cast):
    page = made(cast.player)
    write(cast.player, page, note="One")
    Page.objects.update(note="Else")
    with pytest.raises(Conflict, match="Mo has changed The Gull since"):
        undo_line(cast.gm.member, last_line().uid, key=uuid4())


# The log, links, storylines, clocks


def test_the_log_is_searched_for_its_names_in_the_readers_own_streams(cast):
    orsolya = npc(cast)
    page = find_page(viewer(cast.player), orsolya.pk)
    page = write(cast.player, page, aliases=("the Madam",))
    play.say(cast.player.member, "I ask the madam for tea.", key=uuid4())
    play.say(cast.player.member, "Madam, the kettle! Orsolya and the others.", key=uuid4())  # names nobody whole
    play.whisper(
        cast.other_player.member, f"Madam Orsolya {canary('other', 'whisper')}", to=[cast.gm.member], key=uuid4()
    )
    say_as(cast.gm.member, orsolya, "You may have the box.", key=uuid4())

    def lines(person):
        return [event.payload["words"] for event in lines_about(viewer(person), page)]

    assert lines(cast.player) == ["You may have the box.", "I ask the madam for tea."]
    assert len(lines(cast.gm)) == len(lines(cast.other_player)) == 3


def test_links_lead_to_pages_the_reader_knows_and_else_to_where_one_is_made(cast):
    hidden = npc(cast, "The prompter", shown=False)
    gull = made(cast.player)
    write(cast.player, gull, note="[[the prompter]], [[New curtain]] & [[the gull|home]] `[[The Gull]]` [[<b>]]")
    note = Page.objects.get().note
    players, gms = Names(viewer(cast.player)).html(note), Names(viewer(cast.gm)).html(note)
    assert str(hidden.pk) not in players and 'class="unwritten" href="/c/ashes/world/?name=the%20prompter' in players
    assert f'<a href="/c/ashes/world/{hidden.pk}/">the prompter</a>' in gms
    for html in (players, gms):
        assert f'<a href="{gull.url}">home</a>' in html and "<code>[[The Gull]]</code>" in html and "<b>" not in html


def test_pages_that_link_here_are_named_but_not_by_what_gms_wrote(cast):
    gull, ship = made(cast.player), made(cast.player, "The ship", THING)
    secret = made(cast.gm, "The buyers", shown=False)

    def linking(person):
        return [link.page for link in Names(viewer(person)).linking(gull)]

    write(cast.gm, secret, note="At [[The Gull]].")
    write(cast.gm, ship, gm_note="Sank at [[The Gull]].")
    assert linking(cast.player) == []
    assert linking(cast.gm) == [secret, ship]
    write(cast.player, ship, note="Left from [[the GULL]].")
    assert linking(cast.player) == [ship]
    assert "Left from the GULL." in cast.player.client.get(gull.url).content.decode()


def test_a_page_that_links_here_twice_is_named_once_with_the_words_around_the_first(cast):
    gull, ship = made(cast.player, "Café Möwe"), made(cast.player, "The ship", THING)
    write(cast.player, gull, aliases=("The Gull",), note="Home of [[Café Möwe]].")
    write(cast.player, ship, note="[[The mate]] was late at [[cafe mowe|that inn]].\n\nHis [[The  gull]] is shut.")
    (link,) = Names(viewer(cast.spectator)).linking(gull)
    assert (link.page, link.words) == (ship, "The mate was late at that inn.")


def test_queries_of_a_page_have_a_bound(cast):
    gull = made(cast.player)
    few = queries(cast.player.client, gull.url)
    for number in range(3):
        clock = make_clock(cast.gm.member, Draft(f"Tide {number}", segments=4, kind=ClockKind.FACTION), key=uuid4())
        for pk in (npc(cast, f"Warden {number}").pk, clock.pk):
            write(cast.player, find_page(viewer(cast.player), pk), note="Drinks at [[The Gull]].")
    assert len(Names(viewer(cast.player)).linking(gull)) == 6
    assert (
        queries(cast.player.client, gull.url) <= few + 2
    )  # the clocks of these pages, and the lines that name the Gull


def test_its_storylines_and_clocks_stand_beside_it_as_far_as_the_reader_knows(cast):
    gm, silas = cast.gm.member, make_character(cast.player.member, Card("Silas", owner=cast.player.member), key=uuid4())
    orsolya = npc(cast)
    page = find_page(viewer(cast.player), orsolya.pk)
    theirs = play.add_storyline(gm, "Madam Orsolya’s debt", key=uuid4())
    mine = play.add_storyline(gm, "A teacher", whose=cast.player.member, key=uuid4())
    open_one = make_clock(gm, Draft("Patience of Madam Orsolya", 4), key=uuid4())
    make_clock(gm, Draft("Madam Orsolya’s plan", 4, visibility=ClockVisibility.SECRET), key=uuid4())
    assert storylines_about(viewer(cast.player), page) == [theirs]
    assert storylines_about(viewer(cast.player), find_page(viewer(cast.player), silas.pk)) == [mine]
    assert clocks_about(viewer(cast.player), page) == [open_one] and len(clocks_about(viewer(cast.gm), page)) == 2


# Erasing


def test_erasing_takes_a_persons_paragraphs_and_leaves_others(cast):
    page = made(cast.player)
    write(cast.player, page, note="Mo wrote this.")
    write(cast.other_player, page, note="Mo wrote this.\n\nThe other wrote that.")
    erase_words(cast.gm.member, cast.player.member, key=uuid4())
    assert Page.objects.get().note == f"{ERASED}\n\nThe other wrote that."
    notes = [event.payload["note"] for event in versions(viewer(cast.gm), page)]
    assert notes[0] == [ERASED, "The other wrote that."] and notes[1] == [ERASED]
    undo_line(cast.gm.member, last_line().uid, key=uuid4())
    assert Page.objects.get().note == ERASED


def test_a_deleted_character_has_no_page(cast):
    orsolya = npc(cast)
    write(cast.player, find_page(viewer(cast.player), orsolya.pk), note="Hers.")
    Character.objects.update(deleted_at=now())
    assert names(cast.gm) == set()


# Journals


def test_a_characters_journal_is_shared_on_its_page_and_notes_stay_private(cast):
    silas = make_character(cast.player.member, Card("Silas", owner=cast.player.member), key=uuid4())
    made(cast.player)
    for field, words in (("journal", "Slept at [[The Gull]]."), ("notes", canary("mo", "notes"))):
        silas = set_field(cast.player.member, silas, field, words, expected="", key=uuid4())
    page = cast.other_player.client.get(f"/c/ashes/world/{silas.pk}/").content.decode()
    assert 'Slept at <a href="/c/ashes/world/' in page and "canary" not in page


# The line that makes one, the list, names for scripts, pictures


@pytest.mark.parametrize(
    ("line", "name", "kind", "hidden"),
    [
        ("The Gull, place", "The Gull", "place", False),
        ("The buyers, Faction, hidden", "The buyers", "faction", True),
        ("Smith, Lee and Sons, hidden, person", "Smith, Lee and Sons", "person", True),
        ("A warm key", "A warm key", "thing", False),
    ],
)
def test_a_page_is_made_with_a_line(cast, line, name, kind, hidden):
    answer = cast.gm.client.post("/c/ashes/world/new/", {"name": line, "key": uuid4()})
    page = Page.objects.get()
    assert answer.status_code == 302 and answer.url == f"{page.url}edit/"
    assert (page.name, page.kind, page.is_hidden) == (name, kind, hidden)


def test_a_line_in_german_is_understood(cast):
    cast.player.user.language = "de"
    cast.player.user.save()
    cast.player.client.post("/c/ashes/world/new/", {"name": "Die Möwe, Ort, verborgen", "key": uuid4()})
    page = Page.objects.get()
    assert (page.name, page.kind, page.is_hidden) == ("Die Möwe", "place", False)  # no player hides one


def test_the_list_is_searched_by_every_name(cast):
    write(cast.player, made(cast.player), aliases=("the inn",))
    made(cast.player, "The ship", THING)
    found = cast.spectator.client.get("/c/ashes/world/", {"q": "INN"}).content.decode()
    assert "The Gull" in found and "The ship" not in found
    assert "No match for" in cast.spectator.client.get("/c/ashes/world/", {"q": "nothing"}).content.decode()


def test_names_for_the_feed_leave_out_player_characters_on_whose_pages_nobody_wrote(cast):
    silas = make_character(cast.player.member, Card("Silas", owner=cast.player.member), key=uuid4())
    npc(cast)
    npc(cast, "The prompter", shown=False)

    def told():
        read = cast.other_player.client.get("/c/ashes/world/names/").json()["names"]
        return {one["name"]: one["told"] for one in read}

    assert told() == {"Silas": False, "Madam Orsolya": True}
    write(cast.other_player, find_page(viewer(cast.player), silas.pk), note="Reads too much.")
    assert told() == {"Silas": True, "Madam Orsolya": True}


def test_a_removed_page_is_brought_back_with_its_picture(cast):
    page = made(cast.player)
    page = set_picture(cast.player.member, page, upload("a gull"), key=uuid4())
    remove_page(cast.gm.member, page, key=uuid4())
    assert cast.player.client.get(page.portrait()["url"]).status_code == 404
    undo_line(cast.gm.member, last_line().uid, key=uuid4())
    back = find_page(viewer(cast.player), page.pk)
    assert back.picture and back.portrait() == page.portrait()
    answer = cast.player.client.get(page.portrait()["url"])
    assert answer.status_code == 200 and answer.content == upload("a gull").small


def test_a_clocks_page_keeps_its_picture_when_the_first_that_was_written_is_undone(cast):
    watch = make_clock(cast.gm.member, Draft("The watch", 6, kind=ClockKind.FACTION), key=uuid4())
    page = write(cast.player, find_page(viewer(cast.player), watch.pk), note="They march.", aliases=("guards",))
    written = last_line().uid
    pictured = set_picture(cast.player.member, page, upload("a watch"), key=uuid4())
    undo_line(cast.gm.member, written, key=uuid4())
    now = find_page(viewer(cast.player), watch.pk)
    assert (now.note, now.aliases, now.portrait()) == ("", [], pictured.portrait())
    assert not list(faults(cast.campaign))


def test_a_page_has_a_picture_that_those_see_who_read_it(cast):
    page = made(cast.gm, shown=False)
    url = f"/c/ashes/world/{page.pk}/picture/"
    cast.gm.client.post(url, {"picture": picture(), "key": uuid4()})
    shown = find_page(viewer(cast.gm), page.pk).portrait()["url"]
    for part in ("", "icon/"):
        assert cast.gm.client.get(shown + part)["Content-Type"] == "image/webp"
        assert cast.player.client.get(shown + part).status_code == 404
    assert cast.gm.client.get(f"{url}{'0' * 32}/").status_code == 404
    cast.gm.client.post(url, {"remove": "1", "key": uuid4()})
    assert cast.gm.client.get(shown).status_code == 404
    orsolya = npc(cast)
    with pytest.raises(Invalid, match="portrait"):
        set_picture(cast.gm.member, find_page(viewer(cast.gm), orsolya.pk), None, key=uuid4())
