import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { subjectOfAddress } from '../../platform/client-address.js';
import { type Clock, laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import { addJob } from '../../queue/jobs.js';
import { type Database, runOne } from '../../store/database.js';
import { one } from '../../store/transaction.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Picture, SharedReport } from './shared-report.js';
import {
  insertSharedResult,
  selectResultPicture,
  selectSharedResult,
  selectTokenOfResult,
} from './shared-result-statements.js';

/** How long a result that is shared stays. */
export const RESULT_SHARED_DAYS = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Results that one address may share in an hour, and everybody together: some 50 kB each for a week, so less than 1 GB. */
const ADDRESS_SHARES_MAX = 10;
const ALL_SHARES_MAX = 100;

/** A result of a free scan that somebody shares. */
export interface SharedResult {
  readonly report: SharedReport;
  /** When it goes. ISO 8601, UTC. */
  readonly expiresAt: string;
  readonly pictureTag: string | null;
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** Results of free scans at addresses that anyone may open, for some days. */
export class SharedResults {
  constructor(
    private readonly deps: { readonly db: Database; readonly clock: Clock; readonly rateLimits: RateLimits },
  ) {}

  /**
   * Keeps the result under an address that cannot be guessed; one that is shared already has its own.
   * @param clientAddress the caller's IP address; IPv6 counts by its /64
   * @returns the unguessable part of the address
   * @throws TooSoonError over a limit
   */
  async share(report: SharedReport, clientAddress: string): Promise<string> {
    const { db, clock } = this.deps;
    const now = clock.now();
    const { hostname, finishedAt: finished_at } = report;
    const asked = { hostname, finished_at, now: now.toISOString() };
    const shared = await runOne(db, selectTokenOfResult(asked));
    if (shared) return shared.token;
    const taken = await this.#take(clientAddress);
    const body = await pack(JSON.stringify(report));
    const row = { hostname, finished_at, body, expires_at: laterThan(now, RESULT_SHARED_DAYS * DAY_MS) };
    const isKept = await db.transaction(function* () {
      if (!(yield* one(insertSharedResult({ ...row, token: newSecretToken() })))) return false;
      const job = {
        queue: 'previews',
        kind: RESULT_PREVIEW,
        key: keyOf(report),
        accountId: null,
        siteId: null,
      } as const;
      yield* addJob({ ...job, runAfter: now }, now);
      return true;
    });
    // Somebody else was quicker.
    if (!isKept) await taken.keepOnly({});
    const kept = await runOne(db, selectTokenOfResult(asked));
    if (!kept) throw new ServiceError('overloaded');
    return kept.token;
  }

  /** Null for an unknown token, and once its time is over. */
  async find(token: string): Promise<SharedResult | null> {
    const { db, clock } = this.deps;
    if (!isSecretToken(token)) return null;
    const row = await runOne(db, selectSharedResult({ token, now: clock.now().toISOString() }));
    if (!row) return null;
    return { report: await readResult(row.body), expiresAt: row.expires_at, pictureTag: row.picture_tag };
  }

  /** The preview; null until it is drawn, and where there is no result. */
  async picture(token: string): Promise<Picture | null> {
    const { db, clock } = this.deps;
    if (!isSecretToken(token)) return null;
    const row = await runOne(db, selectResultPicture({ token, now: clock.now().toISOString() }));
    return row?.picture && row.picture_tag !== null ? { png: row.picture, etag: row.picture_tag } : null;
  }

  #take(clientAddress: string) {
    const one = { windowMs: HOUR_MS, count: 1 };
    return this.deps.rateLimits.takeTogether(
      [
        { scope: 'shared-results', subject: 'all', ...one },
        { scope: 'shared-result', subject: subjectOfAddress(clientAddress), ...one },
      ],
      ([all = 0, own = 0], [retryAfterS = 1]) => {
        if (all < ALL_SHARES_MAX && own < ADDRESS_SHARES_MAX) return null;
        const whose =
          own >= ADDRESS_SHARES_MAX ? `the ${ADDRESS_SHARES_MAX} results of this hour` : 'all links of this hour';
        const who = own >= ADDRESS_SHARES_MAX ? 'Your network address has shared' : 'Others have used up';
        return new TooSoonError(`${who} ${whose}. Try again in ${describeWait(retryAfterS)}.`, retryAfterS);
      },
    );
  }
}

export async function readResult(body: Uint8Array): Promise<SharedReport> {
  return JSON.parse((await unpack(body)).toString()) as SharedReport;
}

export const RESULT_PREVIEW = 'RESULT_PREVIEW';

/** The key of the job that draws a result: no address, since keys of jobs are logged. */
function keyOf({ hostname, finishedAt }: SharedReport): string {
  return `${hostname} ${finishedAt}`;
}
