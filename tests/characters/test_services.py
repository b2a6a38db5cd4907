"""What may be done to a character, by whom, and in whose streams it is told."""

from uuid import uuid4

import pytest
from django.db.models import Q

from campaigns.errors import Forbidden, Invalid, Missing, Stale
from campaigns.models import Event, Membership, Subject
from campaigns.owners import owners_of
from campaigns.services.log import locked, open_table
from characters.models import Character
from characters.services import (
    Card,
    card_version,
    change_character,
    make_character,
    retire_character,
    return_character,
    return_willpower,
    say_as,
    set_field,
    shift_disposition,
    spend_willpower,
)

TRAITOR = "Quillon-Traitor"  # a name that only GMs may ever read


@pytest.fixture
def silas(cast):
    return make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=uuid4())


@pytest.fixture
def npc(cast):
    return make_character(cast.gm.member, Card("Vesper", "Regent"), key=uuid4())


@pytest.fixture
def hidden(cast):
    return make_character(cast.gm.member, Card(TRAITOR, "Spy", shown=False), key=uuid4())


def change(by, character, key=None, **to):
    character.refresh_from_db()
    now = {"name": character.name, "concept": character.concept, "owner": character.owner, "shown": character.shown}
    return change_character(by, character, Card(**now | to), seen=card_version(character), key=key or uuid4())


def put(by, character, field, value, seen, key=None):
    return set_field(by, character, field, value, seen=seen, key=key or uuid4())


def told(stream=None):
    of_characters = Q(kind__startswith="characters.") | Q(kind="campaigns.said")
    events = Event.objects.filter(of_characters).order_by("id").select_related("stream", "payload")
    return [event for event in events if stream is None or event.stream.name == stream]


def inside(by, deed):
    """Run a plain helper inside a deed of `by`."""
    with locked(by.campaign) as campaign:
        return deed(open_table(campaign, Membership.objects.get(pk=by.pk), uuid4()))


# Making


def test_a_player_makes_a_character_and_the_table_hears_of_it(cast):
    key = uuid4()
    silas = make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=key)
    assert silas.pk == key
    (event,) = told()
    assert (event.stream.name, event.kind) == ("table", "characters.character_made")
    assert event.facts["card"] == {
        "id": str(key),
        "name": "Silas Grey",
        "concept": "Archivist",
        "whose": {"member": cast.player.member.pk, "name": "Mo"},
        "shown": True,
    }
    assert Subject.objects.filter(event=event, key=f"character:{key}", name="Silas Grey").exists()


def test_a_hidden_npc_is_told_to_the_gms_alone(cast, hidden):
    assert [event.stream.name for event in told()] == ["gm"]
    assert list(Character.objects.seen_by(cast.player.member)) == []
    assert list(Character.objects.seen_by(cast.gm.member)) == [hidden]


def test_the_same_key_makes_one_character(cast):
    key, card = uuid4(), Card("Silas Grey", owner=cast.player.member)
    first = make_character(cast.player.member, card, key=key)
    assert make_character(cast.player.member, card, key=key) == first
    assert Character.objects.count() == len(told()) == 1
    with pytest.raises(Invalid):
        make_character(cast.player.member, Card("Somebody else", owner=cast.player.member), key=key)


def test_players_make_no_npcs_and_no_characters_of_others(cast):
    for card in (Card("X"), Card("X", shown=False), Card("X", owner=cast.other_player.member)):
        with pytest.raises(Forbidden):
            make_character(cast.player.member, card, key=uuid4())
    with pytest.raises(Forbidden):
        make_character(cast.player.member, Card("X", owner=cast.player.member, shown=False), key=uuid4())
    assert not Character.objects.exists() and not told()


def test_spectators_make_nothing_and_who_was_removed_is_not_here(cast):
    with pytest.raises(Forbidden):
        make_character(cast.spectator.member, Card("X", owner=cast.spectator.member), key=uuid4())
    with pytest.raises(Missing):
        make_character(cast.removed.member, Card("X", owner=cast.removed.member), key=uuid4())


def test_a_character_is_given_to_somebody_who_plays_here(cast):
    for owner in (cast.spectator.member, cast.removed.member):
        with pytest.raises(Invalid) as refused:
            make_character(cast.gm.member, Card("X", owner=owner), key=uuid4())
        assert refused.value.field == "owner"


