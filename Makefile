# make test        style, types and tests                    make bench     the benchmarks' tables; takes hours
# make test-slow   also the tests that take minutes          make train     train the shipped table from scratch
# make lint        style and types only                      make sample    sample pages, and the documents' pictures
# make docs        the documents and the API as a site, in build/site

PYTHON ?= python3
VENV := .venv/bin

.PHONY: test test-slow lint bench docs sample train

test: lint
	$(VENV)/python -m pytest -n auto -m "not slow"

test-slow: .venv/installed
	$(VENV)/python -m pytest -n auto

lint: .venv/installed
	$(VENV)/ruff check .
	$(VENV)/mypy --strict common goban kernels search players learning tournament benchmarks go.py go_play.py my_player.py my_player3.py setup.py

bench: .venv/installed
	$(VENV)/python -m benchmarks.host
	$(VENV)/python -m benchmarks.players
	$(VENV)/python -m benchmarks.my_player 2000
	$(VENV)/python -m benchmarks.playouts
	$(VENV)/python -m benchmarks.training
	$(VENV)/python -m benchmarks.judge 40
	$(VENV)/python -m benchmarks.littlego 2
	$(VENV)/python -m benchmarks.kills 400 --seed 1
	$(VENV)/python -m benchmarks.pages
	$(VENV)/python -m benchmarks.solver
	$(VENV)/python -m benchmarks.book 40 course
	$(VENV)/python -m benchmarks.perfect 10000 course

docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(VENV)/mkdocs build --strict

sample: .venv/installed
	$(VENV)/python -m tournament sample build/sample --site
	$(VENV)/python -m tests.support.pictures build/sample-small.site

train: .venv/installed
	$(VENV)/python -m learning.qlearning --table my_player_table.bin

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

.venv/installed-docs: .venv/installed
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@
