"""The spectator link: anybody who has it looks on without an account, until the GM switches it off."""

from uuid import uuid4

from campaigns.access import WATCHING, token_hash, viewer_of
from campaigns.live.connections import lost_viewers
from campaigns.live.socket_writer import GONE
from campaigns.models import Campaign
from campaigns.models.members import GM
from campaigns.services import campaigns
from tests.answers import same_page
from tests.cast import person
from tests.doors import page, post, watch
from tests.news import news


def test_whoever_follows_the_spectator_link_looks_on_and_does_nothing(cast, client):
    assert page(client, "watch", watch(cast)).url == "/c/ashes/"
    assert page(client, "table", "ashes").status_code == 200
    assert page(client, "members", "ashes").status_code == 200
    assert page(client, "campaign_settings", "ashes").status_code == 403
    for name in ("leave", "see_as", "campaign_archive"):
        assert post(client, name, "ashes").status_code == 403
    assert [event.kind for event in news()] == ["campaigns.watching_changed"]


def test_it_opens_one_campaign_only(cast, client):
    ana = person("ana")
    campaigns.create_campaign(ana.user, name="Harrow", systems=["storyteller"], key=uuid4())
    page(client, "watch", watch(cast))
    assert page(client, "members", "harrow").status_code == 404


def test_switched_off_it_shows_nothing_more(cast, client):
    token = watch(cast)
    page(client, "watch", token)
    viewer = viewer_of(cast.outsider.user, client.session, "ashes")
    assert lost_viewers([(viewer, None)]) == {}
    assert post(cast.gm.client, "spectator_link", "ashes", on="").status_code == 302
    assert lost_viewers([(viewer, None)]) == {0: GONE}
    assert page(client, "members", "ashes").status_code == 404
    answer = page(client, "watch", token)
    assert answer.status_code == 404
    assert "spectator link is off" in answer.content.decode()


def test_switched_on_again_it_is_another(cast, client):
    old = watch(cast)
    page(client, "watch", old)
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    new = watch(cast)
    assert old != new
    assert page(client, "members", "ashes").status_code == 404
    assert page(client, "watch", old).status_code == 404
    assert page(client, "watch", new).status_code == 302


def test_the_link_is_shown_once_and_only_its_hash_is_kept(cast):
    answer = post(cast.gm.client, "spectator_link", "ashes", on="1")
    link = answer.context["watch_link"]
    token = link.rstrip("/").rpartition("/")[2]
    assert link in answer.content.decode()
    assert link not in page(cast.gm.client, "invitations", "ashes").content.decode()
    assert Campaign.objects.get().watch_hash == token_hash(token)


def test_only_gms_hear_that_it_was_switched(cast):
    watch(cast)
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert [(event.stream.name, event.payload["on"]) for event in news()] == [(GM, True), (GM, False)]


def test_switching_off_what_is_off_tells_nothing(cast):
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert not news().exists()


def test_it_can_be_switched_off_at_an_archived_table(cast, client):
    page(client, "watch", watch(cast))
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    assert page(client, "members", "ashes").status_code == 200
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert page(client, "members", "ashes").status_code == 404


def test_a_forged_note_in_the_session_opens_nothing(cast, client):
    session = client.session
    session[WATCHING] = {str(cast.campaign.pk): ""}
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert page(client, "members", "ashes").status_code == 404


def test_a_player_cannot_tell_that_it_was_switched_on(cast):
    before = page(cast.player.client, "members", "ashes")
    watch(cast)
    assert same_page(page(cast.player.client, "members", "ashes"), before)
