import { fork } from 'node:child_process';
import { on } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { SCAN_LIMITS } from '../../../src/scanner/artifacts/scanner.js';
import type { HostileKind, HostilePlace } from './host.js';
import { ALL_KINDS, GOOD_KIND, HOSTILE_KINDS } from './kinds.js';
import { type HostileScanOptions, missesOf, scanHostile } from './scan-hostile.js';
import { familyName } from './talk.js';

/**
 * `make torture TORTURE=hostile` scans every kind, with the megabytes of some, by the product's own limits, and measures time, memory
 * and delays: ten minutes. HOSTILE_KINDS takes those whose names match it.
 */
const isWhole = process.env.HOSTILE === 'all';
const ONLY = new RegExp(process.env.HOSTILE_KINDS ?? '');

/** Small enough that all kinds together take seconds; what they show does not depend on how long a deadline is. */
const SMALL: HostileScanOptions = {
  limits: { runMs: 1500, tryMs: 250 },
  network: { connectMs: 250, headersMs: 250, wireBytesMax: 8 * 1_048_576 },
  dnsTimeoutMs: 80,
  pause: () => nextTurn(),
};
const AT_ONCE = isWhole ? 6 : 12;
/** Of the sites that answer badly behind good files only, which take longest, one in so many. */
const BEHIND_EVERY = isWhole ? 1 : 12;

const WALL_MS_MAX = SCAN_LIMITS.runMs + 1000;
const DELAY_P99_MS_MAX = 1000;
const GROWTH_MIB_MAX = 300;

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
const socketsBefore = countSockets();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

t.test('there are sixty kinds and more, each site with a name of its own', async (t) => {
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
  // A connection that is being opened ends with its own time limit.
  for (let tries = 0; countSockets() > socketsBefore && tries < 100; tries += 1) await delay(100);
  t.equal(countSockets(), socketsBefore);
});

async function scanOne(kind: HostileKind, hosts: RemoteHosts | null): Promise<string[]> {
  const host = hosts ? await hosts.start(kind.name) : await kind.start();
  try {
    const { report, wallMs } = await scanHostile(host, hosts ? {} : SMALL);
    if (hosts)
      return [...missesOf(kind, report), ...(wallMs > WALL_MS_MAX ? [`it took ${Math.round(wallMs)} ms`] : [])];
    // With so little time even a good file may come too late.
    return missesOf(kind.yields === 'nothing' ? kind : { ...kind, yields: 'anything' }, report);
  } finally {
    await host.close();
  }
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
