import t from 'tap';
import { ServiceError } from '../../src/platform/errors.js';
import type { Backlog } from '../../src/app/data/backlog.js';
import { createMetrics, type Metrics } from '../../src/wiring/metrics.js';
import { scanReport } from '../support/accounts.js';
import { readSamples, metricsIn } from '../support/metrics.js';

const CANARY = 'canary.example.com';

function newMetrics(): Metrics {
  return createMetrics({ version: '1.2.3', role: 'all', isExposed: false });
}

async function samplesOf(metrics: Metrics) {
  return readSamples(await metrics.text());
}

t.test('every metric has a description and a conventional name', async (t) => {
  const text = await newMetrics().text();
  for (const [name, type] of metricsIn(text)) {
    t.match(name, /^agent_readiness_[a-z_]+$/);
    t.match(text, new RegExp(`^# HELP ${name} [A-Z].{20,}\\.$`, 'm'), `${name} is explained`);
    t.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    if (type === 'histogram') t.match(name, /_seconds$/, `${name} has a unit`);
  }
  t.match(text, 'agent_readiness_build_info{version="1.2.3",role="all"} 1\n');
});

/** The samples after this happened, without `agent_readiness_`. */
const HAPPENINGS: readonly (readonly [
  what: string,
  act: (metrics: Metrics) => void,
  samples: Record<string, number>,
])[] = [
  [
    'requests are told by app, method, route and class of status',
    (metrics) => {
      const answered = metrics.observeRequest('api');
      metrics.observeRequest('web');
      answered({ method: 'GET', route: '/sites/{siteId}', status: 304, durationMs: 30 });
    },
    {
      'http_request_duration_seconds_count{app="api",method="GET",route="/sites/{siteId}",status="3xx"}': 1,
      'http_request_duration_seconds_sum{app="api",method="GET",route="/sites/{siteId}",status="3xx"}': 0.03,
      'http_request_duration_seconds_bucket{app="api",le="0.025",method="GET",route="/sites/{siteId}",status="3xx"}': 0,
      'http_request_duration_seconds_bucket{app="api",le="0.05",method="GET",route="/sites/{siteId}",status="3xx"}': 1,
      'http_requests_in_flight{app="api"}': 0,
      'http_requests_in_flight{app="web"}': 1,
    },
  ],
  [
    'however odd the requests, their series stay few',
    (metrics) => {
      for (const method of ['PROPFIND', 'QUERY', 'MKCOL']) {
        metrics.observeRequest('web')({ method, route: null, status: 404, durationMs: 1 });
      }
    },
    { 'http_request_duration_seconds_count{app="web",method="other",route="none",status="4xx"}': 3 },
  ],
  [
    'scans are counted by what started them and what they came to',
    ({ scans }) => {
      scans.finished('SCHEDULED', scanReport(80), 2500);
      scans.finished('SCHEDULED', { ...scanReport(), score: null }, 46_000);
      scans.failed('MANUAL', new Error(CANARY));
      scans.failed('API', new ServiceError('internal_error'));
      scans.failed('API', new ServiceError('overloaded'));
      scans.finished('FREE', scanReport(100), 900);
      scans.failed('FREE', new Error(CANARY));
    },
    {
      'scans_total{result="scored",trigger="SCHEDULED"}': 1,
      'scans_total{result="undetermined",trigger="SCHEDULED"}': 1,
      'scans_total{result="failed",trigger="MANUAL"}': 1,
      'scans_total{result="failed",trigger="API"}': 1,
      'scans_total{result="dropped",trigger="API"}': 1,
      'scans_total{result="scored",trigger="FREE"}': 1,
      'scans_total{result="failed",trigger="FREE"}': 1,
      'scans_total{result="failed",trigger="SCHEDULED"}': 0,
      'scan_duration_seconds_bucket{le="3",trigger="SCHEDULED"}': 1,
      'scan_duration_seconds_bucket{le="60",trigger="SCHEDULED"}': 2,
      'scan_duration_seconds_bucket{le="1",trigger="FREE"}': 1,
    },
  ],
  [
    'statements are timed, those that fail too',
    ({ database }) => {
      database('read', 0.05);
      database('read', 8000, 'unavailable');
    },
    {
      'database_duration_seconds_bucket{kind="read",le="0.0001"}': 1,
      'database_duration_seconds_count{kind="read"}': 2,
    },
  ],
];

