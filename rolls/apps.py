from django.apps import AppConfig


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import finding
        from rolls.figures import register_all
        from rolls.finding import READERS

        finding.register(READERS)
        register_all()
