"""A campaign that moves: everything of it comes along, and it is played on; what opens doors and what is secret stays."""

from __future__ import annotations

import io
import json
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from campaigns.errors import Blocked, Gone
from campaigns.models import (
    Boundaries,
    Campaign,
    Event,
    GameSession,
    IdempotencyKey,
    Invitation,
    Membership,
    Picture,
    Role,
)
from campaigns.services import members, play
from campaigns.services.campaigns import archive_campaign, create_campaign
from campaigns.services.members import invitation_token, invite, join
from characters.models import Character
from rolls.models import Audience, Procedure, RollRequest, SavedRoll, SeedEpoch
from rolls.moving import parts
from rolls.moving.arriving import arrive
from rolls.moving.leaving import write
from rolls.queries.checking import faults
from rolls.services.fairness import open_epoch, tell_seed
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.campaigns.archives import bring, forged, take, written
from tests.cast import person
from tests.databases import empty
from tests.flows.evening import evening, played  # noqa: F401

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


@pytest.fixture(autouse=True)
def fair(request, settings):
    """Let dice fall that can be checked, as on every server, once the evening was played with loaded ones."""
    if "played" in request.fixturenames:
        request.getfixturevalue("played")
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"


def packed(campaign, by=None):
    file = io.BytesIO()
    write(campaign, file, by)
    return file.getvalue()


def rows(data, label):
    with ZipFile(io.BytesIO(data)) as file:
        return [json.loads(line) for line in file.read(f"rows/{label}.jsonl").splitlines()]


def clear():
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    empty()


def shift():
    """Let this server have people, sessions and entries of its own, so that numbers differ."""
    for name in ("one", "two", "three"):
        create_campaign(person(f"here-{name}").user, name=f"Here {name}", systems=["storyteller"], key=uuid4())


def moved_file(cast, by=None):
    data = packed(cast.campaign, by)
    clear()
    shift()
    return data


def move(cast, name="New Here"):
    """Let a GM with a new account take the campaign to an emptied server. Return it there, and its GM."""
    data = moved_file(cast, cast.gm.member)
    newcomer = person("gm", name)
    return arrive(io.BytesIO(data), user=newcomer.user), newcomer


def seat_of(campaign, name):
    return Membership.objects.select_related("campaign").get(campaign=campaign, called=name)


def claim(gm, seat, someone):
    key = uuid4()
    invite(gm, Role.SPECTATOR, days=1, uses=9, seat=seat, key=key)
    someone.membership = join(someone.user, invitation_token(key), key=uuid4())
    return key


def gm_of(campaign):
    return Membership.objects.select_related("campaign", "user").get(
        campaign=campaign, user__isnull=False, role=Role.GM
    )


def test_every_model_of_a_campaign_moves_or_is_named_as_left():
    """A new model that belongs to a campaign moves by itself; one of these lists has to be changed on purpose."""
    found = {model._meta.label for model in parts.paths()}
    assert found >= parts.LEFT
    assert {model._meta.label for model in parts.taken()} == found - parts.LEFT
    moves = """
        campaigns.Campaign campaigns.Clock campaigns.ClockTemplate campaigns.Cover campaigns.DateAnswer campaigns.Event
        campaigns.EventIndex campaigns.EventPayload campaigns.EventSubject campaigns.GameSession campaigns.Membership
        campaigns.Picture campaigns.PictureLine campaigns.Pin campaigns.Recap campaigns.Scene campaigns.SceneOverride
        campaigns.SessionDate campaigns.Storyline campaigns.Stream campaigns.Written characters.Character
        characters.CharacterTemplate characters.Character_co_owners characters.Claim characters.LedgerEntry
        characters.Portrait characters.SheetRow rolls.Procedure rolls.ProcedureStep rolls.Roll rolls.RollRequest
        rolls.RollTable rolls.SavedRoll rolls.SeedEpoch rolls.Witness scale.Burn scale.BurnSeen scale.Momentum
        scale.OracleTable scale.Scale scale.ScaleStep world.Page world.PagePicture
    """
    # Whoever adds one looks here at whether it may be read by the GM who exports it, and whether it holds ids in JSON.
    assert found - parts.LEFT == {*moves.split()}
    for label, columns in parts.UNTAKEN.items():
        model = next(one for one in parts.taken() if one._meta.label == label)
        assert columns <= {field.attname for field in model._meta.concrete_fields}


def counted(campaign):
    return {
        model._meta.label: model._base_manager.filter(**{parts.paths()[model]: campaign.pk}).count()
        for model in parts.taken()
    }


