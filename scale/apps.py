from django.apps import AppConfig


class ScaleConfig(AppConfig):
    name = "scale"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from scale import erasing  # noqa: F401  # these connect themselves to signals
        from scale.queries import projection  # noqa: F401
