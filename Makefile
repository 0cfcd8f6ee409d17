# The few things that aren't ./play or ./test. They use the environment that ./test makes.
PYTHON = .venv/bin/python

.PHONY: check test format golden docs lock

check: test

test:
	./test

format:
	$(PYTHON) -m ruff check --fix
	$(PYTHON) -m ruff format

golden:
	COWBOARD_RENEW_GOLDEN=1 ./test tests/golden tests/docs
	$(PYTHON) -m tests.support.light_docs
	git diff --stat -- tests/golden docs

docs:
	$(PYTHON) -m firmware_bridge.export docs/protocol.md
	$(PYTHON) -m tests.support.light_docs
	COWBOARD_RENEW_GOLDEN=1 ./test tests/docs/test_turn_diagram.py

lock:
	requirements/renew
