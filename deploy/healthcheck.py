"""Exit 0 if the server in this container can serve. Asks it by the name it answers to."""

import os
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

connection = HTTPConnection("127.0.0.1", 8000, timeout=4)
connection.request(
    "GET", "/readyz", headers={"Host": urlsplit(os.environ.get("SITE_URL", "http://127.0.0.1:8000")).netloc}
)
sys.exit(connection.getresponse().status != 200)
