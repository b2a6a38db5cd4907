"""By mail, which one press ends, and in the campaign's channel, where all read it."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core import mail, signing
from django.test import Client

from campaigns.models import Campaign
from campaigns.services import play
from notices.messages import SALT
from notices.models import Choice, Notice, Preferences
from rolls.models import Audience
from tests.canaries import canary
from tests.notices.telling import ask, later, tell, tell_after, turn_on
from tests.smtp import absent
from tests.webhooks.receiving import Receiver, add
from webhooks.models import Format


@pytest.fixture
def address(cast) -> str:
    """Give Mo a confirmed address."""
    EmailAddress.objects.create(user=cast.player.user, email="mo@example.org", verified=True, primary=True)
    return "mo@example.org"


def test_mail_is_text_and_html_and_names_the_campaign_alone(cast, address, settings):
    settings.DEFAULT_FROM_EMAIL = "table@example.org"
    Campaign.objects.update(name="Ashes & <Fire>")
    turn_on(cast.player, None, "mail")
    ask(cast.gm, cast.player, reason="across the roof")
    tell_after(11)
    (letter,) = mail.outbox
    html = letter.alternatives[0].content
    assert letter.to == [address] and letter.subject == "Afterburn: Ashes & <Fire>"
    assert "Ashes & <Fire>: It’s your turn." in letter.body and "Ashes &amp; &lt;Fire&gt;" in html
    assert "/c/ashes/#request-" in letter.body and "roof" not in letter.body + html


def publish(cast, words: str) -> None:
    gm = cast.gm.member
    session = play.start_session(gm, "First", key=uuid4())
    play.end_session(gm, key=uuid4())
    drafted = play.version({"draft": "", "words": ""})
    written = play.write_recap(gm, session, words, publish=True, expected=drafted, key=uuid4())
    draft = f"{words}\n\n{canary('gm', 'draft')}"
    play.write_recap(gm, session, draft, publish=False, expected=play.recap_version(written), key=uuid4())


def test_the_mail_about_a_recap_has_its_first_lines_as_everyone_reads_them(cast, address, service):
    phone = turn_on(cast.player, service, "device", "mail")
    publish(cast, "**The fire**\n\nIt **burned** & <b>fell</b> [there](https://example.org).\n\nThree.\n\nFour.")
    tell_after(11)
    (letter,) = mail.outbox
    html = letter.alternatives[0].content
    assert "A recap is out." in letter.body and "\nThe fire\nIt burned & <b>fell</b> there.\nThree.\n" in letter.body
    assert "The fire<br>It burned &amp; &lt;b&gt;fell&lt;/b&gt; there.<br>Three." in html
    for told in (letter.body, html):
        assert "Four" not in told and canary("gm", "draft") not in told
    assert [told["body"] for told in phone.received] == ["A recap is out."]


def test_a_recap_of_one_long_line_is_cut(cast, address):
    turn_on(cast.player, None, "mail")
    publish(cast, "It burned. " * 300)
    tell_after(11)
    (quoted,) = re.findall(r"<blockquote>\s*(.*?)\s*</blockquote>", mail.outbox[0].alternatives[0].content)
    assert len(quoted) == 400 and quoted.endswith("…")


def test_one_press_of_a_mail_program_ends_it_for_every_campaign_without_signing_in(cast, address):
    turn_on(cast.player, None, "device", "mail")
    Choice.objects.create(member=cast.player.member, ways={"waits": ["mail"]})
    ask(cast.gm, cast.player)
    tell_after(11)
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = re.fullmatch(r"<https?://[^/]+(/\S+)>", headers["List-Unsubscribe"])[1]
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(url).status_code == 200 and "mail" in Choice.objects.get().ways["waits"]
    assert stranger.post(url, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Choice.objects.get().ways == {"waits": []}
    assert Preferences.objects.get().ways["waits"] == ["device"]


def test_a_link_that_was_changed_or_made_for_something_else_ends_nothing(cast, address):
    turn_on(cast.player, None, "mail")
    for token in ("x", signing.dumps(cast.player.user.pk), signing.dumps(cast.player.user.pk, salt=SALT) + "x"):
        assert Client().post(f"/notices/off/{token}/").status_code == 404
    assert Preferences.objects.get().ways["waits"] == ["mail"]
    assert Client().post(f"/notices/off/{signing.dumps(0, salt=SALT)}/").status_code == 200


def test_an_address_that_nobody_confirmed_gets_nothing(cast):
    EmailAddress.objects.create(user=cast.player.user, email="someone@example.org", verified=False, primary=True)
    turn_on(cast.player, None, "mail")
    ask(cast.gm, cast.player)
    tell_after(11)
    assert mail.outbox == []


def test_a_mail_server_that_is_away_is_asked_again(cast, address, settings):
    turn_on(cast.player, None, "mail")
    ask(cast.gm, cast.player)
    settings.DEFAULT_FROM_EMAIL = "table@example.org"
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", absent()
    tell_after(11)
    assert Notice.objects.get().told_at is None and Preferences.objects.get().tries == 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    with later(minutes=12):
        tell()
    assert len(mail.outbox) == 1 and Notice.objects.get().told_at


def told_in_discord(cast, **chosen) -> list[dict]:
    webhook = add(cast.gm.member, sent_as=Format.DISCORD)
    turn_on(cast.player, None, "discord", **chosen)
    ask(cast.gm, cast.player)
    ask(cast.gm, cast.player, audience=Audience.SELF)
    receiver = Receiver()
    tell_after(11, send=receiver)
    assert {address for address, _, _ in receiver.requests} <= {webhook.address}
    return [json.loads(body) for _, body, _ in receiver.requests]


def test_the_channel_is_told_whose_turn_it_is_and_not_of_what_the_others_do_not_know(cast):
    (told,) = told_in_discord(cast)
    assert told["content"].startswith("Mo: It’s your turn.\n<http") and told["allowed_mentions"] == {
        "parse": [],
        "users": [],
    }


def test_whoever_gave_their_id_is_mentioned_and_nobody_else(cast):
    (told,) = told_in_discord(cast, discord_id="123456789012345678")
    assert told["content"].startswith("<@123456789012345678>: ")
    assert told["allowed_mentions"] == {"parse": [], "users": ["123456789012345678"]}
