"""The application that the servers of the drive run: that of the site, with what was put wrong on purpose."""

from bench.drive.settings import put_wrong
from config.asgi import application

__all__ = ["application"]

put_wrong()
