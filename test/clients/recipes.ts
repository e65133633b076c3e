import type { Recipe } from './recipe.js';

const PYTHON = {
  needs: "python3 -c 'import ensurepip, venv'",
  kept: ['venv'],
  env: { PIP_CONSTRAINT: 'constraints.txt' },
};

/** One for each section of docs/clients.md: a page that somebody reads is a page that is tried. */
export const RECIPES = {
  openapiPythonClient: {
    heading: 'Python: openapi-python-client',
    ...PYTHON,
    files: { 'operations.py': 'python/openapi-python-client.py', 'constraints.txt': 'python/constraints.txt' },
    check: 'venv/bin/pip install --quiet mypy && venv/bin/mypy --strict first_run.py operations.py readiness',
    run: 'venv/bin/python operations.py',
  },
  pydantic: {
    heading: 'Python: datamodel-code-generator',
    ...PYTHON,
    files: { 'operations.py': 'python/pydantic.py', 'constraints.txt': 'python/constraints.txt' },
    check: 'venv/bin/pip install --quiet mypy && venv/bin/mypy --strict first_run.py operations.py readiness.py',
    run: 'venv/bin/python operations.py',
  },
  oapiCodegen: {
    heading: 'Go: oapi-codegen',
    needs: 'go version',
    files: { 'operations/main.go': 'go/oapi-codegen.go' },
    check: 'go mod tidy && go vet ./... && test -z "$(gofmt -l main.go operations)"',
    run: 'go run ./operations',
  },
  ogen: {
    heading: 'Go: ogen',
    needs: 'go version',
    files: { 'operations/main.go': 'go/ogen.go' },
    check: 'go mod tidy && go vet ./... && test -z "$(gofmt -l main.go operations)"',
    run: 'go run ./operations',
  },
} satisfies Record<string, Recipe>;
