from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import kinds
        from campaigns.services import campaigns

        kinds.collect()
        campaigns.watch_accounts()
