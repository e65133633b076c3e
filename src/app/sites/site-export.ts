import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { defineQuery } from '../../store/query.js';
import { readOwnershipTokens } from './proof.js';
import { siteOf, type SiteRow } from './site.js';

const SITES_PER_PAGE = 100;
const TOKENS_PER_PAGE = 500;

const selectSitesToExport = defineQuery<SiteRow, { account_id: string; after: string }>((sql, { account_id, after }) =>
  sql('sites').where({ account_id, is_deleting: 0 }).where('id', '>', after).orderBy('id').limit(SITES_PER_PAGE),
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
      .limit(TOKENS_PER_PAGE),
);

/** Reads the sites of an account, a page at a time. */
export function sitesToExport(db: Database, account_id: string): AsyncGenerator<SiteRow, void> {
  return readPages((last) => db.run(selectSitesToExport({ account_id, after: last?.id ?? '' })));
}

/** Returns the site's line in the export. Other features add their own fields. */
export async function describeSite(db: Database, row: SiteRow): Promise<Readonly<Record<string, unknown>>> {
  const { accountId, missingProof, chosenPages, latestNumber: runCount, ...site } = siteOf(row);
  const tokens = await readOwnershipTokens(db, accountId, [site.hostname]);
  return {
    ...site,
    chosenPages: chosenPages ?? [],
    proofNotFound: missingProof && { since: missingProof.since, countedDays: missingProof.days },
    ownershipToken: tokens.get(site.hostname) ?? null,
    runCount,
  };
}

/** Reads the tokens that belong to no site: those of whole domains and of removed sites. */
export function ownershipTokenLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: { readonly host: string } | undefined) =>
    db.run(selectTokensToExport({ account_id, after: last?.host ?? '' })),
  );
}
