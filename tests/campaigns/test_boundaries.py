"""Lines and veils: each writes their own, all read them without names."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.events import BOUNDARIES_CHANGED
from campaigns.live.render import render_live
from campaigns.models import Boundaries, Event, Role
from campaigns.services import members
from campaigns.services.campaigns import show_as_sample, start_watching, watch_token
from campaigns.services.erasing import erase_words
from campaigns.services.safety import boundaries_version as version
from campaigns.services.safety import own_boundaries, write_boundaries
from campaigns.views.log import FORMS
from tests.doors import look
from tests.flows.hostile import ELEMENTS, harmless


def write(person, lines=(), veils=()):
    write_boundaries(person.member, lines, veils, expected=version(own_boundaries(person.member)), key=uuid4())


def merged(cast):
    return Boundaries.objects.merged(cast.campaign)


def page(person, cast, **typed):
    url = reverse("boundaries", args=[cast.campaign.slug])
    return person.client.post(url, {"key": str(uuid4())} | typed) if typed else person.client.get(url)


def text(answer):
    return answer.content.decode()


def test_everybody_reads_what_all_have_written_spectators_too(cast):
    write(cast.player, ["Harm to animals"], ["Love scenes"])
    write(cast.spectator, ["Drowning"])
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        read = text(page(person, cast))
        assert all(words in read for words in ("Harm to animals", "Love scenes", "Drowning"))


def test_the_list_is_the_same_whoever_wrote_what(cast):
    write(cast.player, ["spiders", "Abduction"], ["Torture"])
    write(cast.other_player, ["Spiders", "torture"], ["Zeppelins"])
    one = merged(cast)
    assert one == {"lines": ["Abduction", "Spiders", "torture"], "veils": ["Zeppelins"]}
    read = text(page(cast.gm, cast))
    write(cast.player, ["Spiders", "torture"], ["Zeppelins"])
    write(cast.other_player, ["spiders", "Abduction"], ["Torture"])
    assert merged(cast) == one
    assert _without_tokens(text(page(cast.gm, cast))) == _without_tokens(read)


def _without_tokens(html):
    return [line for line in html.splitlines() if "token" not in line.lower() and "data-heads" not in line]


def test_the_table_is_told_that_they_changed_and_by_nobody(cast):
    write(cast.player, ["Drowning"])
    event = Event.objects.latest("pk")
    assert (event.kind, event.actor, event.payload, event.stream.name) == (
        BOUNDARIES_CHANGED,
        None,
        {"by": None},
        "table",
    )
    assert not event.subjects.exists()
    for role in Role:
        drawn = render_live(event, role)
        assert "Lines and veils changed." in drawn and cast.player.user.name not in drawn.replace("moment", "")
    write(cast.other_player, ["drowning"])  # the list says the same as before
    assert Event.objects.latest("pk") == event


def test_one_writes_ones_own_and_reads_them_in_the_form_again(cast):
    write(cast.player, ["Drowning"])
    seen = version(own_boundaries(cast.player.member))
    answer = page(cast.player, cast, lines="  Fire \r\n\r\n  Dolls  ", veils="", expected=seen)
    assert answer.status_code == 302
    assert own_boundaries(cast.player.member).lines == ["Fire", "Dolls"]
    assert "Fire\nDolls</textarea>" in text(page(cast.player, cast))
    assert "Fire\nDolls</textarea>" not in text(page(cast.gm, cast))


def test_a_gm_who_sees_it_as_somebody_does_not_see_which_are_theirs(cast):
    write(cast.player, ["Drowning"])
    write(cast.other_player, ["Fire"])
    look(cast, cast.player.member.pk)
    read = text(page(cast.gm, cast))
    assert "Drowning" in read and "Fire" in read and "<textarea" not in read


def test_who_is_invited_reads_them_before_joining(cast):
    write(cast.player, ["Drowning"])
    key = uuid4()
    members.invite(cast.gm.member, Role.PLAYER, days=1, uses=1, key=key)
    invited = cast.outsider.client.get(reverse("join", args=[members.invitation_token(key)]))
    assert "Drowning" in text(invited)


def test_they_are_in_no_file_that_anybody_takes_away(cast):
    write(cast.player, ["Drowning"], ["Fire"])
    url = reverse("log_export", args=[cast.campaign.slug])
    for form in FORMS:
        taken = cast.gm.client.get(url, {"as": form}).getvalue().decode()
        assert "Drowning" not in taken and "Fire" not in taken


def test_they_go_with_their_writers_words_their_account_and_their_leaving(cast):
    for going in (
        lambda person: erase_words(cast.gm.member, person.member, key=uuid4()),
        lambda person: members.leave(person.member, key=uuid4()),
    ):
        write(cast.player, ["Drowning"])
        write(cast.other_player, ["Fire"])
        going(cast.player)
        assert merged(cast) == {"lines": ["Fire"], "veils": []}
    members.delete_account(cast.other_player.user)
    assert not Boundaries.objects.filter(member=cast.other_player.member).exists()


@pytest.mark.parametrize("words", ELEMENTS)
def test_they_are_words_and_nothing_else(cast, words):
    write(cast.player, [words[:120]], [words[:120]])
    key = uuid4()
    members.invite(cast.gm.member, Role.PLAYER, days=1, uses=1, key=key)
    assert harmless(text(page(cast.gm, cast))) and harmless(text(page(cast.player, cast)))
    assert harmless(text(cast.outsider.client.get(reverse("join", args=[members.invitation_token(key)]))))


def test_who_only_looks_on_without_a_seat_reads_nobodys(cast):
    """This holds for the spectator link and the sample table, with an account or without; a GM's preview as a spectator
    shows what spectators with a membership read.
    """
    write(cast.player, ["Drowning"], ["Torture"])
    key = uuid4()
    start_watching(cast.gm.member, key=key)
    linked, outsider = Client(), cast.outsider.client
    for client in (linked, outsider):
        client.get(reverse("watch", args=[watch_token(key)]))
    show_as_sample(cast.campaign)
    url = reverse("boundaries", args=[cast.campaign.slug])
    for client in (linked, outsider, Client()):
        answer = client.get(url)
        assert answer.status_code == 200 and "Only members of this campaign" in text(answer)
        assert "Drowning" not in text(answer) and "Torture" not in text(answer)
    look(cast, Role.SPECTATOR)
    assert "Drowning" in text(page(cast.gm, cast))
