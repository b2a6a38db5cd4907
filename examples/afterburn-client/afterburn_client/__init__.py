"""A client of Afterburn's API in the standard library alone: typed, patient, and able to follow a table (README.md)."""

from afterburn_client.client import Client, Refused, Told
from afterburn_client.operations import Body, Event

__all__ = ["Body", "Client", "Event", "Refused", "Told"]
