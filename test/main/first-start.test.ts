import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { RunResponse } from '../../src/domain/run.js';
import { freePortPair, runBuilt, type RunningProgram, startBuilt } from '../support/program.js';

const port = await freePortPair();
const base = `http://127.0.0.1:${port}`;
const environment = { PORT: String(port), DATABASE_URL: `sqlite:${join(t.testdir(), 'demo.db')}`, LOG_LEVEL: 'info' };

async function startDemo(t: Test): Promise<RunningProgram> {
  const program = startBuilt(['serve', '--demo'], environment);
  t.teardown(() => program.stop('SIGKILL'));
  await program.lineMatching(/Ctrl-C stops/);
  return program;
}

t.test('an old schema is told, and not served', async (t) => {
  const program = startBuilt(['serve'], environment);
  await program.lineMatching(/"listening"/);
  t.match(program.stdout(), /run \\"agent-readiness migrate\\"/);
  t.equal((await fetch(`${base}/readyz`)).status, 503);
  t.equal((await fetch(`${base}/healthz`)).status, 200);
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('the first start makes everything, and its curl line works', async (t) => {
  t.equal((await runBuilt(['migrate'], environment)).exitCode, 0);
  const program = await startDemo(t);
  const line = await program.lineMatching(/curl/);
  const [, key = '', path = ''] = /Authorization: Bearer (ars_\w+)' http:\/\/localhost:\d+(\S+)$/.exec(line) ?? [];
  t.match(program.stdout(), 'score 100 of 100');

  const headers = { authorization: `Bearer ${key}` };
  const created = await fetch(base + path, { method: 'POST', headers });
  t.equal(created.status, 201);
  const body = await created.text();
  const { run, findings } = JSON.parse(body) as RunResponse;
  t.match(run, { number: 2, reference: 'CR-000002', score: 100, trigger: 'API' });
  t.equal(findings.length, 18);

  const byNumber = await fetch(`${base}${path}/2`, { headers });
  t.equal(await byNumber.text(), body, 'the same run by number, byte for byte');
  t.equal(byNumber.headers.get('etag'), created.headers.get('etag'));
  t.equal(await (await fetch(`${base}${path}/latest`, { headers })).text(), body, 'and as the latest');

  t.notMatch(program.stdout().replace(/.*(API key|curl).*/g, ''), /ars_/, 'no key in the log');
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('a second start makes nothing again', async (t) => {
  const program = await startDemo(t);
  t.match(program.stdout(), 'number 2, CR-000002');
  t.match(program.stdout(), 'made by an earlier start');
  t.equal(await program.stop('SIGINT'), 0);
});
