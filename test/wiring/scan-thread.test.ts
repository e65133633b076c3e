import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { MessageChannel, type Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config.js';
import { createScanning } from '../../src/package/scanning.js';
import { createLogger } from '../../src/platform/logging.js';
import type { ScanProgress } from '../../src/scanner/report/progress.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { AddressPace } from '../../src/scanner/client/limiter.js';
import {
  createScanThreads,
  createRemoteLimits,
  ScanThread,
  type ScanThreadOptions,
} from '../../src/wiring/scan-thread.js';
import type { StartTimer } from '../../src/platform/clock.js';
import { overlayOfFile } from '../../src/scanner/client/stand-in.js';
import { createScanners } from '../../src/scanner/scan/scanner.js';
import { until } from '../support/held-timers.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute, FixtureSite } from '../support/fixture-site.js';

const ROUTES = {
  '/': '<!doctype html><title>Kiosk</title><p>Tickets <a href="/about">About</a> <a href="http://10.0.0.1/">Inside</a>',
  '/about': { status: 302, headers: { location: 'http://10.0.0.1/' } },
  '/robots.txt': 'User-agent: *\nSitemap: /sitemap.xml',
  '/llms.txt': '# Kiosk\n\n> Tickets\n\n## Pages\n\n- [About](/about)\n- [Inside](http://10.0.0.1/inside)\n',
};

async function startSite(t: Test, more: FixtureSite['routes'] = {}) {
  const server = await startFixtureServer({ routes: { ...ROUTES, ...more } });
  t.teardown(() => server.close());
  const settings = {
    config: readConfig({
      SCAN_ALLOW_CIDRS: '127.0.0.1/32',
      SCAN_ALLOW_PORTS: String(server.port),
      LOG_LEVEL: 'silent',
    }),
    endpoints: [],
  };
  return { origin: new URL(server.origin), settings };
}

function startThread(t: Test, deps: Omit<ScanThreadOptions, 'onRefused' | 'heapMibMax'>) {
  const refused: string[] = [];
  const thread = new ScanThread({ ...deps, heapMibMax: 256, onRefused: (reason) => void refused.push(reason) });
  t.teardown(() => thread.close());
  return { thread, refused };
}

/** A scan that no site answers, of a thread that runs a program of the test. */
const TARGET = { origin: new URL('https://www.example.com'), isOwnershipVerified: false };
const NO_SETTINGS = { config: readConfig({ LOG_LEVEL: 'silent' }), endpoints: [] };
/** A program that answers every scan but those of the check `held`. */
const ANSWERS = `
  if (!only) port.postMessage({ outcome: { result: threadId } });`;

/** A thread that does this for each message instead. */
function programOf(text: string): URL {
  const source = `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ port, origin, isAnonymous, only }) => {${text}});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** How far each thread of this process with one of these names stands back: proc_pid_stat(5), field 19. */
function nicenessOf(...names: readonly string[]): number[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return names.includes(stat.slice(stat.indexOf('(') + 1, end)) ? [Number(stat.slice(end + 2).split(' ')[16])] : [];
  });
}

/** How a scan fails whose thread ended, and one whose thread was still at work when the time was over. */
const ENDED = { message: /\bthread\b/ };
const LATE = { message: 'the scan did not end' };

/** Timers that end when they are told to: those that look whether a thread is stuck, and those that end scans. */
function holdTimers() {
  const held = new Map<() => void, number>();
  const startTimer: StartTimer = (act, delayMs) => {
    held.set(act, delayMs);
    return () => held.delete(act);
  };
  const fire = (isCheck = false): void => {
    for (const [act] of [...held].filter(([, delayMs]) => (delayMs === 20_000) === isCheck)) {
      held.delete(act);
      act();
    }
  };
  return { startTimer, fire, check: () => fire(true) };
}

const withoutTimes = (report: ScanReport): object => ({ ...report, startedAt: null, finishedAt: null, evidence: null });

t.test('a scan in the thread has the same result and reports progress', async (t) => {
  const { origin, settings } = await startSite(t);
  const here = createScanners(createScanning(settings.config, createLogger('silent')));
  const { thread, refused } = startThread(t, settings);
  t.equal(thread.measureBusyShare(), 0);
  const target = { origin, pages: [new URL('/about', origin)], isOwnershipVerified: true };
  const heard: ScanProgress[] = [];
  const report = await thread.scan(target, (progress) => heard.push(progress));
  t.same(withoutTimes(report), withoutTimes(await here.scan(target)));
  t.ok(report.startedAt <= report.finishedAt);
  t.ok((report.evidence?.exchanges.length ?? 0) > 0, 'the evidence behind it, for its owner');
  t.equal(heard.at(-1)?.judged.length, report.findings.length);
  t.ok(refused.includes('address_not_public'), 'counted where the metrics are');
  const only = await thread.scan(target, undefined, ['C-LLMS-01']);
  t.match(only.findings, [{ checkId: 'C-LLMS-01' }]);
  const file = { body: Buffer.from('# Kiosk\n\n> All tickets.\n'), type: 'text/plain; charset=utf-8' };
  const [there, elsewhere] = [
    await thread.tryFile(target, '/llms.txt', file),
    await here.tryOverlay(target, overlayOfFile('/llms.txt', file)),
  ];
  t.same(withoutTimes(there.after), withoutTimes(elsewhere.after));
  const busy = thread.measureBusyShare();
  t.ok(busy > 0 && busy <= 1, `it was busy for ${busy}`);
  await thread.close();
  t.equal(thread.measureBusyShare(), 0);
});

t.test('the guard works in the thread: no redirect reaches another server', async (t) => {
  const inside = await startFixtureServer({ routes: {} }, { address: '127.0.0.2' });
  t.teardown(() => inside.close());
  const hosts = ['127.0.0.2', '2130706434', '0x7f.2', '[::ffff:127.0.0.2]', 'localhost'];
  const paths = hosts.map((_, index) => `/leads/${index}`);
  const leading = hosts.map((host, index): [string, FixtureRoute] => {
    const location = `http://${host}:${inside.port}/`;
    return [`/leads/${index}`, { status: 302, headers: { location } }];
  });
  const { origin, settings } = await startSite(t, Object.fromEntries(leading));
  const { config } = settings;
  const scanAllowPorts = [...config.scanAllowPorts, inside.port];
  const { thread, refused } = startThread(t, { ...settings, config: { ...config, scanAllowPorts } });
  const pages = paths.map((path) => new URL(path, origin));
  const { pages: sampled } = await thread.scan({ origin, pages, isOwnershipVerified: true });
  t.match(sampled?.chosen, Array(paths.length).fill({ isRead: false }));
  t.same([...new Set(refused)].sort(), ['address_not_public', 'host_not_allowed']);
  t.equal(inside.connectionCount(), 0);
});

