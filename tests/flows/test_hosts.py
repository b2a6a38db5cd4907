"""The permission matrix of Django's admin: every address of it, every person. An address without a row fails."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.core import serializers
from django.test import Client
from django.urls import get_resolver, reverse

from campaigns.admin import site
from campaigns.models import Campaign, Invitation
from people.models import User
from tests.cast import person
from tests.doors import watch
from tests.flows.matrix import routes
from tests.stored import store

# name: (what staff are answered to GET, and to POST)
SHOWN, ELSEWHERE, REFUSED, NOT_SO = 200, 302, 403, 405
MATRIX = {
    "index": (SHOWN, SHOWN),
    "login": (ELSEWHERE, ELSEWHERE),
    "logout": (SHOWN, ELSEWHERE),
    "password_change": (ELSEWHERE, ELSEWHERE),
    "jsi18n": (SHOWN, NOT_SO),
    "app_list": (SHOWN, SHOWN),
    "people_user_changelist": (SHOWN, SHOWN),
    "people_user_change": (SHOWN, ELSEWHERE),
    "people_user_history": (SHOWN, SHOWN),
    "campaigns_campaign_changelist": (SHOWN, SHOWN),
    "campaigns_campaign_change": (SHOWN, REFUSED),
    "campaigns_campaign_history": (SHOWN, SHOWN),
    "campaigns_invitation_changelist": (SHOWN, SHOWN),
    "campaigns_invitation_change": (SHOWN, REFUSED),
    "campaigns_invitation_history": (SHOWN, SHOWN),
}
MATRIX |= {
    f"{model}_{operation}": (REFUSED, REFUSED)
    for model in ("people_user", "campaigns_campaign", "campaigns_invitation")
    for operation in ("add", "delete")
}


def names() -> set[str]:
    """Return every named address of the admin."""
    (admin,) = [one for one in get_resolver().url_patterns if getattr(one, "namespace", None) == "admin"]
    return {route.name for route in routes(admin) if route.name}


@pytest.fixture
def staff(cast):
    """Return a person who is staff and no superuser, and plays at no table."""
    store(cast.outsider.user, is_staff=True)
    return cast.outsider


@pytest.fixture
def addresses(played, cast) -> dict[str, str]:
    watch(cast)
    things = {"user": cast.player.user.pk, "campaign": cast.campaign.pk, "invitation": played.invitation.pk}
    found = {}
    for name in MATRIX:
        model = name.split("_")[1] if "_" in name else ""
        args = [things[model]] if name.endswith(("_change", "_history", "_delete")) and model in things else []
        found[name] = reverse(f"admin:{name}", args=["campaigns"] if name == "app_list" else args)
    return found


def test_every_address_has_a_row_and_every_row_an_address():
    assert names() == set(MATRIX)


def test_accounts_campaigns_and_invitations_are_all_there_is():
    assert set(site._registry) == {User, Campaign, Invitation}


def test_staff_are_shown_what_the_row_says(addresses, staff):
    client = staff.client
    for name, url in addresses.items():
        client.force_login(staff.user)  # one of them signs out
        get, post = MATRIX[name]
        assert client.get(url).status_code == get, name
        assert client.post(url).status_code == post, name


def test_all_others_are_refused(addresses, cast):
    for somebody in (cast.gm, cast.player, cast.spectator, cast.removed):
        for name, url in addresses.items():
            for method in ("get", "post"):
                answer = getattr(somebody.client, method)(url, follow=True)
                gone_elsewhere = name == "logout" and answer.redirect_chain[-1][0].startswith("/admin/login/")
                assert answer.status_code == 403 or gone_elsewhere, (name, method)


def test_strangers_are_sent_to_the_one_door(addresses):
    for name, url in addresses.items():
        for method in ("get", "post"):
            answer = getattr(Client(), method)(url, follow=True)
            assert answer.redirect_chain[-1][0].startswith(reverse("account_login")), (name, method)


def test_a_host_of_whom_is_staff_no_more_is_refused(addresses, staff):
    assert staff.client.get(addresses["index"]).status_code == 200
    store(staff.user, is_staff=False)
    assert staff.client.get(addresses["index"], follow=True).status_code == 403


def test_nothing_of_a_campaign_is_changed(addresses, staff):
    def rows():
        return serializers.serialize("json", [*Campaign.objects.all(), *Invitation.objects.order_by("pk")])

    before = rows()
    chosen = [str(pk) for pk in Invitation.objects.values_list("pk", flat=True)]
    for name, url in addresses.items():
        if name.startswith("campaigns_"):
            staff.client.post(url, {"name": "Taken", "role": "gm", "post": "yes"})
            staff.client.post(url, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert rows() == before
    assert not LogEntry.objects.exists()


def test_no_page_tells_what_only_gms_know_or_what_opens_doors(addresses, staff, played, cast):
    """tests/canaries.py searches every answer for the secret words of `played`."""
    campaign = Campaign.objects.get(pk=cast.campaign.pk)
    campaign.settings |= {"forged": {"kept": "Quillon"}}
    campaign.save()
    secrets = [campaign.watch_hash, "Quillon", *Invitation.objects.values_list("token_hash", flat=True)]
    secrets += User.objects.values_list("password", flat=True)
    assert all(secrets)
    for name, url in addresses.items():
        said = staff.client.get(url).content.decode()
        assert not any(secret in said for secret in secrets), name


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("people_user_changelist", "password__startswith=md5"),
        ("people_user_changelist", "memberships__role=gm"),
        ("campaigns_campaign_changelist", "watch_hash__startswith=a"),
        ("campaigns_campaign_changelist", "settings__creation__isnull=1"),
        ("campaigns_campaign_changelist", "streams__name=gm"),
        ("campaigns_invitation_changelist", "token_hash__startswith=a"),
        ("campaigns_invitation_changelist", "campaign__watch_hash__startswith=a"),
    ],
)
def test_what_is_not_shown_cannot_be_asked_for_by_the_address(staff, name, asked):
    assert staff.client.get(f"{reverse(f'admin:{name}')}?{asked}").status_code == 400


def test_filters_that_are_shown_work(staff):
    for name, asked in (
        ("people_user_changelist", "is_active__exact=1&q=mo"),
        ("campaigns_invitation_changelist", "role__exact=gm&made_at__gte=2020-01-01+00:00:00%2B00:00"),
        ("campaigns_campaign_changelist", "q=Ashes&o=-2.3"),
    ):
        assert staff.client.get(f"{reverse(f'admin:{name}')}?{asked}").status_code == 200, name


def test_a_campaign_is_told_by_its_name_its_people_and_its_dates(staff, cast):
    html = staff.client.get(reverse("admin:campaigns_campaign_change", args=[cast.campaign.pk])).content.decode()
    assert "Ashes" in html
    assert "Gm (GM), Mo (Player), Other Player (Player), Spectator (Spectator)" in html
    assert "Removed (" not in html


def test_only_staff_have_it_in_their_menu(staff, cast):
    link = f'href="{reverse("admin:index")}"'
    assert link in staff.client.get(reverse("home")).content.decode()
    for somebody in (cast.gm, cast.player):
        assert link not in somebody.client.get(reverse("home")).content.decode()
    assert link not in Client().get(reverse("account_login")).content.decode()


def test_signing_in_leads_to_the_page_that_was_asked_for(cast, staff):
    answer = Client().get("/admin/campaigns/campaign/", follow=True)
    assert answer.redirect_chain[-1][0].endswith("next=%2Fadmin%2Fcampaigns%2Fcampaign%2F")
    assert staff.client.get(reverse("admin:login")).url == reverse("admin:index")


def test_the_admins_own_sign_in_takes_no_password(staff, cast):
    person("boss")
    staff.client.post(reverse("admin:login"), {"username": "boss", "password": "a-long-password"})
    assert staff.client.session["_auth_user_id"] == str(staff.user.pk)
