from django.urls import path

from rulesets.descriptors import views

urlpatterns = [
    path("c/<slug:slug>/rolls/<uuid:roll_id>/follows/", views.follows, name="roll_follows"),
]
