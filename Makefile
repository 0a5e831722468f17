# Everything happens in .venv, pinned by constraints.txt; `make` alone lists the targets.

SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
PORT ?= 8501
BIN := .venv/bin
# Most modules that packages bring are never imported: Python compiles each when it is.
INSTALL = $(BIN)/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt
APT := DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
CAN_INSTALL := [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
# No limit counts what other processes take: a test that has not ended after 15 minutes hangs. Its
# process says where, and ends. A process that ends so, or crashes, is not replaced: the one in its
# place can wait for ever.
HANGS := -o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true
# Files come as they are in the tree, so that the last ones are those of the vocabulary: all short.
IN_PROCESSES := --dist loadfile --no-loadscope-reorder --max-worker-restart 0
PARALLEL := --numprocesses auto --maxprocesses 4 $(IN_PROCESSES)
JOURNEYS := browser and not thorough
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome

# Where it is set, each process that tests start would compile all of Wattfront anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup packages dashboard test lint checked bounds plain journeys quick thorough bench mutants pictures browser slurm

help:
	@echo "make dashboard   start the dashboard on http://localhost:$(PORT) (PORT=8502 for another)"
	@echo "make test        lint and the tests before a merge, also in a real browser"
	@echo "make quick       every test that is not slow: while you work"
	@echo "make thorough    all tests there are, properties with 60 times as many examples (hours)"
	@echo "make checked     the same as make bounds if a kernel has changed (part of make test)"
	@echo "make bounds      run all that is compiled with every index checked (part of make thorough)"
	@echo "make plain       the tests of make test but those in a browser"
	@echo "make journeys    the tests of make test that are in a browser"
	@echo "make lint        ruff and mypy"
	@echo "make bench       measure into benchmarks/RESULTS.md"
	@echo "make mutants     put faults into the code, and measure how many the tests notice (hours)"
	@echo "make pictures    draw the pictures of the documentation anew"
	@echo "make setup       only prepare .venv; every other target does it by itself"

setup: .venv/ready

.venv/installed: pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || ! { $(CAN_INSTALL); } || \
	  { apt-get update && $(APT) python3-venv; }
	"$(PYTHON)" -m venv .venv
	$(INSTALL) hatchling editables
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

# What solves is compiled beside what replays, and what stops jobs: each takes as long. A twentieth
# of that would go into looking for garbage among what is compiled.
.venv/ready: .venv/installed
	@echo "Compiling kernels, once ..."
	@run() { $(BIN)/python -c 'import gc, sys; gc.set_threshold(100_000); from core.shells.cli import main; \
	  sys.exit(any([main(line.split()) for line in sys.argv[1:]]))' "$$@" >/dev/null; }; \
	run "solve two-by-two --seconds 0.1 --method "{lp,min-min,sufferage} \
	  "front two-by-two --seconds 0.1 --method "{lp,nsga2} \
	  "derive --min-runs 1 -o .venv/derived.json tests/engines/logs/dumps/real/"{parsable2,fixed-width-long}.txt \
	  "provision e1 --front reward,cost --front-points 5" \
	  "centre parasol --seconds 0.1 --method plan,edd,bfh" & solves=$$!; \
	run "replay testbed --policy upt-greedy" & stops=$$!; \
	run "replay testbed --policy easy --policy max-upr" \
	  "replay uncertain --policy weighed --policy greedy-min --every 60s" \
	  "fair-shares morning --policy all --seconds 0.1"; \
	replays=$$?; wait $$solves && wait $$stops && exit $$replays
	@touch $@

dashboard: setup
	@echo "Wattfront answers on http://localhost:$(PORT); end it with Ctrl-C."
	@exec $(BIN)/wattfront dashboard --port $(PORT)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

checked: setup
	@$(BIN)/python tests/engines/kernels/stamp.py || $(MAKE) --no-print-directory bounds

# An index beyond the end of an array is an error here; elsewhere nobody would notice, or all would.
bounds: setup
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.numba-checked PYTHONPATH=.:tests \
	  nice -n 15 $(BIN)/python -W error::RuntimeWarning tests/engines/kernels/everything.py 60 0.02
	@$(BIN)/pytest -q -o cache_dir=.pytest_cache/bounds tests/engines/kernels
	@$(BIN)/python tests/engines/kernels/stamp.py --write

# Kernels are compiled while packages are fetched. All else gives way to journeys, which wait.
test:
	@$(MAKE) --no-print-directory --jobs=2 setup packages
	@echo "Some minutes; each part tells at its end what came of it."
	@$(MAKE) --no-print-directory --keep-going --jobs=4 --output-sync=target \
	  lint checked plain journeys

plain: setup slurm
	@nice -n 5 $(BIN)/pytest -q -o cache_dir=.pytest_cache/plain -m "not browser and not thorough" \
	  $(PARALLEL) $(HANGS)

# Which tests are slow says tests/slow.txt; how that is measured, tests/slow.py.
quick: setup
	$(BIN)/pytest -q -o cache_dir=.pytest_cache/quick -m "not browser and not thorough and not slow" \
	  $(PARALLEL)

# How many examples, says tests/helpers/examples.py.
thorough: setup packages bounds
	nice -n 15 $(BIN)/pytest -o cache_dir=.pytest_cache/thorough -m "not browser" \
	  --hypothesis-profile=thorough $(PARALLEL)
	@$(MAKE) --no-print-directory journeys JOURNEYS=browser

# Journeys need Chromium; without it they are left out, loudly.
journeys: setup
	@if { $(BROWSER); } >/dev/null; then \
	$(BIN)/pytest -q -o cache_dir=.pytest_cache/journeys -m "$(JOURNEYS)" tests/browser \
	  --numprocesses 2 $(IN_PROCESSES) $(HANGS); \
	else echo "WARNING: no Chromium was found, so THE BROWSER TESTS WERE LEFT OUT; install it and" \
	"repeat."; fi

# One after the other: apt locks what it works on.
packages: .venv/installed
	@$(MAKE) --no-print-directory browser
	@$(MAKE) --no-print-directory slurm

browser:
	@{ $(BROWSER); } >/dev/null || ! { $(CAN_INSTALL); } || \
	  { apt-get update && $(APT) chromium; } || echo "Chromium could not be installed."

# Services stay as they are: the tests start daemons of their own.
slurm: .venv/installed
	@missing=$$($(BIN)/python tests/slurm/packages.py) && [ -z "$$missing" ] || \
	  ! { $(CAN_INSTALL); } || sh tests/slurm/install.sh $$missing || \
	  echo "Slurm could not be installed."

pictures: setup browser
	PYTHONPATH=. $(BIN)/python docs/images/draw.py

bench: setup
	$(BIN)/python -m benchmarks

mutants: setup
	nice -n 15 $(BIN)/python -m benchmarks mutants
