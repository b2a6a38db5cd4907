"""The table that tests of these rules sit at."""

from tests.rulesets.descriptors.procedures.contests import fighters  # noqa: F401
from tests.rulesets.descriptors.table_of import scene, table  # noqa: F401
