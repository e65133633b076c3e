import { defineQuery, deleteReturning } from '../../store/query.js';
import { ACCOUNT_MAIL } from '../accounts/mails.js';
import type { Context } from '../context.js';
import { listExcludedHosts } from '../sites/excluded-hosts.js';

/** What was revoked in a restored database. */
export interface RevokedAccess {
  readonly sessionsEnded: number;
  readonly signInLinksEnded: number;
  readonly keysRevoked: number;
  readonly deployHooksRemoved: number;
  readonly badgesTurnedOff: number;
  readonly reportsTurnedOff: number;
  readonly excludedHosts: readonly string[];
}

const revokeAllKeys = defineQuery<object, { now: string }>((sql, { now }) =>
  sql('api_keys').whereNull('revoked_at').update({ revoked_at: now }).returning('id'),
);

function deleteAll<Column extends string>(table: string, column: Column) {
  return defineQuery<Record<Column, string>>((sql) => deleteReturning(sql, sql(table), column));
}

const deleteSessions = deleteAll('sessions', 'digest');
const deleteLinks = deleteAll('sign_in_links', 'digest');
const deleteMails = defineQuery<never>((sql) => sql('jobs').where({ kind: ACCOUNT_MAIL }).delete());
const deleteHooks = deleteAll('deploy_hooks', 'site_id');
const deletePublications = deleteAll('publications', 'kind');

/**
 * Revokes all access and all public links in a restored database: some were revoked after the backup, and it is unknown which.
 * @param keepsKeys true to keep keys and deploy hooks, if the operator knows that none was revoked since the backup
 */
export async function revokeAccess(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  keepsKeys: boolean,
): Promise<RevokedAccess> {
  const now = clock.now().toISOString();
  const ended = await db.transaction(async (tx) => {
    await tx.run(deleteMails({}));
    const published = Map.groupBy(await tx.run(deletePublications({})), ({ kind }) => kind);
    return {
      sessionsEnded: (await tx.run(deleteSessions({}))).length,
      signInLinksEnded: (await tx.run(deleteLinks({}))).length,
      keysRevoked: keepsKeys ? 0 : (await tx.run(revokeAllKeys({ now }))).length,
      deployHooksRemoved: keepsKeys ? 0 : (await tx.run(deleteHooks({}))).length,
      badgesTurnedOff: published.get('badge')?.length ?? 0,
      reportsTurnedOff: published.get('report')?.length ?? 0,
    };
  });
  return { ...ended, excludedHosts: (await listExcludedHosts(db)).map(({ host }) => host) };
}
