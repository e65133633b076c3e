/**
 * `make torture TORTURE=http2`: whether HTTP/2 may be turned on (spec/decisions/0005-http-2-stays-off.md). Four
 * families of hostile servers, each in a process of its own, are visited by the product's own guard, transport and fetcher, with
 * HTTP/2 switched on from outside: bodies and frames that nobody reads, bodies that are cut, connections that end in good order,
 * and floods. Prints what each of them did, and ends with 1 as long as one is not as it must be. Two minutes. HTTP2_KINDS names
 * the kinds that are tried, by a part of their names.
 */
import { fork } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, buildConnector } from 'undici';
import { ProcessWatch, rssMib } from '../security/hostile/process-watch.js';
import { HTTP2_KINDS, serveHttp2 } from './http2-kinds.js';

const ADDRESS = '127.0.0.2';
const HOST = 'secure.fixture-site.com';
const BODY_BYTES_MAX = 1_048_576;
const WIRE_BYTES_MAX = 4 * 1_048_576;
/** What undici lets a server send of one body before it is read, and the frames around it. */
const WINDOW_BYTES = 262_144 + 65_536;
/** How many requests and runs are tried at once. */
const BODIES = 8;
const RUNS = 6;
const GROWTH_MIB_MAX = 64;
/** What frames of one byte take on the wire. */
const FRAME_OVERHEAD = 10;
const TRY_MS = 3000;
const TURN_MS_MAX = 50;
const FETCHES = 24;

const [, , served] = process.argv;
if (served === undefined) await main();
else await serve(served);

async function serve(name: string): Promise<void> {
  const { port, connectionCount } = await serveHttp2(name, ADDRESS);
  process.on('message', () => process.send?.(connectionCount()));
  process.on('disconnect', () => process.exit());
  process.send?.(port);
}

/** The product says `allowH2: false` and has no switch for it: what it calls of undici is made to say something else. */
function switchOnHttp2(): void {
  const undici = createRequire(import.meta.url)('undici') as {
    Agent: typeof Agent;
    buildConnector: typeof buildConnector;
  };
  const { Agent: Original, buildConnector: build } = undici;
  undici.buildConnector = (options) => build({ ...options, allowH2: true });
  undici.Agent = class extends Original {
    constructor(options: Agent.Options) {
      super({ ...options, allowH2: true });
    }
  };
}

interface Host {
  readonly port: number;
  connectionCount(): Promise<number>;
}

interface Limits {
  readonly wireBytesMax?: number;
  readonly tryMs?: number;
}

