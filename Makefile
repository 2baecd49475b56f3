# Everything here sets itself up: a fresh clone needs only python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# One process more than there are cores: tests that wait for others leave a core idle.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
FAST := tests/unit tests/golden tests/property tests/test_house_style.py tests/test_docs.py tests/test_results.py

# Hundreds of processes read our modules, and each would compile them anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: docs docs-check wheel attack demo studio screenshots results test test-fast test-all test-rotating install check kernels-belief kernels-search bench contact-sheet clean

demo: $(STAMP)
	@$(BIN)/python demo.py

# The studio in the browser, until Ctrl-C.
studio: $(STAMP)
	@$(BIN)/python -m veil studio

# The pictures of the studio in README and docs; needs chromium-headless-shell.
screenshots: $(STAMP)
	$(BIN)/python docs/screenshots.py

# mypy has one thread, and so have compilers: kernels are compiled meanwhile, and no test has to wait for them. Test modules
# are read once and kept as bytecode, which each process of pytest would otherwise make for itself.
test: $(STAMP)
	@$(MAKE) --no-print-directory --jobs=2 check kernels-belief kernels-search test-bytecode
	$(PYTEST) --durations=25 -m "not nightly"

# What can be known in less than a minute: one room after the other, messages, playthroughs, random rule sets, style.
test-fast: $(STAMP)
	$(PYTEST) -m "not slow and not nightly" --ignore=tests/unit/veil_lab $(FAST)

# The site, into the package: `veil docs` opens it, wheels carry it. Warnings are errors; links inside are checked.
docs: $(STAMP)
	@$(BIN)/python -c "import furo, matplotlib, myst_nb, sphinx, sphinx_copybutton" 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html -d docs/_build/doctrees docs docs/_build/html
	@$(BIN)/python docs/check_links.py docs/_build/html
	@rm -rf src/veil/site && cp -r docs/_build/html src/veil/site

# Wheel and sdist in dist/, with the site; then the wheel is tried in an empty environment of each Python that is there.
wheel: docs
	rm -rf dist
	@$(BIN)/python -c "import build, hatchling" 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check build hatchling
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(PYTHON) docs/try_wheel.py dist

# What was broken into before, tried again on loopback: guests, managers, pages, slow clients, files, limits.
ATTACKS = tests/unit/match/test_keys.py tests/unit/match/executors/test_walls.py tests/unit/match/executors/test_addresses.py \
  tests/unit/server/ggp/test_player_server.py tests/e2e/test_hurried_matches.py \
  tests/unit/server/web/host/test_security.py tests/e2e/test_slow_clients.py tests/e2e/test_studio_secrets.py \
  tests/unit/test_private_folders.py tests/unit/match/test_store.py tests/e2e/test_limits.py \
  tests/e2e/test_own_players.py tests/e2e/test_play.py tests/unit/equilibrium/test_large_policy.py \
  tests/unit/equilibrium/streaming/test_walk_solver.py

attack: $(STAMP)
	$(PYTEST) $(ATTACKS)

# The gate and the nightly tests: all families, the whole table of hostile things, the tests of oracles.
test-all: $(STAMP)
	$(PYTEST) --durations=25

# A tenth of the nightly tests, another one for each commit, with fewer kills; ends in order after ten minutes.
test-rotating: $(STAMP)
	VEIL_KILLS=10 $(PYTEST) -m nightly --part $$((0x$$(git rev-parse --short=7 HEAD)))/10 --minutes 10

install: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,cluster,env,peers,web]'

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The kernels of a room and of those below; from the second time on they are read from disk.
kernels-belief kernels-search: kernels-%: $(STAMP)
	@$(BIN)/python -c "from veil.$* import warm_up; warm_up()"

.PHONY: test-bytecode
test-bytecode: $(STAMP)
	@$(BIN)/python -m pytest --collect-only -q > /dev/null

bench: $(STAMP)
	$(BIN)/python benchmarks/bench_lang.py
	$(BIN)/python benchmarks/bench_engine.py
	$(BIN)/python benchmarks/bench_solve.py
	$(BIN)/python benchmarks/bench_belief.py
	$(BIN)/python benchmarks/bench_players.py
	$(BIN)/python benchmarks/bench_clock.py

# The pages about results and the blocks in other pages, from the runs in results/ (`veil reproduce NAME --out results`).
results: $(STAMP)
	$(BIN)/python -m veil_lab.results

# Every bundled game on its board, for docs/understand/boards.md. Needs chromium-headless-shell.
contact-sheet: $(STAMP)
	$(BIN)/python docs/boards.py

# The extension for VS Code, where npm is installed; it needs the network.
.PHONY: vscode
vscode:
	@if command -v npm > /dev/null; then \
	  cd editors/vscode && npm install --no-package-lock --no-audit --no-fund --silent && npm run --silent build; \
	else echo "npm is not installed: the extension for VS Code is not built"; fi

clean:
	rm -rf $(VENV) build dist src/veil/site docs/_build docs/generated editors/vscode/node_modules editors/vscode/dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# Kernels as the Python functions they are, which debuggers and coverage see. Tests that need them compiled are skipped.
.PHONY: test-python coverage
test-python: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not nightly" $(FAST)

# How much of every core room these tests execute, and which kernels they do not.
coverage: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[coverage]'
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not nightly" --cov --cov-report= $(FAST)
	@$(BIN)/python -m tests.support.coverage_table
