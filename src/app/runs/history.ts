import { ServiceError } from '../../platform/errors.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import { defineQuery } from '../../store/query.js';
import type { Context } from '../context.js';
import { runsLeft } from '../limits/daily-runs.js';
import type { OwnSite } from '../sites/site.js';
import { Overviews, type SiteOverview, type SiteTrend, Trends } from './overview.js';
import { type Advice, unpackAnswer, unpackBody, unpackRun } from './run-bodies.js';
import {
  findChanges,
  findSince,
  type HistoryPage,
  type HistoryRequest,
  readHistoryPage,
  type RunChanges,
  type RunLine,
  SINCE_RUNS_MAX,
  toRunLines,
} from './run-lines.js';
import { ExpiringCache } from './run-reads.js';
import { readRunsBefore, type RunRow, type RunSummary } from './run-rows.js';
import { parseRun, type RunLabel, type RunResponse } from './run.js';

/** A run with what its page shows of the runs around it. */
export interface RunReport extends Advice {
  readonly response: RunResponse;
  /** Where runs of the site start, such as `https://www.example.com`. */
  readonly origin: string;
  /** Version and commit that judged the run; null if unknown, as in a test. */
  readonly release: string | null;
  readonly label: RunLabel | null;
  /** Which pages it read; null if the owner never chose any. Chosen paths are the owner's words. */
  readonly pages: SampledPages | null;
  /** Which assistants can read the site; null if the run does not say. */
  readonly answer: Answer | null;
  /** Numbers of the neighbouring runs; null at the ends. */
  readonly previousNumber: number | null;
  readonly nextNumber: number | null;
  readonly latestNumber: number;
  /** This run and those before it, newest first, at most {@link SINCE_RUNS_MAX}. */
  readonly runsUpToThis: readonly RunLine[];
  /** By check id, since which run it has had this result; see {@link findSince}. */
  readonly since: ReadonlyMap<string, number>;
  /** What changed since the last run that has a score; null if this run or every earlier one has none. */
  readonly changes: RunChanges | null;
}

/** Two runs, compared in full. */
export interface RunPair extends RunChanges {
  readonly findings: { readonly before: RunResponse['findings']; readonly now: RunResponse['findings'] };
  /** As in {@link RunReport}, for the later run. */
  readonly since: RunReport['since'];
}

type ShownRow = Pick<RunRow, 'etag' | 'release' | 'answer'> & { readonly body: Uint8Array | null };

/** Selects a run; `body` is null if its entity tag is the known one. */
const selectRunToShow = defineQuery<ShownRow, { site_id: string; number: number; known: string }>(
  (sql, { site_id, number, known }) =>
    sql('runs')
      .select('etag', 'release', 'answer', { body: sql.raw('CASE WHEN etag <> ? THEN body END', [known]) })
      .where({ site_id, number }),
);

/** The part of a report that never changes. */
type CachedReport = Omit<RunReport, 'origin' | 'previousNumber' | 'nextNumber' | 'latestNumber'> & Pick<RunRow, 'etag'>;

/** Shows people the runs of their sites. Methods reject with ServiceError run_not_found for a run that does not exist. */
export class History {
  readonly #overviews: Overviews;
  readonly #trends: Trends;
  /** By site and number; some 100 kB each. */
  readonly #reports = new ExpiringCache<CachedReport>(200);

  constructor(private readonly context: Pick<Context, 'db' | 'clock'>) {
    this.#overviews = new Overviews(context.db);
    this.#trends = new Trends(context.db);
  }

  /** Returns every site of the account, in no order. */
  overview(accountId: string): Promise<readonly SiteOverview[]> {
    return this.#overviews.ofAccount(accountId);
  }

  /** Reads the last runs of some sites, by site id. */
  trends(sites: Parameters<Trends['read']>[0]): Promise<ReadonlyMap<string, SiteTrend>> {
    return this.#trends.read(sites);
  }

