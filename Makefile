# For those who are used to make; everything is in dev.py, which needs no make.
.PHONY: run test test-all bench

run:
	python3 dev.py run

test:
	python3 dev.py test

test-all:
	python3 dev.py test-all

bench:
	python3 dev.py bench
