import { fork } from 'node:child_process';
import { on } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { systemClock } from '../../../src/platform/clock.js';
import { createGuard } from '../../../src/net/guard.js';
import { openNetworkTransport } from '../../../src/net/network-transport.js';
import { createResolver } from '../../../src/net/resolver.js';
import { SCAN_LIMITS } from '../../../src/scanner/artifacts/scanner.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { newControlSeed } from '../../../src/scanner/probe/control.js';
import { openSession, scan, type ScanReport } from '../../../src/scanner/scan/scan.js';
import { PUBLIC_CIDRS } from '../../support/network-scene.js';
import { familyName, type HostileKind, type HostilePlace } from './host.js';
import { ALL_KINDS, GOOD_KIND, HOSTILE_KINDS } from './kinds.js';

/**
 * `make torture TORTURE=hostile` scans every kind, with the megabytes of some, by the product's own limits, and measures time, memory
 * and delays: ten minutes. HOSTILE_KINDS takes those whose names match it.
 */
const isWhole = process.env.HOSTILE === 'all';
const ONLY = new RegExp(process.env.HOSTILE_KINDS ?? '');

/** Short deadlines, so that all kinds together take seconds. */
const LIMITS = isWhole
  ? { visit: {}, transport: {}, dns: {} }
  : {
      visit: { limits: { runMs: 1500, tryMs: 250 }, pause: () => nextTurn() },
      transport: { limits: { connectMs: 250, headersMs: 250, wireBytesMax: 8 * 1_048_576 } },
      dns: { timeoutMs: 80 },
    };
const AT_ONCE = isWhole ? 6 : 12;
/** The sites behind good files take longest, so only one in so many is scanned. */
const BEHIND_EVERY = isWhole ? 1 : 12;

const WALL_MS_MAX = SCAN_LIMITS.runMs + 1000;
const DELAY_P99_MS_MAX = 1000;
const GROWTH_MIB_MAX = 300;

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
const socketsBefore = countSockets();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

t.test('there are at least sixty kinds, and each site has its own name', async (t) => {
  const names = HOSTILE_KINDS.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  t.ok(new Set(names.map(familyName)).size >= 60);
});

t.test('every run completes, whatever its site does', async (t) => {
  const isBehind = ({ name }: HostileKind): boolean => familyName(name) !== name;
  const kinds = (isWhole ? ALL_KINDS : HOSTILE_KINDS).filter(({ name }) => ONLY.test(name));
  const behind = kinds.filter(isBehind);
  const waiting = [
    ...kinds.filter((kind) => !isBehind(kind)),
    ...behind.filter((_, index) => index % BEHIND_EVERY === 0),
  ];
  const hosts = isWhole ? new RemoteHosts() : null;
  if (isWhole) await scanOne(GOOD_KIND, hosts);
  const watch = isWhole ? new ProcessWatch() : null;
  const scanNext = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind; kind = waiting.shift()) t.same(await scanOne(kind, hosts), [], kind.name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, scanNext));
  hosts?.close();
  if (!watch) return;
  const { growthMib, delayP99Ms } = watch.end();
  t.comment(`memory grew by ${growthMib} MiB, p99 delay of the event loop ${delayP99Ms} ms`);
  t.ok(growthMib <= GROWTH_MIB_MAX, `memory grew by ${growthMib} MiB`);
  t.ok(delayP99Ms < DELAY_P99_MS_MAX, `p99 delay of the event loop: ${delayP99Ms} ms`);
});

t.test('nothing is left behind', async (t) => {
  t.same(unhandled, []);
  // Connections that are being opened end by their own time limit.
  for (let tries = 0; countSockets() > socketsBefore && tries < 100; tries += 1) await delay(100);
  t.equal(countSockets(), socketsBefore);
});

/** Scans a site over real sockets with every check, as the service does. @returns what is wrong with its run */
async function scanOne(kind: HostileKind, hosts: RemoteHosts | null): Promise<string[]> {
  const host = hosts ? await hosts.start(kind.name) : await kind.start();
  try {
    const guard = createGuard({ allowCidrs: PUBLIC_CIDRS, allowPorts: [host.port] });
    const resolver = createResolver({ servers: [host.dns], ...LIMITS.dns });
    const ca = host.ca === undefined ? {} : { ca: host.ca };
    const transport = openNetworkTransport({ guard, resolver, ...LIMITS.transport, ...ca });
    const target = { origin: new URL(host.origin), isOwnershipVerified: true };
    const startedMs = performance.now();
    const session = openSession({ target, transport, gate: guard, ...LIMITS.visit }, new Date(), newControlSeed());
    const report = await scan(session, { clock: systemClock });
    const wallMs = performance.now() - startedMs;
    const late = isWhole && wallMs > WALL_MS_MAX ? [`it took ${Math.round(wallMs)} ms`] : [];
    return [...missesOf(kind, report), ...late];
  } finally {
    await host.close();
  }
}

function missesOf({ yields }: HostileKind, { findings }: ScanReport): string[] {
  const ids = findings.map(({ checkId }) => checkId);
  const misses = ids.join() === CHECKS.map(({ id }) => id).join() ? [] : [`findings of ${ids.join()} only`];
  // With short deadlines even a good file may come too late.
  const isReadable = isWhole && yields === 'robots.txt';
  const isWrong = ({ checkId, result }: (typeof findings)[number]): boolean =>
    yields === 'nothing' ? result !== 'UNDETERMINED' : isReadable && checkId === 'C-BOT-01' && result !== 'PASS';
  return [...misses, ...findings.filter(isWrong).map(({ checkId, result }) => `${checkId} is ${result}`)];
}

/** Kinds that another process serves. */
class RemoteHosts {
  readonly #child = fork(new URL('serve-kinds.js', import.meta.url));
  #count = 0;

  async start(name: string) {
    const id = (this.#count += 1);
    this.#child.send({ id, name });
    for await (const [message] of on(this.#child, 'message') as AsyncIterable<[{ id: number; place: HostilePlace }]>) {
      if (message.id !== id) continue;
      return { ...message.place, close: async () => void this.#child.send({ id, name: null }) };
    }
    throw new Error('the process that serves has ended');
  }

  close(): void {
    this.#child.disconnect();
  }
}

/** Measures the memory of this process, and the delay of its event loop in the worst second. */
class ProcessWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #rssBefore = process.memoryUsage.rss();
  readonly #timer = setInterval(() => this.#endSecond(), 1000);
  #delayP99Ms = 0;

  constructor() {
    this.#delay.enable();
  }

  end() {
    this.#endSecond();
    clearInterval(this.#timer);
    this.#delay.disable();
    const growthMib = Math.round((process.resourceUsage().maxRSS * 1024 - this.#rssBefore) / 1_048_576);
    return { growthMib, delayP99Ms: this.#delayP99Ms };
  }

  #endSecond(): void {
    this.#delayP99Ms = Math.max(this.#delayP99Ms, Math.round(this.#delay.percentile(99) / 1e6));
    this.#delay.reset();
  }
}
