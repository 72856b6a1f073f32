.PHONY: demo test check evals bench bench-scale campaign storm soak load mutants mutants-sample

# A start without compiled modules takes half a second longer, and the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

demo: .venv/demo.stamp
	.venv/bin/seenby demo

# The longest files begin first; tests/conftest.py lists them.
test: .venv/dev.stamp
	.venv/bin/python tests/gate.py --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder

# What is quick comes first, so that a slip is told before the tests have run. The type checker keeps one core busy for
# a minute; the tests do not wait for it.
check: .venv/dev.stamp
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports
	.venv/bin/uv lock --check
	.venv/bin/pyright & types=$$!; $(MAKE) test; tests=$$?; wait $$types && exit $$tests

# Forty questions of an analyst, asked of the first engine of SEENBY_ENGINE_COMPATIBLE, which has our tools over MCP.
evals: .venv/dev.stamp
	.venv/bin/python -m tests.evals

bench: .venv/dev.stamp
	.venv/bin/python -m bench

campaign: .venv/dev.stamp
	SEENBY_CAMPAIGN_RUNS=200 SEENBY_CAMPAIGN_KILLS=30 .venv/bin/pytest -q tests/workflows/test_kills.py
	SEENBY_CAMPAIGN_ASKS=300 SEENBY_CAMPAIGN_ASK_KILLS=40 SEENBY_CAMPAIGN_ASK_SECONDS=0.2 \
		.venv/bin/pytest -q tests/measurement/test_probing.py -k kills_lose

# Seven minutes of faults, then the books; ten minutes at most in all.
storm: .venv/dev.stamp
	SEENBY_STORM_SECONDS=420 timeout 600 .venv/bin/pytest -q tests/workflows/test_storm.py

# Eight companies with six runs each, two servers that are read from and two workers.
load: .venv/dev.stamp
	SEENBY_LOAD_COMPANIES=8 SEENBY_LOAD_WORKERS=2 .venv/bin/pytest -q tests/workflows/test_load.py

# Ten minutes of mixed load, five on each database.
soak: .venv/dev.stamp
	SEENBY_SOAK_SECONDS=300 timeout 900 .venv/bin/pytest -q tests/workflows/test_soak.py

bench-scale: .venv/dev.stamp
	.venv/bin/python -m bench.scale.measuring

# All mutants of the packages that decide numbers, money and access take days; a session goes on where it was stopped.
mutants: .venv/dev.stamp
	.venv/bin/uv sync --inexact --group mutants
	test -f mutants.sqlite || .venv/bin/cosmic-ray init bench/mutants/cosmic-ray.toml mutants.sqlite
	.venv/bin/cosmic-ray exec bench/mutants/cosmic-ray.toml mutants.sqlite
	.venv/bin/cr-report mutants.sqlite

# Sixty mutants, drawn with a fixed seed; at least 54 have to be noticed by a test.
mutants-sample: .venv/dev.stamp
	.venv/bin/python -m bench.mutants.sample

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