# Fields


def test_a_field_changes_in_one_event_with_before_and_after(cast, silas):
    put(cast.player.member, silas, "strength", "4", "1")
    event = told()[-1]
    assert event.stream.name == cast.player.member.stream
    assert event.kind == "characters.field_changed"
    assert (event.facts["before"], event.facts["after"]) == (1, 4)
    assert event.facts["mark"] == {"field": "strength", "label": "Strength", "value": 4, "of": 5, "marks": "dots"}
    silas.refresh_from_db()
    assert silas.value("strength") == 4


def test_an_npcs_fields_are_told_to_the_gms_alone_even_when_it_is_shown(cast, npc):
    put(cast.gm.member, npc, "wits", 3, 1)
    assert told()[-1].stream.name == "gm"


def test_the_second_of_two_who_saw_the_same_is_refused_with_both_values_known(cast, silas):
    put(cast.gm.member, silas, "willpower", 6, 3)
    before = len(told())
    with pytest.raises(Stale) as refused:
        put(cast.player.member, silas, "willpower", 5, 3)
    assert (refused.value.current, refused.value.by, refused.value.field) == (6, "Gm", "willpower")
    silas.refresh_from_db()
    assert silas.value("willpower") == 6 and len(told()) == before


def test_who_wrote_another_field_is_not_blamed(cast, silas):
    put(cast.gm.member, silas, "wits", 2, 1)
    put(cast.player.member, silas, "strength", 3, 1)
    with pytest.raises(Stale) as refused:
        put(cast.player.member, silas, "wits", 4, 1)
    assert refused.value.by == "Gm"


def test_two_who_want_the_same_are_both_content(cast, silas):
    put(cast.gm.member, silas, "wits", 3, 1)
    events = len(told())
    put(cast.player.member, silas, "wits", 3, 1)
    assert len(told()) == events


def test_neighbouring_fields_do_not_disturb_each_other(cast, silas):
    put(cast.gm.member, silas, "wits", 3, 1)
    put(cast.player.member, silas, "strength", 3, 1)
    silas.refresh_from_db()
    assert silas.sheet == {"wits": 3, "strength": 3}


def test_a_key_sent_twice_changes_a_field_once(cast, silas):
    key = uuid4()
    put(cast.player.member, silas, "wits", 3, 1, key)
    put(cast.gm.member, silas, "wits", 5, 3)
    put(cast.player.member, silas, "wits", 3, 1, key)
    silas.refresh_from_db()
    assert silas.value("wits") == 5


def test_lowering_permanent_willpower_takes_the_current_with_it(cast, silas):
    put(cast.player.member, silas, "willpower", 2, 3)
    silas.refresh_from_db()
    assert silas.sheet == {"willpower": 2, "willpower_now": 2}
    permanent, current = told()[-2:]
    assert (current.facts["before"], current.facts["after"]) == (3, 2)
    assert current.facts["mark"]["of"] == 2
    assert permanent.facts["also"] == [current.facts["mark"]]


def test_raising_permanent_willpower_leaves_the_current_and_draws_it_anew(cast, silas):
    put(cast.player.member, silas, "willpower", 7, 3)
    (also,) = told()[-1].facts["also"]
    assert (also["field"], also["value"], also["of"]) == ("willpower_now", 3, 7)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("strength", 6),
        ("strength", -1),
        ("alertness", 7),
        ("willpower", 11),
        ("willpower_now", 4),
        ("strength", "lots"),
        ("strength", ""),
        ("strength", None),
        ("no_such_thing", 1),
        ("name", "Bob"),
        ("disposition", 1),
        ("", 1),
    ],
)
def test_bad_values_are_refused_and_nothing_changes(cast, silas, field, value):
    events = len(told())
    with pytest.raises(Invalid) as refused:
        put(cast.player.member, silas, field, value, 1)
    assert refused.value.message
    silas.refresh_from_db()
    assert silas.sheet == {} and len(told()) == events