  /** Reads a page of the site's runs. */
  page(site: OwnSite, request: HistoryRequest): Promise<HistoryPage> {
    return readHistoryPage(this.context.db, site, request);
  }

  /** Reads the latest runs, newest first. */
  summaries({ id, latestNumber }: OwnSite, count: number): Promise<readonly RunSummary[]> {
    return readRunsBefore(this.context.db, id, latestNumber + 1, count);
  }

  /** Reads which pages the latest run has read; null if the owner never chose any. */
  async latestPages(site: OwnSite): Promise<SampledPages | null> {
    return (await this.summaries(site, 1))[0]?.pages ?? null;
  }

  /** Returns the site's latest run; null before the first. */
  async latest(site: OwnSite): Promise<RunReport | null> {
    return site.latestNumber === 0 ? null : this.run(site, site.latestNumber);
  }

  async run(site: OwnSite, number: number): Promise<RunReport> {
    const { id, origin, latestNumber } = site;
    const key = `${id} ${number}`;
    const known = this.#reports.get(key);
    const row = await this.#read(site, number, known?.etag);
    const report = known && row.body === null ? known : await this.#report(id, number, row);
    this.#reports.set(key, report);
    return {
      ...report,
      origin,
      // The numbers of a site have no gap.
      previousNumber: number > 1 ? number - 1 : null,
      nextNumber: number < latestNumber ? number + 1 : null,
      latestNumber,
    };
  }

  async #report(id: string, number: number, { etag, release, answer, body }: ShownRow): Promise<CachedReport> {
    const stored = unpackRun(requireBody(body));
    const response = parseRun(stored.body);
    const runs = await readRunsBefore(this.context.db, id, number + 1, SINCE_RUNS_MAX);
    const [run, ...earlier] = runs;
    return {
      etag,
      release,
      response,
      label: run?.label ?? null,
      pages: run?.pages ?? null,
      answer: unpackAnswer(answer),
      ...stored.advice,
      runsUpToThis: toRunLines(runs),
      since: findSince(runs),
      changes: findChanges(earlier, run, response.findings),
    };
  }

  /** Returns the run byte for byte as the API sends it. */
  async stored(site: OwnSite, number: number): Promise<Uint8Array> {
    return unpackBody(requireBody((await this.#read(site, number)).body));
  }

  /**
   * Compares run `to` with run `from`, or with the last run before that one that has a score. Null if there is none, or `to` has no
   * score.
   */
  async compare(site: OwnSite, { from, to }: { readonly from: number; readonly to: number }): Promise<RunPair | null> {
    const [now, then] = [await this.run(site, to), await this.run(site, from)];
    const changes = findChanges(then.runsUpToThis, now.runsUpToThis[0], now.response.findings);
    if (changes === null) return null;
    const before = await this.run(site, changes.from.number);
    return {
      ...changes,
      findings: { before: before.response.findings, now: now.response.findings },
      since: now.since,
    };
  }

  /** Returns how many manual runs the site has left today (UTC), of how many. */
  async manualBudget(site: OwnSite): Promise<{ readonly left: number; readonly limit: number }> {
    const { db, clock } = this.context;
    const { remaining: left = Infinity, limit = Infinity } = (await runsLeft(db, site, 'MANUAL', clock.now())) ?? {};
    return { left, limit };
  }

  async #read({ id, latestNumber }: OwnSite, number: number, known = ''): Promise<ShownRow> {
    const isPossible = Number.isInteger(number) && number >= 1 && number <= latestNumber;
    const run = isPossible && (await this.context.db.one(selectRunToShow({ site_id: id, number, known })));
    if (!run) throw new ServiceError('run_not_found');
    return run;
  }
}

/** @throws Error if the body was not read */
function requireBody(body: Uint8Array | null): Uint8Array {
  if (body === null) throw new Error('the body of a run is missing');
  return body;
}
