import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { selectTokensToExport, type TokenRow } from './ownership-token-statements.js';
import { selectSiteList } from './site-list-statements.js';
import type { ListLine } from './site-list.js';
import { type ExportedSiteRow, selectSitesToExport } from './site-statements.js';
import { tagsOf } from './tags.js';
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
    tags: tagsOf(site.tags),
    mailMutedAt: site.mail_muted_at,
    proofNotFound: describeProof(unreadProofOfSite(site)),
    ownershipToken: site.ownership_token,
    runCount: site.run_counter,
  };
}

/** The texts that prove what is not one of its sites: whole domains, and sites that were removed. */
export function ownershipTokenLines(db: Database, account_id: string): AsyncGenerator<TokenRow, void> {
  return readPages((last) => db.run(selectTokensToExport({ account_id, after: last?.host ?? '' })));
}

/** The list that the account gave last, as long as it is kept. */
export async function* siteListLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  for (const { created_at: createdAt, added_at: addedAt, lines } of await db.run(selectSiteList({ account_id }))) {
    yield {
      createdAt,
      addedAt,
      lines: (JSON.parse(lines) as ListLine[]).map(({ given, state }) => ({ given, state })),
    };
  }
}

function describeProof(unread: UnreadProof | null): object | null {
  if (unread === null) return null;
  const { days: countedDays, ...rest } = unread;
  return { ...rest, countedDays };
}
