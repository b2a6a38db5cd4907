"""The application that uvicorn and daphne load: the site (config/application.py), or one line that says why it cannot
be served.
"""

from __future__ import annotations

import logging
import os

from django.core.exceptions import ImproperlyConfigured
from environs import EnvError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
log = logging.getLogger(__name__)
# What a package warns of is a line of the log like any other, and JSON where all are.
logging.captureWarnings(True)

try:
    from config import metrics_folder

    metrics_folder.settle()
    from config.application import application
    from config.checks import refuse_to_serve
    from database.fullness import hold_open

    refuse_to_serve()
    hold_open()
except (ImproperlyConfigured, EnvError) as error:
    log.critical("%s", error)
    raise SystemExit(1) from None
except Exception:
    log.critical("The site could not be loaded.", exc_info=True)
    raise SystemExit(1) from None

__all__ = ["application"]
