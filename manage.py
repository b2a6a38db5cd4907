#!/usr/bin/env python
"""Django's commands for this site."""

import importlib
import logging
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from environs import EnvError

from config import logs


def _is_of_a_unit() -> bool:
    """Return whether systemd or a container runs this, without a terminal."""
    return ("INVOCATION_ID" in os.environ and not sys.stderr.isatty()) or os.getpid() == 1


def _execute() -> None:
    # Without settings Django would run its own command of the same name, such as makemessages.
    importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    # Commands measure nothing: with it prometheus_client would write there, and fail where there is no such folder.
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
    execute_from_command_line(sys.argv)


def _run() -> None:
    try:
        _execute()
    except (ImproperlyConfigured, EnvError) as error:
        sys.exit(f"{error}")


def _run_logged(command: str) -> None:
    """Run a command as `_run` does, with each printed line and each traceback as an entry of the log."""
    log = logging.getLogger(command)
    handler = logging.StreamHandler(sys.__stderr__)
    handler.setFormatter(logs.chosen())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logs.log_what_is_printed(command)
    try:
        _execute()
    except (ImproperlyConfigured, EnvError) as error:
        log.critical("%s", error)
        sys.exit(1)
    except Exception:
        log.critical("The command failed.", exc_info=True)
        sys.exit(1)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if _is_of_a_unit():
        _run_logged(sys.argv[1] if sys.argv[1:] else "manage")
    else:
        _run()
