"""The shelf: handouts shown to some and later to more, several sent at once, and taken over into another campaign."""

from __future__ import annotations

from io import BytesIO
from uuid import uuid4

import pytest
from django.urls import reverse
from PIL import Image

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.models import Event, Picture, PictureLine, Role
from campaigns.queries.handouts import shelf
from campaigns.services.campaigns import create_campaign
from campaigns.services.erasing import erase_words
from campaigns.services.members import change_role, remove_member
from campaigns.services.pictures import drop_handout, keep_handout, take_over
from campaigns.services.play import hand_out, say, show_handout
from rolls.queries.checking import faults
from tests.cast import viewer
from tests.doors import page, post, watcher
from tests.flows.pictures import upload
from tests.news import news


def handed(cast, *to, title="A letter", **how):
    """Hand something out to these persons, or to everyone. Return the picture."""
    chosen = [person.member for person in to]
    line = hand_out(cast.gm.member, title, upload(f"{title} {uuid4()}"), to=chosen, key=uuid4(), **how)
    return Picture.objects.get(uid=line.uid)


def show(cast, picture, *to):
    return show_handout(cast.gm.member, picture.uid, to=[person.member for person in to], key=uuid4())


def on_shelf(person):
    return {one.picture.title: one.audience for one in shelf(viewer(person))}


def sees(person, picture, cast):
    url = reverse("shared_picture", args=[cast.campaign.slug, picture.pk])
    return getattr(person, "client", person).get(url).status_code == 200


# Shown to some


def test_a_handout_is_shown_to_exactly_those_who_are_chosen(cast):
    letter = handed(cast, cast.player)
    assert on_shelf(cast.player) == {"A letter": "some"} == on_shelf(cast.gm)
    for other in (cast.other_player, cast.spectator):
        assert on_shelf(other) == {} and not sees(other, letter, cast)
    assert sees(cast.player, letter, cast) and not sees(watcher(cast), letter, cast)
    assert {event.stream.name for event in news().filter(kind__contains="campaigns.")} >= {cast.player.member.stream}
    told = news().exclude(kind__in=["campaigns.watching_changed"])
    assert {event.stream.name for event in told} == {cast.player.member.stream}


def test_it_is_told_at_the_table_to_those_alone(cast):
    handed(cast, cast.player, title="Only for Mo")
    assert "Only for Mo" in page(cast.player.client, "table", cast.campaign.slug).content.decode()
    for client in (cast.other_player.client, cast.spectator.client, watcher(cast)):
        for name in ("table", "handouts", "log"):
            assert "Only for Mo" not in page(client, name, cast.campaign.slug).content.decode()


def test_a_handout_is_shown_later_to_more_and_the_first_are_not_told_twice(cast):
    letter = handed(cast, cast.player)
    show(cast, letter, cast.player, cast.other_player)
    assert sees(cast.other_player, letter, cast) and not sees(cast.spectator, letter, cast)
    mine, theirs = cast.player.member.stream, cast.other_player.member.stream
    told = [(event.kind.partition(".")[2], event.stream.name) for event in news()]
    assert told == [("said", mine), ("handout_changed", mine), ("said", theirs), ("handout_changed", theirs)]
    for person in (cast.player, cast.other_player):
        html = page(person.client, "handouts", cast.campaign.slug).content.decode()
        (one,) = shelf(viewer(person))
        assert reverse("log_event", args=[cast.campaign.slug, one.uid]) in html
        assert page(person.client, "log_event", cast.campaign.slug, one.uid).status_code == 200
        assert "Seen by" not in html
    html = page(cast.gm.client, "handouts", cast.campaign.slug).content.decode()
    assert "Seen by:" in html
    assert not list(faults(cast.campaign))


def test_in_the_end_everyone_sees_it_and_nobody_twice(cast):
    letter = handed(cast, hidden=True)
    assert on_shelf(cast.gm) == {"A letter": "gm"} and on_shelf(cast.player) == {}
    show(cast, letter, cast.spectator)
    show(cast, letter)
    for person in (cast.gm, cast.player, cast.spectator):
        assert on_shelf(person) == {"A letter": "everyone"}
    assert sees(watcher(cast), letter, cast)
    with pytest.raises(Blocked, match="They can see it already"):
        show(cast, letter)
    assert Picture.objects.count() == 1 and PictureLine.objects.count() == 2


def test_a_title_that_changes_is_told_to_all_who_see_it(cast):
    letter = handed(cast, cast.player)
    show(cast, letter, cast.other_player)
    keep_handout(cast.gm.member, letter.lines.get().uid, "A forged letter", key=uuid4())
    assert on_shelf(cast.player) == on_shelf(cast.other_player) == {"A forged letter": "some"}
    drop_handout(cast.gm.member, letter.uid, key=uuid4())
    assert on_shelf(cast.player) == on_shelf(cast.other_player) == on_shelf(cast.gm) == {}
    assert sees(cast.other_player, letter, cast) and not list(faults(cast.campaign))


def test_what_cannot_be_shown_is_refused_in_words(cast):
    letter = handed(cast, cast.player)
    with pytest.raises(Blocked, match="They can see it already"):
        show(cast, letter, cast.player)
    with pytest.raises(Invalid, match="GMs see every handout"):
        handed(cast, cast.gm)
    line = say(cast.player.member, "Look", picture=upload("x"), key=uuid4())
    with pytest.raises(NotFound):
        show_handout(cast.gm.member, line.uid, to=[cast.other_player.member], key=uuid4())
    with pytest.raises(Invalid, match="has left the campaign"):
        handed(cast, cast.removed)
    remove_member(cast.gm.member, cast.other_player.member, key=uuid4())
    with pytest.raises(Invalid, match="has left the campaign"):
        show(cast, letter, cast.other_player)


