"""One's own profile, and the doors of the demo."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from people.context import USERNAMES, person_of
from people.forms import ProfileForm
from people.models import User


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


@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in as one of the demo's people, without a password. people/urls.py has it on demo servers only."""
    name = request.POST.get("username", "")
    person = User.objects.filter(username=name).first() if name in USERNAMES else None
    if person is None:
        raise Http404
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect(settings.LOGIN_REDIRECT_URL)
