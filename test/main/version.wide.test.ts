import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { send } from '../support/http-client.js';
import { freePort } from '../support/servers.js';
import { runBuilt, startBuilt } from '../support/program.js';
import { PROJECT, SHIPPED } from '../support/project.js';

const VERSION = '9.8.7+abc1234';
const TOKEN = 'a-token-of-the-operator';

/** The present build, as if package.json had been edited. @returns its main.js */
function layBuild(folder: string, edited: object): string {
  const build = fileURLToPath(SHIPPED);
  cpSync(join(build, 'src'), join(folder, 'src'), { recursive: true, verbatimSymlinks: true });
  cpSync(join(build, 'generated'), join(folder, 'generated'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...edited }));
  return join(folder, 'src', 'main.js');
}

t.test('one edit of package.json changes the version everywhere', async (t) => {
  const folder = t.testdir();
  const main = layBuild(folder, { version: VERSION });
  t.equal(await startBuilt(['--version'], {}, { main }).lineMatching(/./), VERSION);

  const port = await freePort();
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'version.db')}`,
    ...{ PORT: String(port), METRICS_TOKEN: TOKEN },
  };
  t.equal((await runBuilt(['migrate'], environment)).exitCode, 0);
  const program = startBuilt(['serve'], environment, { main });
  t.teardown(() => program.stop('SIGKILL'));
  const line = JSON.parse(await program.lineMatching(/"listening"/)) as { version: string };
  t.equal(line.version, VERSION, 'the log at the start');

  const read = async (path: string, headers: Record<string, string> = {}) => (await send(port, path, { headers })).text;
  t.match(await read('/about', { accept: 'text/html' }), VERSION);
  const metrics = await read('/metrics', { authorization: `Bearer ${TOKEN}` });
  t.match(metrics, `agent_readiness_build_info{version="${VERSION}",role="all"} 1`);
  t.match(JSON.parse(await read('/.well-known/mcp/server-card.json')), { version: VERSION });
  t.match(JSON.parse(await read('/.well-known/mcp.json')), { version: VERSION, serverInfo: { version: VERSION } });
  const hello = await send(port, '/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
  t.match(hello.text, `"version":"${VERSION}"`, 'serverInfo');
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('a Node that is older than package.json asks for is refused by name', async (t) => {
  const { node } = process.versions;
  const folder = t.testdir();
  const main = layBuild(folder, {});
  const start = (wanted: string) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: VERSION, engines: { node: `>=${wanted}` } }));
    return spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  };
  for (const enough of [node, '9.9', '22.2']) t.match(start(enough), { status: 0, stdout: `${VERSION}\n` }, enough);
  for (const more of ['100.1', `${node}1`]) {
    const stderr = `Node ${more} or newer is needed; this is ${node}.\n`;
    t.match(start(more), { status: 4, stdout: '', stderr }, more);
  }
});
