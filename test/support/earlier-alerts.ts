import { defineQuery } from '../../src/store/query.js';

/** What processes of version 0.5.0 ask of webhooks, as its webhook-statements.ts has it (commit 184c6e1). */

/** Those that a message is queued for. */
export const webhooksInUseFor050 = defineQuery<{ id: string }, { account_id: string }>((sql, { account_id }) =>
  sql('webhooks').select('id').where({ account_id, disabled_at: null }).orderBy(['created_at', 'id']).forKeyShare(),
);

/** Where one is sent to; nothing where it is disabled. */
export const webhookToSendFor050 = defineQuery<
  { url: string; secret: string; disabled_at: string | null },
  { id: string }
>((sql, { id }) => sql('webhooks').select('url', 'secret', 'disabled_at').where({ id }));

export const enableWebhookOf050 = defineQuery<never, { id: string; account_id: string }>((sql, { id, account_id }) =>
  sql('webhooks').where({ id, account_id }).update({ disabled_at: null, failing_since: null }),
);
