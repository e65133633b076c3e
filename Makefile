# Everything a contributor types. Needs Node >= 20.19, a C++ compiler and make; everything else is installed here.

SHELL := /bin/sh
BIN := node_modules/.bin
ESLINT := $(BIN)/eslint --config test/config/eslint.config.js --max-warnings 0
TSX := node --import tsx

# better-sqlite3 is compiled where its prebuilt binary cannot be had; where Node brings its own headers, they are used.
NODE_PREFIX := $(shell node -p 'require("path").resolve(process.execPath, "../..")')
ifneq ($(wildcard $(NODE_PREFIX)/include/node/node.h),)
export npm_package_config_node_gyp_nodedir := $(NODE_PREFIX)
endif
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.PHONY: run build generate test fuzz torture bench check golden format clean
.DEFAULT_GOAL := build

run: build
	@node dist/main.js migrate
	@LOG_LEVEL=$${LOG_LEVEL:-warn} node dist/main.js serve --demo

build: generate
	@rm -rf dist
	@$(BIN)/tsc
	@mkdir -p dist/web/assets && cp src/web/assets/*.css src/web/assets/*.js src/web/assets/*.svg dist/web/assets/
	@chmod +x dist/main.js

generate: node_modules/.installed
	@$(TSX) src/build/generate.ts

test: build
	@$(TSX) test/support/run-tests.ts

# Requests made from the contract's document; FUZZ_SEED replays a run, FUZZ_CASES says how many an engine (12,000).
fuzz: node_modules/.installed
	@$(TSX) test/torture/fuzz.ts

# What takes minutes: attacks, kills and crowds, with figures (test/torture/README.md). TORTURE="hostile doors" runs just these.
TORTURE ?= hostile blocks regexes doors canaries faults disk-full histories outage stops kills fleet timing sign-in-flood
torture: build
	@failed=; for name in $(TORTURE); do \
	  echo "== $$name"; \
	  if [ $$name = kills ]; then \
	    TEST_KILLS=$${TEST_KILLS:-500} $(BIN)/tap --timeout 3600 --reporter tap test/store/kills.test.ts; \
	  else \
	    $(TSX) test/torture/$$name.ts; \
	  fi || failed="$$failed $$name"; \
	done; if [ -n "$$failed" ]; then echo "Not as it must be:$$failed"; exit 1; fi

# What scans, reads and both at once cost, beside their peers: tables to paste. BENCH=scan, read or mixed runs one of them.
bench: build test/bench/node_modules/.installed
	@$(BIN)/tsc --project test/bench
	@$(TSX) test/bench/main.ts $(BENCH)

check: node_modules/.installed
	@$(TSX) test/support/check-generated.ts
	@$(BIN)/prettier --check --log-level warn .
	@$(BIN)/tsp format --check 'spec/**/*.tsp' > /dev/null 2>&1 || { echo 'spec/ is not formatted: run "make format".'; exit 1; }
	@$(TSX) test/support/check-document.ts
	@$(BIN)/tsc --noEmit --project test
	@$(BIN)/tsc --project src/web/assets
	@$(ESLINT) .
	@$(BIN)/depcruise --config test/config/dependency-cruiser.cjs src
	@$(BIN)/knip

# Rewrites the expected findings of the fixture sites; read the difference before you commit it.
golden: node_modules/.installed
	@$(TSX) test/support/write-goldens.ts

format: node_modules/.installed
	@$(BIN)/prettier --write --log-level warn .
	@$(BIN)/tsp format 'spec/**/*.tsp' > /dev/null 2>&1

clean:
	@rm -rf dist node_modules

node_modules/.installed: package.json package-lock.json
	@npm ci --no-fund --no-audit --loglevel error
	@touch $@

test/bench/node_modules/.installed: test/bench/package.json test/bench/package-lock.json
	@npm ci --prefix test/bench --ignore-scripts --no-fund --no-audit --loglevel error
	@touch $@