def test_everything_is_as_it_was_and_the_log_to_the_byte(played, cast):  # noqa: F811
    data = packed(cast.campaign, cast.gm.member)
    log, before = take(cast.gm.client, cast.campaign.slug), counted(cast.campaign)
    clear()
    shift()
    newcomer = person("gm", "New Here")
    campaign = arrive(io.BytesIO(data), user=newcomer.user)
    assert list(faults(campaign)) == []
    assert take(newcomer.client, campaign.slug).startswith(log)
    added = {label: many - before[label] for label, many in counted(campaign).items() if many != before[label]}
    # What is written on arrival: that it moved, two seeds, and that the GM sits down. Saved rolls of others stayed.
    left = added.pop("rolls.SavedRoll", 0)
    assert left <= 0 and added.pop("rolls.SeedEpoch") == 2
    assert added.pop("campaigns.EventSubject") > 3
    # And what a request that waits for every player says then.
    assert added.keys() == {f"campaigns.{name}" for name in ("Event", "EventIndex", "EventPayload")}
    assert len({*added.values()}) == 1 and min(added.values()) >= 4
    assert not Membership.objects.filter(campaign=campaign).exclude(user=None).exclude(user=newcomer.user).exists()
    pages = "table log members sessions characters clocks storylines statistics handouts pages"
    addresses = [reverse(name, args=[campaign.slug]) for name in pages.split()]
    for session in GameSession.objects.filter(campaign=campaign):
        names = ("session", "verify", "replay") if session.ended_at else ("session", "verify")
        addresses += [reverse(name, args=[campaign.slug, session.number]) for name in names]
    addresses += [
        reverse("character", args=[campaign.slug, one.pk])
        for one in Character.objects.filter(campaign=campaign, deleted_at=None)
    ]
    for address in addresses:
        answer = newcomer.client.get(address)
        assert answer.status_code == 200, address
        assert b"cannot be drawn" not in answer.getvalue(), address
    assert b"moved here from another server" in newcomer.client.get(addresses[1]).content


def test_it_moves_on_from_there_and_no_number_changes(played, cast):  # noqa: F811
    campaign, first = move(cast)
    log = take(first.client, campaign.slug)
    numbers = {(one.number, one.role, one.left_at is None) for one in Membership.objects.filter(campaign=campaign)}
    again = packed(campaign)
    clear()
    second = person("gm", "Elsewhere")
    campaign = arrive(io.BytesIO(again), user=second.user)
    assert take(second.client, campaign.slug).startswith(log)
    assert {
        (one.number, one.role, one.left_at is None) for one in Membership.objects.filter(campaign=campaign)
    } == numbers
    assert list(faults(campaign)) == []


def test_seats_are_claimed_by_invitations_and_play_goes_on(cast):
    play.start_session(cast.gm.member, "One", key=uuid4())
    play.whisper(cast.player.member, "psst", to=[cast.gm.member], key=uuid4())
    mo_before, other_before = cast.player.member.number, cast.other_player.member.number
    campaign, newcomer = move(cast)
    mo, stranger = person("mo", "Mo Again"), person("stranger", "Stranger")
    gm = gm_of(campaign)
    assert gm.name == "New Here" and gm.number == cast.gm.member.number
    seat = seat_of(campaign, "Mo")
    assert (seat.number, seat.left_at, seat.user) == (mo_before, None, None)
    page = newcomer.client.get(reverse("invitations", args=[campaign.slug]), {"seat": seat.pk}).content.decode()
    assert f'<option value="{seat.pk}" selected>Mo</option>' in page
    claim(gm, seat, mo)
    assert mo.member.pk == seat.pk and mo.member.role == Role.PLAYER and mo.member.name == "Mo Again"
    log = mo.client.get(reverse("log", args=[campaign.slug])).content.decode()
    assert "psst" in log
    # Whoever comes new reads nobody's stream, and no seat is claimed twice or by somebody who was here.
    stranger.join(gm, Role.PLAYER)
    assert stranger.member.number not in {mo_before, other_before, gm.number}
    assert "psst" not in stranger.client.get(reverse("log", args=[campaign.slug])).content.decode()
    other = seat_of(campaign, "Other Player")
    with pytest.raises(Blocked):
        claim(gm, other, stranger)
    with pytest.raises(Exception, match=r".*"):
        invite(gm, Role.PLAYER, days=1, uses=1, seat=mo.member, key=uuid4())
    assert play.say(mo.member, "We go on", key=uuid4()).actor_number == mo_before
    play.whisper(gm, "to you", to=[mo.member], key=uuid4())
    assert "to you" in mo.client.get(reverse("log", args=[campaign.slug])).content.decode()
    play.end_session(gm, key=uuid4())
    assert list(faults(campaign)) == []


