from django.apps import AppConfig


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import finding, shapes
        from campaigns.queries import lines
        from campaigns.services import erasing, log
        from rolls.erasing import COPIED, ROWS, TYPED
        from rolls.finding import READERS
        from rolls.services.checking import SEEDS
        from rolls.services.fair import SEQUELS
        from rolls.services.witness import ASKED, GIVEN
        from rolls.shapes import SHAPES

        lines.say_always((*SEEDS, ASKED, GIVEN))
        erasing.register(TYPED, COPIED, ROWS)
        finding.register(READERS)
        log.register_sequels(SEQUELS)
        shapes.register(SHAPES)
