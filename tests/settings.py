"""The site as the tests see it: the real settings, without this machine's `.env`, and with dice that can be told how to fall."""

import os
import tempfile

os.environ["ENV_FILE"] = os.devnull
os.environ.setdefault("SECRET_KEY", "only for tests")
# The doors of providers are there, and shut, unless a test opens them (test_elsewhere.py, browser/test_account.py).
SHUT = {
    "DISCORD_CLIENT_ID",
    "DISCORD_CLIENT_SECRET",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_URL",
} - os.environ.keys()
os.environ.update(dict.fromkeys(SHUT, "shut"))
# Inherited by the servers that browser tests start, so that these throw the same dice: see tests/dice.py.
os.environ.setdefault("TEST_DICE", os.path.join(tempfile.gettempdir(), f"afterburn-test-{os.getpid()}.dice"))

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, INSTALLED_APPS, STORAGES  # noqa: E402

list(map(os.environ.pop, SHUT))
if SHUT:
    SOCIALACCOUNT_PROVIDERS = {}

# Django empties a database after each transactional test by its command `flush`, which tests have one of their own for.
INSTALLED_APPS = [*INSTALLED_APPS, "tests.flushing"]

# Where dev.py has made the tables already (tools/databases.py), tests run on copies of that and none migrates.
MIGRATED = os.environ.get("TEST_MIGRATED", "")
DATABASES["default"]["TEST"] = {"MIGRATE": not MIGRATED}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as in real life: threads cannot queue for the lock of an in-memory database.
    DATABASES["default"]["TEST"]["NAME"] = os.path.join(tempfile.gettempdir(), f"afterburn-test-{os.getpid()}.sqlite3")
    # No test pulls the plug, so none waits for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
elif MIGRATED:
    DATABASES["default"]["TEST"]["TEMPLATE"] = MIGRATED

# A page can be drawn before anybody has collected static files.
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}

DICE_SOURCE = "tests.dice.loaded_dice"

# argon2 is slow on purpose, and hundreds of tests sign in.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
