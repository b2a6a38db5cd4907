from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import closing
        from campaigns.queries import standing
        from campaigns.services import erasing, log
        from campaigns.services.reindexing import after_migrations
        from rolls.erasing import erase_rows
        from rolls.queries.endings import open_procedures_of_scene, requests_of_session
        from rolls.queries.standing import Procedures
        from rolls.queries.statistics.snapshots import forget
        from rolls.services import fairness, members, procedure_reading

        closing.register(open_procedures_of_scene)
        closing.register(requests_of_session)
        erasing.register([erase_rows])
        log.register_signals(fairness.SIGNALS | procedure_reading.SIGNALS | members.SIGNALS)
        standing.register([Procedures])
        post_migrate.connect(forget, sender=self)
        post_migrate.connect(after_migrations, sender=self)
