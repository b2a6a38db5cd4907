from django.urls import path

from webhooks import views

urlpatterns = [
    path("c/<slug:slug>/webhooks/", views.webhooks, name="webhooks"),
    path("c/<slug:slug>/webhooks/<uuid:webhook_id>/", views.webhook, name="webhook"),
    path("c/<slug:slug>/webhooks/<uuid:webhook_id>/switch/", views.webhook_switch, name="webhook_switch"),
    path("c/<slug:slug>/webhooks/<uuid:webhook_id>/remove/", views.webhook_remove, name="webhook_remove"),
    path("c/<slug:slug>/webhooks/<uuid:webhook_id>/test/", views.webhook_test, name="webhook_test"),
    path("c/<slug:slug>/webhooks/deliveries/<int:delivery_id>/", views.delivery_again, name="delivery_again"),
]
