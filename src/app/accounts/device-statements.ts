import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/** How long a device is known after it last signed in. */
export const DEVICE_KNOWN_MS = 365 * 86_400_000;

export const insertDevice = defineQuery<never, { digest: string; account_id: string; now: string }>(
  (sql, { digest, account_id, now }) => sql('known_devices').insert({ digest, account_id, last_used_at: now }),
);

/** A row when the account knows the device. */
export const touchDevice = defineQuery<{ digest: string }, { digest: string; account_id: string; now: string }>(
  (sql, { digest, account_id, now }) =>
    sql('known_devices').where({ digest, account_id }).update({ last_used_at: now }).returning('digest'),
);

/** The address of the account that knows the device. It is compared by the caller: no address that somebody gives is looked up here. */
export const selectDevice = defineQuery<{ email: string }, { digest: string; used_after: string }>(
  (sql, { digest, used_after }) =>
    sql('known_devices as d')
      .join('accounts as a', 'a.id', 'd.account_id')
      .select('a.email')
      .where({ 'd.digest': digest })
      .where('d.last_used_at', '>', used_after),
);

export const deleteOtherDevices = defineQuery<never, { account_id: string; digest: string }>(
  (sql, { account_id, digest }) => sql('known_devices').where({ account_id }).whereNot({ digest }).del(),
);

export const deleteDevicesOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('known_devices').where({ account_id }).del(),
);

export const cleanUpDevices = defineCleanup<{ used_before: string }>(
  'known_devices',
  ['digest'],
  (rows, { used_before }) => rows.where('last_used_at', '<=', used_before),
  (now) => ({ used_before: laterThan(now, -DEVICE_KNOWN_MS) }),
);
