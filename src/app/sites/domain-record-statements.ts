import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import { IS_CURRENT } from './unread-proof-statements.js';

/** The record of a domain that an account has published. */
export interface RecordKey {
  readonly account_id: string;
  readonly domain: string;
}

/** The sites that the record verified. A host's port stands after it; an underscore in a name stands for itself. */
function ofRecord(sql: Knex, account_id: Knex.Raw, domain: Knex.Raw): Knex.QueryBuilder {
  return sql('sites')
    .where({ account_id, is_deleting: 0, verified_by: 'domain' })
    .whereRaw("('.' || hostname || ':') LIKE ('%.' || replace(?, '_', '!_') || ':%') ESCAPE '!'", [domain]);
}

export const selectFirstOfRecord = defineQuery<{ id: string }, { account_id: string; domain: string }>(
  (sql, { account_id, domain }) => ofRecord(sql, account_id, domain).select('id').orderBy('id').limit(1),
);

/** What was told of the other sites whose proof is not found; nulls where there is none. */
export const selectToldOfRecord = defineQuery<
  { told: number | null; is_end_told: number | null },
  { account_id: string; domain: string; id: string }
>((sql, { account_id, domain, id }) =>
  ofRecord(sql, account_id, domain)
    .whereNot('sites.id', id)
    .join('unread_proofs', sql.raw(IS_CURRENT))
    .max({ told: 'told', is_end_told: 'is_end_told' }),
);

/** Writes to those whose proof was not found on so many days that so much was told of them. */
export const markToldOfRecord = defineQuery<never, { account_id: string; domain: string; told: number; days: number }>(
  (sql, { account_id, domain, told, days }) =>
    sql('unread_proofs')
      .whereIn('site_id', ofRecord(sql, account_id, domain).select('id'))
      .where('days', '>=', days)
      .update({ told, is_end_told: 1 }),
);

/** Has the others looked at now, those apart that are known to be missing or are due already: of many, only some are looked at at a time. */
export const bringRecordForward = defineQuery<never, { account_id: string; domain: string; now: string }>(
  (sql, { account_id, domain, now }) =>
    ofRecord(sql, account_id, domain)
      .where((isLater) => isLater.whereNull('proof_due_at').orWhere('proof_due_at', '>', now))
      .whereRaw(`NOT EXISTS (SELECT 1 FROM unread_proofs WHERE ${IS_CURRENT})`)
      .update({ proof_due_at: now }),
);
