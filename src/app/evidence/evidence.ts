import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import {
  evidenceOf,
  STORED_BYTES_MAX,
  type StoredEvidence,
  type ShownEvidence,
} from '../../scanner/trace/stored-evidence.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery, deleteReturning, primaryKey, table } from '../../store/query.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { lockOwnSite, type OwnSite, type SiteOfAccount } from '../sites/site.js';

const evidenceTable = table('run_evidence');

/** Compresses evidence for storage. Returns null if there is none. */
export async function packEvidence(evidence: StoredEvidence | null): Promise<Uint8Array | null> {
  if (!evidence || evidence.findings.length === 0) return null;
  return promisify(gzip)(JSON.stringify(evidence));
}

interface EvidenceKey extends SiteOfAccount {
  readonly number: number;
  /** The rechecked check; omitted for the run itself. */
  readonly checkId?: string;
}

export async function storeEvidence(
  tx: Tx,
  evidence: Uint8Array | null,
  { siteId, accountId, number, checkId = '' }: EvidenceKey,
  now: Date,
): Promise<void> {
  if (!evidence) return;
  const key = { site_id: siteId, number, check_id: checkId };
  const owned = { account_id: accountId, bytes: evidence.byteLength };
  await tx.run(evidenceTable.insert({ ...key, stored_at: now.toISOString(), evidence, ...owned }));
}

/** Deletes the evidence of a site, or only of one rechecked check. */
export async function deleteEvidence(
  tx: Tx,
  site_id: string,
  recheck?: { readonly number: number; readonly check_id: string },
): Promise<void> {
  await tx.run(evidenceTable.delete({ site_id, ...recheck }));
}

/** Reads the evidence of a run, which has the `checkId` null, and of its rechecks. */
export async function readEvidence(db: Database, siteId: string, number: number) {
  const columns = ['check_id', 'stored_at', 'evidence'] as const;
  const rows = await db.run(evidenceTable.find({ site_id: siteId, number }, columns, 'check_id'));
  return rows.map(({ check_id, stored_at, evidence }) => {
    // Synchronous, because sending so little data to another thread takes longer.
    const json = gunzipSync(evidence, { maxOutputLength: STORED_BYTES_MAX });
    return {
      checkId: check_id || null,
      storedAt: stored_at,
      evidence: JSON.parse(json.toString('utf8')) as StoredEvidence,
    };
  });
}

export type EvidenceOfRun = Awaited<ReturnType<typeof evidenceOfRun>>;

/** Returns the HTTP exchanges behind failures and when they were stored, by check id. Returns none if the site is not verified. */
export async function evidenceOfRun(db: Database, site: OwnSite, number: number) {
  type Evidence = ShownEvidence & { readonly storedAt: string };
  const fromRun = new Map<string, Evidence>();
  const fromRechecks = new Map<string, Evidence>();
  const stored = site.verifiedAt === null ? [] : await readEvidence(db, site.id, number);
  for (const { checkId, storedAt, evidence } of stored) {
    for (const finding of evidence.findings) {
      const shown = evidenceOf(evidence, finding.checkId);
      if (shown) (checkId === null ? fromRun : fromRechecks).set(finding.checkId, { ...shown, storedAt });
    }
  }
  return { fromRun, fromRechecks };
}

/** Records a download. @throws ServiceError site_not_found for a site that was removed */
export async function recordEvidenceDownload(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: siteId, accountId }: OwnSite,
  number: number,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { hostname } = await lockOwnSite(tx, { siteId, accountId });
    await recordEvent(tx, { accountId, event: 'evidence_downloaded', subject: `run ${number} of ${hostname}`, now });
  });
}

/** Time between two sweeps. In between, an account's evidence may exceed its plan's limit. */
export const EVIDENCE_LIMIT_EVERY_MS = 3_600_000;

const KEY = primaryKey('run_evidence');

/** Selects the size of the next account's evidence, in the order of account ids. The plan is null if the account was removed. */
const selectEvidenceUse = defineQuery<{ account_id: string; plan: Plan | null; bytes: number }, { after: string }>(
  (sql, { after }) =>
    sql('run_evidence as e')
      .leftJoin('accounts as a', 'a.id', 'e.account_id')
      .select('e.account_id', 'a.plan', sql.raw('sum(e.bytes) AS bytes'))
      .where('e.account_id', sql('run_evidence').min('account_id').where('account_id', '>', after))
      .groupBy('e.account_id', 'a.plan'),
);

const deleteOldestEvidence = defineQuery<{ bytes: number }, { account_id: string }>(
  (sql, { account_id }) => {
    const oldest = sql('run_evidence').select(KEY).where({ account_id }).orderBy('stored_at').limit(1);
    return deleteReturning(sql, sql('run_evidence').whereIn([...KEY], oldest), 'bytes');
  },
  { durability: 'process' },
);

/** Deletes the oldest evidence of accounts that exceed their plan's limit. After an interruption, continues where it stopped. */
export class EvidenceLimit {
  #after = '';

  constructor(private readonly db: Database) {}

  async enforce(pause: Pause = yieldToEventLoop): Promise<void> {
    for (;;) {
      const use = await this.db.one(selectEvidenceUse({ after: this.#after }));
      if (!use) break;
      const { account_id, plan, bytes } = use;
      for (let excess = plan === null ? 0 : bytes - PLANS[plan].evidenceBytesMax; excess > 0;) {
        const deleted = await this.db.one(deleteOldestEvidence({ account_id }));
        if (!deleted) break;
        excess -= deleted.bytes;
        await pause();
      }
      this.#after = account_id;
      await pause();
    }
    this.#after = '';
  }
}