for (const [what, act, expected] of HAPPENINGS) {
  t.test(what, async (t) => {
    const metrics = newMetrics();
    act(metrics);
    const samples = await samplesOf(metrics);
    for (const [series, value] of Object.entries(expected)) {
      t.equal(samples.get(`agent_readiness_${series}`), value, series);
    }
    const requests = [...samples.keys()].filter((series) => series.includes('request_duration_seconds_count{'));
    t.ok(requests.length <= 1);
  });
}

t.test('counters that alerts use start at zero', async (t) => {
  const { scans, deliveries, database, ...metrics } = newMetrics();
  const samples = async () => readSamples(await metrics.text());
  const increments: Readonly<Record<string, () => void>> = {
    'queued_runs_given_up_total{trigger="SCHEDULED"}': () => scans.abandoned('SCHEDULED'),
    'guard_refusals_total{reason="address_not_public"}': () => scans.guardRefused('address_not_public'),
    'delivery_attempts_total{receiver="webhook",result="failed"}': () => deliveries.attempted('webhook', 'failed'),
    'delivery_attempts_total{receiver="account-mail",result="failed"}': () =>
      deliveries.attempted('account-mail', 'failed'),
    delivery_crashes_total: () => deliveries.crashed(),
    'database_errors_total{kind="write",reason="unavailable"}': () => database('write', 5, 'unavailable'),
  };
  for (const [series, increment] of Object.entries(increments)) {
    t.equal((await samples()).get(`agent_readiness_${series}`), 0, series);
    increment();
    t.equal((await samples()).get(`agent_readiness_${series}`), 1, series);
  }
});

t.test('the process and its backlog are read at each request', async (t) => {
  const metrics = newMetrics();
  const backlog: Backlog = {
    now: new Date('2026-03-15T12:01:01.500Z'),
    depths: [
      { kind: 'SCHEDULED', waiting: 6, retrying: 1, running: 2, oldest_due: '2026-03-15T12:00:00.000Z' },
      { kind: 'WEBHOOK', waiting: 1, retrying: 1, running: 0, oldest_due: null },
      { kind: 'MAIL', waiting: 2, retrying: 0, running: 1, oldest_due: null },
    ],
  };
  const watched = {
    scanConcurrency: 20,
    scanSlots: () => ({ running: 5, waiting: 1 }),
    readBacklog: async (): Promise<Backlog | null> => backlog,
    isWorking: () => true,
    measureBusyShare: () => 0.4,
  };
  metrics.watch(watched);
  const samples = await samplesOf(metrics);
  const expected: Record<string, number> = {
    'scan_slots{state="running"}': 5,
    'scan_slots{state="waiting"}': 1,
    scan_slots_limit: 20,
    scan_thread_busy_ratio: 0.4,
    'worker_up{role="all"}': 1,
    database_up: 1,
    'queued_runs{state="waiting",trigger="SCHEDULED"}': 7,
    'queued_runs{state="running",trigger="SCHEDULED"}': 2,
    'queued_runs{state="running",trigger="MANUAL"}': 0,
    'queue_oldest_due_seconds{trigger="SCHEDULED"}': 61.5,
    'queue_oldest_due_seconds{trigger="MANUAL"}': 0,
    'deliveries{state="waiting"}': 3,
    'deliveries{state="retrying"}': 1,
  };
  for (const [series, value] of Object.entries(expected)) {
    t.equal(samples.get(`agent_readiness_${series}`), value, series);
  }
  metrics.watch({ ...watched, readBacklog: async () => null, isWorking: () => false });
  const away = await samplesOf(metrics);
  t.equal(away.get('agent_readiness_database_up'), 0);
  t.equal(away.get('agent_readiness_worker_up{role="all"}'), 0);
  t.notOk([...away.keys()].some((series) => /_(queued_runs|queue_oldest_due_seconds|deliveries)\{/.test(series)));

  const api = createMetrics({ version: '1', role: 'api', isExposed: false });
  api.watch({ ...watched, isWorking: undefined });
  t.notMatch(await api.text(), /^agent_readiness_worker_up\{/m, 'a process without a worker says nothing of one');
});
