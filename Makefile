# For those who are used to make; everything is in dev.py, which needs no make.
.PHONY: run test

run:
	python3 dev.py run

test:
	python3 dev.py test
