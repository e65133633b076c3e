import type { Clock } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import type { Database } from '../../store/database.js';
import type { Query } from '../../store/query.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import {
  deleteAllAccountMails,
  deleteAllHooks,
  deleteAllLinks,
  deleteAllSessions,
  deleteAllSignUps,
  insertEpoch,
  revokeAllKeys,
} from './reopening-statements.js';

/** What a restored database was relieved of. */
export interface Reopened {
  readonly epoch: string;
  readonly sessionsEnded: number;
  readonly signInLinksEnded: number;
  readonly keysRevoked: number;
  readonly deployHooksRemoved: number;
}

/**
 * Makes a database that was put back fit to be served: a copy knows nothing of what ended after it was taken. Whatever lets somebody
 * in is ended, since some of it was ended before, and it is unknown which. A new epoch is opened, so that a number which is given
 * out again has neither the entity tag nor the digest of the run that had it before.
 * @param isKeeping leaves keys and deploy hooks alive, on the operator's word that none of them was revoked since
 */
export function reopen(
  db: Database,
  { clock, isKeeping }: { readonly clock: Clock; readonly isKeeping: boolean },
): Promise<Reopened> {
  const now = clock.now().toISOString();
  const epoch = newId('epoch');
  return db.transaction(function* () {
    yield* execute(insertEpoch({ id: epoch, now }));
    yield* execute(deleteAllAccountMails({}));
    return {
      epoch,
      sessionsEnded: yield* count(deleteAllSessions({})),
      signInLinksEnded: (yield* count(deleteAllLinks({}))) + (yield* count(deleteAllSignUps({}))),
      keysRevoked: isKeeping ? 0 : yield* count(revokeAllKeys({ now })),
      deployHooksRemoved: isKeeping ? 0 : yield* count(deleteAllHooks({})),
    };
  });
}

function* count(query: Query<unknown>): Transaction<number> {
  return (yield* all(query)).length;
}
