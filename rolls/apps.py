from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import closing
        from campaigns.services import erasing, log
        from characters.services.sheet_writes import before_telling
        from rolls.erasing import erase_rows
        from rolls.queries.endings import ending_tokens
        from rolls.queries.statistics.snapshots import forget
        from rolls.services import fairness, members, procedure_reading
        from rolls.services.procedure_rolls import do_due

        closing.register(ending_tokens)
        erasing.register([erase_rows])
        log.register_signals(fairness.SIGNALS | procedure_reading.SIGNALS | members.SIGNALS)
        before_telling(do_due)
        post_migrate.connect(forget, sender=self)
