"""The application that the drive's servers run: the site's, with faults added on purpose."""

from bench.drive.settings import put_wrong
from config.asgi import application

__all__ = ["application"]

put_wrong()
