from django.urls import path

from rulesets.descriptors import panels

urlpatterns = [
    path("c/<slug:slug>/descriptors/keys/", panels.keys_panel, name="descriptors_keys"),
    path("c/<slug:slug>/descriptors/keys/<uuid:character_id>/", panels.key_hit, name="descriptors_key_hit"),
    path("c/<slug:slug>/descriptors/clinging/", panels.clinging_panel, name="descriptors_clinging"),
    path("c/<slug:slug>/descriptors/clinging/change/", panels.clinging_change, name="descriptors_clinging_change"),
]
