import type { Database } from '../../store/database.js';
import { readPages } from '../../store/batches.js';
import { defineQuery } from '../../store/query.js';
import { siteOf, type SiteRow } from './site.js';

const ROWS_PER_PAGE = 200;

const selectSites = defineQuery<SiteRow, { account_id: string; after: string }>((sql, { account_id, after }) =>
  sql('sites').where({ account_id, is_deleting: 0 }).where('id', '>', after).orderBy('id').limit(ROWS_PER_PAGE),
);

interface OwnershipToken {
  readonly host: string;
  readonly token: string;
}

const selectTokens = defineQuery<OwnershipToken, { account_id: string; after: string }>((sql, { account_id, after }) =>
  sql('ownership_tokens')
    .select('host', 'token')
    .where({ account_id })
    .where('host', '>', after)
    .orderBy('host')
    .limit(ROWS_PER_PAGE),
);

/** Reads the sites of an account, a page at a time. */
export function sitesToExport(db: Database, account_id: string): AsyncGenerator<SiteRow, void> {
  return readPages((last) => db.run(selectSites({ account_id, after: last?.id ?? '' })));
}

/** Returns the site's line in the export. Other features add their own fields. */
export function describeSite(row: SiteRow): Readonly<Record<string, unknown>> {
  const { accountId, missingProof, chosenPages, latestNumber: runCount, ...site } = siteOf(row);
  const proofNotFound = missingProof && { since: missingProof.since, countedDays: missingProof.days };
  return { ...site, chosenPages: chosenPages ?? [], proofNotFound, runCount };
}

/** Reads the ownership tokens of sites, of whole domains and of removed sites. */
export function ownershipTokenLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: OwnershipToken | undefined) => db.run(selectTokens({ account_id, after: last?.host ?? '' })));
}
