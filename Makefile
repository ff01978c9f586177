# Everything from nothing: each target first sets up .venv.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed
# What users have; the tools of developers come later, where they are needed.
PLAIN := $(VENV)/.plain
# Tests compile C, and some wait: two workers for each processor. A file is one worker's, which makes what its tests share
# once. Override with JOBS=1 to see one after the other.
JOBS ?= $(shell echo $$(( $$(nproc) * 2 )))

.PHONY: demo test check bench osmose search-table lint types reference clean

# Exit code 1 says that something was found, which is what the demonstration is about.
demo: $(PLAIN)
	rm -rf untaken-out/demo
	$(VENV)/bin/untaken run examples/http_request.c --stdin 64 --time 30 --out untaken-out/demo || test $$? -eq 1

test: $(STAMP)
	$(VENV)/bin/python -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder

check: lint types test

bench: $(STAMP)
	$(VENV)/bin/python benchmarks/bench.py
	$(VENV)/bin/python benchmarks/campaign_rate.py
	$(VENV)/bin/python benchmarks/decision_cost.py
	$(VENV)/bin/python benchmarks/scoring_cost.py
	$(VENV)/bin/python benchmarks/hybrid_speed.py
	$(VENV)/bin/python -m benchmarks.large_functions
	$(VENV)/bin/python benchmarks/real/rate.py

# The tables of the OSMOSE paper: what pruning saves and costs.
osmose: $(STAMP)
	$(VENV)/bin/python benchmarks/osmose.py

# Strategies side by side, by iterations: minutes. SEARCH='--trials 5 --iterations 1000,4000,30000' takes hours.
SEARCH ?=
search-table: $(STAMP)
	$(VENV)/bin/python benchmarks/search_table.py --strategies auto,earliest,pieces,stores,havoc,cfg,generational --jobs 2 $(SEARCH)

lint: $(STAMP)
	$(VENV)/bin/ruff check .

types: $(STAMP)
	$(VENV)/bin/mypy

# The page of all commands and options, from the commands themselves.
reference: $(STAMP)
	$(VENV)/bin/untaken man --markdown > docs/reference/commands.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis untaken-out
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(PLAIN): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	@echo "untaken and what it needs are installed into $(VENV), which takes a minute"
	$(VENV)/bin/python -m pip install --quiet -e .
	touch $@

$(STAMP): $(PLAIN)
	$(VENV)/bin/python -m pip install --quiet -e '.[dev]'
	touch $@
