"""All settings in one file. Hosts set what differs in the environment (or `.env`); see `.env.example`."""

from __future__ import annotations

import grp
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate

from config import logs
from rulesets import discovery

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env()
# Variables that are already set win, so that a service manager can override the file; ENV_FILE names another one.
ENV_FILE = Path(env.str("ENV_FILE", str(BASE_DIR / ".env")))
try:
    if "ENV_FILE" in os.environ and not ENV_FILE.exists():
        raise ImproperlyConfigured(f"ENV_FILE names {ENV_FILE}, and there is no such file.")
    env.read_env(ENV_FILE, recurse=False)
except PermissionError:
    _group = grp.getgrgid(os.getegid()).gr_name
    raise ImproperlyConfigured(
        f"{ENV_FILE} can’t be read by the user who runs this. As root: chgrp {_group} {ENV_FILE} && chmod 640 {ENV_FILE}"
    ) from None

# Where we are
DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set. `python3 dev.py run` writes one into .env; by hand: "
        """echo "SECRET_KEY=$(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')" >> .env"""
    )
SITE_URL = env.str("SITE_URL", f"http://127.0.0.1:{env.int('PORT', 8000)}").rstrip("/")
HTTPS = env.bool("HTTPS", SITE_URL.startswith("https://"))
# Addresses or networks of proxies whose X-Forwarded-For and -Proto we believe; config/application.py acts on it.
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", [])
# One button per demo person on the sign-in page. Never on a server that others can reach.
DEMO = env.bool("DEMO", False)
SIGNUP = env.str("SIGNUP", "open", validate=validate.OneOf(["open", "invite", "closed"]))

_site = urlsplit(SITE_URL)
_loopback = ["127.0.0.1", "localhost"]
_port = f":{_site.port}" if _site.port else ""
# A browser on this machine may say either name for it. Those of IPv6 keep their brackets.
_names = _loopback if _site.hostname in _loopback else [_site.netloc.removesuffix(_port).lower()]
ORIGINS = [f"{_site.scheme}://{name}{_port}" for name in _names]

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", _names)
CSRF_FAILURE_VIEW = "config.views.stale_form"
CSRF_TRUSTED_ORIGINS = [*ORIGINS, *env.list("CSRF_TRUSTED_ORIGINS", [])]

# Our own apps: each knows only those below it
INSTALLED_APPS = [
    "config",
    "notices",
    "api",
    "webhooks",
    *discovery.loadable(),
    "rolls",
    "scale",
    "world",
    "characters",
    "campaigns",
    "people",
    "languages",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "people.session_list.SessionsConfig",
    "channels",
    "csp",
    "django_htmx",
    "template_partials",
    # Without searching the apps for what to show: people/admin.py and campaigns/admin.py say it.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
# Its `runserver` serves sockets, which Django's does not; without DEBUG the `runserver` in config says what to do.
if DEBUG:
    INSTALLED_APPS.insert(0, "daphne")

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # A table page with its feed is over 100 kB of HTML and an eighth of that compressed. Tokens in it are masked again for every
    # answer, and the length is padded at random, so compression gives nothing away.
    "django.middleware.gzip.GZipMiddleware",
    "config.middleware.BrotliMiddleware",
    "csp.middleware.CSPMiddleware",
    "languages.scripts.EarlyScriptMiddleware",
    "config.middleware.PlacesMiddleware",
    "api.auth.ApiMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "people.middleware.KeptPagesMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "people.middleware.ReaderMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaigns.middleware.RefusalMiddleware",
    "campaigns.middleware.LargestBodyMiddleware",
    "campaigns.middleware.ReadableFormMiddleware",
]

# What belongs to every operation at a table and is left to its end, in this order, until none has anything left to do
# (campaigns/services/log.py): what is told of sheets is known when all is written on them, and procedures are read anew once.
BEFORE_COMMIT = [
    "rolls.services.procedure_reading.tell_players_changed",
    "rolls.services.procedure_reading.do_due",
    "characters.services.sheet_writes.tell_sheets",
    "rolls.services.procedure_reading.redraw_changed",
    "campaigns.services.undo.keep_written",
]

# Shown at /metrics to who sends this; without it nothing is measured but what costs nothing (config/views.py).
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
if METRICS_TOKEN:
    INSTALLED_APPS.append("django_prometheus")
    _before, _after = (f"django_prometheus.middleware.Prometheus{when}Middleware" for when in ("Before", "After"))
    MIDDLEWARE = [_before, *MIDDLEWARE, _after]
# A folder in which several processes add up what they measure (config/metrics_folder.py).
PROMETHEUS_MULTIPROC_DIR = env.str("PROMETHEUS_MULTIPROC_DIR", "")

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "django.templatetags.i18n",
                "languages.templatetags.messages",  # after Django's, whose place its tags take
                "django_htmx.templatetags.django_htmx",
                "template_partials.templatetags.partials",
                # What our templates draw with, so that none has to load it; each game has its own beside it.
                *(f"django.templatetags.{name}" for name in ("l10n", "static", "tz")),
                "languages.templatetags.scripts",
                "campaigns.templatetags.look",
                "campaigns.templatetags.clocks",
                "campaigns.templatetags.undo",
                "characters.templatetags.sheets",
                "scale.templatetags.scale",
                "rolls.templatetags.rolls",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "rolls.context.rules",
                "people.context.account",
                "campaigns.context.head",
            ],
        },
    }
]

