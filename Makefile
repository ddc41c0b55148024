# Everything needed is installed into .venv by the first target that is asked for; a second run installs nothing.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2

.PHONY: check test quick lint docs figures clean

check: .venv/installed   ## validate every claim on the quick profile and print the table
	$(BIN)/refute check --jobs $(WORKERS)

test: .venv/installed    ## the tests of the harness, then every claim as a test
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup

quick: .venv/installed   ## the quick tests of the harness and no claims: a minute or so on two cores
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not slow" tests

lint: .venv/installed    ## formatting, lint rules, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: .venv/installed    ## the pages in docs/_build/html, without a network; a warning is an error
	$(BIN)/sphinx-build -b html -q -E -a -W --keep-going docs docs/_build/html

figures: .venv/installed ## every figure in its quick version, for the pages: tens of minutes
	$(BIN)/refute figure --list | while read -r paper number rest; do \
	  $(BIN)/refute figure "$$paper" "$$number" --quick --out "docs/_generated/figures/$$paper-$$number.png"; done

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

clean:
	rm -rf .venv .refute .hypothesis .pytest_cache .mypy_cache .ruff_cache build ./*.egg-info
