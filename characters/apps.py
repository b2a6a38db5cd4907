from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import owners
        from characters.models import owners_of

        owners.register(owners_of)
