import type { Recipe } from './recipe.js';

export const PYTHON = {
  needs: "python3 -c 'import ensurepip, venv'",
  kept: ['venv'],
  env: { PIP_CONSTRAINT: 'constraints.txt' },
};

function typescript(heading: string, program: string): Recipe {
  return {
    heading,
    needs: 'npm --version',
    kept: ['node_modules'],
    env: { npm_config_fetch_retries: '1', npm_config_audit: 'false', npm_config_fund: 'false', NODE_NO_WARNINGS: '1' },
    files: {
      'operations.ts': `typescript/${program}`,
      'answers.ts': 'typescript/answers.ts',
      'package-lock.json': 'typescript/package-lock.json',
      'tsconfig.json': 'typescript/strict.json',
    },
    check: 'npx tsc --project tsconfig.json',
    run: 'node operations.ts',
  };
}

/** One for each section of docs/clients.md: a page that somebody reads is a page that is tried. */
export const RECIPES = {
  openapiFetch: typescript('TypeScript: openapi-fetch', 'openapi-fetch.ts'),
  heyApi: typescript('TypeScript: hey-api', 'hey-api.ts'),
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
} satisfies Record<string, Recipe>;
