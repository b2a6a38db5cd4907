from django.urls import path

from rulesets.arc import views

urlpatterns = [
    path("c/<slug:slug>/order/", views.order, name="order"),
]
