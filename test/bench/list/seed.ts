import { Schedules } from '../../../src/app/automation/schedules.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import { Slots } from '../../../src/platform/slots.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { broken } from '../../fixtures/sites/broken.js';
import { shop } from '../../fixtures/sites/shop.js';
import { addSite, siteToScan } from '../../support/accounts.js';
import { scanKeeping } from '../../support/golden.js';
import { NO_SCORE, type SeededSite, seedSites } from '../../support/many-sites.js';
import { createRandom } from '../../support/random.js';
import { runStatements } from '../../support/raw-connection.js';
import { addPerson } from '../../support/sign-in.js';
import { runProgram } from '../support/run-program.js';
import { MAIN } from '../support/service.js';

export const SITES = 400;
export const RUNS = 100;

export interface SeededAccount {
  /** Of its holder. */
  readonly cookie: string;
  /** A site whose runs are real ones of fixtures, with their texts, evidence and gains: the last of one that fails much. */
  readonly siteId: string;
}

const clock = { now: () => new Date() };

/** A database with one account and its sites. */
export async function seedAccount(url: string): Promise<SeededAccount> {
  const { exitCode, errors } = await runProgram([MAIN, 'migrate'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(errors);
  const db = await openDatabase(url);
  try {
    const { account, session } = await addPerson(db, clock, { plan: 'SCALE' });
    const ids = await seedSites(db, account.id, manySites(), clock.now());
    const { id: siteId } = await addSite(db, account.id);
    await runSite(db, { accountId: account.id, siteId });
    await scheduleSites(db, account.id, [...ids, siteId]);
    if (db.dialect === 'postgres') await runStatements(url, 'ANALYZE');
    return { cookie: `session=${session.token}`, siteId };
  } finally {
    await db.close();
  }
}

async function runSite(db: Database, of: { readonly accountId: string; readonly siteId: string }): Promise<void> {
  const [usual, worse] = [await scanKeeping(shop), await scanKeeping(broken)];
  let report = usual;
  const performRun = createRunPerformer({ db, clock, scan: async () => report, slots: new Slots(1) });
  for (let number = 1; number <= RUNS; number += 1) {
    report = number % 10 === 0 ? worse : usual;
    await performRun({ site: siteToScan(of.siteId, of.accountId), trigger: 'SCHEDULED' });
  }
}

/** All but one in three run by themselves. */
async function scheduleSites(db: Database, accountId: string, ids: readonly string[]): Promise<void> {
  const schedules = new Schedules({ db, clock });
  for (const [index, siteId] of ids.entries()) {
    if (index % 3 > 0) await schedules.set(await findOwnSite(db, { accountId, siteId }), 'DAILY');
  }
}

/** Each fails checks of its own; in one run of ten a check or two change. One in eight has just changed, one in forty gave no score. */
function manySites(): SeededSite[] {
  const random = createRandom(27);
  const isHit = (share: number): boolean => random() < share;
  const turn = (letter: string): string => (letter === 'n' ? 'n' : letter === 'f' ? 'p' : 'f');
  const change = (letters: string): string =>
    letters.replaceAll(/./g, (letter) => (isHit(0.1) ? turn(letter) : letter));
  return Array.from({ length: SITES - 1 }, (_, index) => {
    let now = Array.from(CHECKS, () => (isHit(0.25) ? 'f' : isHit(0.15) ? 'n' : 'p')).join('');
    const runs = Array.from({ length: RUNS }, () => (now = isHit(0.1) ? change(now) : now));
    if (index % 8 === 0) runs[RUNS - 1] = change(now);
    if (index % 40 === 0) runs[RUNS - 1] = NO_SCORE;
    return { hostname: `site-${index}.shops.example.com`, isVerified: index % 50 !== 0, runs };
  });
}
