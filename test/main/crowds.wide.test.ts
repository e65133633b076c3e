import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Client } from 'undici';
import { startFixtureServer } from '../support/fixture-server.js';
import { callTool } from '../support/http-client.js';
import { startService } from '../support/service.js';

const DESCRIPTORS = 1024;
const IDLE = 1100;

/** Writes down what is loaded: with descriptors gone, nothing could be. */
const RECORDER = `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) appendFileSync(process.env.LOADED_FILE, url + '\\n');
    return next(url, context);
  },
});`;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

/** One request on a connection of its own, from an address of loopback. */
async function ask(
  baseUrl: string,
  path: string,
  { from = '127.0.0.1', body, headers = {} }: { from?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  const client = new Client(`http://127.0.0.1:${new URL(baseUrl).port}`, { localAddress: from });
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await client.request({ path, method, headers, body: body ?? null });
  await answer.body.dump();
  await client.close();
  return answer.statusCode;
}

t.test('every module is loaded before the service listens', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-loaded-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const LOADED_FILE = join(folder, 'loaded.txt');
  writeFileSync(join(folder, 'recorder.mjs'), RECORDER);
  const site = await startFixtureServer({ routes: { '/': '<!doctype html><title>Home</title><p>Hello</p>' } });
  t.teardown(() => site.close());
  const { host } = new URL(site.origin);
  const NODE_OPTIONS = `--import=${join(folder, 'recorder.mjs')}`;
  const { baseUrl, addAccount } = await startService(t, {
    scanPorts: [site.port],
    environment: { LOADED_FILE, NODE_OPTIONS },
  });
  const loaded = (): string[] => readFileSync(LOADED_FILE, 'utf8').trim().split('\n');
  const before = loaded().length;
  // The program is one script.
  t.ok(before > 10, `${before} modules were loaded`);
  const { signInUrl } = await addAccount('owner@example.com');
  for (const path of ['/', '/readyz', '/checks', '/docs', '/sign-in', new URL(signInUrl).pathname, '/none']) {
    await ask(baseUrl, path);
  }
  t.equal(await ask(baseUrl, '/sign-in', { body: 'email=a%40example.com&password=x', headers: FORM }), 422);
  t.equal(await ask(baseUrl, '/scan', { body: `site=${encodeURIComponent(site.origin)}`, headers: FORM }), 303);
  t.equal(await ask(baseUrl, `/scan/${host}`), 200);
  const port = Number(new URL(baseUrl).port);
  t.equal((await callTool(port, 'scan_site', { url: site.origin })).status, 200);
  t.same(loaded().slice(before), []);
});

// Only Linux has more than one address of loopback.
const skip = process.platform === 'linux' ? false : 'needs a second address of loopback';
t.test(`${IDLE} idle connections of one address leave the service to everybody else`, { skip }, async (t) => {
  const { baseUrl } = await startService(t, { descriptorsMax: DESCRIPTORS });
  const sockets = await Promise.all(
    Array.from({ length: IDLE }, async () => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) }).on('error', () => undefined);
      t.teardown(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    }),
  );
  t.equal(await ask(baseUrl, '/'), 503);
  for (const path of ['/', '/checks', '/assets/style.css', '/api/v1/openapi.json', '/readyz']) {
    t.equal(await ask(baseUrl, path, { from: '127.0.0.2' }), 200, path);
  }
  const form = { from: '127.0.0.2', body: 'email=a%40example.com&password=x', headers: FORM };
  t.equal(await ask(baseUrl, '/sign-in', form), 422);
  for (const socket of sockets) socket.destroy();
});