def test_who_leaves_sees_it_no_longer(cast):
    letter = handed(cast, cast.other_player)
    remove_member(cast.gm.member, cast.other_player.member, key=uuid4())
    assert not sees(cast.other_player, letter, cast)


def test_erasing_takes_all_its_lines_with_it(cast):
    letter = handed(cast, cast.player)
    show(cast, letter, cast.other_player)
    erase_words(cast.gm.member, cast.gm.member, key=uuid4())
    assert not Picture.objects.exists() and not PictureLine.objects.exists()
    lines = [event.payload["picture"] for event in Event.objects.filter(kind="campaigns.said").select_related("stored")]
    assert [line["id"] for line in lines] == [None, None] and not list(faults(cast.campaign))


# The page


def made(name="map_of the docks.png", form="PNG"):
    out = BytesIO()
    Image.new("RGB", (90, 60), "tomato").save(out, form)
    out.seek(0)
    out.name = name
    return out


def sent(cast, **form):
    """Send one file as js/shelf.js does."""
    url = reverse("handout_add", args=[cast.campaign.slug])
    return cast.gm.client.post(url, {"key": uuid4(), "title": "Map"} | form, headers={"hx-request": "true"})


def test_files_are_sent_one_by_one_and_a_bad_one_is_refused_in_words(cast):
    bad = BytesIO(b"no picture")
    bad.name = "b.png"
    answers = [sent(cast, picture=file, title=f"Map {at}") for at, file in enumerate((made(), bad, made("c.png")))]
    assert [answer.status_code for answer in answers] == [204, 422, 204]
    assert "can’t be read as a picture" in answers[1].content.decode()
    assert set(on_shelf(cast.player)) == {"Map 0", "Map 2"}


def test_the_form_shows_to_those_it_names(cast):
    assert sent(cast, picture=made(), to=[cast.player.member.pk]).status_code == 204
    assert on_shelf(cast.player) == {"Map": "some"} and on_shelf(cast.other_player) == {}
    answer = sent(cast, picture=made(), to=[cast.player.member.pk], hidden="on")
    assert answer.status_code == 422 and "Choose people, or only GMs." in answer.content.decode()
    assert sent(cast, picture=made(), to=[cast.gm.member.pk]).status_code == 422
    assert sent(cast, picture=made(), to=[cast.removed.member.pk]).status_code == 422
    (one,) = shelf(viewer(cast.gm))
    post(cast.gm.client, "handout_reveal", cast.campaign.slug, one.uid, to=[cast.other_player.member.pk])
    assert on_shelf(cast.other_player) == {"Map": "some"} and on_shelf(cast.spectator) == {}


# Kept for the next campaign


@pytest.fixture
def next_one(cast):
    campaign = create_campaign(cast.gm.user, name="Embers", systems=["storyteller"], key=uuid4())
    return campaign.memberships.get()


def test_a_gm_takes_handouts_over_and_only_gms_see_them_there(cast, next_one):
    letter = handed(cast, cast.player)
    html = page(cast.gm.client, "handouts", next_one.campaign.slug).content.decode()
    assert "Ashes" in html and f'value="{letter.pk}"' in html
    answer = post(cast.gm.client, "handout_take", next_one.campaign.slug, pictures=[letter.pk])
    assert answer.status_code == 302
    copy = Picture.objects.get(campaign=next_one.campaign)
    assert (copy.title, bytes(copy.full)) == ("A letter", bytes(Picture.objects.get(pk=letter.pk).full))
    told = Event.objects.filter(campaign=next_one.campaign, kind__in=["campaigns.said", "campaigns.handout_changed"])
    assert {event.stream.name for event in told.select_related("stream")} == {"gm"}
    show_handout(next_one, copy.uid, key=uuid4())
    assert not list(faults(next_one.campaign)) and not list(faults(cast.campaign))


def test_only_own_handouts_of_campaigns_where_one_is_a_gm_are_offered(cast, next_one):
    line = say(cast.player.member, "Look", picture=upload("by a player"), key=uuid4())
    keep_handout(cast.gm.member, line.uid, "A player's", key=uuid4())
    theirs, mine = Picture.objects.get(uid=line.uid), handed(cast)
    for picture in (theirs, Picture(pk=uuid4())):
        with pytest.raises(NotFound):
            take_over(next_one, [picture], key=uuid4())
    assert post(cast.gm.client, "handout_take", next_one.campaign.slug, pictures=[theirs.pk]).status_code == 422
    assert post(cast.gm.client, "handout_take", next_one.campaign.slug).status_code == 422
    change_role(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    change_role(cast.player.member, cast.gm.member, Role.PLAYER, expected=Role.GM, key=uuid4())
    with pytest.raises(NotFound):
        take_over(next_one, [mine], key=uuid4())
    assert "Take over" not in page(cast.gm.client, "handouts", next_one.campaign.slug).content.decode()


def test_what_is_taken_over_counts_among_the_bytes_of_its_campaign(cast, next_one, settings):
    letter = handed(cast)
    settings.LARGEST_PICTURES = 1
    with pytest.raises(Blocked, match="used up"):
        take_over(next_one, [letter], key=uuid4())
    assert not Picture.objects.filter(campaign=next_one.campaign).exists()
