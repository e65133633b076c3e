import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { readCorpus } from '../support/own-scans.js';
import { PROJECT } from '../support/project.js';

const SERVE = join(PROJECT, 'test', 'corpus', 'serve.ts');
const run = promisify(execFile);

/** Serves on a free port; the base address. */
async function start(t: Test, ...args: string[]): Promise<string> {
  const server = spawn(process.execPath, [SERVE, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => server.kill());
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return line;
}

t.test('a case is served as a site', async (t) => {
  const base = await start(t, '--case', 'llms-announced-by-header');
  const home = await fetch(base);
  t.equal(home.status, 200);
  t.match(home.headers.get('content-type'), 'text/html');
  t.match(home.headers.get('link'), 'describedby');
  t.equal((await fetch(`${base}nothing?there`)).status, 404);
});

t.test('the index names every case with its labels', async (t) => {
  const { stdout } = await run(process.execPath, [SERVE, '--list']);
  const cases = readCorpus().flatMap((topic) => topic.cases);
  const labelsOf = (list: readonly { id: string; expect: object }[]) => list.map(({ id, expect }) => ({ id, expect }));
  t.same(labelsOf(JSON.parse(stdout) as typeof cases), labelsOf(cases));
  await t.rejects(run(process.execPath, [SERVE, '--case', 'unknown']), { code: 2, stderr: /no case "unknown"/ });
});
