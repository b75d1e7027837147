# Everything a developer runs. Without `make`: the README has the plain commands.
VENV := .venv/bin

.PHONY: setup check test run bench dist docs
setup:
	python3 scripts/setup.py --dev

check: setup
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/pyright
	$(VENV)/lint-imports

test: setup
	$(VENV)/pytest -n 2 --dist loadfile

run: setup
	$(VENV)/famulus serve

bench: setup
	$(VENV)/python bench/run.py

dist: setup
	rm -rf dist
	$(VENV)/python -m hatchling build -d dist

docs: setup
	$(VENV)/python scripts/reference.py
