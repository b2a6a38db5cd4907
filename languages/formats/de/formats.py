"""How dates and times are written in German; numbers are as Django writes them there."""

DATE_FORMAT = "j. F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = f"{DATE_FORMAT}, {TIME_FORMAT}"
SHORT_DATETIME_FORMAT = f"d.m.Y, {TIME_FORMAT}"
