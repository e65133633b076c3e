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
    'Your account': [
      {
        what: '**API keys:** hashes of them, their names and first few characters, and when each was made, last used, revoked and expires',
        why: 'To let your programs in, and to show you which did',
        kept: 'As long as your account',
      },
      {
        what: '**Requests** of each key in a month',
        why: 'For its quota',
        kept: countOf(KEY_USAGE_KEPT_MONTHS, 'month'),
      },
      {
        what: '**Idempotency-Key:** a hash of its values',
        why: 'So that a repeated request starts no second run',
        kept: '1 day',
      },
    ],
  }),
} satisfies Feature;