# Data


def _database_of(setting: str) -> dict[str, Any]:
    """Return what Django is told of the database whose URL this setting has; {} where it has none."""
    url = env.str(setting, "")
    if url and not url.startswith(("postgres://", "postgresql://", "sqlite://")):
        raise ImproperlyConfigured(
            f"{setting} has to begin with postgres:// or sqlite://; Afterburn knows no other database."
        )
    try:
        return dict(env.dj_db_url(setting)) if url else {}
    except ValueError:
        # Not in the words of who read it: they may repeat the password.
        form = "postgres://user:password@host:5432/name, with signs such as @ and / in the password as %40 and %2F"
        raise ImproperlyConfigured(f"{setting} cannot be read. It is written as {form}.") from None


# A PostgreSQL that is gone without a word, as when a cable is pulled, is noticed in ten seconds instead of two hours.
_NOTICED = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
_database = _database_of("DATABASE_URL") or {"ENGINE": "django.db.backends.sqlite3"}
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database.setdefault("NAME", BASE_DIR / "afterburn.sqlite3")
    _options: dict[str, Any] = {
        # Writers queue at BEGIN; with SQLite's default mode they fail half-way through with "database is locked".
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # A roll that was shown must survive a power cut: WAL alone would sync only now and then.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    # Without the pool every request pays for a new connection, and a roll took twice the time. After `timeout` seconds
    # an unreachable database is reported. By default the pool would retry at ever longer intervals, up to minutes after
    # the database was back: after `reconnect_timeout` it gives up, and the next request starts again.
    _options = _NOTICED | {"pool": {"min_size": 1, "max_size": 16, "timeout": 3, "reconnect_timeout": 3}}
    # After a restart of the server the pool must not hand out the dead connections.
    _database["CONN_HEALTH_CHECKS"] = True
# What the URL says (sslmode, a pool of its own …) stays said.
_database["OPTIONS"] = _options | _database.get("OPTIONS", {})
DATABASES = {"default": _database}
if _direct := _database_of("DATABASE_DIRECT_URL"):
    # DATABASE_URL leads to a pooler that gives a connection for one transaction (docs/scaling.md). What outlives that goes past
    # it: LISTEN and NOTIFY (campaigns/live/notifications.py). Server-side cursors do, and Django prepares no statements.
    _database["DISABLE_SERVER_SIDE_CURSORS"] = True
    _direct["OPTIONS"] = _NOTICED | _direct.get("OPTIONS", {})
    DATABASES["direct"] = _direct
if _replica := _database_of("DATABASE_REPLICA_URL"):
    # Not waited for: the primary can answer as well (campaigns/replica.py).
    _options = {"pool": {"min_size": 1, "max_size": 16, "timeout": 1, "reconnect_timeout": 1}, "tcp_user_timeout": 3000}
    _replica |= {"CONN_HEALTH_CHECKS": True, "OPTIONS": _options | _replica.get("OPTIONS", {})}
    DATABASES["replica"] = _replica
    DATABASE_ROUTERS = ["campaigns.replica.Router"]
    MIDDLEWARE.append("campaigns.replica.WrittenMiddleware")
if len(DATABASES) > 1 and any(one["ENGINE"] == "django.db.backends.sqlite3" for one in DATABASES.values()):
    raise ImproperlyConfigured(
        "DATABASE_DIRECT_URL and DATABASE_REPLICA_URL are for PostgreSQL, as DATABASE_URL then is."
    )

# In the database, where all server processes see it: allauth counts failed sign-ins here. Of the default 300 entries a third is
# thrown out whenever there are more, and whoever tries that many names would be free to guess on: every attempt is an entry for
# its name and one for its network. They expire within minutes; to count 20,000, as every entry does, takes some milliseconds.
CACHES = {
    "default": {
        "BACKEND": "database.fullness.SharedCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# Server processes on this machine, by the two names that hosts use; config/checks.py looks at it.
PROCESSES = max(env.int("WEB_CONCURRENCY", 1), env.int("WORKERS", 1))

# Requests that a process answers at once; others wait, a second and a half at most, and further ones get 503
# (config/middleware.py). Of the pool's 16 connections some are left for the sockets.
REQUESTS_AT_ONCE = env.int("REQUESTS_AT_ONCE", 8, validate=validate.Range(min=1))
REQUESTS_WAITING = env.int("REQUESTS_WAITING", 60, validate=validate.Range(min=0))

# Networks of the host's own that webhooks may be sent to, such as 192.168.1.0/24, also without encryption. By default
# only public addresses are allowed, so that users cannot reach what only this machine can (webhooks/sending.py).
WEBHOOK_NETWORKS: list[str] = env.list("WEBHOOK_NETWORKS", [])

# Operations one member may do in ten seconds before being asked to wait.
RATE_LIMIT = 30

# Bytes of one request: a picture of the largest size, and its form. What fits, the forms read and answer in their own words.
LARGEST_BODY = 6_000_000
DATA_UPLOAD_MAX_MEMORY_SIZE = LARGEST_BODY
# Bytes of all pictures that are shown in one campaign: some hundred, of 1600 pixels each.
LARGEST_PICTURES = env.int("PICTURES_MB", 200, validate=validate.Range(min=0)) * 1_000_000
# Bytes of a request with the log of a whole campaign. It is read from the disk, line by line.
LARGEST_CAMPAIGN = 50_000_000

# Where the faces of dice come from: a function of rolls.services.fairness.Throw.
DICE_SOURCE = "rolls.services.fairness.fair_dice"

# People

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
SESSION_ENGINE = "people.sessions"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "people.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "people.forms.SignInForm",
    "signup": "people.forms.SignUpForm",
    "reset_password": "people.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
# A table of friends plays without a mail server; who wants the mail to reset a password gives an address.
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Sign-up does not reveal whether an address has an account. So several accounts may give the same address, which
# belongs to the one that confirms it; user names tell them apart.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Afterburn: "
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
# Told at the confirmed address: a sign-in on a new device, another password, passkeys … (people/adapter.py has the words).
ACCOUNT_EMAIL_NOTIFICATIONS = True
USERSESSIONS_ADAPTER = "notices.leaving.SessionsAdapter"

# The second factor, and passkeys in place of a password. Browsers have these only on encrypted sites and on localhost.
MFA_ADAPTER = "people.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
if HTTPS or _site.hostname in _loopback:
    MFA_SUPPORTED_TYPES.append("webauthn")
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "people.forms.AddPasskeyForm",
    "edit_webauthn": "people.forms.RenamePasskeyForm",
    "login_webauthn": "people.forms.SignInByPasskeyForm",
    "authenticate_webauthn": "people.forms.PasskeyForm",
    "reauthenticate_webauthn": "people.forms.PasskeyAgainForm",
}
# A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1
# An address is nobody's before it is confirmed, so to protect an account that gives it takes it from no one.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# Accounts elsewhere that people may sign in with, each once the host has set its keys. What such a provider says of an address
# opens no account that is here already: people connect theirs when they are signed in.
SOCIALACCOUNT_AUTO_SIGNUP = False
# Whoever holds a session alone may not make themselves a door of their own.
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_ADAPTER = "people.adapter.ElsewhereAdapter"
SOCIALACCOUNT_FORMS = {"signup": "people.forms.ElsewhereSignUpForm"}
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}


def _all_or_none(*names: str) -> list[str]:
    given = [env.str(name, "") for name in names]
    if any(given) and not all(given):
        raise ImproperlyConfigured(f"{', '.join(names)} belong together: set all of them, or none.")
    return given if all(given) else []


if _keys := _all_or_none("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"):
    INSTALLED_APPS.append("allauth.socialaccount.providers.discord")
    SOCIALACCOUNT_PROVIDERS["discord"] = {
        "APPS": [{"client_id": _keys[0], "secret": _keys[1], "settings": {"oauth_pkce_enabled": True}}]
    }
OIDC_NAME = env.str("OIDC_NAME", "OpenID Connect")
if _keys := _all_or_none("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_URL"):
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
    _more = {"server_url": _keys[2].rstrip("/"), "oauth_pkce_enabled": True}
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "APPS": [
            {"provider_id": "oidc", "name": OIDC_NAME, "client_id": _keys[0], "secret": _keys[1], "settings": _more}
        ]
    }

