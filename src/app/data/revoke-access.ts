import { jobs } from '../../queue/jobs.js';
import { defineQuery, deleteReturning, type TableName } from '../../store/query.js';
import { ACCOUNT_MAIL } from '../accounts/mails.js';
import type { Context } from '../context.js';
import { listExcludedHosts } from '../sites/excluded-hosts.js';

const revokeAllKeys = defineQuery<object, { now: string }>((sql, { now }) =>
  sql('api_keys').whereNull('revoked_at').update({ revoked_at: now }).returning('id'),
);

function defineDeleteAll<Column extends string>(table: TableName, column: Column) {
  return defineQuery<Record<Column, string>>((sql) => deleteReturning(sql, sql(table), column));
}

const deleteSessions = defineDeleteAll('sessions', 'digest');
const deleteLinks = defineDeleteAll('sign_in_links', 'digest');
const deleteHooks = defineDeleteAll('deploy_hooks', 'site_id');
const deletePublications = defineDeleteAll('publications', 'kind');

/**
 * Revokes all access and all public links in a restored database, because any of them may have been revoked after the backup.
 * @param keepsKeys true to keep keys and deploy hooks, if the operator knows that none was revoked after the backup
 */
export async function revokeAccess({ db, clock }: Pick<Context, 'db' | 'clock'>, keepsKeys: boolean) {
  const now = clock.now().toISOString();
  const ended = await db.transaction(async (tx) => {
    await tx.run(jobs.delete({ kind: ACCOUNT_MAIL }));
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

/** What was revoked in a restored database. */
export type RevokedAccess = Awaited<ReturnType<typeof revokeAccess>>;
