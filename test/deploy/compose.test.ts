import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { connectionLimitsOf } from '../../src/platform/http/connections.js';
import { GRACE_MS } from '../../src/platform/http/server.js';
import { SLOT_WAIT_MS } from '../../src/platform/slots.js';
import { SCAN_LIMITS } from '../../src/scanner/artifacts/scanner.js';
import { PROJECT, readProject } from '../support/project.js';

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string | number>>;
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>;
}

const { services } = parse(readProject('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<'postgres' | 'migrate' | 'serving-role' | 'api' | 'worker', Service>>;
};

/** Fills variables of .env in as Compose does: the innermost first. */
function environmentOf({ environment }: Service, env: Readonly<Record<string, string>>): Record<string, string> {
  const fill = (text: string): string => {
    const filled = text.replace(
      /\$\{(\w+)(?::[-?]([^${}]*))?\}/,
      (_, name: string, other?: string) => env[name] ?? other ?? '',
    );
    return filled === text ? text : fill(filled);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(String(value))]));
}

t.test('every variable of docs/configuration.md reaches every process of Compose', async (t) => {
  const rows = readProject('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`|none)/gm);
  const documented = new Map([...rows].map(([, name, standard]) => [name ?? '', standard ?? '']));
  t.ok(documented.size > 15, 'the table is found');
  // Compose has its own database, proxy and Prometheus, and its processes listen on the network of their containers.
  const own = ['DATABASE_URL', 'HOST', 'METRICS_PORT', 'PORT', 'PUBLIC_URL', 'TRUST_PROXY'];
  for (const name of ['migrate', 'api', 'worker'] as const) {
    const { environment } = services[name];
    t.same(Object.keys(environment).sort(), [...documented.keys()].sort(), name);
    for (const [variable, value] of Object.entries(environment)) {
      if (own.includes(variable)) continue;
      t.equal(value, `\${${variable}:-${documented.get(variable)}}`, `${name}: ${variable} is the operator's to set`);
    }
  }
});

t.test(
  'what serves is let in as the role of deploy/serving-role.sql, which runs after the migration and before it',
  async (t) => {
    const role = services['serving-role'];
    t.same(role.command?.at(-1), '--file=/serving-role.sql');
    t.ok(role.command?.includes('--set=ON_ERROR_STOP=1'), 'a fault stops the start');
    t.same(role.volumes, ['./deploy/serving-role.sql:/serving-role.sql:ro,z']);
    t.ok(existsSync(join(PROJECT, 'deploy/serving-role.sql')));
    for (const key of ['image', 'user', 'read_only', 'cap_drop', 'security_opt', 'networks'] as const) {
      t.ok(key in role);
      t.same(role[key], services.postgres[key], `${key} as that of the database`);
    }
    const ended = { condition: 'service_completed_successfully' };
    t.same(role.depends_on, { migrate: ended });
    for (const name of ['api', 'worker'] as const) t.same(services[name].depends_on['serving-role'], ended, name);

    const owner = { POSTGRES_PASSWORD: 'ownersown' };
    const both = { ...owner, SERVE_PASSWORD: 'servesown' };
    for (const [env, password] of [
      [both, 'servesown'],
      [owner, 'ownersown'],
    ] as const) {
      const url = 'postgres://agent_readiness:ownersown@postgres/agent_readiness';
      t.equal(environmentOf(services.migrate, env).DATABASE_URL, url);
      const { PGOPTIONS, PGHOST, PGDATABASE, PGUSER, PGPASSWORD } = environmentOf(role, env);
      t.equal(PGOPTIONS, `-c serving.password=${password}`);
      t.equal(`postgres://${PGUSER}:${PGPASSWORD}@${PGHOST}/${PGDATABASE}`, url, 'the role is made by the owner');
      for (const name of ['api', 'worker'] as const) {
        const { DATABASE_URL } = environmentOf(services[name], env);
        t.equal(DATABASE_URL, `postgres://agent_readiness_serve:${password}@postgres/agent_readiness`, name);
      }
    }
    for (const name of ['api', 'worker'] as const) {
      t.notMatch(JSON.stringify(environmentOf(services[name], both)), 'ownersown', `${name} does not know the owner's`);
    }
  },
);

const DESCRIPTORS = 65_536;
const TASKS = 256;

t.test('the unit limits descriptors, memory and tasks', async (t) => {
  const unit = readProject('deploy/agent-readiness.service');
  for (const line of [`LimitNOFILE=${DESCRIPTORS}`, 'MemoryMax=2G', `TasksMax=${TASKS}`]) {
    t.ok(unit.split('\n').includes(line), line);
  }
});

t.test('so does every container, of Compose and of the page for operators', async (t) => {
  t.ok(Object.keys(services).length >= 6);
  const limits = { mem_limit: '2g', pids_limit: TASKS, ulimits: { nofile: DESCRIPTORS } };
  for (const [name, service] of Object.entries(services)) t.match(service, limits, name);
  t.match(readProject('docs/operations.md'), `--memory 2g --pids-limit ${TASKS} --ulimit nofile=${DESCRIPTORS}`);
});

t.test('with so many descriptors, the connections find room', async (t) => {
  for (const scanConcurrency of [20, 1000]) {
    const { total } = connectionLimitsOf({ scanConcurrency, trustProxy: 1 }, DESCRIPTORS);
    t.equal(total, 8000, `${scanConcurrency} scans at a time`);
  }
});

t.test('a stop waits for the longest run, and whoever stops the process waits for that', async (t) => {
  t.ok(GRACE_MS > SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.slotWaitMs, 'and it is stored after that');
  const places = {
    'compose.yaml': /x-program:[^]*?stop_grace_period: (\d+)s/,
    'deploy/agent-readiness.service': /^TimeoutStopSec=(\d+)$/m,
    'docs/operations.md': /--stop-timeout (\d+) /,
  };
  for (const [file, pattern] of Object.entries(places)) {
    t.ok(Number(pattern.exec(readProject(file))?.[1]) * 1000 >= GRACE_MS + 5000, file);
  }
});
