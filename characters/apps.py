from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from characters import erasing  # noqa: F401  # these connect themselves to signals
        from characters.queries import standing  # noqa: F401
