from django.urls import path

from rulesets.descriptors import views

urlpatterns = [
    path("c/<slug:slug>/descriptors/keys/", views.keys, name="descriptors_keys"),
    path("c/<slug:slug>/descriptors/keys/<uuid:character_id>/", views.key_hit, name="descriptors_key_hit"),
    path("c/<slug:slug>/descriptors/clinging/", views.clinging, name="descriptors_clinging"),
    path("c/<slug:slug>/descriptors/clinging/change/", views.clinging_change, name="descriptors_clinging_change"),
]