def test_others_write_in_no_sheet(cast, silas, npc, hidden):
    with pytest.raises(Forbidden):
        put(cast.other_player.member, silas, "wits", 2, 1)
    with pytest.raises(Forbidden):
        put(cast.spectator.member, silas, "wits", 2, 1)
    with pytest.raises(Forbidden):
        put(cast.player.member, npc, "wits", 2, 1)
    with pytest.raises(Missing):
        put(cast.player.member, hidden, "wits", 2, 1)
    with pytest.raises(Missing):
        put(cast.removed.member, silas, "wits", 2, 1)


def test_a_hidden_npc_and_one_that_never_was_are_refused_alike(cast, hidden):
    def refusal(character):
        with pytest.raises(Missing) as refused:
            put(cast.player.member, character, "wits", 2, 1)
        return str(refused.value)

    assert refusal(hidden) == refusal(Character(id=uuid4()))


def test_an_npcs_disposition_is_a_field_of_it(cast, npc):
    put(cast.gm.member, npc, "disposition", "-5", "0")
    npc.refresh_from_db()
    assert npc.disposition == -5
    assert told()[-1].facts["mark"]["marks"] == "signed"


# Helpers of rolls and Burns


def test_a_spent_willpower_point_leaves_the_permanent_rating(cast, silas):
    assert inside(cast.player.member, lambda table: spend_willpower(table, silas, why="a roll")) == 2
    assert silas.value("willpower_now") == 2 and silas.value("willpower") == 3
    event = told()[-1]
    assert (event.facts["before"], event.facts["after"], event.facts["why"]) == (3, 2, "a roll")


def test_without_willpower_none_is_spent(cast, silas):
    put(cast.player.member, silas, "willpower_now", 0, 3)
    with pytest.raises(Invalid) as refused:
        inside(cast.player.member, lambda table: spend_willpower(table, silas))
    assert refused.value.field == "willpower"


def test_spending_reads_the_sheet_as_it_is_under_the_lock(cast, silas):
    put(cast.gm.member, silas, "willpower_now", 1, 3)
    assert inside(cast.player.member, lambda table: spend_willpower(table, silas)) == 0


def test_a_returned_point_does_not_exceed_the_permanent_rating(cast, silas):
    inside(cast.player.member, lambda table: spend_willpower(table, silas))
    assert inside(cast.gm.member, lambda table: return_willpower(table, silas)) == 3
    events = len(told())
    assert inside(cast.gm.member, lambda table: return_willpower(table, silas)) == 3
    assert len(told()) == events


def test_a_disposition_stays_within_five(cast, npc):
    assert inside(cast.gm.member, lambda table: shift_disposition(table, npc, 1)) == (0, 1)
    assert inside(cast.gm.member, lambda table: shift_disposition(table, npc, 9)) == (1, 5)
    assert inside(cast.gm.member, lambda table: shift_disposition(table, npc, -20)) == (5, -5)
    assert npc.disposition == -5
    assert {event.stream.name for event in told() if event.kind.endswith("field_changed")} == {"gm"}


def test_a_player_characters_feelings_are_not_moved(cast, silas):
    with pytest.raises(Invalid):
        inside(cast.gm.member, lambda table: shift_disposition(table, silas, 1))


# The card


def test_a_changed_card_is_told_with_what_stood_on_it_before(cast, silas):
    change(cast.player.member, silas, name="Silas Black")
    event = told()[-1]
    assert (event.stream.name, event.kind) == ("table", "characters.character_changed")
    assert (event.facts["before"]["name"], event.facts["card"]["name"]) == ("Silas Grey", "Silas Black")


def test_an_unchanged_card_is_no_event(cast, silas):
    events = len(told())
    change(cast.player.member, silas)
    assert len(told()) == events


def test_a_stale_card_is_refused_with_the_one_there_is_and_who_wrote_it(cast, silas):
    seen = card_version(silas)
    change(cast.gm.member, silas, concept="Librarian")
    with pytest.raises(Stale) as refused:
        change_character(
            cast.player.member, silas, Card("Silas Black", "Archivist", cast.player.member), seen=seen, key=uuid4()
        )
    assert refused.value.by == "Gm"
    assert refused.value.current["concept"] == "Librarian"


def test_players_neither_hand_over_nor_hide(cast, silas):
    for to in ({"owner": None}, {"owner": cast.other_player.member}, {"shown": False}):
        with pytest.raises(Forbidden):
            change(cast.player.member, silas, **to)


