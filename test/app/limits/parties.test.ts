import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { type Cap, CAPS } from '../../../src/app/limits/caps.js';

/**
 * No limit, queue or slot is shared by everyone without a share per owner: the account, or for clients without one their network. What is
 * added to src has to be added here, with its owner.
 */

/** Everything that bounds concurrent work: by file, what it makes. */
const SLOTS: Readonly<Record<string, string>> = {
  'src/app/accounts/passwords.ts new Slots': 'the network, or the account, of who signs in',
  'src/app/data/exports.ts new Slots': 'the account whose data is exported',
  'src/app/free-scan/free-scan-slots.ts new Slots': 'the network of who asks',
  'src/mcp/app.ts new Slots': 'the network of who sends a large body',
  'src/queue/worker.ts new Slots': 'the account or network of a job: see QUEUED',
  'src/wiring/services.ts new Slots': 'the account; all free scans, which share theirs by network',
  'src/wiring/scan-thread.ts new Worker': 'as services.ts, which a scan has passed before',
  'src/wiring/serve.ts new Worker': 'the queues: see QUEUED',
};

/** The owner in each use of slots: the argument, by file. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'src/app/accounts/passwords.ts': ['owner'],
  'src/app/data/exports.ts': ['accountId'],
  'src/app/free-scan/free-scan-slots.ts': ['network', 'FREE_SCANS', 'network'],
  'src/app/runs/run-performer.ts': ['run.site.accountId'],
  'src/app/triage/rechecks.ts': ['site.accountId'],
  'src/mcp/app.ts': ['networkOf(ip)'],
  'src/queue/worker.ts': ['job.account_id ?? job.kind'],
};

/** Jobs without an owner: those that the service does for itself. */
const WITHOUT_OWNER = ['src/wiring/recurring.ts'];

/** The scanner's slots are shared between scans, each of which has a slot of the service. */
const SOURCES = globSync('src/**/*.{ts,tsx}', { exclude: ['src/scanner/**', 'src/package/**'] }).sort();

/** Every match of the pattern's first group, by file. */
function findAll(pattern: RegExp, among = SOURCES): Record<string, string[]> {
  const found = among.map((file): [string, string[]] => {
    return [file, [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, one = '']) => one)];
  });
  return Object.fromEntries(found.filter(([, matches]) => matches.length > 0));
}

t.test('every rate limit counts a subject, or gives each network a share of the total', async (t) => {
  const caps: [string, Cap][] = Object.entries(CAPS);
  t.ok(caps.length > 15);
  for (const [name, cap] of caps) {
    const { max } = cap;
    if (typeof max === 'number') continue;
    const largest = Math.max(max['/24'] ?? Infinity, max['/48'] ?? Infinity);
    t.ok(largest < Infinity, `${name}: both kinds of network have a maximum`);
    const { total } = cap;
    if (total)
      t.ok(total.exemptsFirstRequest || largest < total.max, `${name}: one network leaves something to others`);
  }
  const unbounded = caps.filter(([, { max }]) => max === Infinity).map(([name]) => name);
  t.same(unbounded, ['readyz'], 'which refuses nobody');
  const elsewhere = SOURCES.filter((file) => !file.startsWith('src/app/limits/'));
  t.same(findAll(/(windowMs:)/g, elsewhere), {}, 'no other limit');
});

t.test('everything that limits concurrent work is shared between owners', async (t) => {
  const made = Object.entries(findAll(/\b(new (?:(?!OutOf)\w*Slots|Worker|\w*Semaphore|\w*Mutex|\w*Queue))\(/g));
  const names = new Set(made.flatMap(([file, matches]) => matches.map((one) => `${file} ${one}`)));
  t.same([...names].sort(), Object.keys(SLOTS).sort());
});

t.test('each use of slots names an owner, never the same for everyone', async (t) => {
  const uses =
    /(?:[sS]lots|#reading|#costly|largeBodies)\??\.(?:run|acquire|tryAcquire|occupy)\(\s*((?:\([^)]*\)|[^,()])+)/g;
  const users = SOURCES.filter((file) => file !== 'src/platform/slots.ts');
  t.same(findAll(uses, users), ARGUMENTS);
});

t.test('every job has an owner, except those of the service itself', async (t) => {
  t.same(Object.keys(findAll(/(account_id: null)/g)), WITHOUT_OWNER);
});
