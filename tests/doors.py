"""Doors into a campaign, for tests that go through them: invitations, the spectator link, pages and forms."""

from uuid import uuid4

from django.test import Client
from django.urls import reverse

from campaigns.models import Membership, Role
from campaigns.services import campaigns, members


def invite(by, role=Role.PLAYER, **limits):
    """Return the token of a new invitation, and its row."""
    key = uuid4()
    made = members.invite(by.member, role, **{"days": None, "uses": None} | limits, key=key)
    return members.invitation_token(key), made


def join(somebody, token, key=None):
    return members.join(somebody.user, token, key=key or uuid4())


def watch(cast, key=None):
    """Switch on the spectator link, and return its token."""
    key = key or uuid4()
    campaigns.start_watching(cast.gm.member, key=key)
    return campaigns.watch_token(key)


def watcher(cast, client=None):
    """Return the browser of a visitor, or this one, once it has followed the spectator link."""
    client = client or Client()
    assert page(client, "watch", watch(cast)).status_code == 302
    return client


def look(cast, eyes):
    """Let the GM see the campaign as a role or a member does."""
    return post(cast.gm.client, "see_as", cast.campaign.slug, **{"as": eyes})


def page(client, name, *args):
    return client.get(reverse(name, args=args))


def read(client, page, /, *args, **query):
    """Return the HTML of a page, which is there."""
    answer = client.get(reverse(page, args=args), query)
    assert answer.status_code == 200, page
    return answer.content.decode()


def post(client, page, /, *args, **form):
    return client.post(reverse(page, args=args), {"key": uuid4()} | form)


def send(person, page, /, *args, form="roll", **data):
    """Send a form of the table as its script does."""
    headers = {"hx-request": "true", "hx-trigger": form}
    url = reverse(page, args=[person.member.campaign.slug, *args])
    return person.client.post(url, {"key": uuid4()} | data, headers=headers)


def seated(cast):
    return Membership.objects.active().filter(campaign=cast.campaign).count()
