"""Who may make an account, by the SIGNUP setting."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

# The key under which a join page notes in the session that its visitor holds a valid invitation.
INVITED = "invited"


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """open: everybody; invite: who comes from a campaign's join page; closed: nobody."""
        if settings.SIGNUP == "invite":
            return bool(request.session.get(INVITED))
        return settings.SIGNUP == "open"
