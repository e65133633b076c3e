import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { requireDigest } from '../../platform/link-digest.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import type { Chain } from './chain.js';
import {
  type ChainedSiteRow,
  type LinkedRow,
  type ReleaseRow,
  selectChainedSite,
  selectChainedSites,
  selectEpochs,
  selectReleases,
} from './chain-statements.js';
import { RUN_CHAIN, SUPPLEMENT_CHAIN } from './run-chain.js';
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
  /** The last digest of what is kept alongside the runs (notes, gains, release); null: there is none. */
  readonly supplementHead: string | null;
  /** Whether something alongside a run was changed: its notes, its gains, its release. */
  readonly isSupplementBroken: boolean;
  /** The first run that this digest covers: those before it are older than the chain. Null: none is covered. */
  readonly coveredFrom: number | null;
  /** Which release judged which runs, the earliest first. */
  readonly releases: readonly ReleaseRow[];
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
 * @throws InputError for a site that is not there, and for what is not a digest
 */
export async function* verifyChains(db: Database, { siteId, expected }: VerifyRequest): AsyncGenerator<ChainReport> {
  if (expected !== undefined) requireDigest(expected);
  if (expected !== undefined && siteId === undefined)
    throw new InputError('Name the site or account that --expect belongs to.');
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

function sitesOf(db: Database): AsyncGenerator<ChainedSiteRow> {
  return readPages((last) => db.run(selectChainedSites({ after: last?.id ?? '' })));
}

interface Verification {
  readonly texts: RunTexts;
  readonly expected: string | undefined;
}

async function verifySite(db: Database, site: ChainedSiteRow, verification: Verification): Promise<ChainReport> {
  const { id, run_counter: runs, linked, supplemented, uncovered } = site;
  const chain = await verifyChain(db, RUN_CHAIN, { id, runs, linked, uncovered: null }, verification);
  const supplements = await verifyChain(
    db,
    SUPPLEMENT_CHAIN,
    { id, runs, linked: supplemented, uncovered },
    verification,
  );
  const broken = firstOf(chain.broken, supplements.broken);
  const unlinked = firstOf(chain.unlinked, supplements.unlinked);
  const coveredFrom = (uncovered ?? 0) + 1;
  const hasExpected = chain.hasExpected || supplements.hasExpected;
  return {
    ...{ site: id, runs, head: chain.head, supplementHead: supplements.head },
    ...{ verdict: broken !== null ? 'broken' : unlinked !== null ? 'unlinked' : 'proven' },
    firstUnproven: broken ?? unlinked,
    isSupplementBroken: supplements.broken !== null,
    coveredFrom: coveredFrom <= runs ? coveredFrom : null,
    releases: await db.run(selectReleases({ site_id: id })),
    ...(verification.expected !== undefined && { hasExpected }),
  };
}

function firstOf(one: number | null, other: number | null): number | null {
  const first = Math.min(one ?? Infinity, other ?? Infinity);
  return first === Infinity ? null : first;
}

/** A site as one of its chains has it. */
interface SiteOfChain {
  readonly id: string;
  readonly runs: number;
  /** The number of the last link. */
  readonly linked: number | null;
  readonly uncovered: number | null;
}

interface ChainFindings {
  readonly head: string | null;
  /** The number of the first run that is. */
  readonly broken: number | null;
  readonly unlinked: number | null;
  readonly hasExpected: boolean;
}

async function verifyChain<Row extends LinkedRow>(
  db: Database,
  chain: Chain<Row>,
  { id, runs, linked, uncovered }: SiteOfChain,
  { texts, expected }: Verification,
): Promise<ChainFindings> {
  const first: { broken?: number; unlinked?: number } = {};
  let hasExpected = false;
  let before: string | null = null;
  let next = 1;
  const epochs = await db.run(selectEpochs({}));
  for await (const run of runsOf(db, chain, id, runs)) {
    if (run.number !== next) first.broken ??= next;
    const content = await runApart(db, chain.definition.contentOf(run, texts));
    const proof = chain.proofOf(id, run, { content, before, last: linked, uncovered, epochs });
    if (proof.state === 'proven') hasExpected ||= proof.digest === expected;
    else if (proof.state !== 'uncovered') first[proof.state] ??= run.number;
    if (proof.state !== 'unlinked') before = run.digest ?? before;
    next = run.number + 1;
  }
  // Runs that are gone from the end, and links of runs that are.
  if (next <= runs || (linked ?? 0) > runs) first.broken ??= next;
  return { head: before, broken: first.broken ?? null, unlinked: first.unlinked ?? null, hasExpected };
}

async function* runsOf<Row extends LinkedRow>(
  db: Database,
  { definition }: Chain<Row>,
  site_id: string,
  runs: number,
): AsyncGenerator<Row> {
  for (let after = 0; after < runs; after += RUNS_A_PAGE) {
    const upto = Math.min(after + RUNS_A_PAGE, runs);
    yield* await db.run(definition.selectLinked({ site_id, after, upto, limit: RUNS_A_PAGE }));
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await letOthersRun();
  }
}
