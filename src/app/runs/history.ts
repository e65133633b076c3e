import { BoundedMap } from '../../net/keyed.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { Note } from '../../scanner/verdict/note.js';
import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { parseRun, type RunResponse } from './run.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { runsLeft, type RunsOfDay, runsOfDay } from '../limits/daily-runs.js';
import type { ObserveBrokenChain } from './chain.js';
import { proveRun, type RunProof } from './run-chain.js';
import { type RunLine, type RunSummary, linesOf, resultsOf, resultsOfLine, summaryOf } from './run-lines.js';
import { changesOf, hasScore, type RunChanges, sinceOf } from './run-changes.js';
import type { RunResults } from './run-results.js';
import { fixedAt, readAlone } from '../../scanner/report/comparison.js';
import { readRunSheet, type RunSheet, type SheetAsked } from './run-sheet.js';
import {
  type RunResultsRow,
  type RunToShowRow,
  selectRunPages,
  selectRunResults,
  selectRunSummaries,
  selectRunToShow,
} from './run-statements.js';
import { labelOfRow, type RunLabel } from './run-label.js';
import { unpackPages } from './run-pages.js';
import { unpackNotes } from './run-notes.js';
import { RunTexts } from './run-texts.js';
import { all, type Transaction } from '../../store/transaction.js';
import type { OwnSite } from '../sites/own-site.js';
import { readSite } from '../sites/site.js';
import { readOverview, readTrends, type SiteOverview, type SiteTrend, type TrendAsked } from './overview.js';

/** A finished run with what makes it readable alongside the others. */
export interface RunReport {
  readonly response: RunResponse;
  /** Where runs of the site start, such as `https://www.example.com`. */
  readonly origin: string;
  /** Which judged it: version and commit; null for a run of a version that did not say so. */
  readonly release: string | null;
  readonly label: RunLabel | null;
  /** Which pages it looked at; null where its owner had never chosen any. The chosen ones are the owner's words. */
  readonly pages: SampledPages | null;
  /** Advice alongside the findings. */
  readonly notes: readonly Note[];
  /** The name of the host that the site has moved to, in its own words; null if it has not, or that is unknown. */
  readonly movedTo: string | null;
  /** What fixing each failure adds to the score; empty for a run of an earlier version. */
  readonly gains: readonly Gain[];
  /** The numbers of the site's runs on either side; null at the ends. */
  readonly previousNumber: number | null;
  readonly nextNumber: number | null;
  readonly latestNumber: number;
  /** This run and those before it, the newest first, at most {@link SINCE_RUNS_MAX}. */
  readonly upToHere: readonly RunLine[];
  /**
   * By check id, the number of the first run of the unbroken row of runs, ending with this one, that found the same result. Runs
   * without a score, and those that could not determine the check, do not break it. Looked for in the last {@link SINCE_RUNS_MAX} runs only: absent where the row is longer.
   */
  readonly since: ReadonlyMap<string, number>;
  /** What changed since the last run that has a score; null where this one or every earlier one has none. */
  readonly changes: RunChanges | null;
}

/** What came after a run. */
export interface LaterRuns {
  /**
   * The checks that failed in it and are fixed by the last run with a score, by check id: in which run they were. Null where that is
   * longer ago than {@link SINCE_RUNS_MAX} runs.
   */
  readonly fixedIn: ReadonlyMap<string, number | null>;
  /** Those that pass in that run, while no run since has read the pages that showed the failure. */
  readonly unread: ReadonlySet<string>;
  /** The last of them that has a score. */
  readonly scored: RunResults['run'] | null;
}

/** The same with all that the two found. */
export interface RunPair extends RunChanges {
  readonly findings: { readonly before: RunResponse['findings']; readonly now: RunResponse['findings'] };
  /** As in {@link RunReport}, of the run that is compared. */
  readonly since: RunReport['since'];
  /** What the two were named by. */
  readonly labels: Readonly<Record<'before' | 'now', RunLabel | null>>;
  /** The chosen pages that one of them alone has read: the owner's words. */
  readonly readAlone: Readonly<Record<'before' | 'now', readonly string[]>>;
}

export const SINCE_RUNS_MAX = 50;

export interface HistoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly onBrokenChain?: ObserveBrokenChain;
}

