import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { NO_SCORE, type SeededSite, seedSites } from '../../support/many-sites.js';
import { databaseUrl, startPostgres } from '../../support/postgres.js';
import { createRandom } from '../../support/random.js';
import { runStatements } from '../../support/raw-connection.js';
import { addPerson } from '../../support/sign-in.js';
import { quantile, sendLoad } from '../support/load.js';
import { runProgram } from '../support/run-program.js';
import { MAIN, startService } from '../support/service.js';
import { printTable } from '../support/table.js';

const SITES = 400;
const RUNS = 100;
const WARM_UP = 400;
const REQUESTS = 400;

/** The list in its states, by address. */
const PAGES = {
  'news first': '/sites',
  'its last page': '/sites?page=8',
  'by score': '/sites?sort=score',
  searched: '/sites?q=site-39',
  'by check': '/sites?show=C-LLMS-03',
};

/** What the list of 400 sites with 100 runs each costs its process. */
export async function benchList(): Promise<void> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  try {
    await benchOn('SQLite', `sqlite:${join(folder, 'list.db')}`);
    await runStatements(postgres.url, 'CREATE DATABASE list');
    await benchOn('PostgreSQL', databaseUrl(postgres.url, 'list'));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchOn(engine: string, url: string): Promise<void> {
  const cookie = await seed(url);
  const { process, origin } = await startService(url);
  const rows: (string | number)[][] = [];
  try {
    for (const [name, path] of Object.entries(PAGES)) {
      const load = (requestCount: number) =>
        sendLoad({ origin, path: () => path, headers: { cookie, accept: 'text/html' }, requestCount, connections: 1 });
      await load(WARM_UP);
      const before = await process.usage();
      const { latenciesMs } = await load(REQUESTS);
      const after = await process.usage();
      rows.push([name, (after.cpuUs - before.cpuUs) / REQUESTS / 1000, quantile(latenciesMs, 0.5)]);
    }
  } finally {
    await process.stop();
  }
  printTable(`${engine}: ${SITES} sites of ${RUNS} runs, 50 a page`, ['list', 'CPU ms', 'median ms'], rows);
}

/** @returns the cookie of their holder */
async function seed(url: string): Promise<string> {
  const { exitCode, errors } = await runProgram([MAIN, 'migrate'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(errors);
  const db = await openDatabase(url);
  try {
    const { account, session } = await addPerson(db, { now: () => new Date() }, { plan: 'SCALE' });
    await seedSites(db, account.id, manySites(), new Date());
    if (db.dialect === 'postgres') await runStatements(url, 'ANALYZE');
    return `session=${session.token}`;
  } finally {
    await db.close();
  }
}

/** Each fails checks of its own; in one run of ten a check or two change. One in eight has just changed, one in forty gave no score. */
function manySites(): SeededSite[] {
  const random = createRandom(27);
  const isHit = (share: number): boolean => random() < share;
  const turn = (letter: string): string => (letter === 'n' ? 'n' : letter === 'f' ? 'p' : 'f');
  const change = (letters: string): string =>
    letters.replaceAll(/./g, (letter) => (isHit(0.1) ? turn(letter) : letter));
  return Array.from({ length: SITES }, (_, index) => {
    let now = Array.from(CHECKS, () => (isHit(0.25) ? 'f' : isHit(0.15) ? 'n' : 'p')).join('');
    const runs = Array.from({ length: RUNS }, () => (now = isHit(0.1) ? change(now) : now));
    if (index % 8 === 0) runs[RUNS - 1] = change(now);
    if (index % 40 === 0) runs[RUNS - 1] = NO_SCORE;
    return { hostname: `site-${index}.shops.example.com`, isVerified: index % 50 !== 0, runs };
  });
}
