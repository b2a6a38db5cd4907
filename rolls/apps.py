from django.apps import AppConfig


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import finding, sequels, shapes
        from campaigns.services import erasing, lines
        from rolls import advancement
        from rolls.erasing import COPIED, ROWS, TYPED
        from rolls.figures import register_all
        from rolls.finding import READERS
        from rolls.services.checking import SEEDS
        from rolls.services.fair import SEQUELS
        from rolls.services.witness import ASKED, GIVEN
        from rolls.shapes import SHAPES

        lines.say_always((*SEEDS, ASKED, GIVEN))
        erasing.register(TYPED, COPIED, ROWS)
        finding.register(READERS)
        sequels.register(SEQUELS)
        shapes.register(SHAPES)
        register_all()
        advancement.register_all()
