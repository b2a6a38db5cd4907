#!/usr/bin/env python
"""Django's commands for this site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from environs import EnvError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EnvError) as error:
        sys.exit(f"{error}")
