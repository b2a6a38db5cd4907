from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0020_dates"),
    ]

    operations = [
        migrations.RemoveField("campaign", "next_session_at"),
    ]