/** What a run and those before it say, none of which changes. */
interface KnownRun {
  readonly etag: string;
  readonly says: Pick<RunReport, 'response' | 'upToHere' | 'since' | 'changes'>;
}

/** The runs of an account's sites for people. One that is not there is a ServiceError run_not_found. */
export class History {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #texts: RunTexts;
  readonly #onBrokenChain: ObserveBrokenChain | undefined;
  /** By site and number, until the next collection of garbage: nothing of a removed site stays. */
  readonly #known = new BoundedMap<string, WeakRef<KnownRun>>(1000);

  constructor({ db, clock, onBrokenChain }: HistoryDeps) {
    this.#db = db;
    this.#clock = clock;
    this.#onBrokenChain = onBrokenChain;
    this.#texts = new RunTexts(db);
  }

  /** Every site of the account, in no order. */
  overview(accountId: string): Promise<readonly SiteOverview[]> {
    return readOverview(this.#db, accountId);
  }

  /** The last runs of some of them, by site id. */
  trends(sites: readonly TrendAsked[]): Promise<ReadonlyMap<string, SiteTrend>> {
    return readTrends(this.#db, sites);
  }

  /** The site's runs by number. */
  async sheet(site: OwnSite, asked: SheetAsked): Promise<RunSheet> {
    return readRunSheet(this.#db, site, asked);
  }

  /** What the latest runs came to, the newest first. */
  async summaries({ id, latestNumber: last }: OwnSite, count: number): Promise<readonly RunSummary[]> {
    return (await this.#db.run(selectRunSummaries({ site_id: id, first: Math.max(1, last - count + 1), last }))).map(
      summaryOf,
    );
  }

  /** What its latest run has come to with the pages that its owner chose; null where it was made without any. */
  async latestPages({ id, latestNumber }: OwnSite): Promise<SampledPages | null> {
    return unpackPages((await runOne(this.#db, selectRunPages({ site_id: id, number: latestNumber })))?.pages);
  }

  /** The site's latest run; null before the first. */
  async latest(site: OwnSite): Promise<RunReport | null> {
    return site.latestNumber === 0 ? null : this.run(site, site.latestNumber);
  }

  async run({ id, origin, latestNumber }: OwnSite, number: number): Promise<RunReport> {
    assertRun(number, latestNumber);
    const held = this.#known.get(`${id} ${number}`)?.deref();
    const row = await this.#read(id, number, held?.etag);
    const { body, etag, release, notes, gains, pages } = row;
    const known = held?.etag === etag ? held : await this.#learn(id, number, { body: wholeOf(body), etag });
    // The numbers of a site have no gap, so its neighbours need no look.
    return {
      ...known.says,
      origin,
      release,
      label: labelOfRow(row),
      pages: unpackPages(pages),
      ...unpackNotes(notes),
      gains: JSON.parse(gains ?? '[]') as Gain[],
      previousNumber: number > 1 ? number - 1 : null,
      nextNumber: number < latestNumber ? number + 1 : null,
      latestNumber,
    };
  }

  async #learn(id: string, number: number, { body, etag }: { readonly body: Uint8Array; readonly etag: string }) {
    const response = parseRun(await this.#texts.unpack(body));
    const upToHere = linesOf(await this.#upTo(id, number));
    const runs = upToHere.map(resultsOfLine);
    const says = {
      response,
      upToHere,
      since: sinceOf(runs),
      changes: changesOf(runs.slice(1), response, runs[0]?.pages),
    };
    const known: KnownRun = { etag, says };
    this.#known.set(`${id} ${number}`, new WeakRef(known));
    return known;
  }

  /** The run byte for byte as it was stored: what the API sends too. */
  async stored({ id, latestNumber }: OwnSite, number: number): Promise<Uint8Array> {
    assertRun(number, latestNumber);
    const { body } = await this.#read(id, number);
    return this.#texts.unpack(wholeOf(body));
  }

  /** Whether the run is the one that was stored, with what was stored alongside it. */
  async proof({ id, latestNumber }: OwnSite, number: number): Promise<RunProof> {
    assertRun(number, latestNumber);
    const { run, supplement } = await runApart(this.#db, proveRun(id, number, this.#texts));
    if (run.state === 'broken' || supplement.state === 'broken') {
      // A site that was removed meanwhile loses its runs one by one: that is not a broken chain.
      if (!(await runApart(this.#db, readSite(id)))) throw new ServiceError('site_not_found');
      this.#onBrokenChain?.(id, number);
    }
    return { run, supplement };
  }

  /** What became of a run in those after it; null of the latest. */
  async later({ id, latestNumber }: OwnSite, { response, pages }: RunReport): Promise<LaterRuns | null> {
    const { run, findings } = response;
    if (run.number === latestNumber) return null;
    const first = Math.max(run.number + 1, latestNumber - SINCE_RUNS_MAX + 1);
    const later = await this.#db.run(selectRunResults({ site_id: id, first, last: latestNumber }));
    const scored = later.map(resultsOf).filter(hasScore).reverse();
    const fixedIn = new Map<string, number | null>();
    const unread = new Set<string>();
    for (const { checkId } of findings.filter(({ result }) => result === 'FAIL')) {
      const at = fixedAt(checkId, { findings, pages }, scored);
      if (at === 'unread') unread.add(checkId);
      else if (at !== null) {
        fixedIn.set(checkId, at === 0 && first > run.number + 1 ? null : (scored[at]?.run.number ?? null));
      }
    }
    return { fixedIn, unread, scored: scored.at(-1)?.run ?? null };
  }

  /**
   * What changed from run `from` to run `to`. Where `from` has no score, the last before it that has one stands for it; null where there
   * is none, or `to` has no score.
   */
  async compare(site: OwnSite, { from, to }: { readonly from: number; readonly to: number }): Promise<RunPair | null> {
    assertRun(from, site.latestNumber);
    const now = parseRun(await this.stored(site, to));
    const [rows, earlier] = [await this.#upTo(site.id, to), await this.#upTo(site.id, from)];
    const runs = rows.map(resultsOf);
    const changes = changesOf(earlier.map(resultsOf), now, runs[0]?.pages);
    if (changes === null) return null;
    const before = parseRun(await this.stored(site, changes.from.number));
    const [one, other] = [earlier.find(({ number }) => number === changes.from.number), rows[0]];
    const [pages, others] = [unpackPages(one?.pages), unpackPages(other?.pages)];
    return {
      ...changes,
      findings: { before: before.findings, now: now.findings },
      since: sinceOf(runs),
      labels: { before: one ? labelOfRow(one) : null, now: other ? labelOfRow(other) : null },
      readAlone: { before: readAlone(pages, others), now: readAlone(others, pages) },
    };
  }

  /** Runs by hand that the site has left today (UTC), of how many. */
  async manualBudget({ id }: OwnSite): Promise<{ readonly left: number; readonly limit: number }> {
    const rest = await runApart(this.#db, runsLeft(id, 'MANUAL', this.#clock.now()));
    return { left: rest?.remaining ?? Infinity, limit: rest?.limit ?? Infinity };
  }

  /** What the site has taken of its runs of today (UTC), by what starts them. */
  async runsToday({ id }: OwnSite): Promise<readonly RunsOfDay[]> {
    return runApart(this.#db, runsOfDay(id, this.#clock.now()));
  }

  async #read(siteId: string, number: number, held = ''): Promise<RunToShowRow> {
    const run = await runOne(this.#db, selectRunToShow({ site_id: siteId, number, held }));
    if (!run) throw new ServiceError('run_not_found');
    return run;
  }

  /** The newest first. */
  #upTo(siteId: string, last: number): Promise<readonly RunResultsRow[]> {
    return this.#db.run(selectRunResults({ site_id: siteId, first: Math.max(1, last - SINCE_RUNS_MAX + 1), last }));
  }
}

/** @throws Error for one that was left out, as it is only where it is held */
function wholeOf(body: Uint8Array | null): Uint8Array {
  if (body === null) throw new Error('the body of a run is missing');
  return body;
}

function assertRun(number: number, latestNumber: number): void {
  if (!(Number.isInteger(number) && number >= 1 && number <= latestNumber)) throw new ServiceError('run_not_found');
}

/** What at most `count` runs before this one came to, the newest first. */
export function* resultsBefore(siteId: string, number: number, count: number): Transaction<RunResults[]> {
  const first = Math.max(1, number - count);
  return (yield* all(selectRunResults({ site_id: siteId, first, last: number - 1 }))).map(resultsOf);
}
