from django.urls import path

from campaigns.consumers import table_socket

# Routes of Channels lead to ASGI applications instead of views.
websocket_urlpatterns = [path("c/<slug:slug>/live/", table_socket)]  # type: ignore[arg-type]
