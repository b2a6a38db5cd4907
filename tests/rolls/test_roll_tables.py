"""A GM's tables: written, rolled on by the site's dice in the open or in secret, and seen by GMs alone."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.models import Role
from campaigns.services import play as sessions
from campaigns.services.campaigns import archive_campaign, create_campaign
from campaigns.services.members import change_role
from campaigns.services.safety import pause_play
from rolls.models import Audience, RollTable
from rolls.queries.checking import faults
from rolls.services.fairness import tell_seed
from rolls.services.tables import delete_table, roll_table, table_version, tables_of, take_tables, write_table
from rules.fairness import fits
from tests.doors import look, page, post, send, watcher
from tests.news import news

STREET = "1-2 A quiet street\n3 [[street NAMES]], at night\n4-6 Nobody"
CLIENT = "c1" * 16


def write(cast, name, lines, dice="", table=None, **more):
    return write_table(cast.gm.member, table, name=name, dice=dice, lines=lines, key=uuid4(), **more)


def rolled(cast, table, **how):
    roll_table(cast.gm.member, table, key=uuid4(), **how)
    return list(news().filter(kind="rolls.table_rolled"))


@pytest.fixture
def street(cast):
    write(cast, "Street names", "x2 Hook Lane\nMill Row")
    return write(cast, "Street", STREET, "d6")


def told(client, cast, name="table"):
    return page(client, name, cast.campaign.slug).content.decode()


# Writing


def test_what_a_gm_writes_is_told_to_gms_alone(cast, street):
    changed = write(cast, "Street", STREET.replace("Nobody", "A fox"), "d6", street, expected=table_version(street))
    assert RollTable.objects.get(pk=street.pk).lines == changed.lines and "A fox" in changed.lines
    events = news().filter(kind="rolls.table_changed")
    assert [event.stream.name for event in events] == ["gm"] * 3
    assert [(event.payload.get("before") is None, event.payload["after"]["name"]) for event in events] == [
        (True, "Street names"),
        (True, "Street"),
        (False, "Street"),
    ]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"name": "street  NÁMES", "lines": "a\nb"}, "There’s already a table called street  NÁMES."),
        ({"name": "A", "dice": "d6", "lines": "1-5 a"}, "No line says what 6 means."),
        ({"name": "A", "lines": "[[a]]\nb"}, "“A” would lead back to itself: A, A."),
        ({"name": "A", "dice": "d7", "lines": "1 a"}, "Select a valid choice"),
        ({"name": "", "lines": "a\nb"}, "This field is required."),
    ],
)
def test_what_cannot_be_is_refused_in_words_on_the_form(cast, street, form, words):
    answer = post(cast.gm.client, "roll_table_new", cast.campaign.slug, **form)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert RollTable.objects.count() == 2


def test_a_circle_closed_by_a_new_name_is_refused(cast):
    write(cast, "A", "[[B]]\nx")
    with pytest.raises(Invalid, match="A, B, A"):
        write(cast, "B", "[[A]]\nx")


def test_a_campaign_has_so_many_tables(cast, monkeypatch):
    monkeypatch.setattr(RollTable, "MOST", 1)
    table = write(cast, "A", "a\nb")
    with pytest.raises(Invalid, match="1 tables at most"):
        write(cast, "B", "a\nb")
    write(cast, "A", "b\na", "", table, expected=table_version(table))


def test_the_name_of_a_deleted_table_stays_words(cast, street, dice):
    delete_table(cast.gm.member, RollTable.objects.get(name="Street names"), key=uuid4())
    dice(3)
    (event,) = rolled(cast, street)
    assert event.payload["text"] == "street NAMES, at night"
    assert (
        "No table is called “street NAMES” yet"
        in page(cast.gm.client, "roll_table", cast.campaign.slug, street.pk).content.decode()
    )


# Rolling


def test_an_open_roll_is_told_to_everyone_with_what_its_tables_came_to(cast, street, dice):
    dice(3, 2)
    first, second = rolled(cast, street)
    assert {first.stream.name, second.stream.name} == {"table"}
    assert first.payload["text"] == "Hook Lane, at night" and second.payload["text"] == "Hook Lane"
    assert second.payload["of"] == first.payload["roll"] and first.index.card == second.index.card
    assert first.payload["dice"] == [{"face": 3, "sides": 6}] and second.payload["dice"] == [{"face": 2, "sides": 3}]
    for client in (cast.player.client, cast.spectator.client, watcher(cast)):
        assert "Hook Lane, at night" in told(client, cast) and "Nobody" not in told(client, cast)


def test_a_secret_roll_is_told_to_gms_alone(cast, street, dice):
    dice(1)
    (event,) = rolled(cast, street, audience=Audience.GM)
    assert event.stream.name == "gm"
    for client in (cast.player.client, cast.other_player.client, cast.spectator.client, watcher(cast)):
        for name in ("table", "log"):
            assert "quiet street" not in told(client, cast, name)
    assert "A quiet street" in told(cast.gm.client, cast) and "only to the GM" in told(cast.gm.client, cast)


def test_only_gms_see_tables(cast, street):
    for person in (cast.player, cast.spectator):
        assert "Street" not in told(person.client, cast)
    assert "Street" in told(cast.gm.client, cast)
    look(cast, "player")
    assert "Street" not in told(cast.gm.client, cast)


def test_nobody_rolls_while_play_is_paused_or_a_campaign_archived(cast, street):
    pause_play(cast.player.member, key=uuid4())
    with pytest.raises(Blocked):
        roll_table(cast.gm.member, street, key=uuid4())
    archive_campaign(cast.gm.member, key=uuid4())
    with pytest.raises(Blocked):
        write(cast, "More", "a\nb")
    assert "Edit table" not in page(cast.gm.client, "roll_table", cast.campaign.slug, street.pk).content.decode()


def test_tables_of_another_campaign_are_not_there(cast, street):
    elsewhere = create_campaign(cast.gm.user, name="Elsewhere", systems=["storyteller"], key=uuid4())
    gm = elsewhere.memberships.get()
    assert not tables_of(elsewhere)
    with pytest.raises(NotFound):
        roll_table(gm, street, key=uuid4())
    with pytest.raises(NotFound):
        delete_table(gm, street, key=uuid4())


@pytest.mark.parametrize("audience", [Audience.TABLE, Audience.GM])
def test_every_throw_has_a_proof_that_its_seed_fits(cast, street, settings, audience):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    sessions.start_session(cast.gm.member, "", key=uuid4())
    pairs = write(cast, "Pairs", "[[Street names]] and [[Street names]]\n[[Street names]]: [[Street names]]")
    events = rolled(cast, pairs, audience=audience, client_seed=CLIENT)
    epoch = tell_seed(cast.gm.member, key=uuid4())
    proofs = [event.payload["proof"] for event in events]
    assert [proof["spec"] for proof in proofs] == ["1d2", "1d3", "1d3"]
    assert len({proof["roll"] for proof in proofs}) == 3
    assert all(fits(str(cast.campaign.pk), proof, epoch.seed) for proof in proofs)
    assert not list(faults(cast.campaign))


# Pages and the composer


def test_the_page_shows_exact_odds_with_nested_tables_multiplied_out(cast, street):
    html = page(cast.gm.client, "roll_table", cast.campaign.slug, street.pk).content.decode()
    text = " ".join(html.split())
    assert '<td>Hook Lane, at night</td> <td>11 % <span class="quiet">1/9</span></td>' in text
    assert '<th scope="row">4–6</th> <td>Nobody</td> <td>50 % <span class="quiet">1/2</span></td>' in text


def test_results_that_are_too_many_are_counted(cast):
    write(cast, "Many", "\n".join(f"{number} x" for number in range(100)))
    table = write(cast, "Pairs", "[[Many]] [[Many]]\nx")
    html = page(cast.gm.client, "roll_table", cast.campaign.slug, table.pk).content.decode()
    assert "10001 results, too many to list." in html


def test_the_press_on_a_page_says_what_was_rolled_and_who_saw_it(cast, street, dice):
    for audience, heard in (("table", "Everyone saw it."), ("gm", "Only GMs saw it.")):
        dice(6)
        answer = post(cast.gm.client, "roll_table_roll", cast.campaign.slug, street.pk, audience=audience)
        html = cast.gm.client.get(answer.url).content.decode()
        assert f"Street: Nobody · {heard}" in html
    assert send(cast.gm, "roll_table_roll", street.pk, audience="gm").status_code == 204
    assert post(cast.gm.client, "roll_table_roll", cast.campaign.slug, street.pk, audience="self").status_code == 422


@pytest.mark.parametrize(
    ("line", "name", "stream"),
    [
        ("/table street names", "Street names", "table"),
        ("/table mood", "Mood of the house", "table"),
        ("/table mood gm", "Mood of the house", "gm"),
        ('/TABLE "street" gm', "Street", "gm"),
        ("/table street", "Street", "table"),
        ("/table street n gm", "Street names", "gm"),
        ("/table Ask the GM", "Ask the GM", "table"),
    ],
)
def test_the_composer_rolls_on_the_table_it_names(cast, street, line, name, stream):
    write(cast, "Mood of the house", "a\nb")
    write(cast, "Ask the GM", "a\nb")
    assert send(cast.gm, "compose", form="say", text=line, client_seed=CLIENT).status_code == 204
    event = news().filter(kind="rolls.table_rolled")[0]
    assert (event.payload["table"]["name"], event.stream.name) == (name, stream)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/table", "Try: /table streets."),
        ("/table nowhere", "No table is called “nowhere”. You can roll on: "),
        ("/table gm", "No table is called “gm”."),
        ("/table str", "“str” could be Street names, Street."),
        ("/table street loudly", "No table is called “street loudly”."),
    ],
)
def test_a_line_that_names_no_table_is_refused_in_words(cast, street, line, words):
    answer = send(cast.gm, "compose", form="say", text=line)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not news().filter(kind="rolls.table_rolled")


def test_without_tables_a_line_says_how_to_get_one(cast):
    answer = send(cast.gm, "compose", form="say", text="/table street")
    assert answer.status_code == 422 and "There’s no roll table yet." in answer.content.decode()


def test_a_player_who_types_it_is_told_nothing_of_tables(cast, street):
    for line in ("/table street", "/table nowhere"):
        answer = send(cast.player, "compose", form="say", text=line)
        assert answer.status_code == 422
        assert "Only the GM can roll on tables. Nothing was sent." in answer.content.decode()
        assert "Street" not in answer.content.decode()


# Kept for the next campaign


@pytest.fixture
def next_one(cast):
    campaign = create_campaign(cast.gm.user, name="Embers", systems=["storyteller"], key=uuid4())
    return campaign.memberships.get()


def test_a_gm_takes_tables_over_and_rolls_on_the_copies(cast, street, next_one, dice):
    names = RollTable.objects.get(name="Street names")
    html = page(cast.gm.client, "roll_tables", next_one.campaign.slug).content.decode()
    assert "Ashes" in html and f'value="{street.pk}"' in html
    answer = post(cast.gm.client, "roll_table_take", next_one.campaign.slug, tables=[street.pk, names.pk])
    assert answer.status_code == 302
    copies = {row.name: row for row, _read in tables_of(next_one.campaign).values()}
    assert (copies["Street"].dice, copies["Street"].lines) == ("d6", STREET)
    told = news().filter(campaign=next_one.campaign, kind="rolls.table_changed")
    assert {event.stream.name for event in told} == {"gm"} and told.count() == 2
    dice(3, 1)
    assert roll_table(next_one, copies["Street"], key=uuid4()).payload["text"] == "Hook Lane, at night"
    write(cast, "Street names", "Elsewhere\nNowhere", "", names, expected=table_version(names))
    copies["Street names"].refresh_from_db()
    assert "Hook Lane" in copies["Street names"].lines
    assert "Take over" not in page(cast.gm.client, "roll_tables", next_one.campaign.slug).content.decode()


def test_only_tables_of_campaigns_where_one_is_a_gm_are_offered(cast, street, next_one):
    assert post(cast.gm.client, "roll_table_take", next_one.campaign.slug, tables=[uuid4()]).status_code == 422
    assert post(cast.gm.client, "roll_table_take", next_one.campaign.slug).status_code == 422
    change_role(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    change_role(cast.player.member, cast.gm.member, Role.PLAYER, expected=Role.GM, key=uuid4())
    for table in (street, RollTable(pk=uuid4())):
        with pytest.raises(NotFound):
            take_tables(next_one, [table], key=uuid4())
    assert post(cast.gm.client, "roll_table_take", next_one.campaign.slug, tables=[street.pk]).status_code == 422
    assert "Street" not in page(cast.gm.client, "roll_tables", next_one.campaign.slug).content.decode()
    assert not tables_of(next_one.campaign)


def test_of_several_tables_none_is_taken_over_where_one_has_a_name_that_there_is(cast, street, next_one):
    write_table(next_one, None, name="Street names", dice="", lines="a\nb", key=uuid4())
    both = [row.pk for row in RollTable.objects.filter(campaign=cast.campaign)]
    answer = post(cast.gm.client, "roll_table_take", next_one.campaign.slug, tables=both)
    assert answer.status_code == 422 and "already a table called Street names" in answer.content.decode()
    assert len(tables_of(next_one.campaign)) == 1
