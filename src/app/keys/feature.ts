import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { KEY_USAGE_KEPT_MONTHS } from './key-usage-statements.js';
import { deleteOfAccount } from '../kept.js';
import { keyLines } from './key-export.js';
import { cleanUpKeyUsage } from './key-usage-statements.js';

export const keys = {
  tables: ['api_keys', 'key_usage'],
  closeAccount: [deleteOfAccount('api_keys')],
  cleanUps: [cleanUpKeyUsage],
  lines: { key: keyLines },
  pages: () => import('./pages/revoke-key.js'),
  events: { key_created: 'API key created', key_revoked: 'API key revoked' },
  privacy: () => ({
    Accounts: [
      `API keys as digests, with their names, first few characters, times of creation, last use, revocation and expiry. How many requests each made in a month is kept for ${countOf(KEY_USAGE_KEPT_MONTHS, 'month')}. Values of Idempotency-Key are kept as digests for a day.`,
    ],
  }),
} satisfies Feature;
