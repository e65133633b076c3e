import { utcMonth } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { selectKeysOfAccount } from './key-statements.js';
import { selectKeyUsageToExport } from './key-usage-statements.js';

/** The keys of an account with what each was used for, without their digests. */
export async function* keyLines(db: Database, account_id: string, now: Date): AsyncGenerator<object, void> {
  const keys = await db.run(selectKeysOfAccount({ account_id, month: utcMonth(now) }));
  const usage = await db.run(selectKeyUsageToExport({ account_id }));
  for (const key of keys) {
    yield {
      id: key.id,
      name: key.name,
      hint: key.hint,
      createdAt: key.created_at,
      lastUsedAt: key.last_used_at,
      revokedAt: key.revoked_at,
      expiresAt: key.expires_at,
      requests: usage.filter(({ key_id }) => key_id === key.id).map(({ month, used }) => ({ month, used })),
    };
  }
}
