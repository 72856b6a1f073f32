.PHONY: demo test check bench bundle evals stress mutants help

# A start without compiled modules takes half a second longer, and the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

help: ## List the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/demo.stamp ## Measure five car makers with the built-in engine, then serve the result
	.venv/bin/seenby demo

test: .venv/dev.stamp ## Run every test
	.venv/bin/pytest --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder

# The type checker keeps one core busy for a minute; the tests do not wait for it.
check: .venv/dev.stamp ## Check format, lint, import contracts, lock file and types, then run every test
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports
	.venv/bin/uv lock --check
	.venv/bin/pyright & types=$$!; $(MAKE) test; tests=$$?; wait $$types && exit $$tests

bench: .venv/dev.stamp ## Measure speed, accuracy and statistics; `python -m bench NAME` runs one measurement
	.venv/bin/python -m bench

bundle: .venv/dev.stamp ## Build the wheel and the desktop bundle (.mcpb) into dist
	.venv/bin/python deploy/bundle.py

evals: .venv/dev.stamp ## Ask the first engine of SEENBY_ENGINE_COMPATIBLE forty analyst questions over MCP
	.venv/bin/python -m tests.evals

stress: export SEENBY_TESTS_IN_FULL=1
stress: .venv/dev.stamp ## Kill workers, inject faults, run a load and a soak test on both databases (30 minutes)
	SEENBY_CAMPAIGN_RUNS=200 SEENBY_CAMPAIGN_KILLS=30 .venv/bin/pytest -q tests/workflows/test_kills.py
	SEENBY_CAMPAIGN_ASKS=300 SEENBY_CAMPAIGN_ASK_KILLS=40 SEENBY_CAMPAIGN_ASK_SECONDS=0.2 \
		.venv/bin/pytest -q tests/measurement/test_probing.py -k kills_lose
	SEENBY_STORM_SECONDS=420 timeout 600 .venv/bin/pytest -q tests/workflows/test_storm.py
	SEENBY_LOAD_COMPANIES=8 SEENBY_LOAD_WORKERS=2 .venv/bin/pytest -q tests/workflows/test_load.py
	SEENBY_SOAK_SECONDS=300 timeout 900 .venv/bin/pytest -q tests/workflows/test_soak.py

mutants: .venv/dev.stamp ## Run cosmic-ray over the packages that decide numbers, money and access (days; resumable)
	.venv/bin/uv sync --inexact --group mutants
	test -f mutants.sqlite || .venv/bin/cosmic-ray init bench/cosmic-ray.toml mutants.sqlite
	.venv/bin/cosmic-ray exec bench/cosmic-ray.toml mutants.sqlite
	.venv/bin/cr-report mutants.sqlite

.venv/bin/uv:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed"; exit 1; }
	python3 -m venv --clear .venv
	.venv/bin/python -m pip install --quiet 'uv>=0.13,<0.14'

.venv/demo.stamp: .venv/bin/uv pyproject.toml uv.lock
	.venv/bin/uv sync --compile-bytecode --inexact --no-dev --group demo
	@touch $@

.venv/dev.stamp: .venv/bin/uv pyproject.toml uv.lock
	.venv/bin/uv sync --compile-bytecode --inexact
	@touch $@
