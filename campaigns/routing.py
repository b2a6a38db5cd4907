from django.urls import path

from campaigns.consumers import TableConsumer

websocket_urlpatterns = [path("c/<slug:slug>/live/", TableConsumer.as_asgi())]
