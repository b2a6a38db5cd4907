from django.apps import AppConfig


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from rolls.figures import register_all

        register_all()
