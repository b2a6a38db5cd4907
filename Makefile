# For those who are used to make; everything is in dev.py, which needs no make.
.PHONY: run test bench

run:
	python3 dev.py run

test:
	python3 dev.py test

bench:
	python3 dev.py bench
