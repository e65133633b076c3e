import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import { type RecheckedRow, recheckedColumns } from './recheck-statements.js';
import { IS_CURRENT } from './unread-proof-statements.js';

/** Verified by a proof, and of another registrable domain. A host's port stands after it. */
function ofOtherDomains(sql: Knex, domain: Knex.Raw): Knex.QueryBuilder {
  return sql('sites')
    .where({ is_deleting: 0 })
    .whereNotNull('verified_at')
    .whereNot('verified_by', 'operator')
    .whereRaw("('.' || hostname || ':') NOT LIKE ('%.' || ? || ':%')", [domain]);
}

const UNREAD = `SELECT 1 FROM unread_proofs WHERE ${IS_CURRENT}`;

const WITNESSES_AT_ONCE = 3;

/** Some sites of other domains whose proof was found when it was last looked for, from an id on. */
export const selectWitnesses = defineQuery<RecheckedRow, { domain: string; from: string }>((sql, { domain, from }) =>
  ofOtherDomains(sql, domain)
    .select(recheckedColumns(sql))
    .where('id', '>=', from)
    .whereRaw(`NOT EXISTS (${UNREAD})`)
    .orderBy('id')
    .limit(WITNESSES_AT_ONCE),
);

/** A row unless all sites are of one domain. A site whose proof has not been found for long is not a witness any more. */
export const selectOtherDomain = defineQuery<{ id: string }, { domain: string; unread_before: string }>(
  (sql, { domain, unread_before }) =>
    ofOtherDomains(sql, domain).select('id').whereRaw(`NOT EXISTS (${UNREAD} AND since < ?)`, [unread_before]).limit(1),
);
