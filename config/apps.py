from django.apps import AppConfig, apps
from django.core.checks import Tags, register
from django.core.management import call_command
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    name = "config"
    label = "site_config"
    verbose_name = "This site"

    def ready(self) -> None:
        from config import checks  # the settings must be complete first

        for check in checks.ALWAYS:
            register(check)
        register(checks.rules_that_are_wrong, "rulesets")
        for check in (checks.public_site, checks.doors_of_the_demo):
            register(check, deploy=True)
        register(checks.database_of_this_history, Tags.database)
        # Only apps with tables are told of migrations, and this one has none.
        post_migrate.connect(create_cache_table, sender=apps.get_app_config("people"))


def create_cache_table(*, using: str, **_: object) -> None:
    """Make the shared cache's table after `migrate`, so that hosts need no further command."""
    call_command("createcachetable", database=using, verbosity=0)
