from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import owner_registry as owners
        from campaigns.queries import standing
        from campaigns.services import erasing
        from characters.erasing import erase_rows
        from characters.models import owners_of
        from characters.queries.standing import Sheets

        erasing.register([erase_rows])
        owners.register(owners_of)
        standing.register([Sheets])
