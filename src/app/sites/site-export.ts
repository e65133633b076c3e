import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { type ExportedSiteRow, selectSitesToExport } from './site-statements.js';
import { type UnreadProof, unreadProofOfSite } from './unread-proof.js';

/** The sites of an account, a page at a time. */
export function sitesToExport(db: Database, account_id: string): AsyncGenerator<ExportedSiteRow, void> {
  return readPages((last) => db.run(selectSitesToExport({ account_id, after: last?.id ?? '' })));
}

/** What the export says of a site by itself. */
export function describeSite(site: ExportedSiteRow): Readonly<Record<string, unknown>> {
  const { id, origin, hostname, created_at: createdAt, verified_at: verifiedAt, verified_by: verifiedBy } = site;
  return {
    id,
    origin,
    hostname,
    createdAt,
    verifiedAt,
    verifiedBy,
    ownershipLostAt: site.ownership_lost_at,
    proofNotFound: describeProof(unreadProofOfSite(site)),
    ownershipToken: site.ownership_token,
    runCount: site.run_counter,
  };
}

function describeProof(unread: UnreadProof | null): object | null {
  if (unread === null) return null;
  const { days: countedDays, ...rest } = unread;
  return { ...rest, countedDays };
}
