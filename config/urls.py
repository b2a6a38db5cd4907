from importlib.util import find_spec

from django.urls import include, path

from campaigns.admin import site
from config import views
from rolls.registry import LEFT_OUT
from rulesets import discovery

handler400 = "campaigns.middleware.unreadable"

# Only called for allauth: our own code raises RateLimited.
handler429 = "campaigns.middleware.too_often"

handler500 = "config.views.broken"

urlpatterns = [
    path("healthz", views.alive, name="healthz"),
    path("readyz", views.ready, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("service-worker.js", views.service_worker, name="service_worker"),
    path("away/", views.away, name="away"),
    path("admin/", site.urls),
    path("", include("people.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("api.urls")),
    path("", include("webhooks.urls")),
    path("", include("notices.urls")),
    # Before rolls, whose table would take /c/new/ for a campaign.
    path("", include("campaigns.urls")),
    *(
        path("", include(f"{app}.urls"))
        for app in discovery.loadable()
        if app not in LEFT_OUT and find_spec(f"{app}.urls")
    ),
    # Before rolls for the same reason as campaigns.
    path("", include("scale.urls")),
    path("", include("world.urls")),
    path("", include("rolls.urls")),
    path("", include("characters.urls")),
]
