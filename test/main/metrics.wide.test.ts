import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { onPostgres } from '../support/databases.js';
import { type HttpAnswer, send } from '../support/http-client.js';
import { readSamples, type Samples } from '../support/metrics.js';
import { freePort } from '../support/servers.js';
import { runBuilt, runCommand, type RunningProgram, startBuilt } from '../support/program.js';

const METRICS_TOKEN = 'a-token-of-the-operator';
const headers = { authorization: `Bearer ${METRICS_TOKEN}` };

interface Started {
  readonly port: number;
  readonly program: RunningProgram;
  metrics(): Promise<HttpAnswer>;
}

async function start(t: Test, args: readonly string[], environment: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const program = startBuilt(['serve', ...args], { PORT: String(port), METRICS_TOKEN, ...environment });
  t.teardown(() => program.stop('SIGKILL'));
  await program.lineMatching(/"listening"/);
  return { port, program, metrics: () => send(port, '/metrics', { headers }) };
}

/** Asks until the samples are as wanted: what happens behind the requests has its own time. */
async function samplesWhen({ metrics }: Started, isWanted: (samples: Samples) => boolean): Promise<Samples> {
  for (;;) {
    const samples = readSamples((await metrics()).text);
    if (isWanted(samples)) return samples;
    await pause(20);
  }
}

t.test('metrics count scans and contain no secret, host or id', async (t) => {
  const environment = { DATABASE_URL: `sqlite:${join(t.testdir(), 'metrics.db')}`, LOG_LEVEL: 'info' };
  await runCommand(['migrate'], environment);
  const metricsPort = await freePort();
  const started = await start(t, ['--demo'], { ...environment, METRICS_PORT: String(metricsPort) });
  const { port, program } = started;
  const curl = await program.lineMatching(/curl/);
  const [, key = '', path = ''] = /Authorization: Bearer (ars_\w+)' http:\/\/localhost:\d+(\S+)$/.exec(curl) ?? [];
  const withKey = { authorization: `Bearer ${key}` };
  t.equal((await send(port, path, { method: 'POST', headers: withKey })).status, 201);
  t.equal((await send(port, `${path}/1`, { headers: withKey })).status, 200);
  const strange = '/canary /sites/canary /sign-in/canary /hooks/deploy/canary /mcp/canary /api/canary';
  for (const address of strange.split(' ')) {
    await send(port, address, { headers: { cookie: '__Host-session=canary' } });
  }
  await send(port, '/scan', { method: 'POST', body: 'site=canary.example.com' });

  t.equal((await send(port, '/metrics')).status, 401);
  const own = await send(metricsPort, '/metrics');
  const type = 'text/plain; version=0.0.4; charset=utf-8';
  const format = { 'content-type': type, 'cache-control': 'no-store' };
  t.match(own, { status: 200, headers: format }, 'at its own port it needs no token');
  t.equal((await send(metricsPort, path, { headers: withKey })).status, 404, 'and there is nothing else');

  const { text, headers: sent } = await started.metrics();
  t.match(sent, format);
  const siteId = /site_[a-z2-7]{20}/.exec(path)?.[0] ?? 'no site';
  const secrets = 'canary site_ acc_ key_ ars_ localhost 127.0.0.1'.split(' ');
  for (const secret of [...secrets, siteId, key, METRICS_TOKEN]) {
    t.notOk(text.includes(secret), secret);
  }
  const samples = readSamples(text);
  t.equal(samples.get('agent_readiness_scans_total{result="scored",trigger="API"}'), 1);
  t.equal(samples.get('agent_readiness_database_up'), 1);
  t.equal(samples.get('agent_readiness_http_requests_in_flight{app="web"}'), 0);
  const apps = new Set([...samples.keys()].map((series) => /duration_seconds_count\{.*app="(\w+)"/.exec(series)?.[1]));
  for (const app of ['api', 'web', 'hooks', 'metrics']) t.ok(apps.has(app), app);
  t.notOk(program.stdout().includes(METRICS_TOKEN), 'the log does not hold the token');
  t.notMatch(program.stdout(), '"route":"/metrics"', 'a scrape is logged at debug');
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('without METRICS_TOKEN and METRICS_PORT there are no metrics', async (t) => {
  const environment = { DATABASE_URL: `sqlite:${join(t.testdir(), 'metrics.db')}` };
  const { port } = await start(t, [], { ...environment, METRICS_TOKEN: '' });
  const unknown = await send(port, '/no-such-page');
  for (const more of [{}, headers]) {
    const answer = await send(port, '/metrics', { headers: more });
    t.equal(answer.status, 404);
    t.equal(answer.headers['content-type'], unknown.headers['content-type']);
  }
});

t.test('a busy metrics port is named, and the program exits', async (t) => {
  const port = await freePort();
  const environment = { DATABASE_URL: `sqlite:${join(t.testdir(), 'metrics.db')}`, METRICS_PORT: String(port) };
  await start(t, [], environment);
  const second = await runBuilt(['serve'], { ...environment, PORT: String(await freePort()) });
  t.equal(second.exitCode, 4);
  t.match(second.stderr, `port ${port} is in use. Stop what listens there, or choose another port: METRICS_PORT=`);
});

onPostgres(async (t, engine) => {
  t.test('every role has metrics and says whether it works', async (t) => {
    const environment = { DATABASE_URL: await engine.newMigratedUrl(t) };
    const worker = await start(t, ['--role', 'worker'], environment);
    const api = await start(t, ['--role', 'api'], environment);
    await samplesWhen(worker, (samples) => samples.get('agent_readiness_worker_up{role="worker"}') === 1);
    const { text } = await api.metrics();
    t.notMatch(text, /^agent_readiness_worker_up\{/m);
    t.match(text, 'role="api"} 1\n');
    t.match(text, 'agent_readiness_queued_runs{trigger="SCHEDULED",state="waiting"} 0\n');
    t.equal((await send(worker.port, '/metrics')).status, 401);
    for (const { program } of [worker, api]) t.equal(await program.stop('SIGTERM'), 0);
  });
});
