"""The table that tests of these rules sit at."""

from tests.rulesets.descriptors.table_of import scene, table  # noqa: F401