t.test('scan threads have a lower priority', { skip: process.platform !== 'linux' }, async (t) => {
  const { origin, settings } = await startSite(t);
  const { thread } = startThread(t, settings);
  await thread.scan({ origin, isOwnershipVerified: false }, undefined, ['C-LLMS-01']);
  const ours = getPriority();
  const lower = Math.min(ours + 1, constants.priority.PRIORITY_LOW);
  const [ofThreads, ofSharedOnes] = [nicenessOf('WorkerThread', 'node'), nicenessOf('libuv-worker')];
  t.ok(ofThreads.some((niceness) => niceness >= lower));
  t.ok(ofSharedOnes.every((niceness) => niceness === ours));
});

t.test('a free scan asks the service for its pace until it is released', async (t) => {
  const { origin, settings } = await startSite(t);
  const { thread } = startThread(t, settings);
  const release = new AbortController();
  const asked: string[] = [];
  let waitMs = 1;
  const reserve = (address: string): number => {
    asked.push(address);
    // The thread gets the wait first.
    if (waitMs > 1) setImmediate(() => release.abort());
    return release.signal.aborted ? 0 : waitMs;
  };
  const anonymousLimits = { pace: { reserve, released: release.signal }, mayRequestDomain: async () => false };
  const target = { origin, isOwnershipVerified: false, anonymousLimits };
  const { siteRequestCount } = await thread.scan(target);
  t.same(asked, Array(siteRequestCount).fill('127.0.0.1'));
  waitMs = 3_600_000;
  t.equal((await thread.scan(target, undefined, ['C-LLMS-01'])).findings.length, 1);
});

t.test('a scan that exceeded our own limits fails as overloaded; other errors stay', async (t) => {
  for (const [outcome, error] of [
    [
      { exhausted: 'slots', siteRequestCount: 7 },
      { code: 'overloaded', cause: { name: 'OutOfSlots', siteRequestCount: 7 } },
    ],
    [{ exhausted: 'resources' }, { code: 'overloaded', cause: { name: 'OutOfResources' } }],
    [{ fault: 'TypeError: no such member' }, { message: /\bmember\b/ }],
  ] as const) {
    const program = programOf(`port.postMessage({ outcome: ${JSON.stringify(outcome)} })`);
    await t.rejects(startThread(t, { ...NO_SETTINGS, program }).thread.scan(TARGET), error);
  }
});

t.test('a thread that ends or is stuck fails its scans, and the next scan starts another', async (t) => {
  const program = programOf(`
    if (origin === 'https://bad.example.com/') throw new Error('out of order');
    if (origin === 'https://good.example.com/') port.postMessage({ outcome: { result: 'a report' } });
    if (origin === 'https://endless.example.com/') for (;;);`);
  const { startTimer, fire, check } = holdTimers();
  const { thread } = startThread(t, { ...NO_SETTINGS, program, startTimer });
  const scan = (host: string) => thread.scan({ origin: new URL(`https://${host}`), isOwnershipVerified: false });
  const slow = scan('slow.example.com');
  await t.rejects(scan('bad.example.com'), { ...ENDED, cause: { message: 'out of order' } });
  await t.rejects(slow, ENDED);
  t.equal(await scan('good.example.com'), 'a report');
  const late = scan('slow.example.com');
  fire();
  await t.rejects(late, LATE);
  const waiting = scan('slow.example.com');
  for (let count = 0; count < 3; count += 1) {
    thread.measureBusyShare();
    do await new Promise(setImmediate);
    while (thread.measureBusyShare() === 1);
    check();
    t.equal(await scan('good.example.com'), 'a report', 'a thread that waits is not stuck');
  }
  let areOver = false;
  const stuck = Promise.all(
    [scan('endless.example.com'), scan('slow.example.com'), waiting].map((one) =>
      t.rejects(one, { ...ENDED, cause: { message: 'the scan thread was stuck' } }),
    ),
  ).then(() => (areOver = true));
  for (; !areOver; await new Promise(setImmediate)) check();
  await stuck;
  t.equal(await scan('good.example.com'), 'a report');
  const ended = t.rejects(scan('last.example.com'), ENDED);
  await thread.close();
  await ended;
});

