import { siteRemoval } from '../support/removal.js';
import { applyPlanToSchedules } from '../../src/app/automation/schedules.js';
import { newApiKey } from '../../src/app/keys/api-key.js';
import { utcDay, utcMonth } from '../../src/platform/clock.js';
import { ServiceError } from '../../src/platform/errors.js';
import { type Plan, PLANS } from '../../src/app/accounts/plan.js';
import { createServer } from '../../src/platform/http/server.js';
import { Lifecycle } from '../../src/platform/lifecycle.js';
import { createLogger } from '../../src/platform/logging.js';
import { createAccess } from '../../src/app/keys/access.js';
import { createAccounts } from '../../src/app/accounts/accounts.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns, type Runs } from '../../src/app/runs/runs.js';
import { createSites } from '../../src/app/sites/sites.js';
import { Slots } from '../../src/platform/slots.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { readStoredRuns } from '../support/stored-runs.js';
import { scanReport, TestClock } from '../support/accounts.js';
import { failWhen } from '../support/changed-database.js';
import { insertRow, rowsOf } from '../support/tables.js';
import { openHouse } from './fuzz-house.js';

/** What the service ought to know of an account, a site and a key: the oracle's own book. */
export interface AccountBook {
  readonly id: string;
  plan: Plan;
}
export interface SiteBook {
  readonly id: string;
  readonly account: AccountBook;
  isVerified: boolean;
  isRemoved: boolean;
  /** The body of each run, by number: the first is at 0. */
  readonly runs: string[];
  etag: string;
  readonly startsByDay: Map<string, number>;
}
export interface KeyBook {
  readonly id: string;
  readonly text: string;
  readonly account: AccountBook;
  isRevoked: boolean;
  readonly usedByMonth: Map<string, number>;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

interface Trouble {
  /** What every query of the runs ends with just now; null: they are well. */
  fault: 'overloaded' | 'internal_error' | null;
}

/** The whole service over this database with a scan that reports at once, and the book of what was done with it. */
export async function startWorld(url: string) {
  await migrateDatabase(url);
  const db = await openDatabase(url);
  const clock = new TestClock();
  const logFaults: string[] = [];
  const trouble: Trouble = { fault: null };
  const logger = createLogger('info', {
    write: (line) => {
      const isExpected = trouble.fault !== null && line.includes(trouble.fault);
      if (/"level":"(?:warn|error|fatal)"|ars_/.test(line) && !isExpected) logFaults.push(line.slice(0, 2_000));
    },
  });
  const lifecycle = new Lifecycle();
  const access = createAccess({ db, clock });
  let scans = 0;
  const scan = () => Promise.resolve(scanReport((scans += 1) % 3 === 0 ? null : scans % 101));
  const failing = failWhen(
    db,
    () => trouble.fault !== null,
    () => (trouble.fault === 'overloaded' ? new ServiceError('overloaded') : new Error('a fault of the fuzzer')),
  );
  const performRun = createRunPerformer({ db: failing, clock, scan, slots: new Slots(200) });
  const service = createRuns({ db: failing, clock, performRun });
  const runs: Runs = {
    // A charge that finds its run in one statement uses the database of the keys, so a fault of the runs would never show.
    ask: (run) => (trouble.fault === null ? service.ask(run) : undefined),
    latest: (...request) => service.latest(...request),
    byNumber: (...request) => service.byNumber(...request),
    start: (request) => service.start(request),
    close: () => service.close(),
  };
  const house = await openHouse({ db, clock, logger, lifecycle, scan, access, runs });
  const pending = new Set<Promise<void>>();
  const handle: typeof house.handle = (request, response) => {
    const handled = house.handle(request, response).finally(() => pending.delete(handled));
    pending.add(handled);
    return handled;
  };
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');

  const [accounts, keys] = [
    createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules }),
    createKeys({ db, clock }),
  ];
  const sites = createSites({ db, clock, vetSite: () => true, sitesMaxOverride: 1_000_000 });
  const removal = siteRemoval({ db, clock });
  const book = { keys: new Map<string, KeyBook>(), sites: new Map<string, SiteBook>(), usedUnasked: 0 };
  let count = 0;

  return {
    ...{ port, book, logFaults, db, clock, trouble },
    services: house.services,
    day: () => utcDay(clock.now()),
    month: () => utcMonth(clock.now()),
    moveDays: (days: number) => clock.set(new Date(clock.now().getTime() + days * 86_400_000).toISOString()),

    async addAccount(plan: Plan): Promise<AccountBook> {
      count += 1;
      const { account } = await accounts.create({ email: `fuzz${count}@example.com`, plan });
      return { id: account.id, plan };
    },
    async setPlan(account: AccountBook, plan: Plan): Promise<void> {
      await accounts.setPlan(account.id, plan);
      account.plan = plan;
    },
    async addSite(account: AccountBook, isVerified = true): Promise<SiteBook> {
      count += 1;
      const { id } = await sites.add({ accountId: account.id, site: `fuzz${count}.example.com` });
      const site = { id, account, isVerified: false, isRemoved: false, runs: [], etag: '', startsByDay: new Map() };
      book.sites.set(id, site);
      if (isVerified) await this.verify(site);
      return site;
    },
    async verify(site: SiteBook): Promise<void> {
      if (site.isRemoved) return;
      await sites.markVerified(site.id, 'operator');
      site.isVerified = true;
    },
    async removeSite(site: SiteBook): Promise<void> {
      if (!site.isRemoved) await removal.remove(site.id);
      site.isRemoved = true;
    },
    async addKey(account: AccountBook): Promise<KeyBook> {
      const { apiKey, key } = await keys.create({ accountId: account.id, name: 'fuzz' });
      const added = { id: apiKey.id, text: key, account, isRevoked: false, usedByMonth: new Map<string, number>() };
      book.keys.set(key, added);
      return added;
    },
    async revoke(key: KeyBook): Promise<void> {
      await keys.revoke(key.id);
      key.isRevoked = true;
    },
    /** Leaves so many requests of the month. */
    async leave(key: KeyBook, requests: number): Promise<void> {
      const used = PLANS[key.account.plan].monthlyQuota - requests;
      await insertRow(db, 'key_usage', { key_id: key.id, month: this.month(), used });
      key.usedByMonth.set(this.month(), used);
      book.usedUnasked += used;
    },
    unknownKey: newApiKey,
    /** What the database says that each key has used in each month. */
    async usedInDatabase(): Promise<ReadonlyMap<string, number>> {
      const rows = (await rowsOf(db, 'key_usage')) as { key_id: string; month: string; used: number }[];
      return new Map(rows.map(({ key_id, month, used }) => [`${key_id} ${month}`, used]));
    },
    /** Resolves once all that goes on for clients that are gone has ended. */
    settle: () => Promise.all(pending),
    /** Sets the book by the database, so that one fault is not found again in all that follows. */
    async correctBook(): Promise<void> {
      const used = await this.usedInDatabase();
      for (const key of book.keys.values()) {
        for (const month of [this.month(), ...key.usedByMonth.keys()]) {
          key.usedByMonth.set(month, used.get(`${key.id} ${month}`) ?? 0);
        }
      }
      for (const { site_id, number, text, etag } of await readStoredRuns(db)) {
        const site = book.sites.get(site_id);
        if (!site) continue;
        site.runs[number - 1] = text;
        if (number === site.runs.length) site.etag = etag;
      }
      const budgets = (await rowsOf(db, 'run_budgets')) as { host: string; day: string; used: number }[];
      const sites = (await rowsOf(db, 'sites')) as { id: string; hostname: string }[];
      for (const { host, day, used } of budgets) {
        const site = sites.find(({ hostname }) => hostname === host);
        book.sites.get(site?.id ?? '')?.startsByDay.set(day, used);
      }
    },
    async stop(): Promise<void> {
      await server.close();
      await house.close();
      await access.settle();
      await db.close();
    },
  };
}