async function main(): Promise<void> {
  switchOnHttp2();
  const { openScene } = await import('../support/network-scene.js');
  const { openNetworkTransport } = await import('../../src/net/network-transport.js');
  const { createGuard } = await import('../../src/net/guard.js');
  const ca = readFileSync(new URL('../fixtures/tls/valid.pem', import.meta.url), 'utf8');
  const sockets: Socket[] = [];
  subscribe('undici:client:connected', (message) => sockets.push((message as { readonly socket: Socket }).socket));
  const causes = new Set<string>();
  subscribe('undici:request:error', (message) => {
    const { error } = message as { readonly error: Error & { readonly code?: string } };
    causes.add(`${error.code ?? error.name}: ${error.message}`);
  });
  const failures: string[] = [];

  const takenBytes = (): number => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const report = (name: string, misses: readonly string[], figures: string): void => {
    console.log(`${misses.length === 0 ? 'ok    ' : 'NOT OK'}  ${name}: ${[figures, ...misses].join('; ')}`);
    for (const cause of causes) console.log(`          ${cause}`);
    causes.clear();
    failures.push(...misses.map((miss) => `${name}: ${miss}`));
  };

  type Scene = Awaited<ReturnType<typeof openScene>>;
  const at = async (
    name: string,
    limits: Limits,
    use: (scene: Scene, host: Host, another: () => Promise<Scene>) => Promise<void>,
  ): Promise<void> => {
    const child = fork(new URL(import.meta.url), [name]);
    const [port] = (await once(child, 'message')) as [number];
    const connectionCount = async (): Promise<number> => {
      child.send('count');
      return ((await once(child, 'message')) as [number])[0];
    };
    sockets.length = 0;
    const closings: (() => Promise<void>)[] = [];
    const { wireBytesMax, tryMs } = limits;
    const open = (): Promise<Scene> =>
      openScene(
        { teardown: (close) => void closings.push(close) },
        {
          ports: [port],
          names: { [HOST]: { A: [ADDRESS] } },
          ca,
          ...(wireBytesMax === undefined ? {} : { network: { wireBytesMax } }),
          ...(tryMs === undefined ? {} : { limits: { tryMs } }),
        },
      );
    await use(await open(), { port, connectionCount }, open);
    if (!sockets.every((socket) => 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'))
      failures.push(`${name}: HTTP/2 was not spoken`);
    for (const close of closings) await close();
    child.disconnect();
    await once(child, 'exit');
  };
  const urlOf = ({ port }: Host, path = ''): URL => new URL(`https://${HOST}:${port}/${path}`);
  const outcomeOf = async ({ visit }: Scene, url: URL): Promise<string> => {
    const fetched = await visit.fetch(url, { attempts: 'once' });
    if ('failure' in fetched) return fetched.failure;
    const { status, byteCount, isOverLimit } = fetched.response;
    return `${status}, ${byteCount} bytes${isOverLimit ? ', over our limit' : ''}`;
  };

  /** Whether what one run takes off the wire is counted, whatever it belongs to. */
  const wireOf = (name: string, wireBytesMax: number): Promise<void> =>
    at(name, { wireBytesMax, tryMs: TRY_MS }, async (scene, host) => {
      const outcome = await outcomeOf(scene, urlOf(host));
      const taken = takenBytes();
      const misses = outcome === 'budget_spent' ? [] : ['nobody counts'];
      if (taken > wireBytesMax + WINDOW_BYTES) misses.push('more than the run may take');
      report(`${name} (a run may take ${wireBytesMax})`, misses, `${outcome}; ${taken} bytes taken`);
    });
  /** What bodies that nobody reads take off the wire, and of memory. */
  const unreadOf = (name: string, bytesMax: number): Promise<void> =>
    at(name, {}, async (_scene, host) => {
      const guard = createGuard({ allowEndpoints: [{ host: HOST, address: ADDRESS, port: host.port }] });
      const transport = openNetworkTransport({
        guard,
        ca,
        resolver: { resolveAddresses: () => Promise.resolve([ADDRESS]) },
      });
      const stop = new AbortController();
      const request = { url: urlOf(host), method: 'GET', headers: {}, signal: stop.signal } as const;
      const before = rssMib();
      const watch = new ProcessWatch();
      await Promise.all(Array.from({ length: BODIES }, () => transport.exchange(request)));
      await pause(3000);
      const growthMib = watch.end().peakRssMib - before;
      const taken = takenBytes();
      const misses = taken > bytesMax ? ['more than a window each'] : [];
      if (growthMib > GROWTH_MIB_MAX) misses.push('too much memory');
      const figures = `${taken} bytes taken; ${growthMib.toFixed(0)} MiB more`;
      report(`${name}, ${BODIES} at once that nobody reads`, misses, figures);
      stop.abort(new Error('enough'));
      await transport.close();
    });
  const floodOf = (name: string, runs: number): Promise<void> =>
    at(name, { tryMs: TRY_MS }, async (scene, host, another) => {
      const scenes = [scene, ...(await Promise.all(Array.from({ length: runs - 1 }, another)))];
      const startedMs = performance.now();
      const watch = new ProcessWatch();
      const outcomes = await Promise.all(scenes.map((one) => outcomeOf(one, urlOf(host))));
      const ms = performance.now() - startedMs;
      const { ownMaxMs: turnMs, peakRssMib } = watch.end();
      const misses = turnMs > TURN_MS_MAX ? ['it held everybody up'] : [];
      if (outcomes.some((outcome) => outcome.startsWith('200'))) misses.push('a body out of nothing');
      if (ms > TRY_MS + 500) misses.push('past its deadline');
      const taken = (takenBytes() / 1e6).toFixed(1);
      const figures = [
        `${[...new Set(outcomes)].join(', ')} after ${ms.toFixed(0)} ms`,
        `longest turn ${turnMs.toFixed(0)} ms`,
      ];
      figures.push(`${taken} MB taken`, `${peakRssMib.toFixed(0)} MiB resident`);
      report(runs === 1 ? name : `${name}, ${runs} runs at once`, misses, figures.join('; '));
    });

  const families: Readonly<Record<string, (name: string) => Promise<void>>> = {
    unread: async (name) => {
      if (name.includes('frames')) return wireOf(name, WIRE_BYTES_MAX);
      if (name.includes('byte by byte')) return unreadOf(name, BODIES * WINDOW_BYTES * FRAME_OVERHEAD);
      await at(name, {}, async (scene, host) => {
        const outcome = await outcomeOf(scene, urlOf(host));
        await pause(500);
        const taken = takenBytes();
        const misses = taken > BODY_BYTES_MAX + WINDOW_BYTES ? ['more than the limit and a window'] : [];
        report(`${name} (limit ${BODY_BYTES_MAX})`, misses, `${outcome}; ${taken} bytes taken`);
      });
      await unreadOf(name, BODIES * WINDOW_BYTES);
      await wireOf(name, BODY_BYTES_MAX / 4);
    },
    cut: (name) =>
      at(name, { tryMs: TRY_MS }, async (scene, host) => {
        const outcome = await outcomeOf(scene, urlOf(host));
        const miss = outcome.startsWith('200')
          ? 'taken for a whole body'
          : 'a failure, by a code that our table has not';
        report(name, outcome === 'cut_off' ? [] : [miss], outcome);
      }),
    goaway: (name) =>
      at(name, { tryMs: TRY_MS }, async (scene, host) => {
        const asked = Array.from({ length: FETCHES }, (_, path) => scene.visit.fetch(urlOf(host, String(path))));
        const counts = new Map<string, number>();
        for (const fetched of await Promise.all(asked)) {
          const outcome = 'failure' in fetched ? fetched.failure : String(fetched.response.status);
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        }
        const misses = counts.get('200') === FETCHES ? [] : ['some failed'];
        if (scene.visit.requestCount > FETCHES) misses.push(`${scene.visit.requestCount} tries of ours`);
        const outcomes = [...counts].map(([outcome, count]) => `${count} times ${outcome}`).join(', ');
        report(name, misses, `${outcomes}; ${await host.connectionCount()} connections`);
      }),
    flood: async (name) => {
      await floodOf(name, 1);
      await floodOf(name, RUNS);
    },
  };

  for (const name of Object.keys(HTTP2_KINDS))
    if (name.includes(process.env.HTTP2_KINDS ?? '')) await families[name.split(':')[0] ?? '']?.(name);
  console.log(`${failures.length} failures`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
