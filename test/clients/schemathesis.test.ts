import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_OPERATIONS } from '../support/contract.js';
import { PROJECT } from '../support/project.js';
import { testWithService } from './called-service.js';
import { fetching, PYTHON, shell } from './tools.js';

interface Report {
  readonly complete: boolean;
  readonly operations: { readonly tested: number };
  readonly phases: Readonly<Record<string, { readonly status: string }>>;
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly unknown[];
  readonly errors: readonly unknown[];
  readonly warnings: Readonly<Record<string, readonly unknown[]>>;
  readonly valid_rates: Readonly<Record<string, { readonly fuzzing: { readonly accepted: number } }>>;
}

/** Per operation and phase: about 700 cases in half a minute. */
const EXAMPLES = 100;
/** The ids of the dictionary produce every answer. It also invents ids. */
const configure = (key: string, siteIds: readonly string[]): string => `
[auth.openapi.ApiKey]
bearer = "${key}"
[dictionaries.sites]
values = ${JSON.stringify(siteIds)}
[parameters]
"path.siteId" = { dictionary = "sites", probability = 0.8 }
`;

const tools = { ...PYTHON, heading: 'schemathesis' };

testWithService('schemathesis: the service answers as the document says', tools, async (t, place, service) => {
  const install = 'python3 -m venv venv && venv/bin/pip install --quiet schemathesis';
  if ((await fetching(t, () => shell(install, place))) === undefined) return;
  const { SITE_ID, UNSCORED_SITE_ID, UNVERIFIED_SITE_ID, SPENT_SITE_ID, FOREIGN_SITE_ID } = service;
  const siteIds = [SITE_ID, UNSCORED_SITE_ID, UNVERIFIED_SITE_ID, SPENT_SITE_ID, FOREIGN_SITE_ID];
  writeFileSync(join(place.cwd, 'schemathesis.toml'), configure(service.API_KEY, siteIds));
  const command = [
    `venv/bin/schemathesis run '${join(PROJECT, 'generated/openapi.json')}' --url "$BASE_URL"`,
    '--checks all --phases examples,coverage,fuzzing,stateful',
    `--generation-deterministic --max-examples ${EXAMPLES} --continue-on-failure`,
    '--report json --report-json-path report.json',
  ];
  const output = await shell(`${command.join(' ')} || true`, place);
  const report = JSON.parse(readFileSync(join(place.cwd, 'report.json'), 'utf8')) as Report;
  t.strictSame([report.failures, report.errors], [[], []], output);
  t.strictSame(
    Object.entries(report.warnings).filter(([, found]) => found.length > 0),
    [],
    'no operation is without data or answers',
  );
  t.ok(report.complete);
  for (const [phase, { status }] of Object.entries(report.phases)) t.equal(status, 'success', phase);
  t.equal(report.operations.tested, CONTRACT_OPERATIONS.length);
  for (const [operation, { fuzzing }] of Object.entries(report.valid_rates)) t.ok(fuzzing.accepted > 0, operation);
  t.ok(report.test_cases.generated > 500, `${report.test_cases.generated} cases`);
});
