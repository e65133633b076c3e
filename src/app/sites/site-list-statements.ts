import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

export interface SiteListRow {
  readonly id: string;
  /** JSON. */
  readonly lines: string;
  readonly created_at: string;
  readonly added_at: string | null;
}

/** Takes the place of the list that the account gave before. */
export const upsertSiteList = defineQuery<
  never,
  { account_id: string; id: string; lines: string; created_at: string; added_at: string | null }
>(
  (sql, { account_id, id, lines, created_at, added_at }) =>
    sql('site_lists').insert({ account_id, id, lines, created_at, added_at }).onConflict('account_id').merge(),
  { durability: 'process' },
);

export const selectSiteList = defineQuery<SiteListRow, { account_id: string }>((sql, { account_id }) =>
  sql('site_lists').select('id', 'lines', 'created_at', 'added_at').where({ account_id }),
);

/** @param id so that what came of one list is never written over another */
export const updateSiteList = defineQuery<
  never,
  { account_id: string; id: string; lines: string; added_at: string | null }
>((sql, { account_id, id, lines, added_at }) =>
  sql('site_lists').where({ account_id, id }).update({ lines, added_at }),
);

/** How long what was given can be added, and what came of it can be looked at. */
export const LISTS_KEPT_MS = 86_400_000;

export const cleanUpSiteLists = defineCleanup<{ before: string }>(
  'site_lists',
  ['account_id'],
  (rows, { before }) => rows.where('created_at', '<', before),
  (now) => ({ before: laterThan(now, -LISTS_KEPT_MS) }),
);
