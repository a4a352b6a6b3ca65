# make install     .venv with the project in it, its kernels compiled
# make test        the tests, in minutes                    make bench     speed: what a release needs to know
# make test-all    every test; the slowest are told          make train     train the shipped table from scratch
# make lint        style and types, by pinned tools          make sample    sample pages, and the documents' pictures
# make docs        the documents and the API as a site, in build/site
# make lab         all other figures of the documents; takes hours
# make test-zero   the tests that need torch, in an environment of their own, .venv-zero
# make test-cluster  the tests of a cluster with real processes of dask, which it installs
# make test-long   the tests that take minutes each: kills by the hundred, whole boards solved, the shipped table trained anew

PYTHON ?= python3
NEW_VENV = $(PYTHON) -c "from goban.common.starting import refuse_old_python as refuse; refuse()" && $(PYTHON) -m venv
VENV := .venv/bin
# A process that has nothing left to do takes half of what another still has.
PYTEST := pytest -n auto --dist worksteal
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: install test test-all test-rest test-slow test-torch test-long test-zero test-cluster lint doctor
.PHONY: bench lab docs sample train shipped

install: .venv/installed

test: .venv/installed-test
	$(VENV)/python -m $(PYTEST) -m "not slow and not long"

# `make test test-all` makes nothing twice. The cluster's packages are not installed below tests that run.
test-all: test
	$(MAKE) .venv/installed-cluster
	@echo "The slow tests take about ten minutes. What they print comes when they have ended."
	$(MAKE) $(BESIDE) test-rest

# The slow tests wait much: beside them the others are run, one after the other. What each prints comes in one piece when it
# ends, where make can do that.
BESIDE := --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
test-rest: test-slow test-torch test-cluster

# Files with tests of dask's processes. Each is run once: `make test` has had the others of these files' folder.
WITH_DASK = $(shell grep -l 'find_spec("distributed")' tests/gojudge/cluster/test_*.py)

test-slow: .venv/installed-test
	$(VENV)/python -m $(PYTEST) -m "slow and not long" $(addprefix --ignore=,$(WITH_DASK)) --durations=50

test-torch:
	if $(MAKE) .venv-zero/installed; then $(MAKE) test-zero; else echo "no torch here: its tests are skipped"; fi

test-long: .venv/installed-test
	$(VENV)/python -m $(PYTEST) -m long

test-zero: .venv-zero/installed
	.venv-zero/bin/python -m $(PYTEST) -m "not long" $$(grep -l '"torch", 2' tests/golearn/alphazero/test_*.py)

test-cluster: .venv/installed-cluster
	$(VENV)/python -m $(PYTEST) -m "not long" $(WITH_DASK)

# In an environment of their own: types are judged with one release of numpy, whichever the project runs with.
lint: .venv-lint/installed
	.venv-lint/bin/ruff check .
	.venv-lint/bin/mypy --strict goban gojudge golearn players tournament benchmarks lab go.py go_play.py my_player*.py setup.py

# The whole shelf, and so a verdict on this machine.
doctor: .venv/installed
	$(VENV)/python -m tournament doctor

bench: .venv/installed-test
	$(VENV)/python -m benchmarks.host
	$(VENV)/python -m benchmarks.large_boards
	$(VENV)/python -m benchmarks.players
	$(VENV)/python -m benchmarks.my_player 2000
	$(VENV)/python -m benchmarks.playouts
	$(VENV)/python -m benchmarks.montecarlo
	$(VENV)/python -m benchmarks.environments
	$(VENV)/python -m benchmarks.judge 40
	$(VENV)/python -m benchmarks.solver

