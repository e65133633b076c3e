import { CHECKS } from '../../src/scanner/checks/index.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/database.js';
import { broken } from '../fixtures/sites/broken.js';
import { shop } from '../fixtures/sites/shop.js';
import { addSite } from '../support/accounts.js';
import { scanKeeping } from '../support/golden.js';
import { NO_SCORE, type SeededSite, seedSites } from '../support/many-sites.js';
import { createRandom } from '../support/random.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';
import { openServices } from '../support/services.js';
import { addPerson } from '../support/sign-in.js';
import { medianOf, sendLoad } from './load.js';
import { startService } from './processes.js';
import { clock } from './seed.js';
import { printTable } from './table.js';

const SITES = Number(process.env.BENCH_LISTED ?? 400);
const RUNS = 100;
const ROUNDS = 3;
const REQUESTS = 200;

interface SeededAccount {
  /** Of its holder. */
  readonly cookie: string;
  /** A site whose runs are real ones of fixtures, with their texts, evidence and gains: the last of one that fails much. */
  readonly siteId: string;
}

/** The list in its states, the pages of one site, and a page that is the same for every visitor. */
const pagesOf = (siteId: string): Readonly<Record<string, string>> => ({
  'sites, news first': '/sites',
  'sites, last page': `/sites?page=${SITES / 50}`,
  'sites, by score': '/sites?sort=score',
  'sites, searched': '/sites?q=site-39',
  'sites, by check': '/sites?show=C-LLMS-03',
  site: `/sites/${siteId}`,
  history: `/sites/${siteId}/runs`,
  'history, older': `/sites/${siteId}/runs?before=51`,
  compare: `/sites/${siteId}/compare?from=${RUNS - 1}&to=${RUNS}`,
  home: '/',
});

/** What the pages of an account with 400 sites of 100 runs each cost its process. The tests count their statements. */
export async function benchList(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    await runInScope(async (scope) => {
      const url = await newDatabaseUrl(scope, engine);
      const { cookie, siteId } = await seedAccount(url);
      const { process, origin } = await startService(url, { LOG_LEVEL: 'fatal' });
      scope.teardown(() => process.stop());
      const rows = [];
      for (const [name, path] of Object.entries(pagesOf(siteId))) {
        const headers = { cookie, accept: 'text/html' };
        const load = { origin, path: () => path, headers, ends: REQUESTS, connections: 1 };
        await sendLoad(load);
        const rounds = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const { cpuMs } = await process.usage();
          const { p50 } = await sendLoad(load);
          rounds.push({ p50, cpuMs: ((await process.usage()).cpuMs - cpuMs) / REQUESTS });
        }
        rows.push([name, medianOf(rounds.map(({ cpuMs }) => cpuMs)), medianOf(rounds.map(({ p50 }) => p50))]);
      }
      printTable(`${engine}: ${SITES} sites of ${RUNS} runs, 50 a page`, ['page', 'CPU ms', 'p50 ms'], rows);
    });
  }
}

async function seedAccount(url: string): Promise<SeededAccount> {
  await migrateDatabase(url);
  const db = await openDatabase(url);
  try {
    const { account, session } = await addPerson(db, clock, { plan: 'SCALE' });
    const ids = await seedSites(db, account.id, manySites(), clock.now());
    const site = await addSite(db, account.id);
    const reports = [await scanKeeping(shop), await scanKeeping(broken)] as const;
    let number = 0;
    const scan = async () => reports[(number += 1) % 10 === 0 ? 1 : 0];
    const { performRun, setSchedule } = openServices(db, { clock, scan });
    while (number < RUNS) await performRun({ site, trigger: 'SCHEDULED' });
    for (const id of ids.filter((_, index) => index % 3 > 0))
      await setSchedule({ accountId: account.id, siteId: id }, 'DAILY');
    return { cookie: `session=${session.token}`, siteId: site.id };
  } finally {
    await db.close();
  }
}

/** Each fails checks of its own; in one run of ten some change. One in eight has just changed, one in forty gave no score. */
function manySites(): SeededSite[] {
  const random = createRandom(27);
  const turn = (letter: string): string => (letter === 'n' ? 'n' : letter === 'f' ? 'p' : 'f');
  const change = (letters: string): string => letters.replaceAll(/./g, (one) => (random() < 0.1 ? turn(one) : one));
  return Array.from({ length: SITES - 1 }, (_, index) => {
    let now = Array.from(CHECKS, () => (random() < 0.25 ? 'f' : random() < 0.15 ? 'n' : 'p')).join('');
    const runs = Array.from({ length: RUNS }, () => (now = random() < 0.1 ? change(now) : now));
    if (index % 8 === 0) runs[RUNS - 1] = change(now);
    if (index % 40 === 0) runs[RUNS - 1] = NO_SCORE;
    return { hostname: `site-${index}.shops.example.com`, isVerified: index % 50 !== 0, runs };
  });
}
