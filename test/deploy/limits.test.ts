import t from 'tap';
import { parse } from 'yaml';
import { SCAN_LIMITS } from '../../src/scanner/artifacts/scanner.js';
import { connectionLimitsOf } from '../../src/platform/http/connections.js';
import { GRACE_MS } from '../../src/platform/http/server.js';
import { SLOT_WAIT_MS } from '../../src/platform/slots.js';
import { readProject } from '../support/project.js';

interface Limited {
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly ulimits?: { readonly nofile?: number };
}

const DESCRIPTORS = 65_536;
const TASKS = 256;

t.test('the unit limits descriptors, memory and tasks', async (t) => {
  const unit = readProject('deploy/agent-readiness.service');
  for (const line of [`LimitNOFILE=${DESCRIPTORS}`, 'MemoryMax=2G', `TasksMax=${TASKS}`]) {
    t.ok(unit.split('\n').includes(line), line);
  }
});

t.test('so does every container, of Compose and of the page for operators', async (t) => {
  const { services } = parse(readProject('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Limited>>;
  };
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
  t.ok(GRACE_MS > SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs, 'and it is stored after that');
  const places = {
    'compose.yaml': /x-program:[^]*?stop_grace_period: (\d+)s/,
    'deploy/agent-readiness.service': /^TimeoutStopSec=(\d+)$/m,
    'docs/operations.md': /--stop-timeout (\d+) /,
  };
  for (const [file, pattern] of Object.entries(places)) {
    t.ok(Number(pattern.exec(readProject(file))?.[1]) * 1000 >= GRACE_MS + 5000, file);
  }
});
