"""Forms of the table page, read into what the services take. The services check it again, under the lock."""
