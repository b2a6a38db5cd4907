"""Lines and veils: what a member does not want in the game at all, and what may be there but not on screen.

They are no part of the log, which is for ever: they are changed at any time, and go without a trace.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models

from campaigns.models.members import Campaign, Membership


class BoundariesQuerySet(models.QuerySet["Boundaries"]):
    def merged(self, campaign: Campaign) -> dict[str, list[str]]:
        """{"lines", "veils"} of all who belong to a campaign now, in the order of the alphabet and each once, so that nothing
        says whose they are. What is a line for somebody is no veil."""
        written = list(self.filter(member__campaign=campaign, member__left_at=None))
        lines = _each_once(line for boundaries in written for line in boundaries.lines)
        veils = _each_once((veil for boundaries in written for veil in boundaries.veils), without=lines)
        return {"lines": lines, "veils": veils}


class Boundaries(models.Model):
    """Those of one member; lists of lines of text."""

    member = models.OneToOneField(Membership, primary_key=True, on_delete=models.CASCADE, related_name="boundaries")
    lines = models.JSONField(default=list)
    veils = models.JSONField(default=list)

    objects = BoundariesQuerySet.as_manager()

    def __str__(self) -> str:
        # Not whose: this may come to stand in a log of errors.
        return "lines and veils"

    @property
    def texts(self) -> dict[str, str]:
        """As a form has them: one a line."""
        return {"lines": "\n".join(self.lines), "veils": "\n".join(self.veils)}


def _each_once(entries: Iterable[str], without: Iterable[str] = ()) -> list[str]:
    """Compared as people read them; of several ways to write one, the first by the alphabet stands."""
    taken = {entry.casefold() for entry in without}
    by_key: dict[str, str] = {}
    for entry in sorted(entries):
        by_key.setdefault(entry.casefold(), entry)
    return [by_key[folded] for folded in sorted(by_key.keys() - taken)]
