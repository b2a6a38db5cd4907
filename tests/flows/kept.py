"""What is done beside play: other rules, lines and veils, a pause, a backup that is restored, somebody's words erased."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.utils.timezone import now

from campaigns.events import CAMPAIGN_MOVED
from campaigns.models import Answer, Campaign, Membership, Scene, SessionDate
from campaigns.services import play
from campaigns.services.campaigns import show_as_sample
from campaigns.services.dates import answer_date, propose_dates, set_date, set_version
from campaigns.services.erasing import erase_words
from campaigns.services.log import begin, locked
from campaigns.services.log_entries import amend_words, refile
from campaigns.services.safety import boundaries_version, own_boundaries, pause_play, resume_play, write_boundaries
from rolls.services.fairness import mark_restored
from rolls.services.settings import change_settings
from rolls.settings import roll_settings
from rulesets.storyteller.settings import Settings
from tests.canaries import canary
from tests.cast import Cast


def rules_change(gm: Membership) -> None:
    now = roll_settings(Campaign.objects.get(pk=gm.campaign_id))
    change_settings(gm, now.with_(Settings(automatic_success=True)), key=uuid4())


def table_takes_care(cast: Cast) -> None:
    none = boundaries_version(own_boundaries(cast.spectator.member))
    write_boundaries(cast.spectator.member, ["Drowning"], ["Fire"], expected=none, key=uuid4())
    pause_play(cast.spectator.member, key=uuid4())
    resume_play(cast.gm.member, key=uuid4())
    show_as_sample(cast.campaign)
    show_as_sample(None)


def they_agree_on_a_date(cast: Cast) -> SessionDate:
    gm = cast.gm.member
    propose_dates(gm, [now() + timedelta(days=days) for days in (7, 8)], zone="Europe/Berlin", key=uuid4())
    first, second = SessionDate.objects.filter(campaign=cast.campaign).order_by("at")
    answer_date(cast.player.member, second, Answer.MAYBE, key=uuid4())
    return set_date(gm, first, on=True, expected=set_version(cast.campaign, now()), key=uuid4())


def log_is_kept(cast: Cast) -> None:
    said = play.say(cast.player.member, "Hullo all", key=uuid4())
    amend_words(cast.gm.member, said.uid, "Hello *all*", reason="a slip", key=uuid4())
    told = play.whisper(cast.player.member, canary("mo", "slip"), to=[cast.gm.member], key=uuid4())
    amend_words(cast.player.member, told.uid, canary("mo", "meant"), key=uuid4())
    scene = Scene.objects.filter(session__campaign=cast.campaign).order_by("pk")[0]
    refile(cast.gm.member, said.uid, scene, reason="it was said there", key=uuid4())
    refile(cast.player.member, told.uid, scene, reason=canary("mo", "belongs"), key=uuid4())
    mark_restored(cast.campaign)
    with locked(cast.campaign) as campaign:
        begin(campaign, cast.gm.member, uuid4()).record(CAMPAIGN_MOVED, {"epochs": []})
    erase_words(cast.gm.member, cast.removed.member, key=uuid4())
