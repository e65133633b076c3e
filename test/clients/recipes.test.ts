/** Follows each section of docs/clients.md, then calls every operation by the generated client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProject } from '../support/project.js';
import { testWithService } from './called-service.js';
import { fetching, type Place, PYTHON, shell, type Tools } from './tools.js';

interface Recipe extends Tools {
  /** Checks types of the client and both programs strictly. */
  readonly check: string;
  readonly run: string;
  /** True if its clients accept a check that their document does not have. */
  readonly readsUnknownCheck: boolean;
}

const RECIPES: readonly Recipe[] = [
  {
    heading: 'TypeScript: openapi-fetch',
    needs: 'npm --version',
    kept: ['node_modules'],
    env: { npm_config_fetch_retries: '1', npm_config_audit: 'false', npm_config_fund: 'false', NODE_NO_WARNINGS: '1' },
    files: {
      'operations.ts': 'typescript/operations.ts',
      'package-lock.json': 'typescript/package-lock.json',
      'tsconfig.json': 'typescript/strict.json',
    },
    check: 'npx tsc --project tsconfig.json',
    run: 'node operations.ts',
    readsUnknownCheck: true,
  },
  {
    ...PYTHON,
    heading: 'Python: openapi-python-client',
    files: { ...PYTHON.files, 'operations.py': 'python/operations.py' },
    check: 'venv/bin/pip install --quiet mypy && venv/bin/mypy --strict first_run.py operations.py readiness',
    run: 'venv/bin/python operations.py',
    readsUnknownCheck: false,
  },
];

/** The lines of JSON that both programs print. */
const LINES = [
  { call: 'created', status: 201, trigger: 'API', number: 1, score: 100 },
  { call: 'begun', status: 201, number: 2, replayed: false },
  { call: 'replayed', status: 201, number: 2, replayed: true },
  { call: 'latest', status: 200, number: 2 },
  { call: 'past', status: 200, number: 1 },
  { call: 'unscored', status: 200, score: null },
  { call: 'document', status: 200, openapi: '3.1.0' },
  { call: 'invalid', status: 400, code: 'invalid_run_number' },
  { call: 'unknownKey', status: 401, code: 'invalid_api_key' },
  { call: 'plan', status: 403, code: 'plan_without_api' },
  { call: 'foreign', status: 403, code: 'site_not_owned' },
  { call: 'absent', status: 404, code: 'run_not_found' },
  { call: 'unverified', status: 409, code: 'domain_not_verified' },
  { call: 'spent', status: 429, code: 'daily_runs_exceeded' },
  { call: 'unchanged', status: 304 },
];

for (const recipe of RECIPES) {
  const { heading, check, run, readsUnknownCheck } = recipe;
  testWithService(
    `${heading}: the page makes a client that does every operation`,
    recipe,
    async (t, place, service) => {
      const first = { ...place, env: { ...place.env, SITE_ID: service.FIRST_SITE_ID } };
      const printed = await fetching(t, async () => {
        const firstRun = await followPage(heading, first);
        await shell(check, first);
        return firstRun;
      });
      if (printed === undefined) return;
      t.equal(printed, 'Run 1 of first.example.com: 100\n', 'the first call');
      const lines = (await shell(run, place)).trim().split('\n');
      t.strictSame(
        lines.map((line) => JSON.parse(line) as unknown),
        [...LINES, { call: 'later', isRead: readsUnknownCheck }],
      );
    },
  );
}

/** Writes the files of a section and runs its commands. @returns the output of the last one */
async function followPage(heading: string, place: Place): Promise<string> {
  const [start = '', ...sections] = readProject('docs/clients.md').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/clients.md has no section ${heading}`);
  let printed = '';
  // Commands (`sh`), or a file named on the line above.
  for (const [, file, language, text = ''] of (start + section).matchAll(
    /(?:^`([^`\n]+)`[^\n]*:\n\n)?^```(\w+)\n(.*?)^```$/gms,
  )) {
    if (language === 'sh') printed = await shell(text, place);
    else if (file === undefined) throw new Error(`docs/clients.md names no file for a block of ${language}`);
    else {
      mkdirSync(dirname(join(place.cwd, file)), { recursive: true });
      writeFileSync(join(place.cwd, file), text);
    }
  }
  return printed;
}
