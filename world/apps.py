from django.apps import AppConfig


class WorldConfig(AppConfig):
    name = "world"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from world import following, standing  # noqa: F401  # these connect themselves to signals
