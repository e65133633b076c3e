import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, blocksFor } from './blocks.js';
import { type Program, PROGRAMS, versionOf, withProgram, write } from './programs.js';
import { type Trial, trialOf } from './trials.js';

/** Tries what the fixes say for nginx, Apache and Caddy on these programs, on loopback; one that is not installed is left out. */
let failures = 0;
for (const program of Object.keys(PROGRAMS) as Program[]) {
  const version = versionOf(program);
  console.log(version === null ? `${program} is not installed: skipped.` : `${program} (${version})`);
  if (version === null) continue;
  for (const block of blocksFor(program)) {
    const faults = await tryBlock(program, block);
    failures += faults.length;
    const what = trialOf(block.text)?.what ?? 'no trial';
    console.log(`  ${faults.length === 0 ? 'ok    ' : 'FAILED'} ${what} (${block.failures.join(', ')})`);
    for (const fault of faults) console.log(`         ${fault}`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;

/** What goes wrong; empty if nothing does. */
async function tryBlock(program: Program, { text }: Block): Promise<string[]> {
  const trial = trialOf(text);
  if (!trial) return ['no trial is known for this block'];
  const folder = mkdtempSync(join(tmpdir(), 'servers-'));
  try {
    // Their workers run under another user.
    chmodSync(folder, 0o755);
    write(folder, 'www/index.html', '<!doctype html><title>Home</title><p>Home');
    for (const [path, content] of Object.entries(trial.files)) write(folder, `www${path}`, content);
    const setting = { block: text, against: trial.against, folder, port: await freePort() };
    return await withProgram(program, setting, (origin) => ask(origin, trial));
  } catch (error) {
    return [String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(origin: string, { asked }: Trial): Promise<string[]> {
  const faults: string[] = [];
  for (const { path, headers = {}, status, fields = {}, times = 1 } of asked) {
    let response = await get(origin + path, headers);
    for (let time = 1; time < times; time += 1) response = await get(origin + path, headers);
    if (response.status !== status) faults.push(`${path} answers ${response.status}, not ${status}`);
    for (const [name, value] of Object.entries(fields)) {
      const got = response.headers.get(name);
      if (!got?.includes(value)) faults.push(`${path} has ${name} "${got ?? ''}", not "${value}"`);
    }
  }
  return faults;
}

async function get(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  await response.arrayBuffer();
  return response;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
