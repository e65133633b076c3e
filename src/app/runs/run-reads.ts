import { ServiceError } from '../../platform/errors.js';
import { cacheCodings } from '../../platform/http/answer.js';
import { isId } from '../../platform/ids.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Database } from '../../store/database.js';
import { defineQuery, isPostgres, jsonRows, type Query } from '../../store/query.js';
import type { BatchedRead } from '../keys/charge.js';
import type { SiteOfAccount } from '../sites/site.js';
import type { StoredRun } from './run.js';
import { unpackBody } from './run-bodies.js';

/** Largest total of the cached bodies, compressed copies included. */
export const CACHED_BYTES_MAX = 32 * 1024 * 1024;

/** A body of 23.8 kB takes 8.2 kB more by gzip, and 6.8 kB by Brotli. */
export const SIZE_WITH_CODINGS = 1.7;

/** The largest number that the column can store: no run has a larger one. */
const NUMBER_MAX = 2_147_483_647;

/** A site's owner and one of its runs, whose columns are null if there is no such run. */
interface FoundRun {
  readonly request_index: number;
  readonly owner_id: string;
  readonly number: number | null;
  readonly etag: string | null;
  /** Null if its entity tag is the known one. */
  readonly body: Uint8Array | null;
}

/**
 * Finds runs given as JSON: `[{request_index, site_id, number, etag}, …]` with an empty number for the latest run, and the entity tag of
 * the body that is cached. Returns a row for each site that exists. The counter is the number of the latest run, since both change in one
 * transaction.
 */
export const findRuns = defineQuery<FoundRun, { runs: string }>((sql, { runs }) => {
  const number = `COALESCE(CAST(NULLIF(given.number, '') AS bigint), s.run_counter)`;
  const isRequested = `runs.site_id = s.id AND runs.number = ${number}`;
  const run = isPostgres(sql)
    ? `LATERAL (SELECT number, etag, body FROM runs WHERE ${isRequested} LIMIT 1) AS r ON true`
    : `runs AS r ON ${isRequested.replaceAll('runs.', 'r.')}`;
  return sql.raw(
    `SELECT CAST(given.request_index AS integer) AS request_index, s.account_id AS owner_id, r.number, r.etag,
            CASE WHEN r.etag <> given.etag THEN r.body END AS body
       FROM ? JOIN sites AS s ON s.id = given.site_id AND s.is_deleting = 0 LEFT JOIN ${run}`,
    [jsonRows(sql, runs, ['request_index', 'site_id', 'number', 'etag'])],
  );
});

/** A run that a request reads. On PostgreSQL, the charge of the request finds it. */
export class RunRequest implements BatchedRead {
  found?: FoundRun | null;

  constructor(
    readonly siteId: string,
    /** Null for the latest run. */
    readonly number: number | null,
    /** The cached run: its body need not be read if it has the same entity tag. */
    readonly cached: StoredRun | undefined,
  ) {}

  toQuery(requests: readonly RunRequest[]): Query<FoundRun> {
    const runs = requests.map(({ siteId, number, cached }, index) => {
      return { request_index: index, site_id: siteId, number: number ?? '', etag: cached?.etag ?? '' };
    });
    return findRuns({ runs: JSON.stringify(runs) });
  }
}

/**
 * Reads finished runs for the API. A run never changes, so its bytes are cached with their codings; the owner of the site, its latest number
 * and the entity tag are read each time.
 */
export class RunReads {
  readonly #cache: ExpiringCache<StoredRun>;

  constructor(
    private readonly db: Database,
    startTimer: StartTimer,
  ) {
    this.#cache = new ExpiringCache(CACHED_BYTES_MAX, startTimer);
  }

  /** Prepares a read, so that the charge of the request can find the run. Undefined for a run that cannot exist. */
  ask({ siteId, number = null }: { readonly siteId: string; readonly number?: number | null }): RunRequest | undefined {
    if (!isId('site', siteId) || (number !== null && !(number <= NUMBER_MAX))) return undefined;
    return new RunRequest(siteId, number, this.#cache.get(cacheKey(siteId, number)));
  }

  /** @throws ServiceError site_not_found, site_not_owned, no_completed_run */
  async latest({ accountId, siteId }: SiteOfAccount, request = this.ask({ siteId })): Promise<StoredRun> {
    if (!request) throw new ServiceError('site_not_found');
    return this.#read(request, accountId, 'no_completed_run');
  }

  /** @throws ServiceError site_not_found, site_not_owned, run_not_found */
  async byNumber(
    { accountId, siteId, number }: SiteOfAccount & { readonly number: number },
    request = this.ask({ siteId, number }),
  ): Promise<StoredRun> {
    if (!request) throw new ServiceError(isId('site', siteId) ? 'run_not_found' : 'site_not_found');
    return this.#read(request, accountId, 'run_not_found');
  }

  async #read(
    request: RunRequest,
    accountId: string,
    missing: 'no_completed_run' | 'run_not_found',
  ): Promise<StoredRun> {
    const found = request.found === undefined ? await this.db.one(request.toQuery([request])) : request.found;
    if (!found) throw new ServiceError('site_not_found');
    const { owner_id, number, etag, body } = found;
    if (owner_id !== accountId) throw new ServiceError('site_not_owned');
    if (number === null || etag === null) throw new ServiceError(missing);
    const run = body === null ? request.cached : { siteId: request.siteId, number, etag, body: unpackBody(body) };
    if (!run) throw new Error('the body of a run is missing');
    if (run !== request.cached) cacheCodings(run.body, 'quick');
    this.#cache.set(cacheKey(request.siteId, request.number), run, run.body.byteLength * SIZE_WITH_CODINGS);
    return run;
  }
}

/** @param number null for the latest run, whatever its number */
function cacheKey(siteId: string, number: number | null): string {
  return `${siteId} ${number ?? ''}`;
}

/** A value that is not used for this long is dropped, within twice the time: nothing of a removed site stays in memory for longer. */
const CACHED_MS = 30_000;

/** Caches values of different sizes; those set longest ago make room for new ones. */
export class ExpiringCache<V> {
  /** In the order in which they were last set. */
  readonly #entries = new Map<string, { readonly value: V; readonly size: number; isUsed: boolean }>();
  #size = 0;
  #isTimerOn = false;

  /** @param sizeMax largest total size of the values */
  constructor(
    private readonly sizeMax: number,
    private readonly startTimer: StartTimer = startNodeTimer,
  ) {}

  /** Returns the value. Only {@link set} counts as a use. */
  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: V, size = 1): void {
    this.#drop(key);
    this.#entries.set(key, { value, size, isUsed: true });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.sizeMax) break;
      this.#drop(oldest);
    }
    if (!this.#isTimerOn) this.#sweepLater();
  }

  #drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #sweepLater(): void {
    this.#isTimerOn = this.#entries.size > 0;
    if (!this.#isTimerOn) return;
    this.startTimer(() => {
      for (const [key, entry] of this.#entries) {
        if (!entry.isUsed) this.#drop(key);
        entry.isUsed = false;
      }
      this.#sweepLater();
    }, CACHED_MS);
  }
}
