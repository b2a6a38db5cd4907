from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from config import health

# One door: the admin's own sign-in has no rate limit.
admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "config.broken.page"

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("", include("people.urls")),
    # Before rolls, whose table would take /c/new/ for a campaign.
    path("", include("campaigns.urls")),
    path("", include("rolls.urls")),
    path("", include("characters.urls")),
]
