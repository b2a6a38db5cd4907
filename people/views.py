"""One's own profile, where one is signed in, and other doors: those of providers elsewhere, and the demo's."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from requests import RequestException

from people.context import USERNAMES, person_of
from people.devices import name_of
from people.forms import ProfileForm, SessionsForm
from people.models import User
from people.session_list import note_session


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    # A copy, so that a mistyped name is not shown in the head of the page.
    form = ProfileForm(request.POST or None, instance=User.objects.get(pk=person_of(request).pk))
    if form.is_valid():
        form.save()
        messages.success(request, _("Profile saved."))
        return redirect("profile")
    return render(request, "people/profile.html", {"form": form}, status=422 if form.is_bound else 200)


class SessionsView(ListUserSessionsView):
    """Where one is signed in, and signing out there."""

    form_class = SessionsForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # Also a session that began in another way than by allauth's doors, or before it was listed.
        note_session(self.request)
        context: dict[str, Any] = super().get_context_data(**kwargs)
        for session in context["sessions"]:
            session.name = name_of(session.user_agent)
        return context

    def form_invalid(self, form: SessionsForm) -> HttpResponse:
        messages.error(self.request, _("That session has ended already."))
        return redirect("usersessions_list")


@never_cache
@require_POST
def elsewhere(request: HttpRequest, provider: str) -> HttpResponse:
    """Send a visitor to sign in at a provider: by a page, since browsers hold redirections of forms to `form-action`, too."""
    try:
        asked = get_adapter().get_provider(request, provider)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    try:
        answer: HttpResponse = asked.redirect_from_request(request)
    except (RequestException, KeyError) as error:
        # It can't be reached, or says nothing of where its doors are.
        answer = render_authentication_error(request, asked, exception=error)
    if "Location" not in answer:
        return answer
    there = answer["Location"]
    page = render(request, "people/elsewhere.html", {"provider": asked, "there": there})
    page["Refresh"] = f"0; url={there}"
    return page


@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in as one of the demo's people, without a password. people/urls.py has it on demo servers only."""
    name = request.POST.get("username", "")
    person = User.objects.filter(username=name).first() if name in USERNAMES else None
    if person is None:
        raise Http404
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect(settings.LOGIN_REDIRECT_URL)
