from django.urls import path

from notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/device/", views.notices_device, name="notices_device"),
    path("notices/off/<str:token>/", views.notices_off, name="notices_off"),
    path("c/<slug:slug>/notices/", views.campaign_notices, name="campaign_notices"),
]
