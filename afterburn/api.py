"""The names for the `api` module of a package: the routes that programs use (docs/api.md)."""

from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Limit, Number, client_seed
from api.schemas import Done
from campaigns.errors import InvalidForm as Refused
from campaigns.live.render import plain