def test_the_last_use_of_a_seat_is_the_only_one(cast):
    campaign, _ = move(cast)
    first, second = person("first"), person("second")
    gm, seat = gm_of(campaign), seat_of(campaign, "Mo")
    keys = [uuid4(), uuid4()]
    for key in keys:
        invite(gm, Role.GM, days=1, uses=5, seat=seat, key=key)
    assert {one.role for one in Invitation.objects.filter(seat=seat)} == {Role.PLAYER}
    join(first.user, invitation_token(keys[0]), key=uuid4())
    for key in keys:
        with pytest.raises(Gone):
            join(second.user, invitation_token(key), key=uuid4())
    assert not Membership.objects.filter(campaign=campaign, user=second.user).exists()


def test_the_only_gm_who_is_here_cannot_leave_seats_behind(cast):
    members.change_role(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    with pytest.raises(Exception, match="needs a GM"):
        members.leave(gm_of(move(cast)[0]), key=uuid4())


# secrets


def thrown(cast):
    """Return the campaign with a roll by the seed in use."""
    return make_roll(cast.gm.member, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4())


def test_no_seed_that_is_not_told_leaves_the_server(cast):
    roll = thrown(cast)
    in_use = open_epoch(cast.campaign)
    assert roll.proof["epoch"] == in_use.name
    data = packed(cast.campaign, cast.gm.member)
    whole = packed(Campaign.objects.get(pk=cast.campaign.pk))
    hidden = SeedEpoch.objects.filter(campaign=cast.campaign, closed_at=None)
    assert len(hidden) == 2 and in_use not in hidden
    for file in (data, whole):
        text = _text(file)
        assert in_use.seed in text
        for epoch in hidden:
            assert epoch.seed not in text and epoch.blind not in text
        kept = [row for row in rows(file, "rolls.SeedEpoch") if row["closed_at"] is None]
        assert [(row["seed"], row["blind"]) for row in kept] == [("", "")] * 2


def test_dice_that_fell_can_be_checked_there_and_new_ones_come_of_new_seeds(cast):
    roll = thrown(cast)
    campaign, newcomer = move(cast)
    seeds = {event.payload["epoch"] for event in _events(campaign, "rolls.epoch_revealed")}
    (moved,) = _events(campaign, "campaigns.campaign_moved")
    assert moved.payload["by"] is None and moved.actor is None
    left = moved.payload["epochs"]
    assert len(left) == 2 and seeds.isdisjoint(left) and roll.proof["epoch"] in seeds
    now = SeedEpoch.objects.filter(campaign=campaign, closed_at=None)
    assert len(now) == 2 and {one.name for one in now}.isdisjoint({*left, *seeds})
    assert all(len(one.seed) == len(one.blind) == 64 for one in now)
    gm = gm_of(campaign)
    again = make_roll(gm, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4())
    assert again.proof["epoch"] == now[0].name and again.proof["actor"] == gm.number != gm.pk
    tell_seed(gm, key=uuid4())
    assert list(faults(campaign)) == []
    page = newcomer.client.get(reverse("log", args=[campaign.slug]), {"everything": "1"}).content.decode()
    assert "new ones begin here" in page


def _events(campaign, kind):
    return Event.objects.filter(campaign=campaign, kind=kind).select_related("stored")


def test_an_export_that_follows_at_once_reveals_no_more(cast):
    thrown(cast)
    packed(cast.campaign, cast.gm.member)
    before = SeedEpoch.objects.filter(campaign=cast.campaign).count()
    packed(cast.campaign, cast.gm.member)
    assert SeedEpoch.objects.filter(campaign=cast.campaign).count() == before


def test_what_opens_doors_and_what_gms_may_not_know_is_not_in_the_file(played, cast):  # noqa: F811
    mo, gm = cast.player.member, cast.gm.member
    Boundaries.objects.create(member=mo, lines=["a line of mo"], veils=["a veil"])
    character = Character.objects.filter(campaign=cast.campaign, owner=mo).first()
    for by, name in ((mo, "saved by mo"), (gm, "saved by gm")):
        SavedRoll.objects.create(
            character=character, by=by, name=name, system=character.system, fields={}, saved_at=mo.joined_at
        )
    Campaign.objects.filter(pk=cast.campaign.pk).update(pause_key=uuid4())
    campaign = Campaign.objects.get(pk=cast.campaign.pk)
    data = packed(campaign, gm)
    everything = _text(data)
    users = [cast.gm.user, cast.player.user]
    secret = [
        campaign.watch_hash,
        str(campaign.pause_key),
        "saved by mo",
        "bots.example.org/table",
        "token_hash",
        "password",
    ]
    secret += [text for user in users for text in (user.password, user.email) if text]
    secret += list(Invitation.objects.filter(campaign=campaign).values_list("token_hash", flat=True))
    for text in secret:
        assert text and text not in everything, text
    assert "saved by gm" in everything and "saved by mo" in _text(packed(campaign))
    merged = json.loads(ZipFile(io.BytesIO(data)).read("manifest.json"))["boundaries"]
    assert "a line of mo" in merged["lines"] and merged == Boundaries.objects.merged(campaign)


def _text(data):
    with ZipFile(io.BytesIO(data)) as entries:
        return b"".join(entries.read(name) for name in entries.namelist()).decode("latin-1")


def test_lines_and_veils_come_along_without_saying_whose_they_are(cast):
    Boundaries.objects.create(member=cast.player.member, lines=["spiders"], veils=["gore"])
    Boundaries.objects.create(member=cast.other_player.member, lines=["gore"], veils=[])
    campaign, _ = move(cast)
    assert Boundaries.objects.merged(campaign) == {"lines": ["gore", "spiders"], "veils": []}
    assert Boundaries.objects.get().member == gm_of(campaign)


def test_a_gm_gets_the_file_and_no_archive_of_a_log_has_one(cast):
    address = reverse("campaign_export", args=[cast.campaign.slug])
    answer = cast.gm.client.post(address, {"key": uuid4()})
    assert answer["Content-Disposition"] == f'attachment; filename="{cast.campaign.slug}.zip"'
    data = answer.getvalue()
    archive_campaign(cast.gm.member, key=uuid4())
    assert cast.gm.client.post(address, {"key": uuid4()}).status_code == 200
    log = forged([json.loads(line) for line in take(cast.gm.client, cast.campaign.slug).splitlines()])
    old = bring(cast.outsider.user, written(log))
    refused = cast.outsider.client.post(reverse("campaign_export", args=[old.slug]), {"key": uuid4()})
    assert refused.status_code == 409 and "Only the log of" in refused.content.decode()
    assert rows(data, "campaigns.Campaign")[0]["name"] == cast.campaign.name


# the page


def test_the_page_takes_a_file_once_and_leads_to_its_people(cast):
    data = moved_file(cast, cast.gm.member)
    newcomer, key = person("gm", "New Here"), uuid4()
    address = reverse("campaign_import")
    assert address.encode() in newcomer.client.get(reverse("home")).content
    for _time in range(2):
        form = {"file": SimpleUploadedFile("ashes.zip", data), "key": key}
        answer = newcomer.client.post(address, form)
        campaign = Campaign.objects.get(pk=cast.campaign.pk)
        assert (answer.status_code, answer.url) == (302, reverse("members", args=[campaign.slug]))
    page = newcomer.client.get(answer.url).content.decode()
    assert "hasn’t arrived yet" in page and "Invite its people to their seats" in page
    refused = newcomer.client.post(address, {"file": SimpleUploadedFile("ashes.zip", data), "key": uuid4()})
    assert refused.status_code == 422 and "already on this server" in refused.content.decode()
    assert IdempotencyKey.objects.filter(key=key).count() == 1


def test_what_is_under_way_goes_on(played, cast):  # noqa: F811
    def under_way():
        things = (Procedure.objects.filter(closed_at=None), RollRequest.objects.filter(closed_at=None))
        pictures = {one.pk: bytes(one.full) for one in Picture.objects.filter(campaign=cast.campaign.pk)}
        return [{*one.filter(campaign=cast.campaign.pk).values_list("pk", flat=True)} for one in things], pictures

    before = under_way()
    campaign, newcomer = move(cast)
    mo = person("mo", "Mo Again")
    assert under_way() == before and all((*before[0], before[1]))
    claim(gm_of(campaign), seat_of(campaign, "Mo"), mo)
    for procedure in Procedure.objects.filter(campaign=campaign, closed_at=None):
        page = newcomer.client.post(reverse("procedure_close", args=[campaign.slug, procedure.pk]), {"key": uuid4()})
        assert page.status_code in (204, 302), procedure.kind
    assert list(faults(campaign)) == []
