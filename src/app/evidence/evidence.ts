import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import {
  evidenceOf,
  KEPT_BYTES_MAX,
  type KeptEvidence,
  type ShownEvidence,
} from '../../scanner/trace/kept-evidence.js';
import type { Database, Tx } from '../../store/database.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { lockOwnSite, type OwnSite, type SiteOfAccount } from '../sites/site.js';

/** The exchanges behind failures, as the verified owner of a site may see them. */
export interface EvidenceOfRun {
  /** By check id. Checks that passed, and those without stored evidence, are missing. */
  readonly ofRun: ReadonlyMap<string, ShownEvidence>;
  /** By check id, for checks that were checked again since the run. */
  readonly ofRechecks: ReadonlyMap<string, ShownEvidence>;
}

interface EvidenceRow {
  readonly site_id: string;
  readonly number: number;
  /** Empty for the run itself. */
  readonly check_id: string;
  readonly kept_at: string;
  /** JSON, gzip. */
  readonly evidence: Uint8Array;
  readonly account_id: string;
  readonly bytes: number;
}

const evidenceTable = table<EvidenceRow>('run_evidence', ['site_id', 'number', 'check_id']);

/** Returns evidence as it is stored; null if there is none. */
export async function packEvidence(evidence: KeptEvidence | null): Promise<Uint8Array | null> {
  if (!evidence || evidence.findings.length === 0) return null;
  return promisify(gzip)(JSON.stringify(evidence));
}

interface EvidenceKey extends SiteOfAccount {
  readonly number: number;
  /** The check that was checked again; left out for the run itself. */
  readonly checkId?: string;
}

/** @param evidence see {@link packEvidence} */
export async function storeEvidence(
  tx: Tx,
  evidence: Uint8Array | null,
  { siteId, accountId, number, checkId = '' }: EvidenceKey,
  now: Date,
): Promise<void> {
  if (!evidence) return;
  const key = { site_id: siteId, number, check_id: checkId };
  const owned = { account_id: accountId, bytes: evidence.byteLength };
  await tx.run(evidenceTable.insert({ ...key, kept_at: now.toISOString(), evidence, ...owned }));
}

/** Deletes the evidence of a site, or of one of its checks that was checked again. */
export async function deleteEvidence(
  tx: Tx,
  site_id: string,
  recheck?: Pick<EvidenceRow, 'number' | 'check_id'>,
): Promise<void> {
  await tx.run(evidenceTable.delete({ site_id, ...recheck }));
}

interface StoredEvidence {
  /** Null for the run itself. */
  readonly checkId: string | null;
  readonly keptAt: string;
  readonly evidence: KeptEvidence;
}

/** Reads the evidence of a run, then that of its checks that were checked again. */
export async function readEvidence(db: Database, siteId: string, number: number): Promise<readonly StoredEvidence[]> {
  const columns = ['check_id', 'kept_at', 'evidence'] as const;
  const rows = await db.run(evidenceTable.find({ site_id: siteId, number }, columns, 'check_id'));
  return rows.map(({ check_id, kept_at, evidence }) => {
    // Synchronous, because moving so little data to another thread takes longer.
    const json = gunzipSync(evidence, { maxOutputLength: KEPT_BYTES_MAX });
    return { checkId: check_id || null, keptAt: kept_at, evidence: JSON.parse(json.toString('utf8')) as KeptEvidence };
  });
}

/** Returns nothing for a site that is not verified. */
export async function evidenceOfRun(db: Database, site: OwnSite, number: number): Promise<EvidenceOfRun> {
  const [ofRun, ofRechecks] = [new Map<string, ShownEvidence>(), new Map<string, ShownEvidence>()];
  const stored = site.verifiedAt === null ? [] : await readEvidence(db, site.id, number);
  for (const { checkId, evidence } of stored) {
    for (const finding of evidence.findings) {
      const shown = evidenceOf(evidence, finding.checkId);
      if (shown) (checkId === null ? ofRun : ofRechecks).set(finding.checkId, shown);
    }
  }
  return { ofRun, ofRechecks };
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
