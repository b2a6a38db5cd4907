"""Deleting one's account: here, and not with the rest of the profile, since it takes leave of every table."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns.forms.campaigns import DeleteAccountForm
from campaigns.services.members import delete_account
from campaigns.views.answers import tried
from people.access import person_of


@require_http_methods(["GET", "POST"])
@login_required
def profile_delete(request: HttpRequest) -> HttpResponse:
    form = DeleteAccountForm(request.POST or None, user=person_of(request))
    status = 200
    if request.method == "POST":
        status = tried(form, lambda: delete_account(person_of(request)))
        if not status:
            logout(request)
            messages.success(request, "Your account is deleted.")
            return redirect("account_login")
    return render(request, "campaigns/profile_delete.html", {"form": form}, status=status)
