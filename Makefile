# Two commands do all the set-up from a bare clone with Python 3.11+ and make:
#   make league    every agent but the searches in self-play, ranked, with a picture (about a minute)
#   make test      the test suite
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
HLE := hanabi-learning-environment==0.0.4

.PHONY: league test quick check style signature bounds tables pictures pins clean

league: $(VENV)/installed
	$(BIN)/kagiya league
	@echo
	@echo 'The command is $(BIN)/kagiya. To have `kagiya` on the path of this shell:'
	@echo '  source $(BIN)/activate'

test: $(VENV)/ready-to-test
	$(BIN)/python -m pytest -n auto

# What the author of an agent needs: the battery and the tests of agents with fewer games, the documents, the signature.
# About four minutes of processor time, so two on two cores; more the first time, when everything is compiled.
quick: $(VENV)/ready-to-test
	$(BIN)/python -m pytest -n auto -m quick

# What CI asks besides the tests: style, types, the direction of imports, tables that match their data, and games
# that are those written down.
check: style signature

# First whether the tools are the pinned ones: another version may find what is no defect of the code.
style: $(VENV)/ready-to-test
	$(BIN)/kagiya dev pins
	$(BIN)/ruff check --output-format concise
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/kagiya dev report --check

signature: $(VENV)/ready-to-test
	$(BIN)/kagiya dev signature --check

# Kernels with every index checked, fewer games. Commands, the store and the documents call the same kernels, and what
# else they do does not depend on the bounds; nor do the tests that agents are blind and move alike when they are told.
# The lists of sparta are tried by tests/search.
# Compiled with few optimizations: these games are short, and most of the time goes into compiling.
bounds: $(VENV)/ready-to-test
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 KAGIYA_TEST_SCALE=0.1 $(BIN)/python -m pytest -n auto -q tests/engine tests/view tests/agents \
		tests/search tests/lab/table tests/rl/test_batch.py --ignore tests/agents/test_kernel_types.py \
		-k "not does_not_depend_on_cards and not told_seat and not (every_move_is_legal and sparta)"

# Everything that a program writes into the documents: the league, the speeds, the agents' page.
tables: $(VENV)/ready-to-test
	$(BIN)/kagiya league --games 20000 --json-file results/league.json --picture docs/league.png --remeasure outdated
	$(BIN)/kagiya dev bench --json-file results/bench.json
	$(BIN)/kagiya dev bench envs --json-file results/bench-envs.json
	$(BIN)/kagiya reproduce --games 100000 --remeasure outdated
	$(BIN)/kagiya dev report

# The pictures of the web table in the README, with fixed seeds; they need Chromium, on PATH or Playwright's own.
pictures: $(VENV)/ready-to-test
	$(BIN)/python -m tests.web.pictures

$(VENV)/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# The Hanabi Learning Environment is built from source (its wheels end at Python 3.10), which needs a C++
# compiler. Without one the tests that compare with it are skipped, and say so.
$(VENV)/ready-to-test: $(VENV)/installed constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable ".[dev,peers,cluster,data,rl]"
	CMAKE_POLICY_VERSION_MINIMUM=3.5 $(BIN)/python -m pip install --quiet --disable-pip-version-check $(HLE) \
		|| echo "The Hanabi Learning Environment could not be built here; its tests will be skipped."
	touch $@

# The newest tools, and their versions in constraints.txt; commit it together with what they find.
pins: $(VENV)/ready-to-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable ".[dev]"
	$(BIN)/kagiya dev pins --write
	touch $(VENV)/ready-to-test

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