# Mail

_mail: dict[str, Any] = env.dj_email_url("EMAIL_URL", "console://")
if "EMAIL_BACKEND" not in _mail:
    # Django would take that for SMTP without encryption.
    raise ImproperlyConfigured("EMAIL_URL has to begin with submission://, smtp://, file:// or console://.")
vars().update(_mail)
# Seconds to wait for a mail server; a page is waiting for it.
EMAIL_TIMEOUT = _mail["EMAIL_TIMEOUT"] or 10
# config/checks.py asks for it where there is a mail server.
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "") or _mail.get("DEFAULT_FROM_EMAIL", "")

# Words, times, files
LANGUAGE_CODE = "en-gb"
USE_I18N = True
# The catalogue of each app, of a ruleset too, is in its own folder (docs/translating.md).
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
FORMAT_MODULE_PATH = "languages.formats"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "config.static.HashedFiles"
    },
}
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Guarding the browser
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        # Older Safari does not count a socket to the same host as 'self'.
        "connect-src": [SELF, *(origin.replace("http", "ws", 1) for origin in ORIGINS)],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# A load balancer asks in plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Neighbouring host names and the browsers' preload lists are the host's own business, not ours to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Logs
LOG_FORMAT = env.str("LOG_FORMAT", "text", validate=validate.OneOf([*logs.FORMS]))
LOGGING = logs.settings_of(LOG_FORMAT)

# The names that are read above: another one in the file is a slip of the pen (config/checks.py).
NAMES = frozenset(env.dump())
