"""The whole site as one ASGI application. Servers load it by config/asgi.py, which says why if it cannot be loaded."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Mapping
from typing import Any

import django
from django.core.handlers.asgi import ASGIHandler

django.setup(set_prefix=False)

# Only now are the apps loaded that these import from.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware  # noqa: E402

from api.stream import EventStreams  # noqa: E402
from campaigns.consumers import nowhere, websocket_urlpatterns  # noqa: E402

UNPARSABLE = b"application/octet-stream; charset=unparsable"


class Pages(ASGIHandler):
    """Django, with what it expects of every request: a type of content that it can parse, and the length of the body."""

    def create_request(self, scope: Mapping[str, Any], body_file: Any) -> Any:
        headers, length = scope["headers"], body_file.seek(0, os.SEEK_END)
        body_file.seek(0)
        if length and all(name != b"content-length" for name, _ in headers):
            # It came in chunks. All limits go by this; only a proxy's comes before the body is on the disk.
            headers = [*headers, (b"content-length", str(length).encode())]
        try:
            return super().create_request({**scope, "headers": headers}, body_file)
        except Exception:
            # The standard library's parser has many ways to fail, and Django answers none of them. This type is refused in words
            # (campaigns.middleware).
            others = [header for header in headers if header[0] != b"content-type"]
            return super().create_request({**scope, "headers": [*others, (b"content-type", UNPARSABLE)]}, body_file)


# whitenoise hands Django its files as plain iterators, which Django reads whole: for files as small as ours that is well.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")

# `runserver` may be told any port, of which the settings do not know.
origins = [*settings.CSRF_TRUSTED_ORIGINS, *(("127.0.0.1", "localhost") if settings.DEBUG else ())]
application = ProtocolTypeRouter(
    {
        "http": EventStreams(Pages()),
        # Full origins: AllowedHostsOriginValidator would look at neither scheme nor port. Who asks is found out for many sockets
        # at once (campaigns/live/connections.py).
        "websocket": OriginValidator(CookieMiddleware(URLRouter([*websocket_urlpatterns, nowhere])), origins),
    }
)
if settings.TRUSTED_PROXIES:
    # Here and not in a server's option, so that trusted proxies are set once for every server.
    application = ProxyHeadersMiddleware(application, trusted_hosts=settings.TRUSTED_PROXIES)

# Objects loaded by now stay until the end. A full collection with them stopped every socket for half a second, and collecting new
# objects at every 700 of them made a roll late. What requests under way hold then is passed on to the older generations, where it
# waited for 400,000 and 8,000,000 further objects as garbage: 40 MB, and some more each minute (docs/figures.md).
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 5, 5)
