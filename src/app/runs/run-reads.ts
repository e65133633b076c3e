import { ServiceError } from '../../platform/errors.js';
import { cacheCodings } from '../../platform/http/answer.js';
import { isId } from '../../platform/ids.js';
import { startNodeTimer, type StartTimer } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { defineQuery, isPostgres, jsonRows, type Query } from '../../store/query.js';
import type { BatchedRead } from '../keys/access.js';
import type { SiteOfAccount } from '../sites/site.js';
import type { StoredRun } from './run.js';
import { unpackBody } from './run-bodies.js';

/** Total size of the cached bodies, including compressed copies. */
export const CACHED_BYTES_MAX = 32 * 1024 * 1024;

/** Factor by which gzip and Brotli copies add to the size of a body. Measured: 23.8 kB plus 8.2 kB and 6.8 kB. */
export const SIZE_WITH_CODINGS = 1.7;

/** Maximum of the column `number`. */
const NUMBER_MAX = 2_147_483_647;

/** A site's owner and the requested run. The run's columns are null if there is no such run. */
interface FoundRun {
  readonly request_index: number;
  readonly owner_id: string;
  readonly number: number | null;
  readonly etag: string | null;
  /** Null if the cached body is current. */
  readonly body: Uint8Array | null;
}

/**
 * Finds runs. Returns a row for each site that exists. `run_counter` is the number of the latest run, as one transaction changes both.
 * @param runs JSON: `[{request_index, site_id, number, etag}, …]`; `number` is empty for the latest run, `etag` belongs to the cached body
 */
export const findRuns = defineQuery<FoundRun, { runs: string }>((sql, { runs }) => {
  const number = `COALESCE(CAST(NULLIF(input.number, '') AS bigint), s.run_counter)`;
  const isRequested = `runs.site_id = s.id AND runs.number = ${number}`;
  const run = isPostgres(sql)
    ? `LATERAL (SELECT number, etag, body FROM runs WHERE ${isRequested} LIMIT 1) AS r ON true`
    : `runs AS r ON ${isRequested.replaceAll('runs.', 'r.')}`;
  return sql.raw(
    `SELECT CAST(input.request_index AS integer) AS request_index, s.account_id AS owner_id, r.number, r.etag,
            CASE WHEN r.etag <> input.etag THEN r.body END AS body
       FROM ? JOIN sites AS s ON s.id = input.site_id AND s.is_deleting = 0 LEFT JOIN ${run}`,
    [jsonRows(sql, runs, ['request_index', 'site_id', 'number', 'etag'])],
  );
});

interface RunAddress {
  readonly siteId: string;
  /** Omitted for the latest run. */
  readonly number?: number | undefined;
}

/** A request for a run. On PostgreSQL, the query that charges the request also reads the run into `found`. */
export class RunRequest implements BatchedRead {
  found?: FoundRun | null;

  constructor(
    readonly siteId: string,
    readonly number: RunAddress['number'],
    /** Its body is reused if the entity tag is still the same. */
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
 * Reads finished runs for the API. A run never changes, so its body and compressed copies are cached. The site's owner, its latest run
 * number and the entity tag are read each time.
 */
export class RunReads {
  readonly #cache: ExpiringCache<StoredRun>;

  constructor(
    private readonly db: Database,
    startTimer: StartTimer,
  ) {
    this.#cache = new ExpiringCache(CACHED_BYTES_MAX, startTimer);
  }

  /** Prepares a read that the query that charges the request can perform. Returns undefined for a run that cannot exist. */
  prepareRead({ siteId, number }: RunAddress): RunRequest | undefined {
    if (!isId('site', siteId) || (number !== undefined && !(number <= NUMBER_MAX))) return undefined;
    return new RunRequest(siteId, number, this.#cache.get(cacheKey(siteId, number)));
  }

  /** @throws ServiceError site_not_found, site_not_owned; run_not_found or, for the latest run, no_completed_run */
  async read(
    { accountId, siteId, number }: RunAddress & SiteOfAccount,
    request = this.prepareRead({ siteId, number }),
  ): Promise<StoredRun> {
    if (!request) throw new ServiceError(isId('site', siteId) ? 'run_not_found' : 'site_not_found');
    const found = request.found === undefined ? await this.db.one(request.toQuery([request])) : request.found;
    if (!found) throw new ServiceError('site_not_found');
    if (found.owner_id !== accountId) throw new ServiceError('site_not_owned');
    const { etag, body } = found;
    if (found.number === null || etag === null) {
      throw new ServiceError(number === undefined ? 'no_completed_run' : 'run_not_found');
    }
    const run = body === null ? request.cached : { siteId, number: found.number, etag, body: unpackBody(body) };
    if (!run) throw new Error('the body of a run is missing');
    if (run !== request.cached) cacheCodings(run.body, 'quick');
    this.#cache.set(cacheKey(siteId, request.number), run, run.body.byteLength * SIZE_WITH_CODINGS);
    return run;
  }
}

function cacheKey(siteId: string, number: RunAddress['number']): string {
  return `${siteId} ${number ?? ''}`;
}

/** An unused value is dropped after one to two of these intervals, so that data of removed sites does not stay in memory. */
const CACHED_MS = 30_000;

/** Caches values up to a total size. Evicts the value that was set longest ago. */
export class ExpiringCache<V> {
  /** Ordered by the time of the last {@link set}. */
  readonly #entries = new Map<string, { readonly value: V; readonly size: number; isUsed: boolean }>();
  #size = 0;
  #isTimerOn = false;

  /** @param sizeMax maximum total size of the values */
  constructor(
    private readonly sizeMax: number,
    private readonly startTimer: StartTimer = startNodeTimer,
  ) {}

  /** Only {@link set} counts as a use. */
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
