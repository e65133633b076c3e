import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import {
  evidenceOf,
  KEPT_BYTES_MAX,
  type KeptEvidence,
  type ShownEvidence,
} from '../../scanner/trace/kept-evidence.js';
import type { Database } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';
import { deleteEvidence, deleteEvidenceOf, insertEvidence, selectEvidence } from './evidence-statements.js';

/** The exchanges behind failures, as the verified owner of a site may see them. */
export interface EvidenceOfRun {
  /** By check id; a check that passed, or without kept evidence, is not in it. */
  readonly ofRun: ReadonlyMap<string, ShownEvidence>;
  /** Of the last time that a check was made again alongside the run. */
  readonly ofRechecks: ReadonlyMap<string, ShownEvidence>;
}

const NOTHING: EvidenceOfRun = { ofRun: new Map(), ofRechecks: new Map() };

/** As it is stored; null where there is nothing to keep. */
export async function packEvidence(evidence: KeptEvidence | null): Promise<Uint8Array | null> {
  if (!evidence || evidence.findings.length === 0) return null;
  return promisify(gzip)(JSON.stringify(evidence));
}

/** Whose evidence it is. */
interface PlaceOfEvidence extends SiteOfAccount {
  readonly number: number;
  /** The check that was made again alongside the run; left out for the run itself. */
  readonly checkId?: string;
}

/** Keeps what packEvidence made. */
export function* keep(
  evidence: Uint8Array | null,
  { siteId, accountId, number, checkId = '' }: PlaceOfEvidence,
  now: Date,
): Transaction<void> {
  if (!evidence) return;
  const place = { site_id: siteId, number, check_id: checkId, account_id: accountId };
  const bytes = evidence.byteLength;
  yield* execute(insertEvidence({ ...place, kept_at: now.toISOString(), evidence, bytes }));
}

/** Drops what a check that was made again had rested on the time before. */
export function dropEvidenceOf(place: Required<Omit<PlaceOfEvidence, 'accountId'>>): Transaction<void> {
  return execute(deleteEvidenceOf({ site_id: place.siteId, number: place.number, check_id: place.checkId }));
}

/** Drops what is kept of the site's runs, as with its ownership. */
export function dropEvidence(siteId: string): Transaction<void> {
  return execute(deleteEvidence({ site_id: siteId }));
}

/** One row of what is kept of a run, read. */
export async function* readEvidence(
  db: Database,
  siteId: string,
  number: number,
): AsyncGenerator<{ readonly checkId: string | null; readonly keptAt: string; readonly evidence: KeptEvidence }, void> {
  for (const { check_id, kept_at, evidence } of await db.run(selectEvidence({ site_id: siteId, number }))) {
    // At once: it is small, and to hand it to another thread takes longer than this.
    const json = gunzipSync(evidence, { maxOutputLength: KEPT_BYTES_MAX });
    yield { checkId: check_id || null, keptAt: kept_at, evidence: JSON.parse(json.toString('utf8')) as KeptEvidence };
  }
}

/** Reads what is kept of runs. */
export class RunEvidence {
  constructor(private readonly db: Database) {}

  /** Empty for a site that is not verified. */
  async ofRun(site: OwnSite, number: number): Promise<EvidenceOfRun> {
    if (site.verifiedAt === null) return NOTHING;
    const ofRun = new Map<string, ShownEvidence>();
    const ofRechecks = new Map<string, ShownEvidence>();
    for await (const { checkId, evidence } of readEvidence(this.db, site.id, number)) {
      for (const finding of evidence.findings) {
        const shown = evidenceOf(evidence, finding.checkId);
        if (shown) (checkId === null ? ofRun : ofRechecks).set(finding.checkId, shown);
      }
    }
    return { ofRun, ofRechecks };
  }

  /** Notes that it is taken along. @throws ServiceError site_not_found for a site that was removed */
  async recordDownload({ id: siteId, accountId }: OwnSite, number: number, now: Date): Promise<void> {
    await this.db.transaction(function* () {
      const { hostname } = yield* holdOwnSite({ siteId, accountId });
      yield* recordEvent({ accountId, event: 'evidence_downloaded', subject: `run ${number} of ${hostname}`, now });
    });
  }
}
