import { defineQuery, deleteReturning, jsonRows } from '../../store/query.js';
import { NOT_VERIFIED } from './site-statements.js';

export interface ExcludedHostRow {
  readonly host: string;
  readonly excluded_at: string;
}

export const insertExcludedHost = defineQuery<never, { host: string; excluded_at: string }>(
  (sql, { host, excluded_at }) => sql('excluded_hosts').insert({ host, excluded_at }).onConflict('host').ignore(),
);

export const deleteExcludedHost = defineQuery<{ host: string }, { host: string }>((sql, { host }) =>
  deleteReturning(sql, sql('excluded_hosts').where({ host }), 'host'),
);

export const selectExcludedHosts = defineQuery<ExcludedHostRow>((sql) =>
  sql('excluded_hosts').select('host', 'excluded_at').orderBy('host'),
);

/** Those of these that are excluded, or below one that is. @param hosts JSON: `[{host}, …]` */
export const selectExcludedAmong = defineQuery<{ host: string }, { hosts: string }>((sql, { hosts }) =>
  sql
    .select('given.host')
    .from(jsonRows(sql, hosts, ['host']))
    .whereExists(
      sql('excluded_hosts')
        .select('excluded_hosts.host')
        .whereRaw(`(given.host = excluded_hosts.host OR given.host LIKE '%.' || excluded_hosts.host)`),
    ),
);

/** The verified sites of the host and of the names below it, by any port, no longer are. */
export const endOwnerships = defineQuery<
  { id: string; account_id: string; hostname: string },
  { host: string; lost_at: string }
>((sql, { host, lost_at }) =>
  sql('sites')
    .where({ is_deleting: 0 })
    .whereNotNull('verified_at')
    .whereRaw(
      `(hostname = ? OR hostname LIKE ? || ':%' OR hostname LIKE '%.' || ? OR hostname LIKE '%.' || ? || ':%')`,
      [host, host, host, host],
    )
    .update({ ...NOT_VERIFIED, ownership_lost_at: lost_at })
    .returning(['id', 'account_id', 'hostname']),
);
