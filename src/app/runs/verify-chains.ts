import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { type Database, runOne } from '../../store/database.js';
import {
  type ChainedSiteRow,
  type LinkedRunRow,
  selectChainedSite,
  selectChainedSites,
  selectEpochs,
  selectLinkedRuns,
} from './chain-statements.js';
import { proofOf } from './run-chain.js';
import { RunTexts } from './run-texts.js';

/** What the chain of a site says of its runs. */
export interface ChainReport {
  readonly site: string;
  readonly runs: number;
  /** The digest of the last link; null: there is none. */
  readonly head: string | null;
  /** `unlinked`: nothing is wrong, but the last runs have no link yet, and so no proof. */
  readonly verdict: 'proven' | 'unlinked' | 'broken';
  /** The first run that is changed or missing, or whose link is; with the verdict `unlinked` the first without one. */
  readonly firstUnproven: number | null;
  /** Whether a proven run has the digest that was asked for; left out where none was. */
  readonly hasExpected?: boolean;
}

export interface VerifyRequest {
  /** All sites where it is left out. */
  readonly siteId?: string | undefined;
  /** A digest that was written down when a run of the site ended. */
  readonly expected?: string | undefined;
}

/** A megabyte. */
const RUNS_A_PAGE = 50;

/**
 * Compares every stored run with its columns and its link, a site at a time, reading as it is asked for. Sites that are removed meanwhile are left out.
 * @throws InputError for a site that is not there, and for what is no digest
 */
export async function* verifyChains(db: Database, { siteId, expected }: VerifyRequest): AsyncGenerator<ChainReport> {
  if (expected !== undefined && !/^[0-9a-f]{64}$/.test(expected)) {
    throw new InputError('A digest is 64 hexadecimal digits in lower case, as in the log line of a run.');
  }
  if (expected !== undefined && siteId === undefined) throw new InputError('Name the site that --expect belongs to.');
  const texts = new RunTexts(db);
  for await (const site of siteId === undefined ? sitesOf(db) : [await readSite(db, siteId)]) {
    const report = await verifySite(db, site, { texts, expected });
    if (report.verdict !== 'broken' || (await runOne(db, selectChainedSite({ id: site.id })))) yield report;
  }
}

async function readSite(db: Database, id: string): Promise<ChainedSiteRow> {
  const site = isId('site', id) ? await runOne(db, selectChainedSite({ id })) : undefined;
  if (!site)
    throw new InputError('There is no such site. Take its id (site_ and 20 characters) from the list of sites.');
  return site;
}

async function* sitesOf(db: Database): AsyncGenerator<ChainedSiteRow> {
  let after = '';
  for (;;) {
    const page = await db.run(selectChainedSites({ after }));
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

interface Verification {
  readonly texts: RunTexts;
  readonly expected: string | undefined;
}

async function verifySite(db: Database, site: ChainedSiteRow, { texts, expected }: Verification): Promise<ChainReport> {
  const { id, run_counter: runs, linked } = site;
  const first: { broken?: number; unlinked?: number } = {};
  let hasExpected = false;
  let before: string | null = null;
  let next = 1;
  const epochs = await db.run(selectEpochs({}));
  for await (const run of runsOf(db, id, runs)) {
    if (run.number !== next) first.broken ??= next;
    const whole = await readWhole(run, texts);
    const proof = proofOf(id, run, { whole, before, last: linked, epochs });
    if (proof.state !== 'proven') first[proof.state] ??= run.number;
    else if (proof.digest === expected) hasExpected = true;
    if (proof.state !== 'unlinked') before = run.digest ?? before;
    next = run.number + 1;
  }
  // Runs that are gone from the end, and links of runs that are.
  if (next <= runs || (linked ?? 0) > runs) first.broken ??= next;
  const verdict = first.broken !== undefined ? 'broken' : first.unlinked !== undefined ? 'unlinked' : 'proven';
  return {
    ...{ site: id, runs, head: before, verdict, firstUnproven: first.broken ?? first.unlinked ?? null },
    ...(expected !== undefined && { hasExpected }),
  };
}

async function* runsOf(db: Database, site_id: string, runs: number): AsyncGenerator<LinkedRunRow> {
  for (let after = 0; after < runs; after += RUNS_A_PAGE) {
    const upto = Math.min(after + RUNS_A_PAGE, runs);
    yield* await db.run(selectLinkedRuns({ site_id, after, upto, limit: RUNS_A_PAGE }));
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await letOthersRun();
  }
}

/** Null for a body whose texts are missing or changed. */
async function readWhole({ body }: LinkedRunRow, texts: RunTexts): Promise<Uint8Array | null> {
  try {
    return await texts.unpack(body);
  } catch (error) {
    // The database is away.
    if (error instanceof ServiceError) throw error;
    return null;
  }
}
