import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { startFixtureServer } from '../support/fixture-server.js';
import { runCommand } from '../support/program.js';

t.test('--local scans a server of one’s own, with what opens it', async (t) => {
  const page = '<!doctype html><title>Home</title><p>Hello</p>';
  const seen = new Set<string | undefined>();
  const site = await startFixtureServer({
    routes: {
      '*': ({ headers }) => {
        seen.add(headers['x-preview']);
        return headers['x-preview'] === 'open-sesame' ? page : { status: 401, body: 'no' };
      },
    },
  });
  t.teardown(() => site.close());
  const address = `http://localhost:${site.port}`;
  const record = join(t.testdir(), 'site.warc.gz');
  const args = [
    'scan',
    `${address}/deep/page`,
    '--local',
    '--header',
    'X-Preview: open-sesame',
    '--record',
    record,
    '--json',
  ];
  const { exitCode, stdout } = await runCommand(args);
  t.equal(exitCode, 0);
  t.match(JSON.parse(stdout), { site: { hostname: `localhost:${site.port}` } });
  t.same([...seen], ['open-sesame'], 'each request had it');
  const recorded = gunzipSync(readFileSync(record)).toString('latin1');
  t.match(recorded, '/deep/page');
  t.notMatch(recorded + stdout, 'open-sesame');
  t.equal((await runCommand(['scan', '--replay', record, '--json'])).stdout, stdout, 'the page is judged again, too');
  t.match(
    await runCommand(['scan', address]),
    { exitCode: 2, stderr: /is refused: [^\n]* add --local\.\n$/ },
    'without it',
  );
  const link = await runCommand(['scan', 'http://169.254.169.254', '--local']);
  t.match(link, { exitCode: 2, stderr: /^--local: 169\.254\.169\.254 has no loopback or private address\./ });
});

t.test('--overlay tries files at a site over the network', async (t) => {
  const home = '<!doctype html><html lang="en"><title>Home</title><h1>Home</h1><p>Hello</p>';
  const site = await startFixtureServer({ routes: { '/': home, '/robots.txt': 'User-agent: *\nDisallow: /' } });
  t.teardown(() => site.close());
  const folder = t.testdir();
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\nAllow: /\n');
  const { exitCode, stdout, stderr } = await runCommand([
    'scan',
    '--local',
    site.origin,
    '--overlay',
    folder,
    '--json',
  ]);
  t.same({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  const { changes, assumed } = JSON.parse(stdout) as { changes: readonly unknown[]; assumed: readonly unknown[] };
  t.has(changes, [{ checkId: 'C-BOT-01', before: 'FAIL', after: 'PASS' }]);
  t.same(assumed, []);
});
