"""A table at which Lanterns is played, the game of docs/rulesets.md: made beside the demo by a process of its own
(`python -m tools.pictures.lanterns`) on a site where it is installed."""

from __future__ import annotations

from datetime import timedelta

import django

SLUG, ADA = "the-drowned-mile", "Ada Wick"


def main() -> None:
    from django.utils import timezone

    from campaigns.services import play
    from characters.services.cards import Card, make_character
    from config.demo.stage import Stage

    stage = Stage(SLUG, timezone.now() - timedelta(minutes=10))
    pitch = "Below the harbour runs a mile of tunnel. Somebody has to walk it before the tide."
    stage.seat_people("The Drowned Mile", pitch, ["lanterns"])
    mo = stage.viewers["mo"]
    ada = stage.do(make_character, mo, Card(ADA, "Carries the light", mo, True), system="lanterns")
    stage.fill(mo, ada, {"nerve": 2, "craft": 1, "oil": 3})
    stage.do(play.start_session, stage.gm, "")
    stage.do(play.open_scene, stage.gm, "The third door")
    stage.do(play.narrate, stage.gm, "Water stands to the second step. Something in it breathes out.")


if __name__ == "__main__":
    django.setup()
    main()
