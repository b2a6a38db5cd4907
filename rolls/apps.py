from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns.services.reindexing import after_migrations
        from campaigns.signals import on_event
        from rolls import erasing  # noqa: F401  # these connect themselves to signals
        from rolls.queries import endings, standing  # noqa: F401
        from rolls.services import fairness, members, procedure_reading  # noqa: F401
        from rolls.services.snapshots import forget_counts

        for kind, do in procedure_reading.SIGNALS.items():
            on_event(kind)(do)
        post_migrate.connect(forget_counts, sender=self)
        post_migrate.connect(after_migrations, sender=self)
