import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config.js';
import { createScanning } from '../../src/package/scanning.js';
import { createLogger } from '../../src/platform/logging.js';
import type { ScanProgress } from '../../src/scanner/report/progress.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { ScanThread, type ScanThreadDeps } from '../../src/wiring/scan-thread.js';
import type { StartTimer } from '../../src/platform/timer.js';
import { createScanners } from '../../src/wiring/scanners.js';
import { startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute, FixtureSite } from '../support/fixture-site.js';
import { SIGNING_KEY } from '../support/signing-key.js';

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
    config: {
      ...readConfig({ SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(server.port), LOG_LEVEL: 'silent' }),
      signingKey: SIGNING_KEY,
    },
    ...{ version: '1.2.3', endpoints: [] },
  };
  return { origin: new URL(server.origin), settings };
}

function startThread(t: Test, deps: Omit<ScanThreadDeps, 'onRefused'>) {
  const refused: string[] = [];
  const thread = new ScanThread({ ...deps, onRefused: (reason) => refused.push(reason) });
  t.teardown(() => thread.close());
  return { thread, refused };
}

/** A thread that runs this instead. */
function programOf(text: string): URL {
  const source = `import { parentPort } from 'node:worker_threads';\n${text}`;
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

/** Timers that end when they are told to. */
function holdTimers() {
  const held = new Set<{ readonly act: () => void; readonly ms: number }>();
  const startTimer: StartTimer = (act, ms) => {
    const timer = { act, ms };
    held.add(timer);
    return () => held.delete(timer);
  };
  const fire = (isDue: (ms: number) => boolean): void => {
    for (const timer of [...held].filter(({ ms }) => isDue(ms))) if (held.delete(timer)) timer.act();
  };
  return { startTimer, fire };
}

const withoutTimes = (report: ScanReport): object => ({ ...report, startedAt: null, finishedAt: null, evidence: null });

t.test('a scan in the thread is the scan that it is elsewhere, and says how far it is', async (t) => {
  const { origin, settings } = await startSite(t);
  const here = createScanners(createScanning(settings.config, createLogger('silent')), '1.2.3');
  const { startTimer, fire } = holdTimers();
  const { thread, refused } = startThread(t, { ...settings, startTimer });
  const target = { origin, pages: [new URL('/about', origin)], isOwnershipVerified: true };
  const heard: ScanProgress[] = [];
  const report = await thread.scan(target, (progress) => heard.push(progress));
  t.same(withoutTimes(report), withoutTimes(await here.scan(target)));
  t.ok(report.startedAt <= report.finishedAt);
  t.ok((report.evidence?.exchanges.length ?? 0) > 0, 'the evidence behind it, for its owner');
  t.equal(heard.at(-1)?.judged.length, report.findings.length);
  t.ok(refused.includes('address_not_public'), 'counted where the metrics are');
  const only = await thread.scan(target, undefined, ['C-LLMS-01']);
  t.same(
    only.findings.map(({ checkId }) => checkId),
    ['C-LLMS-01'],
  );
  const file = { body: Buffer.from('# Kiosk\n\n> All tickets.\n'), type: 'text/plain; charset=utf-8' };
  const [there, elsewhere] = [
    await thread.tryFile(target, '/llms.txt', file),
    await here.tryFile(target, '/llms.txt', file),
  ];
  t.same(there.assumed, elsewhere.assumed);
  t.same(withoutTimes(there.after), withoutTimes(elsewhere.after));
  t.equal(thread.lagS, 0);
  fire((ms) => ms < 60_000);
  await thread.scan(target, undefined, ['C-LLMS-01']);
  // Every 10 ms it is looked at; nothing, where nothing was measured, is 511 ns.
  t.ok(thread.lagS > 0.001, 'it says how late its event loop was');
  await thread.close();
  t.equal(thread.lagS, 0);
});

t.test('the guard holds in the thread: wherever a site leads, nothing else is connected to', async (t) => {
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
  t.same(
    sampled?.chosen.map(({ came }) => came),
    paths.map(() => 'unanswered'),
  );
  t.same([...new Set(refused)].sort(), ['address_not_public', 'host_not_allowed']);
  t.equal(inside.connectionCount(), 0);
});

t.test('where a priority may not be lowered, scans are made all the same', async (t) => {
  const { origin, settings } = await startSite(t);
  const program = programOf(
    `import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.setPriority = () => { throw new Error('not permitted'); };
    syncBuiltinESMExports();
    await import('${new URL('../../src/scan-worker.js', import.meta.url).href}');`,
  );
  const { thread } = startThread(t, { ...settings, program });
  const { findings } = await thread.scan({ origin, isOwnershipVerified: false }, undefined, ['C-LLMS-01']);
  t.equal(findings.length, 1);
});

t.test('scans stand back where readers want the processor', { skip: process.platform !== 'linux' }, async (t) => {
  const { origin, settings } = await startSite(t);
  const { thread } = startThread(t, settings);
  await thread.scan({ origin, isOwnershipVerified: false }, undefined, ['C-LLMS-01']);
  const ours = getPriority();
  t.ok(
    nicenessOf('WorkerThread', 'node').some(
      (niceness) => niceness >= Math.min(ours + 1, constants.priority.PRIORITY_LOW),
    ),
    'the thread of scans',
  );
  t.ok(
    nicenessOf('libuv-worker').every((niceness) => niceness === ours),
    'not those that all share',
  );
});

t.test(
  'what only the process knows is asked of it: the pace of strangers, and who else is at an address',
  async (t) => {
    const { origin, settings } = await startSite(t);
    const asked: (readonly string[])[] = [];
    const exchange = async (addresses: readonly string[]) => {
      asked.push(addresses);
      return new Map([['127.0.0.1', 1]]);
    };
    const { thread } = startThread(t, { ...settings, exchange });
    const turns: string[] = [];
    const waits: number[] = [];
    const restraint = {
      pace: {
        take: (address: string) => {
          turns.push(address);
          return 1;
        },
        wait: async (ms: number) => void waits.push(ms),
      },
      mayAskOther: async () => false,
    };
    const { siteRequestCount } = await thread.scan({ origin, isOwnershipVerified: false, restraint });
    t.same(asked[0], ['127.0.0.1']);
    t.same([...new Set(turns)], ['127.0.0.1']);
    t.equal(turns.length, siteRequestCount);
    t.equal(waits.length, turns.length, 'each waited for its turn');
  },
);

t.test('a scan that our own limits ended says which, as it does elsewhere', async (t) => {
  const { settings } = await startSite(t);
  const answering = (outcome: object): URL =>
    programOf(`
      parentPort.on('message', ({ scan }) => {
        if (scan) parentPort.postMessage({ question: 1, name: 'end', args: [scan, ${JSON.stringify(outcome)}] });
      });`);
  const target = { origin: new URL('https://www.example.com'), isOwnershipVerified: false };
  const scanFor = (outcome: object) => startThread(t, { ...settings, program: answering(outcome) }).thread.scan(target);
  await t.rejects(scanFor({ lack: 'slots', siteRequestCount: 7 }), { name: 'Starved', siteRequestCount: 7 });
  await t.rejects(scanFor({ lack: 'resources' }), { name: 'OutOfResources' });
  await t.rejects(scanFor({ fault: 'TypeError: no such member' }), /no such member/);
});

t.test('a thread that ends by itself fails the scans that it had, and the next scan starts another', async (t) => {
  const { settings } = await startSite(t);
  const program = programOf(`
    parentPort.on('message', ({ scan, target }) => {
      if (target?.origin === 'https://bad.example.com/') throw new Error('out of order');
      if (target?.origin === 'https://good.example.com/')
        parentPort.postMessage({ question: 1, name: 'end', args: [scan, { made: 'a report' }] });
      if (target?.origin === 'https://endless.example.com/') for (;;);
    });`);
  const { startTimer, fire } = holdTimers();
  const { thread } = startThread(t, { ...settings, program, startTimer });
  const scan = (host: string) => thread.scan({ origin: new URL(`https://${host}`), isOwnershipVerified: false });
  const slow = scan('slow.example.com');
  const bad = scan('bad.example.com');
  await t.rejects(bad, { message: 'the thread of scans ended', cause: { message: 'out of order' } });
  await t.rejects(slow, { message: 'the thread of scans ended' });
  t.equal(await scan('good.example.com'), 'a report');
  const endless = scan('endless.example.com');
  fire((ms) => ms < 60_000);
  fire((ms) => ms < 60_000);
  await t.rejects(endless, { message: 'the thread of scans ended', cause: { message: 'it was stuck' } });
  const late = scan('late.example.com');
  t.equal(await scan('good.example.com'), 'a report');
  fire((ms) => ms > 60_000);
  await t.rejects(late, { message: 'the scan did not end' });
  t.equal(await scan('good.example.com'), 'a report', 'the thread goes on');
  const last = scan('last.example.com');
  const ended = t.rejects(last, { message: 'the thread of scans ended' });
  await thread.close();
  await ended;
});

t.test('a scan that was there when a thread broke has a thread to itself, until one has ended well', async (t) => {
  const { settings } = await startSite(t);
  const program = programOf(`
    import { threadId } from 'node:worker_threads';
    parentPort.on('message', ({ scan, target, only }) => {
      if (only) return;
      if (target?.origin === 'https://bad.example.com/') throw new Error('out of order');
      if (scan) parentPort.postMessage({ name: 'end', args: [scan, { made: threadId }] });
    });`);
  const { startTimer } = holdTimers();
  const { thread } = startThread(t, { ...settings, program, startTimer });
  const scan = (host: string, only?: readonly string[]) =>
    thread.scan({ origin: new URL(`https://${host}.example.com`), isOwnershipVerified: false }, undefined, only);
  const neighbour = scan('neighbour', ['held']);
  const bad = scan('bad');
  await t.rejects(neighbour, { message: 'the thread of scans ended' });
  await t.rejects(bad, { message: 'the thread of scans ended' });
  const shared = await scan('good');
  const badAgain = scan('bad');
  const neighbourAgain = scan('neighbour');
  await t.rejects(badAgain, { message: 'the thread of this scan ended', cause: { message: 'out of order' } });
  t.not(await neighbourAgain, shared, 'nor that one');
  t.equal(await scan('good'), shared, 'that of all others is still there');
  t.equal(await scan('neighbour'), shared, 'it was not the cause');
});

t.test('only a whole scan clears a site, and none does that broke a thread alone', async (t) => {
  const { settings } = await startSite(t);
  const program = programOf(`
    import { threadId } from 'node:worker_threads';
    parentPort.on('message', ({ scan, target }) => {
      if (target?.party === 'breaks') throw new Error('out of order');
      if (scan) parentPort.postMessage({ name: 'end', args: [scan, { made: threadId }] });
    });`);
  const { startTimer } = holdTimers();
  const { thread } = startThread(t, { ...settings, program, startTimer });
  const targetOf = (party: string) => ({
    ...{ origin: new URL('https://bad.example.com'), party },
    isOwnershipVerified: false,
  });
  const good = () => thread.scan({ origin: new URL('https://good.example.com'), isOwnershipVerified: false });
  const scan = (only?: readonly string[]) => thread.scan(targetOf('behaves'), undefined, only);
  await t.rejects(thread.scan(targetOf('breaks')), { message: 'the thread of scans ended' });
  const shared = await good();
  t.not(await scan(['C-LLMS-01']), shared);
  t.not(
    await thread.tryFile(targetOf('behaves'), '/llms.txt', { body: Buffer.from('# Kiosk'), type: 'text/plain' }),
    shared,
    'a scan of one check says nothing of the others',
  );
  t.not(await scan(), shared, 'nor does one with a file of ours');
  t.equal(await scan(), shared, 'a whole one does');
  await t.rejects(thread.scan(targetOf('breaks')), { message: 'the thread of scans ended' });
  await t.rejects(thread.scan(targetOf('breaks')), { message: 'the thread of this scan ended' });
  const next = await good();
  for (let times = 0; times < 2; times += 1) t.not(await scan(), next, 'it was the cause');
  t.equal(await good(), next);
});

t.test('the neighbours of a site that broke a thread wait for one another, and are not refused at once', async (t) => {
  const { settings } = await startSite(t);
  const program = programOf(`
    import { threadId } from 'node:worker_threads';
    parentPort.on('message', ({ scan, target, only }) => {
      if (target?.origin === 'https://bad.example.com/') throw new Error('out of order');
      if (only) parentPort.postMessage({ name: 'progress', args: [scan, {}] });
      else if (scan) parentPort.postMessage({ name: 'end', args: [scan, { made: threadId }] });
    });`);
  const { startTimer, fire } = holdTimers();
  const { thread } = startThread(t, { ...settings, program, startTimer });
  const targetOf = (host: string) => ({
    ...{ origin: new URL(`https://${host}.example.com`), party: host },
    isOwnershipVerified: false,
  });
  const hold = (host: string, begun?: () => void) => thread.scan(targetOf(host), begun, ['held']);
  const hosts = Array.from({ length: 10 }, (_, index) => `neighbour${index}`);
  const broken = await Promise.allSettled([...hosts, 'bad'].map((host) => hold(host)));
  t.ok(broken.every(({ status }) => status === 'rejected'));
  const made = await Promise.all(hosts.slice(4).map((host) => thread.scan(targetOf(host))));
  t.equal(new Set(made).size, 6, 'each had a thread to itself');
  const held: Promise<unknown>[] = [];
  const begin = (host: string) =>
    new Promise<void>((resolve) => {
      held.push(hold(host, resolve));
    });
  await Promise.all(hosts.slice(0, 3).map(begin));
  const late = hold(hosts[3] ?? '');
  fire((ms) => ms === 30_000);
  await t.rejects(late, { code: 'overloaded', cause: { message: /alone/ } }, 'a fault, which is told and counted');
  const ended = Promise.allSettled(held);
  await thread.close();
  t.ok((await ended).every(({ status }) => status === 'rejected'));
});

t.test('two threads share an address as two processes do', async (t) => {
  const { settings } = await startSite(t);
  const program = programOf(`
    let order;
    parentPort.on('message', (message) => {
      if (message.scan) {
        order = message;
        if (order.only?.includes('break')) throw new Error('out of order');
        parentPort.postMessage({ question: 1, name: 'exchange', args: [['192.0.2.1']] });
      } else if (order.only) parentPort.postMessage({ name: 'progress', args: [order.scan, 'told'] });
      else parentPort.postMessage({ name: 'end', args: [order.scan, { made: message.value }] });
    });`);
  const told: (readonly string[])[] = [];
  const exchange = async (addresses: readonly string[]) => {
    told.push(addresses);
    return new Map([['192.0.2.1', 3]]);
  };
  const { startTimer } = holdTimers();
  const { thread } = startThread(t, { ...settings, program, startTimer, exchange });
  const targetOf = (host: string) => ({ origin: new URL(`https://${host}.example.com`), isOwnershipVerified: false });
  await t.rejects(thread.scan(targetOf('suspect'), undefined, ['break']));
  let held: Promise<unknown> = Promise.resolve();
  await new Promise((resolve) => {
    held = thread.scan(targetOf('other'), resolve, ['held']);
    held.catch(() => undefined);
  });
  t.same(await thread.scan(targetOf('suspect')), new Map([['192.0.2.1', 4]]));
  t.same(told, [['192.0.2.1'], ['192.0.2.1']], 'to other processes it is one');
  await thread.close();
  await t.rejects(held);
});
