from django.apps import AppConfig

KINDS = [
    "characters.character_made",
    "characters.character_changed",
    "characters.character_retired",
    "characters.character_returned",
    "characters.character_died",
    "characters.character_deleted",
    "characters.portrait_changed",
    "characters.field_changed",
    "characters.row_added",
    "characters.row_removed",
    "characters.sheet_marked",
    "characters.xp_awarded",
    "characters.xp_spent",
    "characters.xp_refunded",
    "characters.claim_made",
    "characters.claim_decided",
    "characters.template_changed",
    "characters.creation_changed",
]
"""What happens to characters. In the log all of it is found under one topic."""


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import finding, owners
        from campaigns.services import erasing
        from characters.erasing import COPIED, ROWS, TYPED
        from characters.models import owners_of

        erasing.register(TYPED, COPIED, ROWS)
        owners.register(owners_of)
        finding.register(dict.fromkeys(KINDS, finding.Topic.SHEET))
