"""Who may make an account, by the SIGNUP setting, and what it begins with."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from people.models import Hue, User

# The key under which a join page notes in the session that its visitor holds a valid invitation.
INVITED = "invited"


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """open: everybody; invite: who comes from a campaign's join page; closed: nobody."""
        if settings.SIGNUP == "invite":
            return bool(request.session.get(INVITED))
        return settings.SIGNUP == "open"

    def new_user(self, request: HttpRequest) -> User:
        """With the next colour of the palette: those who sign up together can be told apart before they choose."""
        hues = Hue.values
        return User(colour=hues[User.objects.count() % len(hues)])
