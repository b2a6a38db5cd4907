from django.conf import settings
from django.urls import path
from django.views.generic import RedirectView

from people import views

urlpatterns = [
    path("profile/", views.profile, name="profile"),
    # In place of allauth's own.
    path("accounts/sessions/", views.SessionsView.as_view(), name="usersessions_list"),
    path("accounts/2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("accounts/discord/login/", views.elsewhere, {"provider": "discord"}, name="elsewhere"),
    path("accounts/oidc/<slug:provider>/login/", views.elsewhere, name="elsewhere"),
]

if settings.DEMO:
    urlpatterns += [path("demo/sign-in/", views.demo_sign_in, name="demo_sign_in")]
