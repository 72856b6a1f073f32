.PHONY: demo test check bench bench-scale campaign

# A start without compiled modules takes half a second longer, and the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

demo: .venv/demo.stamp
	.venv/bin/seenby demo

test: .venv/dev.stamp
	.venv/bin/pytest --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder

check: test
	.venv/bin/uv lock --check
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/pyright
	.venv/bin/lint-imports

bench: .venv/dev.stamp
	.venv/bin/python -m bench

campaign: .venv/dev.stamp
	SEENBY_CAMPAIGN_RUNS=200 SEENBY_CAMPAIGN_KILLS=30 .venv/bin/pytest -q tests/runs/test_kills.py

bench-scale: .venv/dev.stamp
	.venv/bin/python -m bench.scale.measuring

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
