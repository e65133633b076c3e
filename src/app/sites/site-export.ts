import type { Database } from '../../store/database.js';
import { readPages } from '../../store/batches.js';
import { defineQuery } from '../../store/query.js';
import { siteOf, type SiteRow } from './site.js';

const ROWS_PER_PAGE = 200;

interface ExportedSiteRow extends SiteRow {
  readonly ownership_token: string | null;
}

const selectSitesToExport = defineQuery<ExportedSiteRow, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('sites as s')
      .leftJoin('ownership_tokens as t', { 't.account_id': 's.account_id', 't.host': 's.hostname' })
      .select('s.*', 't.token as ownership_token')
      .where({ 's.account_id': account_id, 's.is_deleting': 0 })
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(ROWS_PER_PAGE),
);

const selectTokensToExport = defineQuery<{ host: string; token: string }, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('ownership_tokens as t')
      .select('t.host', 't.token')
      .where('t.account_id', account_id)
      .where('t.host', '>', after)
      .whereRaw(
        `NOT EXISTS (SELECT 1 FROM sites s WHERE s.account_id = t.account_id AND s.hostname = t.host AND s.is_deleting = 0)`,
      )
      .orderBy('t.host')
      .limit(ROWS_PER_PAGE),
);

/** Reads the sites of an account, a page at a time. */
export function sitesToExport(db: Database, account_id: string): AsyncGenerator<ExportedSiteRow, void> {
  return readPages((last) => db.run(selectSitesToExport({ account_id, after: last?.id ?? '' })));
}

/** Returns the site's line in the export. Other features add their own fields. */
export function describeSite(row: ExportedSiteRow): Readonly<Record<string, unknown>> {
  const { accountId, missingProof, chosenPages, latestNumber: runCount, ...site } = siteOf(row);
  return {
    ...site,
    chosenPages: chosenPages ?? [],
    proofNotFound: missingProof && { since: missingProof.since, countedDays: missingProof.days },
    ownershipToken: row.ownership_token,
    runCount,
  };
}

/** Reads the tokens that belong to no site: those of whole domains and of removed sites. */
export function ownershipTokenLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: { readonly host: string } | undefined) =>
    db.run(selectTokensToExport({ account_id, after: last?.host ?? '' })),
  );
}