def test_a_gm_hands_a_character_over_and_the_sheet_goes_with_it(cast, silas):
    change(cast.gm.member, silas, owner=cast.other_player.member)
    put(cast.other_player.member, silas, "wits", 2, 1)
    assert told()[-1].stream.name == cast.other_player.member.stream
    with pytest.raises(Forbidden):
        put(cast.player.member, silas, "wits", 3, 2)


def test_a_hidden_npc_that_is_renamed_stays_with_the_gms(cast, hidden):
    change(cast.gm.member, hidden, name="Other")
    assert [event.stream.name for event in told()] == ["gm", "gm"]


def test_showing_an_npc_tells_the_table_nothing_of_what_it_was_called_before(cast, hidden):
    change(cast.gm.member, hidden, name="Corvin", shown=True)
    (event,) = told("table")
    assert event.facts["card"]["name"] == "Corvin"
    assert event.facts["before"] is None
    assert TRAITOR not in str(event.facts)
    assert not Subject.objects.filter(event=event, name=TRAITOR).exists()
    twin = told("gm")[-1]
    assert twin.uid == event.uid and twin.facts["before"]["name"] == TRAITOR
    assert list(Character.objects.seen_by(cast.player.member)) == [hidden]


def test_hiding_an_npc_tells_the_table_nothing_of_what_it_is_called_from_now_on(cast, npc):
    change(cast.gm.member, npc, name=TRAITOR, shown=False)
    event = told("table")[-1]
    assert event.facts["card"] is None and event.facts["character"]["name"] == "Vesper"
    assert TRAITOR not in str(event.facts)
    assert not Subject.objects.filter(event=event, name=TRAITOR).exists()
    assert told("gm")[-1].facts["card"]["name"] == TRAITOR


def test_a_hidden_npc_given_to_a_player_is_hidden_no_more(cast, hidden):
    change(cast.gm.member, hidden, owner=cast.player.member)
    hidden.refresh_from_db()
    assert hidden.shown and told("table")


# Coming and going


def test_a_retired_character_is_told_kept_and_brought_back(cast, silas):
    retire_character(cast.player.member, silas, key=uuid4())
    assert not Character.objects.played_by(cast.player.member).exists()
    with pytest.raises(Invalid):
        put(cast.player.member, silas, "wits", 2, 1)
    with pytest.raises(Stale):
        retire_character(cast.gm.member, silas, key=uuid4())
    return_character(cast.gm.member, silas, key=uuid4())
    assert list(Character.objects.played_by(cast.player.member)) == [silas]
    assert [event.kind for event in told("table")][1:] == [
        "characters.character_retired",
        "characters.character_returned",
    ]
    with pytest.raises(Stale):
        return_character(cast.gm.member, silas, key=uuid4())


def test_a_hidden_npc_retires_in_silence(cast, hidden):
    retire_character(cast.gm.member, hidden, key=uuid4())
    assert not told("table")


# Speaking


def test_a_character_speaks_in_its_own_name(cast, silas):
    say_as(cast.player.member, silas, "Who goes there?", key=uuid4())
    event = told("table")[-1]
    assert event.kind == "campaigns.said"
    assert event.facts["voice"] == {"id": str(silas.pk), "name": "Silas Grey"}
    assert event.facts["manner"] == "character"


def test_nobody_speaks_for_the_characters_of_others(cast, silas, npc, hidden):
    for character, refusal in ((silas, Forbidden), (npc, Forbidden), (hidden, Missing)):
        with pytest.raises(refusal):
            say_as(cast.other_player.member, character, "Hello", key=uuid4())


def test_a_hidden_npc_is_not_betrayed_by_its_voice(cast, hidden):
    with pytest.raises(Invalid) as refused:
        say_as(cast.gm.member, hidden, "Hello", key=uuid4())
    assert refused.value.field == "voice"
    assert not told("table")


def test_the_retired_are_silent(cast, silas):
    retire_character(cast.player.member, silas, key=uuid4())
    with pytest.raises(Invalid):
        say_as(cast.player.member, silas, "Boo", key=uuid4())


def test_clocks_learn_of_characters(cast, silas, hidden):
    owners = owners_of(cast.campaign)
    assert owners[f"character:{silas.pk}"].player == cast.player.member
    assert owners[f"character:{hidden.pk}"].shown is False
