"""`manage.py campaign export SLUG FILE` and `campaign import FILE`: a whole campaign from one server to another."""

from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from campaigns.errors import ServiceError
from campaigns.models import Campaign, Membership, Role
from campaigns.services.campaigns import somebody
from campaigns.services.members import invitation_token, invite
from rolls.moving.arriving import arrive
from rolls.moving.leaving import write

DAYS = 30


class Command(BaseCommand):
    help = "Write a campaign to a file with everything in it, or take one in. The site can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        leaves = does.add_parser("export", help="write a campaign to a new file")
        leaves.add_argument("campaign", help="its address, as in /c/<address>/")
        leaves.add_argument("file", type=Path)
        does.add_parser("import", help="take in a campaign from a file").add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["does"] == "export":
                self._export(options["campaign"], options["file"])
            else:
                self._import(options["file"])
        except (ServiceError, OSError) as error:
            raise CommandError(str(error)) from None

    def _export(self, slug: str, file: Path) -> None:
        campaign = Campaign.objects.filter(slug=slug, bringing="").first()
        if campaign is None:
            raise CommandError("No such campaign.")
        with file.open("xb") as out:
            file.chmod(0o600)
            try:
                write(campaign, out)
            except BaseException:
                file.unlink()
                raise
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB.")

    def _import(self, file: Path) -> None:
        with file.open("rb") as read:
            campaign = arrive(read)
        self.stdout.write(f"{settings.SITE_URL}{campaign.url} is here. Its GMs come in by these links:")
        for gm in Membership.objects.unclaimed().filter(campaign=campaign, role=Role.GM).select_related("campaign"):
            key = uuid4()
            invite(somebody(campaign), Role.GM, days=DAYS, uses=1, seat=gm, key=key)
            self.stdout.write(f"{gm.name}: {settings.SITE_URL}{reverse('join', args=[invitation_token(key)])}")