lab: .venv/installed-test
	$(VENV)/python -m lab.training
	-$(VENV)/python -m lab.pgx_parity
	-$(VENV)/python -m benchmarks.card
	$(VENV)/python -m lab.baselines
	$(VENV)/python -m lab.littlego 2
	$(VENV)/python -m benchmarks.fairness
	$(VENV)/python -m benchmarks.kills 400 --seed 1
	$(VENV)/python -m lab.cluster
	-$(VENV)/python -m lab.cluster --submissions 40 --messages 2000
	-$(VENV)/python -m lab.cluster_kills 300
	$(VENV)/python -m lab.pages
	$(VENV)/python -m lab.course_day
	$(VENV)/python -m lab.coverage
	$(VENV)/python -m lab.rounds
	$(VENV)/python -m lab.slow_players
	$(VENV)/python -m lab.similarity
	$(VENV)/python -m tournament probe random greedy smart my perfect
	$(VENV)/python -m lab.book 40 course
	$(VENV)/python -m lab.game_values 10 course
	$(VENV)/python -m lab.game_values 10 littlego
	$(VENV)/python -m lab.perfect 10000 course
	-$(VENV)/python -m lab.guesses play build/teacher.jsonl --games 100
	-$(VENV)/python -m lab.guesses fit build/teacher.jsonl
	$(VENV)/python -m benchmarks.strength gnugo
	$(VENV)/python -m benchmarks.strength montecarlo
	$(VENV)/python -m benchmarks.strength level10
	-$(VENV)/python -m benchmarks.strength pachi
	$(VENV)/python -m benchmarks.strength self
	$(VENV)/python -m benchmarks.strength second-stage
	$(VENV)/python -m benchmarks.strength regret
	$(VENV)/python -m lab.network_strength golearn/alphazero/networks/go5.npz --rules course
	$(VENV)/python -m lab.dead_stones
	$(VENV)/python -m lab.alphazero
	$(VENV)/python -m lab.selfplay
	-.venv-zero/bin/python -m lab.ceiling
	$(VENV)/python -m golearn.alphazero evaluate random aggressive smart alphabeta my uniform:simulations=32 rollouts:simulations=32 montecarlo:simulations=1000,exact=0
	$(VENV)/python -m golearn.alphazero evaluate --conversion 200 my smart
	$(VENV)/python -m golearn.alphazero evaluate --conversion 200 zero
	$(VENV)/python -m golearn.alphazero evaluate zero:simulations=32
	$(VENV)/python -m golearn.alphazero evaluate --game go5-littlego zero smart
	$(VENV)/python -m tests.support.connect_four_values random uniform:simulations=32 rollouts:simulations=32

docs: .venv/installed-docs
	$(VENV)/zensical build --config-file mkdocs.yml --strict

sample: .venv/installed-test
	$(VENV)/python -m tournament sample build/sample --site
	$(VENV)/python -m tests.support.pictures build/sample-small.site build/sample-grade.site
	$(VENV)/python -m tests.support.hour_pictures

train: .venv/installed
	$(VENV)/python -m golearn.qlearning --rule minimax --table my_player_table.bin

# After a change of the project's own player: its copy, which reference players play by.
shipped:
	cp my_player.py my_player_search.py my_player_table.py my_player_table.bin players/shipped/
	cd players/shipped && sha256sum my_player*.* > SHA256SUMS

# All processors at once: what pip would compile file after file, and the kernels, those of `montecarlo` by a game. What a
# newer Python warns of in other people's packages is nothing that a user can mend; their tests nobody imports. $(1): what else
# is to be done, beside those of `montecarlo`.
define AHEAD
	$(VENV)/python -W ignore -m compileall -qq -j 0 -x "/tests/|/numba/cuda/" .venv/lib & \
	$(VENV)/python go_play.py -p1=montecarlo:simulations=10,exact=0 -p2=random --seed 1 > /dev/null 2>&1 & \
	$(VENV)/python -m goban.solver.truth --compile $(1) && wait
endef

WAIT = @echo "This installs into $(@D) and compiles, once: it takes a few minutes."

# What a user needs. In the project's own folder the modules are those of the clone, so that changes to them count.
.venv/installed: pyproject.toml
	$(WAIT)
	$(NEW_VENV) .venv
	$(VENV)/python $(PIP) --no-compile -e .
	@$(call AHEAD)
	touch $@
	@echo "Installed. Type .venv/bin/python for python3, or once in each terminal: . .venv/bin/activate"

# In one go, whether or not `make install` was before.
.venv/installed-test: pyproject.toml
	$(WAIT)
	$(NEW_VENV) .venv
	$(VENV)/python $(PIP) --no-compile -e ".[test]"
	@$(call AHEAD,&& $(VENV)/python -m tests.support.kernels_ahead)
	touch .venv/installed $@

# Their sources are read, hardly any of them run.
.venv-lint/installed: pyproject.toml
	$(NEW_VENV) .venv-lint
	.venv-lint/bin/python $(PIP) --no-compile -e ".[test,lint]"
	touch $@

# The build for processors, by its full name: any other brings 3 GB of CUDA. First from where pip looks anyhow. Of its thousands
# of modules few are imported; they are compiled here, not by several processes of tests at once.
TORCH := torch==2.13.0+cpu
.venv-zero/installed: pyproject.toml
	$(NEW_VENV) .venv-zero
	.venv-zero/bin/python $(PIP) --no-compile $(TORCH) 2>/dev/null \
	|| .venv-zero/bin/python $(PIP) --no-compile $(TORCH) \
	   --extra-index-url https://download.pytorch.org/whl/cpu
	.venv-zero/bin/python $(PIP) --no-compile -e ".[zero]" pytest pytest-xdist hypothesis
	.venv-zero/bin/python -c "import torch"
	touch $@

# Of thousands of modules of Kubernetes few are imported.
.venv/installed-cluster: .venv/installed-test
	$(VENV)/python $(PIP) --no-compile -e ".[cluster]" dask-jobqueue dask-kubernetes kubernetes-validate
	touch $@

.venv/installed-docs: .venv/installed
	$(VENV)/python $(PIP) -e ".[docs]"
	touch $@
