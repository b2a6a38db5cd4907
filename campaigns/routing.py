from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path, re_path

from campaigns.consumers import table_socket


class NoSocket(AsyncWebsocketConsumer):
    """Refuses whoever asks for a socket where there is none, as a page that is not there would."""

    async def connect(self) -> None:
        await self.close()


# Routes of Channels lead to ASGI applications instead of views.
websocket_urlpatterns = [path("c/<slug:slug>/live/", table_socket)]  # type: ignore[arg-type]
nowhere = re_path("", NoSocket.as_asgi())