t.test('a listener that throws fails only its own scan', async (t) => {
  const { startTimer } = holdTimers();
  const program = programOf(`port.postMessage({ progress: {} }); ${ANSWERS}`);
  const { thread } = startThread(t, { ...NO_SETTINGS, program, startTimer });
  const broken = () => {
    throw new Error('no such page');
  };
  await t.rejects(thread.scan(TARGET, broken, ['held']), { message: 'no such page' });
  t.type(await thread.scan(TARGET), 'number');
});

t.test('an error while counting refusals ends the thread, not the process', async (t) => {
  const program = programOf(`parentPort.postMessage('address_not_public');`);
  const onRefused = () => {
    throw new Error('no such metric');
  };
  const { startTimer } = holdTimers();
  const thread = new ScanThread({ ...NO_SETTINGS, program, startTimer, heapMibMax: 256, onRefused });
  t.teardown(() => thread.close());
  await t.rejects(thread.scan(TARGET), { ...ENDED, cause: { message: 'no such metric' } });
});

t.test('a question of a free scan fails if the service no longer waits for the scan', async (t) => {
  const program = programOf(`
    const { port1, port2 } = new MessageChannel();
    port1.on('close', () => parentPort.postMessage('port_not_allowed'));
    port.postMessage({ question: { domain: 'example.com' }, replyPort: port2 }, [port2]);`);
  const { thread, refused } = startThread(t, { ...NO_SETTINGS, program });
  const mayRequestDomain = () => Promise.reject(new Error('out of order'));
  const anonymousLimits = { pace: new AddressPace(), mayRequestDomain };
  await t.rejects(thread.scan({ ...TARGET, anonymousLimits }), { message: 'out of order' });
  await until(() => refused.length > 0);

  const { origin, settings } = await startSite(t);
  const own = startThread(t, settings).thread;
  const spent = {
    pace: { reserve: mayRequestDomain as never, released: new AbortController().signal },
    mayRequestDomain,
  };
  const target = { origin, isOwnershipVerified: false };
  const running = own.scan(target);
  await t.rejects(own.scan({ ...target, anonymousLimits: spent }), { message: 'out of order' });
  t.ok((await running).findings.length > 1, 'other scans of the thread continue');
  t.equal((await own.scan(target, undefined, ['C-LLMS-01'])).findings.length, 1);

  const gone = { message: /no longer waits/ };
  const { port1, port2 } = new MessageChannel();
  const limits = createRemoteLimits(port2);
  const early = t.rejects(limits.mayRequestDomain('example.com'), gone, 'asked before the port closed');
  port1.close();
  await early;
  await t.rejects(async () => limits.pace.reserve('192.0.2.1'), gone, 'asked afterwards');
});

t.test('a thread whose error and exit arrive in one turn ends once', async (t) => {
  const { startTimer } = holdTimers();
  const { thread } = startThread(t, { ...NO_SETTINGS, program: programOf(ANSWERS), startTimer });
  const started = once(process, 'worker') as Promise<[Worker]>;
  const held = thread.scan(TARGET, undefined, ['held']);
  const [worker] = await started;
  worker.emit('error', new Error('out of order'));
  const next = thread.scan(TARGET);
  worker.emit('exit', 1);
  await t.rejects(held, { ...ENDED, cause: { message: 'out of order' } });
  t.equal(await next, await thread.scan(TARGET), 'the thread after it goes on');
});

t.test('a free scan that breaks its thread breaks no scan of an account', async (t) => {
  const program = programOf(`if (isAnonymous) throw new Error('out of order'); ${ANSWERS}`);
  const { startTimer, fire } = holdTimers();
  const threads = createScanThreads({ ...NO_SETTINGS, program, startTimer, onRefused: () => undefined });
  t.teardown(() => threads.close());
  const anonymous = { ...TARGET, anonymousLimits: { pace: new AddressPace(), mayRequestDomain: async () => false } };
  const running = threads.scan(TARGET, undefined, ['held']);
  await t.rejects(threads.scanFree(anonymous), ENDED);
  const file = { body: Buffer.from('# Kiosk'), type: 'text/plain' };
  await t.rejects(threads.tryFile(anonymous, '/llms.txt', file), { cause: { message: 'out of order' } });
  t.type(await threads.scan(TARGET), 'number');
  fire();
  await t.rejects(running, LATE, 'it has been running all the time');
});
